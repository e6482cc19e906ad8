// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of container engines; docker, CRI-O and podman. The latter two take CDI devices
 * by themselves, so there is nothing to enable.
 */
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container/setup/internal.h"
#include "lib/host.h"
#include "lib/json_file.h"
#include "lib/path.h"
#include "lib/xalloc.h"

const struct setup_engine *const setup_engines[] = {
	&setup_docker, &setup_containerd, &setup_crio, &setup_podman, NULL,
};

const struct setup_engine *setup_engine_find(const char *name)
{
	const struct setup_engine *const *engine = setup_engines;

	while (*engine && strcmp((*engine)->name, name) != 0)
		engine++;
	return *engine;
}

void setup_files(const struct setup_engine *engine, const char *main, struct strv *files)
{
	if (engine->files)
		engine->files(main, files);
	else
		strv_add(files, main);
}

int setup_locate(const struct setup_engine *engine, const char *main, const char *drop_in,
		 struct setup_place *place)
{
	*place->import = '\0';
	if (engine->locate)
		return engine->locate(main, drop_in, place);
	return snprintf(place->own, PATH_MAX, "%s", drop_in ? drop_in : main) < PATH_MAX ?
		       0 : -ENAMETOOLONG;
}

int setup_find(const struct setup_engine *engine, const char *text,
	       struct setup_found *found, char why[WHY_SIZE])
{
	struct json_object *root = NULL;
	int ret = engine->notation->parse(text, &root, why);

	*found = (struct setup_found){ 0 };
	if (!ret)
		ret = engine->find(root, found, why);
	json_object_put(root);
	return ret;
}

void setup_found_free(struct setup_found *found)
{
	strv_free(&found->names);
	strv_free(&found->paths);
	free(found->standard);
	*found = (struct setup_found){ 0 };
}

const char *setup_program_of(const struct setup_found *found, const char *name)
{
	size_t i;

	for (i = 0; i < found->names.n; i++)
		if (!strcmp(found->names.word[i], name))
			return found->paths.word[i];
	return NULL;
}

/*
 * --- docker: a daemon that is told to reload learns of runtimes and of another default; it
 * forgets those that the file no longer names, and starts to take CDI devices, when it is
 * restarted ---
 */

static int edit_docker(char **text, const struct setup_runtime *runtime,
		       const struct setup_base *base, char why[WHY_SIZE])
{
	const char *name = runtime->name;
	int ret = notation_put(&notation_json, text, KEYS("runtimes", name, "path"),
			       json_object_new_string(runtime->path), why) ?:
		  /* dockerd does not start where an entry has these beside a path. */
		  notation_put(&notation_json, text, KEYS("runtimes", name, "runtimeType"),
			       NULL, why) ?:
		  notation_put(&notation_json, text, KEYS("runtimes", name, "options"), NULL, why);

	(void)base;
	if (!ret && runtime->is_default)
		ret = notation_put(&notation_json, text, KEYS("default-runtime"),
				   json_object_new_string(name), why);
	if (!ret && runtime->cdi)
		ret = notation_put(&notation_json, text, KEYS("features", "cdi"),
				   json_object_new_boolean(1), why);
	return ret;
}

static int find_docker(struct json_object *root, struct setup_found *found, char why[WHY_SIZE])
{
	struct json_object *runtimes, *standard, *features, *cdi;
	int ret = json_file_member(root, "", "runtimes", json_type_object, &runtimes, why) ?:
		  json_file_member(root, "", "default-runtime", json_type_string, &standard, why) ?:
		  json_file_member(root, "", "features", json_type_object, &features, why);

	if (ret)
		return ret;
	setup_find_runtimes(runtimes, found);
	if (standard)
		found->standard = xstrdup(json_object_get_string(standard));
	found->is_lost = setup_is_lost(found->standard, runtimes);
	if (json_object_object_get_ex(features, "cdi", &cdi))
		found->cdi = json_object_get_boolean(cdi) ? SETUP_CDI_ON : SETUP_CDI_OFF;
	return 0;
}

static const char *const ask_docker[] = { "docker", "info", "--format",
	"{\"runtimes\":{{json .Runtimes}},\"default-runtime\":{{json .DefaultRuntime}}}",
	NULL };

