// SPDX-License-Identifier: GPL-2.0-only
/*
 * nvsim-old.ko: nvsim.ko with the entry functions of 535 and earlier.
 */
#define NVSIM_OLD_ENTRY
#include "sim/hosts/kernel/entry.c"
