// SPDX-License-Identifier: GPL-2.0-only
/*
 * container/request/settings.c: where config.toml is, what its keys are by default, and what
 * is said of those that are wrong or unknown.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "container/request/internal.h"
#include "nvidia/nvidia.h"
#include "tests/unit/unit.h"

static struct settings settings;
static char why[WHY_SIZE];

static int forget(void)
{
	settings_free(&settings);
	return 0;
}

TEST_EACH(NULL, forget)

static void parse(const char *text)
{
	forget();
	if (settings_parse(&settings, text, strlen(text), why))
		fail_msg("%s: %s", text, why);
}

static void check_refused(const char *text, const char *sentence)
{
	forget();
	assert_true(settings_parse(&settings, text, strlen(text), why) < 0);
	if (!strstr(why, sentence))
		fail_msg("%s: %s, not %s", text, why, sentence);
}

static void check_words(const struct strv *words, const char *first, const char *second)
{
	assert_int_equal(words->n, second ? 2 : 1);
	assert_string_equal(words->word[0], first);
	if (second)
		assert_string_equal(words->word[1], second);
}

TEST("an empty file gives the defaults")
{
	parse("");
	assert_false(settings.disable_require);
	assert_true(settings.accept_env_unprivileged);
	assert_false(settings.accept_volume_mounts);
	assert_int_equal(settings.swarm_resources.n, 0);
	assert_int_equal(settings.supported, CAPABILITY_ALL);
	assert_string_equal(settings.cli.root, "");
	assert_string_equal(settings.cli.path, "");
	assert_true(settings.cli.load_kmods);
	assert_false(settings.cli.no_cgroups);
	assert_int_equal(strncmp(settings.cli.ldconfig, "@/sbin/ldconfig", 15), 0);
	assert_string_equal(settings.runtime.debug, "/dev/null");
	assert_string_equal(settings.runtime.log_level, "info");
	assert_string_equal(settings.runtime.mode, "auto");
	check_words(&settings.runtime.runtimes, "runc", "crun");
	check_words(&settings.runtime.cdi_annotation_prefixes, "cdi.k8s.io/", NULL);
	check_words(&settings.runtime.cdi_spec_dirs, "/etc/cdi", "/var/run/cdi");
	assert_string_equal(settings.runtime.cdi_default_kind, "nvidia.com/gpu");
	assert_string_equal(settings.runtime.legacy_cuda_compat_mode, "ldconfig");
	assert_string_equal(settings.hook.path, "nvidia-container-runtime-hook");
	assert_string_equal(settings.ctk.path, "nvidia-ctk");
	assert_false(settings.features.ignore_imex_channel_requests);
	assert_null(settings_warn(&settings));
}

TEST("keys in the file replace the defaults")
{
	parse("disable-require = true\n" "swarm-resource = ' A, ,B ,'\n"
	      "supported-driver-capabilities = \"utility, compute,\"\n" "[nvidia-container-cli]\n"
	      "environment = ['A=1', 'B=2']\n" "load-kmods = false\n" "user = \"root:video\"\n"
	      "[nvidia-container-runtime]\n" "runtimes = []\n" "modes.cdi.default-kind = 'a.b/c'\n"
	      "[nvidia-container-runtime.modes.legacy]\n" "cuda-compat-mode = 'mount'\n"
	      "[features]\n" "ignore-imex-channel-requests = true\n");
	assert_true(settings.disable_require);
	check_words(&settings.swarm_resources, "A", "B");
	assert_int_equal(settings.supported, CAPABILITY_UTILITY | CAPABILITY_COMPUTE);
	check_words(&settings.cli.environment, "A=1", "B=2");
	assert_false(settings.cli.load_kmods);
	assert_string_equal(settings.cli.user, "root:video");
	assert_int_equal(settings.runtime.runtimes.n, 0);
	assert_string_equal(settings.runtime.cdi_default_kind, "a.b/c");
	assert_string_equal(settings.runtime.legacy_cuda_compat_mode, "mount");
	assert_true(settings.features.ignore_imex_channel_requests);
}

TEST("keys of mode csv, which files that NVIDIA made have, are no reason for a warning")
{
	parse("[nvidia-container-runtime]\n" "mode = 'auto'\n"
	      "[nvidia-container-runtime.modes.csv]\n"
	      "mount-spec-path = '/etc/nvidia-container-runtime/host-files-for-container.d'\n"
	      "[nvidia-container-runtime.modes.cdi]\n" "default-kind = 'a.b/c'\n");
	assert_string_equal(settings.runtime.cdi_default_kind, "a.b/c");
	assert_null(settings_warn(&settings));
}

TEST("an unknown key is reported")
{
	char *warning;

	parse("colour = 'red'\n[nvidia-container-cli]\nrooot = '/x'\n");
	warning = settings_warn(&settings);
	assert_string_equal(warning, "config.toml sets what changes nothing here: colour (there is no such key), nvidia-container-cli.rooot (there is no such key)");
	free(warning);
}

TEST("values of known keys that change nothing are reported")
{
	char *warning;

	parse("[nvidia-container-runtime.modes.jit-cdi]\n"
	      "nvcdi-feature-flags = ['no-additional-gids-for-device-nodes',"
	      " 'disable-ipc-discoverer', 'other']\n"
	      "nvcdi-disable-hooks = ['enable-cuda-compat', 'chmod']\n");
	assert_true(settings.runtime.jit_no_groups);
	assert_true(settings.runtime.jit_no_sockets);
	assert_true(settings.runtime.jit_no_compat);
	warning = settings_warn(&settings);
	assert_string_equal(warning, "config.toml sets what changes nothing here: nvidia-container-runtime.modes.jit-cdi.nvcdi-feature-flags: other, nvidia-container-runtime.modes.jit-cdi.nvcdi-disable-hooks: chmod (none is written)");
	free(warning);
	parse("nvidia-container-runtime.modes.jit-cdi.nvcdi-disable-hooks = ['all']");
	assert_false(settings.runtime.jit_no_groups);
	assert_true(settings.runtime.jit_no_compat);
	assert_null(settings_warn(&settings));
}

TEST("an unknown log level is reported, and the default stays")
{
	char *warning;

	parse("nvidia-container-runtime.log-level = 'loud'");
	assert_string_equal(settings.runtime.log_level, "info");
	warning = settings_warn(&settings);
	assert_string_equal(warning, "config.toml sets what changes nothing here: nvidia-container-runtime.log-level: loud (there is no such level: info)");
	free(warning);
	parse("nvidia-container-runtime.log-level = 'WARN'");
	assert_null(settings_warn(&settings));
	assert_int_equal(settings_level(settings.runtime.log_level), settings_level("warning"));
	assert_true(settings_level("debug") < settings_level("info"));
}

TEST("a dot in quotes is part of a name, and reaches no key of a table")
{
	parse("\"nvidia-container-cli.root\" = '/elsewhere'\n");
	assert_string_equal(settings.cli.root, "");
	check_words(&settings.without_effect, "nvidia-container-cli.root (there is no such key)", NULL);
}

TEST("values that are of a wrong type, or not allowed, are refused")
{
	check_refused("disable-require = 'true'", "disable-require is neither true nor false");
	check_refused("[nvidia-container-cli]\nroot = 3", "nvidia-container-cli.root is not a string");
	check_refused("[nvidia-container-runtime]\nruntimes = 'runc'", "is not an array of strings");
	check_refused("[nvidia-container-runtime]\nruntimes = ['runc', 1]", "is not an array of strings");
	check_refused("supported-driver-capabilities = 'compute,magic'", "there is no capability 'magic'");
	check_refused("[nvidia-container-cli]\nldconfig = '/sbin/ldconfig'",
		      "nvidia-container-cli.ldconfig value \"/sbin/ldconfig\" is not host-relative (does not start with a '@')");
	/* No advice that would have a program of the image run: none is. */
	assert_null(strstr(why, "allow-ldconfig-from-container"));
	check_refused("[nvidia-container-cli]\nldconfig = ''", "is not host-relative");
	check_refused("x = = 1", "line 1: ");
	parse("[nvidia-container-cli]\nldconfig = '/sbin/ldconfig'\n"
	      "[features]\nallow-ldconfig-from-container = true");
	assert_string_equal(settings.cli.ldconfig, "/sbin/ldconfig");
}

