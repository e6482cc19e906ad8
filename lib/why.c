// SPDX-License-Identifier: GPL-2.0-only
/*
 * A sentence beside an error number.
 */
#include <stdarg.h>
#include <stdio.h>

#include "lib/text.h"
#include "lib/why.h"

int why_fail(char why[WHY_SIZE], int result, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(why, WHY_SIZE, fmt, args);
	va_end(args);
	text_clean(why);	/* what it quotes may be an image's */
	return result;
}
