// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps how the cases end: see suite.h.
 */
#include <stdarg.h>

#include "tests/conformance/suite.h"

static enum { PASSED, FAILED, SKIPPED } outcome;
static char reason[512];
static unsigned int passed, failed, skipped;

static void settle(int how, const char *format, va_list ap)
{
	if (outcome != PASSED)
		return;		/* the first reason is the reason */
	outcome = how;
	vsnprintf(reason, sizeof(reason), format, ap);
}

void case_fail(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	settle(FAILED, format, ap);
	va_end(ap);
}

void case_skip(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	settle(SKIPPED, format, ap);
	va_end(ap);
}

bool case_failed(void)
{
	return outcome == FAILED;
}

void case_begin(void)
{
	outcome = PASSED;
	reason[0] = '\0';
}

/*
 * Turns the outcome round: a case that fails without an engine has shown that it can fail,
 * one that passes proves nothing. A case that was skipped stays so.
 */
void case_must_fail(void)
{
	if (outcome == PASSED)
		case_fail("passes without an engine, so it proves nothing");
	else if (outcome == FAILED)
		outcome = PASSED;
}

void case_end(const char *name, unsigned int ms)
{
	switch (outcome) {
	case PASSED:
		passed++;
		printf("ok %s%s%s (%u ms)\n", name, *reason ? " # fails without an engine: " : "",
		       reason, ms);
		break;
	case FAILED:
		failed++;
		printf("not ok %s: %s\n", name, reason);
		break;
	case SKIPPED:
		skipped++;
		printf("skip %s: %s\n", name, reason);
		break;
	}
	fflush(stdout);
}

bool report_total(void)
{
	printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
	return !failed && passed;
}
