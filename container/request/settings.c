// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading config.toml. Its keys and what they are by default are one table.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "container/request/internal.h"
#include "lib/host.h"
#include "lib/json.h"
#include "lib/json_file.h"
#include "lib/toml.h"
#include "lib/toml_edit.h"
#include "lib/xalloc.h"

#define FILE_NAME "nvidia-container-runtime/config.toml"

enum setting_type {
	SETTING_BOOL,
	SETTING_TEXT,
	SETTING_WORDS,		/* an array of strings */
	SETTING_LIST,		/* a string with commas */
	SETTING_CAPABILITIES,	/* likewise, of names of capabilities */
};

/**
 * struct setting - a key
 * @preset:	what it is by default: "yes" for true; words with commas between them
 */
struct setting {
	const char *key;
	enum setting_type type;
	size_t offset;
	const char *preset;
};

#define CLI	"nvidia-container-cli."
#define RUNTIME	"nvidia-container-runtime."
#define AT(member) offsetof(struct settings, member)
#define FEATURE(name, member) \
	{ "features." name, SETTING_BOOL, AT(features.member), "" }

static const struct setting table[] = {
	{ "disable-require", SETTING_BOOL, AT(disable_require), "" },
	{ "swarm-resource", SETTING_LIST, AT(swarm_resources), "" },
	{ "accept-nvidia-visible-devices-envvar-when-unprivileged", SETTING_BOOL,
	  AT(accept_env_unprivileged), "yes" },
	{ "accept-nvidia-visible-devices-as-volume-mounts", SETTING_BOOL,
	  AT(accept_volume_mounts), "" },
	{ "supported-driver-capabilities", SETTING_CAPABILITIES, AT(supported), "all" },
	{ CLI "root", SETTING_TEXT, AT(cli.root), "" },
	{ CLI "path", SETTING_TEXT, AT(cli.path), "" },
	{ CLI "environment", SETTING_WORDS, AT(cli.environment), "" },
	{ CLI "debug", SETTING_TEXT, AT(cli.debug), "" },
	{ CLI "ldcache", SETTING_TEXT, AT(cli.ldcache), "" },
	{ CLI "load-kmods", SETTING_BOOL, AT(cli.load_kmods), "yes" },
	{ CLI "no-pivot", SETTING_BOOL, AT(cli.no_pivot), "" },
	{ CLI "no-cgroups", SETTING_BOOL, AT(cli.no_cgroups), "" },
	/* The default is settings_user(). */
	{ CLI "user", SETTING_TEXT, AT(cli.user), NULL },
	{ CLI "ldconfig", SETTING_TEXT, AT(cli.ldconfig), "@/sbin/ldconfig" },
	{ RUNTIME "debug", SETTING_TEXT, AT(runtime.debug), "/dev/null" },
	{ RUNTIME "log-level", SETTING_TEXT, AT(runtime.log_level), SETTINGS_LEVEL },
	{ RUNTIME "runtimes", SETTING_WORDS, AT(runtime.runtimes), "runc,crun" },
	{ RUNTIME "mode", SETTING_TEXT, AT(runtime.mode), "auto" },
	{ RUNTIME "modes.cdi.default-kind", SETTING_TEXT, AT(runtime.cdi_default_kind),
	  "nvidia.com/gpu" },
	{ RUNTIME "modes.cdi.annotation-prefixes", SETTING_WORDS,
	  AT(runtime.cdi_annotation_prefixes), "cdi.k8s.io/" },
	{ RUNTIME "modes.cdi.spec-dirs", SETTING_WORDS, AT(runtime.cdi_spec_dirs),
	  "/etc/cdi,/var/run/cdi" },
	{ RUNTIME "modes.jit-cdi.nvcdi-feature-flags", SETTING_WORDS,
	  AT(runtime.jit_feature_flags), "" },
	{ RUNTIME "modes.jit-cdi.nvcdi-disable-hooks", SETTING_WORDS,
	  AT(runtime.jit_disable_hooks), "" },
	{ RUNTIME "modes.legacy.cuda-compat-mode", SETTING_TEXT,
	  AT(runtime.legacy_cuda_compat_mode), "ldconfig" },
	{ "nvidia-container-runtime-hook.path", SETTING_TEXT, AT(hook.path),
	  "nvidia-container-runtime-hook" },
	{ "nvidia-container-runtime-hook.skip-mode-detection", SETTING_BOOL,
	  AT(hook.skip_mode_detection), "" },
	{ "nvidia-ctk.path", SETTING_TEXT, AT(ctk.path), "nvidia-ctk" },
	FEATURE("allow-cuda-compat-libs-from-container", allow_cuda_compat_libs_from_container),
	FEATURE("allow-ldconfig-from-container", allow_ldconfig_from_container),
	FEATURE("allow-unknown-oci-spec-fields", allow_unknown_oci_spec_fields),
	FEATURE("disable-cuda-compat-lib-hook", disable_cuda_compat_lib_hook),
	FEATURE("disable-imex-channel-creation", disable_imex_channel_creation),
	FEATURE("ignore-imex-channel-requests", ignore_imex_channel_requests),
	FEATURE("no-additional-gids-for-device-nodes", no_additional_gids_for_device_nodes),
};

