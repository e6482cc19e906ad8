// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests that root alone can run: see driver_root.h.
 */
#include <stdio.h>
#include <unistd.h>

#include "tests/unit/root.h"

bool have_root(void)
{
	if (!geteuid())
		return true;
	puts("1..0 # SKIP root is needed, for namespaces");
	return false;
}
