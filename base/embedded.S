/* SPDX-License-Identifier: MIT */

	.section .rodata
	.balign 16
	.global embedded_runner, embedded_runner_end
	.hidden embedded_runner, embedded_runner_end
embedded_runner:
	.incbin RUNNER
embedded_runner_end:
	.byte 0

	.balign 16
	.global embedded_random, embedded_random_end
	.hidden embedded_random, embedded_random_end
embedded_random:
	.incbin RANDOM
embedded_random_end:
	.byte 0

	.balign 16
	.global embedded_shim, embedded_shim_end
	.hidden embedded_shim, embedded_shim_end
embedded_shim:
	.incbin SHIM
embedded_shim_end:
	.byte 0

	.balign 16
	.global embedded_shim_checked, embedded_shim_checked_end
	.hidden embedded_shim_checked, embedded_shim_checked_end
embedded_shim_checked:
	.incbin SHIM_CHECKED
embedded_shim_checked_end:
	.byte 0

	.balign 16
	.global embedded_search, embedded_search_end
	.hidden embedded_search, embedded_search_end
embedded_search:
	.incbin SEARCH
embedded_search_end:
	.byte 0

	.section .note.GNU-stack, "", @progbits