#define N_SETTINGS (sizeof(table) / sizeof(*table))

static void *member_of(struct settings *settings, const struct setting *setting)
{
	return (char *)settings + setting->offset;
}

static int set_capabilities(unsigned int *member, const char *list, char why[WHY_SIZE])
{
	struct strv names = { 0 };
	const char *unknown;
	int ret = 0;

	capabilities_split(&names, list);
	unknown = capabilities_parse(&names, member);
	if (unknown)
		ret = why_fail(why, -EINVAL, "supported-driver-capabilities: there is no capability '%s': name some of compat32, compute, display, graphics, ngx, utility and video, or all",
			       unknown);
	strv_free(&names);
	return ret;
}

static int set_text(struct settings *settings, const struct setting *setting,
		    const char *text, char why[WHY_SIZE])
{
	void *member = member_of(settings, setting);

	if (setting->type == SETTING_CAPABILITIES)
		return set_capabilities(member, text, why);
	if (setting->type == SETTING_TEXT) {
		free(*(char **)member);
		*(char **)member = xstrdup(text);
	} else {
		strv_free(member);
		strv_split(member, text, ',');
	}
	return 0;
}

static bool is_array_of_strings(struct json_object *value)
{
	size_t i, n;

	if (!json_object_is_type(value, json_type_array))
		return false;
	n = json_object_array_length(value);
	for (i = 0; i < n; i++)
		if (!json_object_is_type(json_object_array_get_idx(value, i), json_type_string))
			return false;
	return true;
}

static int set(struct settings *settings, const struct setting *setting,
	       struct json_object *value, char why[WHY_SIZE])
{
	void *member = member_of(settings, setting);

	if (setting->type == SETTING_BOOL) {
		if (!json_object_is_type(value, json_type_boolean))
			return why_fail(why, -EINVAL, "%s is neither true nor false", setting->key);
		*(bool *)member = json_object_get_boolean(value);
		return 0;
	}
	if (setting->type == SETTING_WORDS) {
		if (!is_array_of_strings(value))
			return why_fail(why, -EINVAL, "%s is not an array of strings",
					setting->key);
		strv_free(member);
		array_add_words(value, member);
		return 0;
	}
	if (!json_object_is_type(value, json_type_string))
		return why_fail(why, -EINVAL, "%s is not a string: put it into quotes",
				setting->key);
	return set_text(settings, setting, json_object_get_string(value), why);
}

static int preset(struct settings *settings, char why[WHY_SIZE])
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < N_SETTINGS; i++) {
		const char *text = table[i].preset;

		if (table[i].type == SETTING_BOOL)
			*(bool *)member_of(settings, &table[i]) = *text;
		else
			ret = set_text(settings, &table[i],
				       text ? text : settings_user("/etc/os-release"), why);
	}
	return ret;
}

