/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory shared by the suite and its 32-bit program, at the same address in both.
 */
#ifndef MPU_TESTS_CONFORMANCE_CONFORMANCE32_H
#define MPU_TESTS_CONFORMANCE_CONFORMANCE32_H

#include "core/env.h"

/* Neither of them has anything here. The highest bit is one that a driver might extend. */
#define ROOM_AT		0xa0000000u
#define ROOM_SIZE	0x100000u

/* The program's files: that memory, and the one that the call is about. */
#define ROOM_FD		0
#define CALL_FD		1

/* The call, at ROOM_AT. */
struct room_call {
	u32 nr;
	u32 request;
	u32 low;
	int result;
};

#endif /* MPU_TESTS_CONFORMANCE_CONFORMANCE32_H */
