// SPDX-License-Identifier: GPL-2.0-only
/*
 * container/request/settings.c: where config.toml is, what its keys are by default, and what
 * is said of those that are wrong or unknown.
 */
#include <sys/stat.h>

#include "container/request/internal.h"
#include "nvidia/nvidia.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

static struct settings settings;
static char why[WHY_SIZE];

static int forget(void)
{
	settings_free(&settings);
	return 0;
}

TEST_EACH(NULL, forget)

static void tell_words(FILE *out, const char *name, const struct strv *words)
{
	size_t i;

	fprintf(out, "%s:", name);
	for (i = 0; i < words->n; i++)
		fprintf(out, " %s", words->word[i]);
	fputs("\n", out);
}

/* Reads a file; returns what it sets, in lines. */
static char *tell(const char *toml)
{
	char *text = NULL, *warning;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	forget();
	if (settings_parse(&settings, toml, strlen(toml), why)) {
		fprintf(out, "refused %s\n", why);
	} else {
		fprintf(out, "%srequire, env %d, mounts %d, kmods %d, cgroups %d, imex %d, supported %#x\n",
			settings.disable_require ? "no " : "", settings.accept_env_unprivileged,
			settings.accept_volume_mounts, settings.cli.load_kmods,
			!settings.cli.no_cgroups, !settings.features.ignore_imex_channel_requests,
			settings.supported);
		fprintf(out, "cli: '%s' '%s' %.15s\nuser: %s\n", settings.cli.root, settings.cli.path,
			settings.cli.ldconfig, settings.cli.user);
		fprintf(out, "runtime: %s %s %s\n", settings.runtime.debug,
			settings.runtime.log_level, settings.runtime.mode);
		fprintf(out, "kind: %s, compat: %s\n", settings.runtime.cdi_default_kind,
			settings.runtime.legacy_cuda_compat_mode);
		fprintf(out, "programs: %s %s\n", settings.hook.path, settings.ctk.path);
		fprintf(out, "jit: groups %d, sockets %d, compat %d\n", !settings.runtime.jit_no_groups,
			!settings.runtime.jit_no_sockets, !settings.runtime.jit_no_compat);
		tell_words(out, "swarm", &settings.swarm_resources);
		tell_words(out, "environment", &settings.cli.environment);
		tell_words(out, "runtimes", &settings.runtime.runtimes);
		tell_words(out, "annotations", &settings.runtime.cdi_annotation_prefixes);
		tell_words(out, "folders", &settings.runtime.cdi_spec_dirs);
		warning = settings_warn(&settings);
		fprintf(out, "%s\n", warning ?: "no warning");
		free(warning);
	}
	fclose(out);
	return text;
}

#define RUNTIME "nvidia-container-runtime."
#define IDLE "config.toml sets what changes nothing here: "

