/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_HASH_H
#define GRADER_ENGINE_HASH_H

/*
 * BLAKE2b-256 (RFC 7693), from libsodium, over parts: each part's length goes
 * in before it, so that parts cannot run into each other.
 */

#include <sodium/crypto_generichash.h>
#include <stddef.h>
#include <stdint.h>

enum { HASH_HEX_BYTES = 65 }; /* with its NUL */

struct hash {
	crypto_generichash_state state;
};

void hash_init(struct hash *hash);
void hash_add(struct hash *hash, const void *data, size_t len);
void hash_add_string(struct hash *hash, const char *string);
void hash_add_number(struct hash *hash, uint64_t number);

void hash_hex(struct hash *hash, char out[static HASH_HEX_BYTES]);
/* Its first 8 bytes, least significant first: a seed. */
uint64_t hash_number(struct hash *hash);

#endif