static const struct setting *find(const char *key)
{
	size_t i;

	for (i = 0; i < N_SETTINGS; i++)
		if (!strcmp(table[i].key, key))
			return &table[i];
	return NULL;
}

/* Everything below @path, which is "" or ends with a dot. */
static int read_table(struct settings *settings, struct json_object *object,
		      const char *path, char why[WHY_SIZE])
{
	json_object_object_foreach(object, name, value) {
		const struct setting *setting;
		char key[512];
		int len = snprintf(key, sizeof(key), "%s%s", path, name), ret = 0;

		/* Files that NVIDIA made have them, and they matter in mode csv alone. */
		if (!strcmp(key, RUNTIME "modes.csv"))
			continue;
		/* A dot in quotes is part of a name, and no name of ours has one. */
		setting = len < (int)sizeof(key) && !strchr(name, '.') ? find(key) : NULL;
		if (setting) {
			ret = set(settings, setting, value, why);
		} else if (json_object_is_type(value, json_type_object) &&
			   len + 1 < (int)sizeof(key)) {
			strcat(key, ".");
			ret = read_table(settings, value, key, why);
		} else {
			strv_add_format(&settings->without_effect, "%s (there is no such key)",
					key);
		}
		if (ret)
			return ret;
	}
	return 0;
}

/* @from_container: a program of the container's may be run */
int settings_check_ldconfig(const char *value, bool from_container, char why[WHY_SIZE])
{
	if (*value == '@' || from_container)
		return 0;
	return why_fail(why, -EINVAL, "nvidia-container-cli.ldconfig value \"%s\" is not host-relative (does not start with a '@'): write \"@/sbin/ldconfig\", the program of this machine",
			value);
}

/*
 * Finds the program that a value of "ldconfig" stands for. @root: before the path of a
 * program of the machine, "" for its own tree. @program: "@/sbin/ldconfig.real" where there
 * is one, which Debian's /sbin/ldconfig once was a script around.
 */