TEST("a file replaces the defaults; what changes nothing is reported, and what is wrong refused")
{
	static const struct {
		const char *toml, *wanted;
	} rows[] = {
		{ "", "require, env 1, mounts 0, kmods 1, cgroups 1, imex 1, supported 0x7f\n"
		  "cli: '' '' @/sbin/ldconfig\nruntime: /dev/null info auto\n"
		  "kind: nvidia.com/gpu, compat: ldconfig\n"
		  "programs: nvidia-container-runtime-hook nvidia-ctk\n"
		  "jit: groups 1, sockets 1, compat 1\nswarm:\nenvironment:\nruntimes: runc crun\n"
		  "annotations: cdi.k8s.io/\nfolders: /etc/cdi /var/run/cdi\nno warning" },
		{ "disable-require = true\nswarm-resource = ' A, ,B ,'\n"
		  "supported-driver-capabilities = \"utility, compute,\"\n[nvidia-container-cli]\n"
		  "environment = ['A=1', 'B=2']\nload-kmods = false\nuser = \"root:video\"\n"
		  "[nvidia-container-runtime]\nruntimes = []\nmodes.cdi.default-kind = 'a.b/c'\n"
		  "[nvidia-container-runtime.modes.legacy]\ncuda-compat-mode = 'mount'\n"
		  "[features]\nignore-imex-channel-requests = true\n",
		  "no require, env 1, mounts 0, kmods 0, cgroups 1, imex 0, supported 0x..\n"
		  "swarm: A B\nenvironment: A=1 B=2\nuser: root:video\nruntimes:\n"
		  "kind: a.b/c, compat: mount" },
		/* Keys of mode csv, which files that NVIDIA made have, are no reason for a warning. */
		{ "[nvidia-container-runtime]\nmode = 'auto'\n[nvidia-container-runtime.modes.csv]\n"
		  "mount-spec-path = '/etc/nvidia-container-runtime/host-files-for-container.d'\n"
		  "[nvidia-container-runtime.modes.cdi]\ndefault-kind = 'a.b/c'\n",
		  "kind: a.b/c, compat: ldconfig\nno warning" },
		{ "colour = 'red'\n[nvidia-container-cli]\nrooot = '/x'\n",
		  IDLE "colour (there is no such key), nvidia-container-cli.rooot (there is no such key)" },
		{ RUNTIME "modes.jit-cdi.nvcdi-feature-flags = ['no-additional-gids-for-device-nodes', 'disable-ipc-discoverer', 'other']\n"
		  RUNTIME "modes.jit-cdi.nvcdi-disable-hooks = ['enable-cuda-compat', 'chmod']\n",
		  "jit: groups 0, sockets 0, compat 0\n" IDLE RUNTIME "modes.jit-cdi.nvcdi-feature-flags: other, "
		  RUNTIME "modes.jit-cdi.nvcdi-disable-hooks: chmod (none is written)" },
		{ RUNTIME "modes.jit-cdi.nvcdi-disable-hooks = ['all']",
		  "jit: groups 1, sockets 1, compat 0\nno warning" },
		{ RUNTIME "log-level = 'loud'", "runtime: /dev/null info auto\n"
		  IDLE RUNTIME "log-level: loud (there is no such level: info)" },
		{ RUNTIME "log-level = 'WARN'", "runtime: /dev/null WARN auto\nno warning" },
		/* A dot in quotes is part of a name, and reaches no key of a table. */
		{ "\"nvidia-container-cli.root\" = '/elsewhere'\n",
		  "cli: '' '' ..\n" IDLE "nvidia-container-cli.root (there is no such key)" },
		{ "disable-require = 'true'", "refused disable-require is neither true nor false" },
		{ "[nvidia-container-cli]\nroot = 3", "refused nvidia-container-cli.root is not a string.." },
		{ "[nvidia-container-runtime]\nruntimes = 'runc'", "refused " RUNTIME "runtimes is not an array of strings" },
		{ "[nvidia-container-runtime]\nruntimes = ['runc', 1]", "refused " RUNTIME "runtimes is not an array of strings" },
		{ "supported-driver-capabilities = 'compute,magic'",
		  "refused supported-driver-capabilities: there is no capability 'magic'.." },
		/* No advice that would have a program of the image run: none is. */
		{ "[nvidia-container-cli]\nldconfig = '/sbin/ldconfig'",
		  "refused nvidia-container-cli.ldconfig value \"/sbin/ldconfig\" is not host-relative (does not start with a '@'): write \"@/sbin/ldconfig\", the program of this machine" },
		{ "[nvidia-container-cli]\nldconfig = ''", "refused nvidia-container-cli.ldconfig value \"\" is not host-relative.." },
		{ "[nvidia-container-cli]\nldconfig = '/sbin/ldconfig'\n[features]\nallow-ldconfig-from-container = true",
		  "cli: '' '' /sbin/ldconfig" },
		{ "x = = 1", "refused line 1: .." },
	};

	each_row(row, rows) {
		char *found = tell(row->toml);

		unit_lines(row->toml, found, row->wanted);
		free(found);
	}
	assert_int_equal(settings_level("Warn"), settings_level("warning"));
	assert_true(settings_level("debug") < settings_level("info"));
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

TEST("the option, a variable and a folder of the user name the file")
{
	static const char preset[] = "/etc/nvidia-container-runtime/config.toml";
	char folder[] = "/tmp/settings-XXXXXX", path[96];

	unsetenv("NVIDIA_CTK_CONFIG_FILE_PATH");
	unsetenv("XDG_CONFIG_HOME");
	check_path(NULL, SETTINGS_RUNTIME, preset, false);
	check_path(NULL, SETTINGS_HOOK, preset, false);
	check_path("", SETTINGS_HOOK, preset, false);
	check_path("/n", SETTINGS_RUNTIME, "/n", true);
	/* A folder of a user's counts only if it has the file: podman names one for everybody. */
	assert_non_null(mkdtemp(folder));
	setenv("XDG_CONFIG_HOME", folder, 1);
	check_path(NULL, SETTINGS_RUNTIME, preset, false);
	strcpy(path, tree_path(folder, "/nvidia-container-runtime/config.toml"));
	check_path(NULL, SETTINGS_RUNTIME, preset, false);
	assert_int_equal(symlink("/dev/null", path), 0);
	check_path(NULL, SETTINGS_RUNTIME, path, false);
	check_path(NULL, SETTINGS_HOOK, preset, false);
	assert_int_equal(tree_remove(folder), 0);
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
	static const char text[] = "[nvidia-container-runtime]\nmode = 3\n";
	char folder[] = "/tmp/settings-XXXXXX", path[64];

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/file", folder);
	tree_write(folder, "/file", text, strlen(text));
	assert_int_equal(settings_read(&settings, path, SETTINGS_RUNTIME, why), -EINVAL);
	assert_memory_equal(why, path, strlen(path));
	assert_non_null(strstr(why, RUNTIME "mode is not a string"));
	forget();
	assert_int_equal(tree_remove(folder), 0);
	assert_int_equal(settings_read(&settings, path, SETTINGS_RUNTIME, why), -ENOENT);
	setenv("NVIDIA_CTK_CONFIG_FILE_PATH", path, 1);
	assert_int_equal(settings_read(&settings, NULL, SETTINGS_RUNTIME, why), 0);
	assert_string_equal(settings.runtime.mode, "auto");
	forget();
	assert_int_equal(settings_read(&settings, NULL, SETTINGS_HOOK, why), -ENOENT);
	unsetenv("NVIDIA_CTK_CONFIG_FILE_PATH");
}

TEST("the user is root:video on SUSE, and not set elsewhere")
{
	static const struct {
		const char *os_release, *user;
	} rows[] = {
		{ "ID=opensuse-leap\nID_LIKE=\"suse opensuse\"\n", "root:video" },
		{ "ID_LIKE=suse\n", "root:video" },
		{ "ID=ubuntu\nID_LIKE=debian\n", "" },
		{ "ID=suse\n", "" },
		{ "ID_LIKE=\"notsuse\"\n", "" },
	};
	char folder[] = "/tmp/os-release-XXXXXX", path[64];

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/file", folder);
	each_row(row, rows) {
		tree_write(folder, "/file", row->os_release, strlen(row->os_release));
		assert_string_equal(settings_user(path), row->user);
	}
	assert_int_equal(tree_remove(folder), 0);
	assert_string_equal(settings_user(path), "");
}
