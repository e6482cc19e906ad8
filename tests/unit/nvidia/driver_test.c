// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of nvidia/driver.c on the files of a driver, also of one that starts or stops
 * while they are read. They are the test's own: lib/host.c is not here.
 */
#include "lib/host.h"
#include "nvidia/nvidia.h"
#include "tests/unit/unit.h"

/* The files as they are at one time; NULL: there is none. */
struct files {
	const char *text, *taint, *version;
};

/* nvsim.ko, which says what it plays when it starts. */
static const struct files loading = { NULL, "OE", "0" };
static const struct files started = {
	"NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.163.01  Tue\n", "POE",
	"550.163.01",
};
static const struct files stopping = { NULL, "POE", "550.163.01" };
static const struct files gone = { NULL, NULL, NULL };
static const struct files silent = {
	"NVRM version: NVIDIA UNIX Open Kernel Module for aarch64  580.142  Tue\n",
	"OE", NULL,
};

static const struct files *now, *then;
static unsigned int left;	/* so many files are read before it is then */

int host_read(char *buf, size_t size, const char *format, ...)
{
	const struct files *files = left ? now : then;
	const char *text = strstr(format, "/driver/nvidia/version") ? files->text :
			   strstr(format, "/taint") ? files->taint : files->version;

	left -= left > 0;
	snprintf(buf, size, "%s", text ? text : "");
	return text ? (int)strlen(text) : -1;
}

bool host_exists(const char *format, ...)
{
	return !format;
}

DIR *host_opendir(const char *format, ...)
{
	return NULL;
}

FILE *host_fopen(const char *format, ...)
{
	return NULL;
}

static struct driver read_files(const struct files *before, unsigned int reads,
				const struct files *after)
{
	struct driver driver;

	now = before;
	then = after;
	left = reads;
	driver_read(&driver, "nvidia");
	return driver;
}

TEST("version, flavour and branch of a loaded driver are read")
{
	struct driver driver = read_files(&started, 9, &started);

	assert_int_equal(driver.flavour, FLAVOUR_PROPRIETARY);
	assert_string_equal(driver.version, "550.163.01");
	assert_int_equal(driver.branch, 550);
	assert_int_equal(driver_read_branch("nvidia"), 550);
	driver = read_files(&silent, 9, &silent);
	assert_int_equal(driver.flavour, FLAVOUR_OPEN);
	assert_string_equal(driver.version, "580.142");
	assert_int_equal(driver_read_branch("nvidia"), 580);
}

/* Open 550 speaks other numbers than the proprietary one. */
TEST("a driver that starts or stops is not taken for another flavour")
{
	static const struct files *const moments[] = {
		&loading, &started, &stopping, &gone,
	};
	struct driver driver;
	unsigned int reads;
	size_t i;

	for (i = 0; i < 16; i++)
		for (reads = 0; reads < 6; reads++) {
			driver = read_files(moments[i / 4], reads, moments[i % 4]);
			if (driver.flavour == FLAVOUR_OPEN)
				assert_string_not_equal(driver.version, "550.163.01");
		}
}
