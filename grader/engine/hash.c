/* SPDX-License-Identifier: MIT */
#include "grader/engine/hash.h"

#include <sodium/utils.h>
#include <string.h>

enum { HASH_BYTES = crypto_generichash_BYTES };

void hash_init(struct hash *hash)
{
	crypto_generichash_init(&hash->state, NULL, 0, HASH_BYTES);
}

void hash_add_number(struct hash *hash, uint64_t number)
{
	unsigned char bytes[8];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(number >> 8 * i);
	crypto_generichash_update(&hash->state, bytes, sizeof(bytes));
}

void hash_add(struct hash *hash, const void *data, size_t len)
{
	hash_add_number(hash, len);
	crypto_generichash_update(&hash->state, data, len);
}

void hash_add_string(struct hash *hash, const char *string)
{
	hash_add(hash, string, strlen(string));
}

void hash_hex(struct hash *hash, char out[static HASH_HEX_BYTES])
{
	unsigned char bytes[HASH_BYTES];

	crypto_generichash_final(&hash->state, bytes, sizeof(bytes));
	sodium_bin2hex(out, HASH_HEX_BYTES, bytes, sizeof(bytes));
}

uint64_t hash_number(struct hash *hash)
{
	unsigned char bytes[HASH_BYTES];
	uint64_t number = 0;

	crypto_generichash_final(&hash->state, bytes, sizeof(bytes));
	for (size_t i = 0; i < 8; i++)
		number |= (uint64_t)bytes[i] << 8 * i;
	return number;
}
