// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whether the ncurses of a static program finds descriptions of terminals where it runs.
 *
 *	terminals TERMINAL...
 */
#include <stdio.h>

#include <curses.h>
#include <term.h>

int main(int argc, char **argv)
{
	int i, error;

	for (i = 1; i < argc; i++)
		if (setupterm(argv[i], 1, &error) != OK) {
			fprintf(stderr, "terminals: nothing is known of %s\n", argv[i]);
			return 1;
		}
	return 0;
}
