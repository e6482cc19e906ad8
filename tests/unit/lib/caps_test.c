// SPDX-License-Identifier: GPL-2.0-only
/*
 * lib/caps.c against what /proc says of this thread.
 */
#include "lib/caps.h"
#include "tests/unit/unit.h"

static uint64_t read_status(const char *format)
{
	FILE *file = fopen("/proc/thread-self/status", "re");
	unsigned long long caps;
	char line[256];
	int found = 0;

	assert_non_null(file);
	while (!found && fgets(line, sizeof(line), file))
		found = sscanf(line, format, &caps) == 1;
	fclose(file);
	assert_int_equal(found, 1);
	return caps;
}

TEST("the effective capabilities are those that /proc shows")
{
	uint64_t caps;
	unsigned int cap;

	assert_int_equal(caps_get(&caps), 0);
	assert_int_equal(caps, read_status("CapEff: %llx"));
	for (cap = 0; cap < 64; cap++)
		assert_int_equal(caps_has(cap), caps >> cap & 1);
}

/*
 * Run by a user without capabilities this shows that to have none is no error.
 */
TEST("capabilities can be given up and taken back")
{
	uint64_t before, permitted = read_status("CapPrm: %llx");

	assert_int_equal(caps_get(&before), 0);
	assert_int_equal(caps_set(0), 0);
	assert_int_equal(read_status("CapEff: %llx"), 0);
	assert_int_equal(read_status("CapPrm: %llx"), permitted);
	assert_int_equal(caps_set(UINT64_MAX), 0);
	assert_int_equal(read_status("CapEff: %llx"), permitted);
	assert_int_equal(caps_set(before), 0);
	assert_int_equal(read_status("CapEff: %llx"), before);
}