static void check_path(const char *named, enum settings_reader reader, const char *wanted,
		       bool wanted_required)
{
	char path[PATH_MAX];
	bool required;

	assert_int_equal(settings_path(path, named, reader, &required), 0);
	assert_string_equal(path, wanted);
	assert_int_equal(required, wanted_required);
}

/* A folder of a user's counts only if it has the file: podman names one for everybody. */
static void check_own_file(const char *preset)
{
	char folder[] = "/tmp/settings-XXXXXX", own[64], path[96];

	assert_non_null(mkdtemp(folder));
	snprintf(own, sizeof(own), "%s/nvidia-container-runtime", folder);
	snprintf(path, sizeof(path), "%s/config.toml", own);
	setenv("XDG_CONFIG_HOME", folder, 1);
	check_path(NULL, SETTINGS_RUNTIME, preset, false);
	assert_int_equal(mkdir(own, 0700), 0);
	check_path(NULL, SETTINGS_RUNTIME, preset, false);
	assert_int_equal(symlink("/dev/null", path), 0);
	check_path(NULL, SETTINGS_RUNTIME, path, false);
	check_path(NULL, SETTINGS_HOOK, preset, false);
	unlink(path);
	rmdir(own);
	rmdir(folder);
}

TEST("the option, a variable and a folder of the user name the file")
{
	static const char preset[] = "/etc/nvidia-container-runtime/config.toml";

	unsetenv("NVIDIA_CTK_CONFIG_FILE_PATH");
	unsetenv("XDG_CONFIG_HOME");
	check_path(NULL, SETTINGS_RUNTIME, preset, false);
	check_path(NULL, SETTINGS_HOOK, preset, false);
	check_path("", SETTINGS_HOOK, preset, false);
	check_path("/n", SETTINGS_RUNTIME, "/n", true);
	check_own_file(preset);
	setenv("NVIDIA_CTK_CONFIG_FILE_PATH", "/v", 1);
	check_path(NULL, SETTINGS_RUNTIME, "/v", false);
	check_path(NULL, SETTINGS_HOOK, "/v", true);
	check_path("/n", SETTINGS_HOOK, "/n", true);
	setenv("NVIDIA_CTK_CONFIG_FILE_PATH", "", 1);
	unsetenv("XDG_CONFIG_HOME");
	check_path(NULL, SETTINGS_HOOK, preset, false);
}