int settings_ldconfig(const char *value, const char *root, char program[PATH_MAX])
{
	static const char real[] = ".real";
	char path[PATH_MAX];
	size_t len = strlen(value);

	if (len + sizeof(real) > PATH_MAX)
		return -ENAMETOOLONG;
	strcpy(program, value);
	if (*value != '@')
		return 0;
	if (len > strlen(real) && !strcmp(value + len - strlen(real), real))
		len -= strlen(real);
	strcpy(program + len, real);
	if (snprintf(path, sizeof(path), "%s%s", root, program + 1) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	if (access(path, F_OK))
		program[len] = '\0';
	return 0;
}

/* The user of nvidia-container-cli where none is set. */
const char *settings_user(const char *os_release)
{
	static const char like[] = "ID_LIKE=";
	const char *user = "";
	FILE *file = fopen(os_release, "re");
	char line[512];

	while (file && fgets(line, sizeof(line), file)) {
		char *word = line + strlen(like), *next;

		if (strncmp(line, like, strlen(like)) != 0)
			continue;
		for (; (word = strtok_r(word, " \"'\n", &next)); word = NULL)
			if (!strcmp(word, "suse") || !strcmp(word, "opensuse"))
				user = "root:video";
		break;
	}
	if (file)
		fclose(file);
	return user;
}

int settings_level(const char *name)
{
	/* The levels of logrus, and so of runc. */
	static const char *const levels[] = {
		"trace", "debug", "info", "warning", "error", "fatal", "panic"
	};
	size_t i;

	if (!strcasecmp(name, "warn"))
		name = "warning";
	for (i = 0; i < sizeof(levels) / sizeof(*levels); i++)
		if (!strcasecmp(name, levels[i]))
			return (int)i;
	return -1;
}

static void check_level(struct settings *settings)
{
	char **level = &settings->runtime.log_level;

	if (settings_level(*level) >= 0)
		return;
	strv_add_format(&settings->without_effect,
			RUNTIME "log-level: %s (there is no such level: " SETTINGS_LEVEL ")",
			*level);
	free(*level);
	*level = xstrdup(SETTINGS_LEVEL);
}

/*
 * Mode native is here what jit-cdi is in the toolkit, and writes no hooks: of those of
 * its hooks that can be switched off, it does the work of one.
 */
static void read_jit(struct settings *settings)
{
	static const char jit[] = RUNTIME "modes.jit-cdi.";
	struct strv *idle = &settings->without_effect;
	size_t i;

	settings->runtime.jit_no_groups = settings->features.no_additional_gids_for_device_nodes;
	settings->runtime.jit_no_compat =
		settings->features.disable_cuda_compat_lib_hook ||
		!strcmp(settings->runtime.legacy_cuda_compat_mode, "disabled");
	for (i = 0; i < settings->runtime.jit_feature_flags.n; i++) {
		const char *flag = settings->runtime.jit_feature_flags.word[i];

		if (!strcmp(flag, "no-additional-gids-for-device-nodes"))
			settings->runtime.jit_no_groups = true;
		else if (!strcmp(flag, "disable-ipc-discoverer"))
			settings->runtime.jit_no_sockets = true;
		else
			strv_add_format(idle, "%snvcdi-feature-flags: %s", jit, flag);
	}
	for (i = 0; i < settings->runtime.jit_disable_hooks.n; i++) {
		const char *hook = settings->runtime.jit_disable_hooks.word[i];

		if (!strcmp(hook, "enable-cuda-compat") || !strcmp(hook, "all"))
			settings->runtime.jit_no_compat = true;
		else
			strv_add_format(idle, "%snvcdi-disable-hooks: %s (none is written)",
					jit, hook);
	}
}

static int finish(struct settings *settings, char why[WHY_SIZE])
{
	char program[PATH_MAX];
	char **ldconfig = &settings->cli.ldconfig;
	int ret = settings_check_ldconfig(*ldconfig,
					  settings->features.allow_ldconfig_from_container, why);

	if (ret)
		return ret;
	check_level(settings);
	read_jit(settings);
	if (settings_ldconfig(*ldconfig, "", program))
		return why_fail(why, -ENAMETOOLONG, "nvidia-container-cli.ldconfig is too long for a path");
	free(*ldconfig);
	*ldconfig = xstrdup(program);
	return 0;
}

static int read_root(struct settings *settings, struct json_object *root, char why[WHY_SIZE])
{
	int ret = preset(settings, why);

	if (!ret && root)
		ret = read_table(settings, root, "", why);
	return ret ? ret : finish(settings, why);
}

int settings_parse(struct settings *settings, const char *text, size_t len, char why[WHY_SIZE])
{
	struct json_object *root = NULL;
	int ret = toml_parse(text, len, &root, why);

	memset(settings, 0, sizeof(*settings));
	if (!ret)
		ret = read_root(settings, root, why);
	json_object_put(root);
	return ret;
}

static int path_below(char path[PATH_MAX], const char *folder)
{
	return snprintf(path, PATH_MAX, "%s/" FILE_NAME, folder) < PATH_MAX ? 0 : -ENAMETOOLONG;
}

int settings_path(char path[PATH_MAX], const char *named,
		  enum settings_reader reader, bool *required)
{
	const char *folder = NULL;

	*required = true;
	if (!named || !*named) {
		named = getenv(SETTINGS_VARIABLE);
		*required = reader == SETTINGS_HOOK;
	}
	if (named && *named)
		return snprintf(path, PATH_MAX, "%s", named) < PATH_MAX ? 0 : -ENAMETOOLONG;
	*required = false;
	if (reader != SETTINGS_HOOK)
		folder = secure_getenv("XDG_CONFIG_HOME");
	/* podman sets the variable for every user, who mostly has no such file. */
	if (folder && *folder && !path_below(path, folder) &&
	    (!access(path, F_OK) || errno != ENOENT))
		return 0;
	return path_below(path, "/etc");
}

int settings_read(struct settings *settings, const char *named,
		  enum settings_reader reader, char why[WHY_SIZE])
{
	struct json_file file = { 0 };
	char place[PATH_MAX], path[PATH_MAX], reason[WHY_SIZE];
	bool required;
	int ret = settings_path(place, named, reader, &required) ?:
		  host_path(path, sizeof(path), "%s", place);

	memset(settings, 0, sizeof(*settings));
	if (ret)
		return why_fail(why, ret, "the path of config.toml is too long");
	ret = json_file_read_by(path, &file, toml_parse, why);
	if (ret == -ENOENT && !required)
		return read_root(settings, NULL, why);
	if (ret)
		return ret;
	ret = read_root(settings, file.root, reason);
	if (ret)
		why_fail(why, ret, "%s: %s", path, reason);
	json_object_put(file.root);
	return ret;
}

static bool is_true(const char *text)
{
	return !strcmp(text, "true") || !strcmp(text, "yes") || !strcmp(text, "1");
}

static bool is_false(const char *text)
{
	return !strcmp(text, "false") || !strcmp(text, "no") || !strcmp(text, "0");
}

static struct json_object *new_words(const char *text)
{
	struct json_object *array;
	struct strv words = { 0 };

	/* NVIDIA's programs take colons. */
	strv_split(&words, text, strchr(text, ':') ? ':' : ',');
	array = array_of_words(&words);
	strv_free(&words);
	return array;
}

int settings_value(const char *key, const char *text, struct json_object **value,
		   char why[WHY_SIZE])
{
	const struct setting *setting = find(key);

	if (!setting)
		return why_fail(why, -EINVAL, "there is no key '%s' in config.toml", key);
	if (setting->type != SETTING_BOOL && !text)
		return why_fail(why, -EINVAL, "%s: give it a value: %s=VALUE", key, key);
	if (setting->type == SETTING_BOOL && text && !is_true(text) && !is_false(text))
		return why_fail(why, -EINVAL, "%s is neither true nor false: '%s'", key, text);
	*value = setting->type == SETTING_BOOL ?
			 json_object_new_boolean(!text || is_true(text)) :
		 setting->type == SETTING_WORDS ? new_words(text) :
						  json_object_new_string(text);
	xcheck(*value);
	return 0;
}

/* The table's own values are right, so it cannot fail. */
static void add_preset(char **text, const struct setting *setting)
{
	struct json_object *value = NULL;
	const char *preset = setting->preset;
	struct strv path = { 0 };
	char why[WHY_SIZE];

	if (!preset)
		preset = settings_user("/etc/os-release");
	if (setting->type == SETTING_BOOL && !*preset)
		preset = "no";
	strv_split(&path, setting->key, '.');
	settings_value(setting->key, preset, &value, why);
	toml_set(text, (const char *const *)path.word, value, why);
	strv_free(&path);
	json_object_put(value);
}

char *settings_preset(void)
{
	char *text = xstrdup("");
	size_t i;

	for (i = 0; i < N_SETTINGS; i++)
		add_preset(&text, &table[i]);
	return text;
}

char *settings_warn(const struct settings *settings)
{
	char *text = NULL;
	size_t size, i;
	FILE *out;

	if (!settings->without_effect.n)
		return NULL;
	out = xcheck(open_memstream(&text, &size));
	fprintf(out, "config.toml sets what changes nothing here: ");
	for (i = 0; i < settings->without_effect.n && i < 10; i++)
		fprintf(out, "%s%s", i ? ", " : "", settings->without_effect.word[i]);
	if (i < settings->without_effect.n)
		fprintf(out, " and %zu more", settings->without_effect.n - i);
	fclose(out);
	return xcheck(text);
}

void settings_free(struct settings *settings)
{
	size_t i;

	for (i = 0; i < N_SETTINGS; i++) {
		void *member = member_of(settings, &table[i]);

		if (table[i].type == SETTING_TEXT)
			free(*(char **)member);
		else if (table[i].type == SETTING_WORDS || table[i].type == SETTING_LIST)
			strv_free(member);
	}
	strv_free(&settings->without_effect);
	memset(settings, 0, sizeof(*settings));
}
