// SPDX-License-Identifier: GPL-2.0-only
/*
 * caller_test.c as on a kernel before 6.9, which has neither PIDFD_THREAD nor PROCMAP_QUERY.
 */
#define BEFORE_6_9	true
#define PIDFD_THREAD	0x40000000
#define PROCMAP_QUERY	0x6600

#include "caller_test.c"
