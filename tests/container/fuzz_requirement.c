// SPDX-License-Identifier: GPL-2.0-only
/*
 * A fuzz target: the requirement language. Its reading ends, and where nothing is known of
 * a machine no condition fails.
 */
#include <errno.h>

#include "container/request/internal.h"
#include "tests/container/random.h"

const char *const random_seeds[] = {
	"cuda>=12.4 brand=tesla,driver>=470,driver<471 brand=unknown,driver>=535,driver<536",
	"cuda>=11.6,arch=5.3 driver!=450.51",
	"cuda<=9.0-rc1+x BRAND=Tesla",
	"cuda=12..2. foo=bar,,arch>7.5",
	"!=< >= = !",
	NULL,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct requirement_facts some = {
		.driver = "535.104.05", .cuda = "12.2", .arch = "9.0", .brand = "Tesla",
	}, none = { 0 };
	char *text = strndup((const char *)data, size), why[WHY_SIZE];
	int ret = requirement_check(text, &some, why);

	require(!ret || ret == -ENOTSUP || ret == -EINVAL);
	require(requirement_check(text, &none, why) != -ENOTSUP);
	random_taken += ret != -EINVAL;
	free(text);
	return 0;
}