TEST("a broken file is refused, and a missing one only if it is required")
{
	char path[] = "/tmp/settings-XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_true(dprintf(fd, "[nvidia-container-runtime]\nmode = 3\n") > 0);
	assert_int_equal(settings_read(&settings, path, SETTINGS_RUNTIME, why), -EINVAL);
	assert_non_null(strstr(why, path));
	assert_non_null(strstr(why, "nvidia-container-runtime.mode is not a string"));
	settings_free(&settings);
	close(fd);
	unlink(path);
	assert_int_equal(settings_read(&settings, path, SETTINGS_RUNTIME, why), -ENOENT);
	settings_free(&settings);
	setenv("NVIDIA_CTK_CONFIG_FILE_PATH", path, 1);
	assert_int_equal(settings_read(&settings, NULL, SETTINGS_RUNTIME, why), 0);
	assert_string_equal(settings.runtime.mode, "auto");
	settings_free(&settings);
	assert_int_equal(settings_read(&settings, NULL, SETTINGS_HOOK, why), -ENOENT);
	settings_free(&settings);
	unsetenv("NVIDIA_CTK_CONFIG_FILE_PATH");
}

static void check_user(const char *os_release, const char *user)
{
	char path[] = "/tmp/os-release-XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_true(dprintf(fd, "%s", os_release) >= 0);
	assert_string_equal(settings_user(path), user);
	close(fd);
	unlink(path);
}

TEST("the user is root:video on SUSE, and not set elsewhere")
{
	check_user("ID=opensuse-leap\nID_LIKE=\"suse opensuse\"\n", "root:video");
	check_user("ID_LIKE=suse\n", "root:video");
	check_user("ID=ubuntu\nID_LIKE=debian\n", "");
	check_user("ID=suse\n", "");
	check_user("ID_LIKE=\"notsuse\"\n", "");
	assert_string_equal(settings_user("/nowhere"), "");
}
