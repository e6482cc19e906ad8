// SPDX-License-Identifier: GPL-2.0-only
/*
 * A 32-bit program for arm, without a C library: makes the call that the suite has
 * written into the memory it shares with us, writes the result there, and ends.
 */
#include "tests/conformance/conformance32.h"

#define NR_EXIT		1
#define NR_MMAP2	192

#define PROT_READ_WRITE	3
#define MAP_SHARED_HERE	0x11	/* MAP_SHARED | MAP_FIXED */

static u32 system_call(u32 nr, u32 a, u32 b, u32 c, u32 d, u32 e)
{
	register u32 r7 __asm__("r7") = nr;
	register u32 r0 __asm__("r0") = a;
	register u32 r1 __asm__("r1") = b;
	register u32 r2 __asm__("r2") = c;
	register u32 r3 __asm__("r3") = d;
	register u32 r4 __asm__("r4") = e;
	register u32 r5 __asm__("r5") = 0;

	__asm__ volatile("svc #0" : "+r"(r0) : "r"(r7), "r"(r1), "r"(r2), "r"(r3), "r"(r4),
			 "r"(r5) : "memory");
	return r0;
}

/*
 * Programs write the arguments of a call before they make it. The suite did that here,
 * but not in our page table: where the processor does not mark pages as written by
 * itself (before ARMv8.1), a BPF program can write none that we have only read.
 */
static void write_pages(void)
{
	volatile u8 *at = (u8 *)ROOM_AT;
	u32 i;

	for (i = 0; i < ROOM_SIZE; i += 4096)
		at[i] = at[i];
}

void _start(void);

void _start(void)
{
	struct room_call *call = (struct room_call *)ROOM_AT;

	if (system_call(NR_MMAP2, ROOM_AT, ROOM_SIZE, PROT_READ_WRITE,
			MAP_SHARED_HERE, ROOM_FD) == ROOM_AT) {
		write_pages();
		call->result = (int)system_call(call->nr, CALL_FD, call->request, call->low, 0, 0);
	}
	system_call(NR_EXIT, 0, 0, 0, 0, 0);
}
