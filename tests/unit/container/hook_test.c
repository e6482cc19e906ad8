// SPDX-License-Identifier: GPL-2.0-only
/*
 * container/hook.c: in which modes the prestart hook does its work.
 */
#include "container/container.h"
#include "tests/unit/unit.h"

static const struct row {
	const char *settings;
	const char *sentence;	/* NULL: it does its work */
} rows[] = {
	{ "", NULL },
	{ "nvidia-container-runtime.mode = 'legacy'", NULL },
	{ "nvidia-container-runtime.mode = 'native'", NULL },
	{ "nvidia-container-runtime.mode = 'cdi'", "--runtime=nvidia" },
	{ "nvidia-container-runtime.mode = 'csv'", "install NVIDIA's toolkit" },
	{ "nvidia-container-runtime.mode = 'cdi'\n"
	  "nvidia-container-runtime-hook.skip-mode-detection = true", NULL },
};

TEST("the hook does its work unless the operator has set a mode of others")
{
	struct settings settings;
	char why[WHY_SIZE];

	each_row(row, rows) {
		assert_int_equal(settings_parse(&settings, row->settings,
						strlen(row->settings), why), 0);
		assert_int_equal(hook_check_mode(&settings, why), row->sentence ? -EPERM : 0);
		if (row->sentence && !strstr(why, row->sentence))
			fail_msg("%s: %s", row->settings, why);
		settings_free(&settings);
	}
}
