// SPDX-License-Identifier: GPL-2.0-only
/*
 * The time from one reading to the next: see interval.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "cli/view/interval.h"

#define INTERVAL_MIN	0.1
#define INTERVAL_MAX	3600.0

bool interval_parse(const char *text, double *seconds)
{
	char *end;
	double value = strtod(text, &end);

	if (*end || !(value >= INTERVAL_MIN && value <= INTERVAL_MAX))
		return false;
	*seconds = value;
	return true;
}

enum cli_exit interval_read(const struct command_call *call, const char *option,
			    double *seconds)
{
	const char *value = command_value(call, option);

	if (!value || !*value || interval_parse(value, seconds))
		return CLI_DONE;
	return command_fail_usage(call, "invalid value '%s' for --%s: use seconds, from 0.1 to 3600",
				  value, option);
}

void interval_sleep(double seconds)
{
	struct timespec left = {
		.tv_sec = (time_t)seconds,
		.tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9),
	};

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}