const struct setup_engine setup_docker = {
	.name = "docker",
	.file = "/etc/docker/daemon.json",
	.reload = "systemctl reload docker",
	.restart = "systemctl restart docker",
	.notation = &notation_json,
	.ask = ask_docker,
	.asked = "docker info",
	.edit = edit_docker,
	.find = find_docker,
};

/* --- CRI-O and podman: NAME.conf, and on top of it each file of a folder NAME.conf.d --- */

/* Adds the files of a folder, hidden ones, too. @end: of their names; NULL: and of its folders */
static void add_inside(const char *folder, const char *end, struct strv *files)
{
	DIR *dir = host_opendir("%s", folder);
	struct strv inside = { 0 };
	struct dirent *entry;
	char path[PATH_MAX];
	struct stat st;
	size_t i;

	while (dir && (entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			strv_add_format(&inside, "%s/%s", folder, entry->d_name);
	if (dir)
		closedir(dir);
	strv_sort(&inside);
	for (i = 0; i < inside.n; i++) {
		if (host_path(path, sizeof(path), "%s", inside.word[i]) || lstat(path, &st))
			continue;
		if (S_ISDIR(st.st_mode) && !end)
			add_inside(inside.word[i], end, files);
		else if (!S_ISDIR(st.st_mode) && path_ends(path, end ?: ""))
			strv_add(files, inside.word[i]);
	}
	strv_free(&inside);
}

/* @main: a file of that folder; @end: as of add_inside() */
static void add_folder_files(const char *main, const char *end, struct strv *files)
{
	char folder[PATH_MAX];

	snprintf(folder, sizeof(folder), "%s", main);
	if (!path_ends(dirname(folder), ".d")) {
		strv_add(files, main);
		return;
	}
	strv_add_format(files, "%.*s", (int)strlen(folder) - 2, folder);
	add_inside(folder, end, files);
}

/* Keys are read on top of one another, but the table of a runtime as a whole. */
static bool replaces_runtime(struct json_object *file, const char *table)
{
	(void)file;
	return !strcmp(table, "runtimes");
}

/* CRI-O takes it where no file names a default, since 1.31. */
#define CRIO_STANDARD	"crun"

static const char *const crio_runtimes[] = { "crio", "runtime", "runtimes", NULL };
static const char *const crio_standard[] = { "crio", "runtime", "default_runtime", NULL };

static struct json_object *find_crio_model(struct json_object *root, const char *name)
{
	return setup_find_model(toml_find(root, crio_standard), CRIO_STANDARD,
				toml_find(root, crio_runtimes), name);
}

static int inherit(char **text, const struct setup_base *base, const char *name, char why[WHY_SIZE])
{
	const char *path[SETUP_PATH] = { "crio", "runtime", "runtimes", name };
	struct json_object *root, *model = NULL;
	int ret = notation_toml.parse(*text, &root, why);

	if (!ret)
		model = find_crio_model(root, name);
	if (!model && base)
		model = find_crio_model(base->files, name);
	/* The monitor that is inherited is of this type: conmon, or conmon-rs. */
	if (!ret)
		ret = setup_set(text, KEYS("crio", "runtime", "runtimes", name, "runtime_type"),
				json_object_new_string(strcmp(setup_type(model), "pod") ? "oci" : "pod"),
				why) ?:
		      setup_copy(text, root, true, model, path, 4, why);
	json_object_put(root);
	return ret;
}

static int edit_crio(char **text, const struct setup_runtime *runtime,
		     const struct setup_base *base, char why[WHY_SIZE])
{
	const char *name = runtime->name, *const *key;
	int ret = setup_set(text, KEYS("crio", "runtime", "runtimes", name, "runtime_path"),
			    json_object_new_string(runtime->path), why);

	for (key = setup_of_program; !ret && *key; key++)
		if (strcmp(*key, "runtime_path") != 0)
			ret = notation_remove(&notation_toml, text, KEYS("crio", "runtime",
						"runtimes", name, *key), why);
	if (!ret)
		ret = inherit(text, base, name, why);
	return ret || !runtime->is_default ? ret :
		setup_set(text, crio_standard, json_object_new_string(name), why);
}

/* Has runtimes that inherit the default one's program name it, as CRI-O does when it starts. */
static int find_crio(struct json_object *root, struct setup_found *found, char why[WHY_SIZE])
{
	struct json_object *runtimes = toml_find(root, crio_runtimes), *path;

	(void)why;
	found->cdi = SETUP_CDI_ON;
	found->standard = setup_find_text(root, crio_standard);
	found->is_lost = setup_is_lost(found->standard, runtimes);
	path = toml_find(runtimes, KEYS(found->standard ?: CRIO_STANDARD, "runtime_path"));
	if (!json_object_is_type(runtimes, json_type_object))
		return 0;
	json_object_object_foreach(runtimes, name, runtime) {
		(void)name;
		if (json_object_get_boolean(toml_find(runtime, KEYS("inherit_default_runtime"))))
			json_object_object_add(runtime, "runtime_path", json_object_get(path));
	}
	setup_find_runtimes(runtimes, found);
	return 0;
}

bool setup_find_program(char path[PATH_MAX], const char *folders, const char *name)
{
	struct strv places = { 0 };
	bool found = false;
	size_t i;

	if (*name == '/')
		strv_add(&places, "");
	else
		strv_split(&places, folders, ':');
	for (i = 0; !found && i < places.n; i++) {
		snprintf(path, PATH_MAX, "%s%s%s", places.word[i], *name == '/' ? "" : "/", name);
		found = host_exists("%s", path);
	}
	strv_free(&places);
	return found;
}

bool setup_misses_default(const struct setup_engine *engine, const struct setup_found *found,
			  char why[WHY_SIZE])
{
	const char *name = found->standard ?: CRIO_STANDARD;
	const char *path = setup_program_of(found, name) ?: name;
	char there[PATH_MAX];

	if (!found->is_lost &&
	    (engine != &setup_crio || setup_find_program(there, HOST_USUAL_PATH, path)))
		return false;
	why_fail(why, -ENOENT, "the default runtime of %s is %s%s%s, which is not there: until it is, no container starts",
		 engine->name, name, found->is_lost ? "" : ", ", found->is_lost ? "" : path);
	return true;
}

static void crio_files(const char *main, struct strv *files)
{
	add_folder_files(main, NULL, files);
}

static const char *const ask_crio[] = { "crio", "status", "config", NULL };
static const char *const ask_crio_files[] = { "crio", "config", NULL };

const struct setup_engine setup_crio = {
	.name = "crio",
	.file = "/etc/crio/crio.conf.d/zz-mpu.conf",
	.reload = "systemctl restart crio",
	.restart = "systemctl restart crio",
	.notation = &notation_toml,
	.ask = ask_crio,
	.ask_files = ask_crio_files,
	.asked = "crio status config",
	.files = crio_files,
	.replaces = replaces_runtime,
	.edit = edit_crio,
	.find = find_crio,
};

static const char *const podman_runtimes[] = { "engine", "runtimes", NULL };
static const char *const podman_standard[] = { "engine", "runtime", NULL };

static int edit_podman(char **text, const struct setup_runtime *runtime,
		       const struct setup_base *base, char why[WHY_SIZE])
{
	struct json_object *programs = json_object_new_array();
	int ret;

	(void)base;
	json_object_array_add(programs, json_object_new_string(runtime->path));
	ret = setup_set(text, KEYS("engine", "runtimes", runtime->name), programs, why);
	if (!ret && runtime->is_default)
		ret = setup_set(text, podman_standard, json_object_new_string(runtime->name), why);
	return ret;
}

static int find_podman(struct json_object *root, struct setup_found *found, char why[WHY_SIZE])
{
	(void)why;
	found->cdi = SETUP_CDI_ON;
	found->standard = setup_find_text(root, podman_standard);
	setup_find_runtimes(toml_find(root, podman_runtimes), found);
	if (found->standard && *found->standard == '/') {
		strv_add(&found->names, found->standard);
		strv_add(&found->paths, found->standard);
	}
	return 0;
}

/* A podman of root reads what root has written for itself, too, and last. */
static void podman_files(const char *main, struct strv *files)
{
	add_folder_files(main, ".conf", files);
	if (!strcmp(main, setup_podman.file))
		add_folder_files("/root/.config/containers/containers.conf.d/zz", ".conf", files);
}

const struct setup_engine setup_podman = {
	.name = "podman",
	.file = "/etc/containers/containers.conf.d/zz-mpu.conf",
	.reload = "nothing: the next podman reads it",
	.restart = "nothing: the next podman reads it",
	.notation = &notation_toml,
	.files = podman_files,
	.replaces = replaces_runtime,
	.edit = edit_podman,
	.find = find_podman,
};
