// SPDX-License-Identifier: GPL-2.0-only
/*
 * caller_test.c as on a kernel before 6.9, which has no PIDFD_THREAD.
 */
#define BEFORE_6_9	true
#define PIDFD_THREAD	0x40000000

#include "caller_test.c"
