// SPDX-License-Identifier: GPL-2.0-only
/*
 * Starts containers that the agent of this machine supervises, without a runtime, while
 * others restart or kill the agent. Fails if the agent loses one of them.
 *
 *	starts CALLER NUMBER
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness.h"

static void nothing(int started)
{
	(void)started;
}

int main(int argc, char **argv)
{
	int starts = argc == 3 ? atoi(argv[2]) : 0, lost;

	if (starts <= 0) {
		fprintf(stderr, "usage: %s CALLER NUMBER\n", argv[0]);
		return 2;
	}
	caller = argv[1];
	lost = start_many(starts, nothing);
	printf("%d containers, %d lost\n", starts, lost);
	return lost != 0;
}
