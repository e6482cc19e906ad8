// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu node: tells a container engine of runtime "mpu", and asks whether it knows it.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/engine/internal.h"
#include "container/oci/oci.h"
#include "container/request/request.h"
#include "container/setup/setup.h"
#include "lib/toml_edit.h"

/*
 * Containers of runtime "mpu" are started and ended with it: it has to be there for as
 * long as they live, also when MPU is not. A link that the next boot removes.
 */
#define RUNTIME		NODE_RUN "/" OCI_RUNTIME_NAME

/* Path of a file that is there while a container engine has something to read. */
#define UNREAD		NODE_RUN "/unread-%s"

/* Looks until an engine that a restart did not help is restarted again: an hour. */
#define LEFT_ALONE	60

#define SETTINGS	"/etc/nvidia-container-runtime/config.toml"

/* --- what the engine calls --- */

/* Has the link lead somewhere else, with no moment in which it leads nowhere. */
static int set_link(const char *target, char why[WHY_SIZE])
{
	unlink(RUNTIME ".new");
	if (symlink(target, RUNTIME ".new") || rename(RUNTIME ".new", RUNTIME))
		return why_fail(why, -errno, "cannot make the link %s: %s", RUNTIME,
				strerror(errno));
	return 0;
}

static int write_settings(const struct node *node, const char *path, char why[WHY_SIZE])
{
	struct text_file file;
	bool changed = false;
	int ret = text_file_read(SETTINGS, &file, why);

	if (!ret)
		ret = notation_put(&notation_toml, &file.text, KEYS("nvidia-container-cli", "root"),
				   json_object_new_string(node->driver_root), why);
	if (!ret)
		ret = node_write(path, file.text, 0644, &changed, why);
	text_file_free(&file);
	return ret;
}

/*
 * Write what is called in place of mpu-runtime, where that has to be told something.
 * @path: of the file. It is no file of /run, from which some nodes run no program.
 */
static int write_caller(const struct node *node, const char *path, char why[WHY_SIZE])
{
	char settings[PATH_MAX], text[3 * PATH_MAX];
	bool changed = false;
	size_t len;
	int ret = 0;

	len = (size_t)snprintf(text, sizeof(text), "#!/bin/sh\n# Of mpu node.\n");
	if (node->oci_runtime)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
					"export MPU_RUNTIME=%s\n", node->oci_runtime);
	if (node->driver_root) {
		snprintf(settings, sizeof(settings), "%s/config.toml", node->folder);
		len += (size_t)snprintf(text + len, sizeof(text) - len, "export %s=%s\n",
					SETTINGS_VARIABLE, settings);
		ret = write_settings(node, settings, why);
	}
	snprintf(text + len, sizeof(text) - len, "exec %s/bin/%s \"$@\"\n", node->folder,
		 OCI_RUNTIME_NAME);
	return ret ? ret : node_write(path, text, 0755, &changed, why);
}

static int make_link(const struct node *node, char why[WHY_SIZE])
{
	bool is_told = node->oci_runtime || node->driver_root;
	char path[PATH_MAX];
	int ret = 0;

	snprintf(path, sizeof(path), "%s/bin/%s", node->folder, is_told ? "node-runtime" : "mpu");
	if (is_told)
		ret = write_caller(node, path, why);
	return ret ? ret : set_link(path, why);
}

/* Containers that live go on with the runtime that mpu-runtime has called for them. */
static int keep_runtime(const struct node *node, char why[WHY_SIZE])
{
	char *names[] = { "runc", "crun", NULL };
	struct strv candidates = { names, 2 };
	struct oci_runtime real = { 0 };
	int ret;

	if (node->oci_runtime)
		setenv("MPU_RUNTIME", node->oci_runtime, 1);
	ret = oci_runtime_locate(&real, &candidates, why);
	return ret ? ret : set_link(real.path, why);
}

/* --- the engine --- */

/* Also if we are killed now, @engine will be restarted: by the next configure(). */
static int note_unread(const struct setup_engine *engine, char why[WHY_SIZE])
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), UNREAD, engine->name);
	file = fopen(path, "we");
	if (file && !fclose(file))
		return 0;
	return why_fail(why, -errno, "cannot make %s: %s", path, strerror(errno));
}

static int restart(const struct node *node, const struct setup_engine *engine, char why[WHY_SIZE])
{
	struct strv words = { 0 };
	int ret;

	if (engine == node->runtime && node->unit) {
		strv_split(&words, "systemctl restart", ' ');
		strv_add(&words, node->unit);
	} else {
		strv_split(&words, engine->restart, ' ');
	}
	ret = node_run((const char *const *)words.word, why);
	if (!ret)
		fprintf(stderr, "mpu node: %s reads its configuration again ('%s %s %s')\n",
			engine->name, words.word[0], words.word[1], words.word[2]);
	strv_free(&words);
	return ret;
}

/* @was: of a file or folder before something was done that may have replaced it */
static bool is_other_file(const char *path, const struct stat *was)
{
	struct stat is = { 0 };

	if (stat(path, &is))
		return was->st_ino;
	return is.st_ino != was->st_ino || is.st_dev != was->st_dev ||
	       is.st_mtim.tv_sec != was->st_mtim.tv_sec ||
	       is.st_mtim.tv_nsec != was->st_mtim.tv_nsec;
}

/* @value: one more word, or NULL */
static int run_configure(const struct node *node, const struct setup_engine *engine,
			 const char *word, const char *value, char why[WHY_SIZE])
{
	bool has_config = engine == node->runtime && node->config;
	char program[PATH_MAX], config[PATH_MAX + 16];
	const char *const words[] = { program, "configure", engine->name, word,
		has_config ? config : value, has_config ? value : NULL, NULL };

	snprintf(program, sizeof(program), "%s/bin/mpu", node->folder);
	snprintf(config, sizeof(config), "--config=%s", has_config ? node->config : "");
	return node_run(words, why);
}

/*
 * Has the engine read what was changed, too: each change is in a record, of whichever file.
 * Return: 1: it was restarted; 0; or negative errno and a sentence in @why.
 */
static int configure(const struct node *node, const struct setup_engine *engine,
		     const char *word, const char *value, char why[WHY_SIZE])
{
	char unread[64];
	struct stat was = { 0 };
	bool is_unread;
	int ret;

	snprintf(unread, sizeof(unread), UNREAD, engine->name);
	is_unread = !access(unread, F_OK);
	if (stat(CHANGE_FOLDER, &was) && errno != ENOENT)
		return why_fail(why, -errno, "cannot read %s: %s", CHANGE_FOLDER, strerror(errno));
	ret = note_unread(engine, why);
	if (!ret)
		ret = run_configure(node, engine, word, value, why);
	is_unread |= is_other_file(CHANGE_FOLDER, &was);
	if (!ret && is_unread)
		ret = restart(node, engine, why);
	if (!ret && unlink(unread))
		ret = why_fail(why, -errno, "cannot remove %s: %s", unread, strerror(errno));
	return ret ? ret : is_unread;
}

/* Does the engine know the runtime, as it says itself? Return: 0 or negative errno */
static int check(const struct node *node, char why[WHY_SIZE])
{
	const char *file = node->config ? node->config : node->runtime->file;
	struct setup_found found;
	int ret = setup_in_force(node->runtime, file, SETUP_ENGINE, &found, why);
	const char *program = setup_program_of(&found, "mpu");

	if (program && !strcmp(program, RUNTIME))
		ret = 0;
	else if (ret >= 0)
		ret = why_fail(why, -ENOENT, "%s does not know runtime \"mpu\"",
			       node->runtime->name);
	setup_found_free(&found);
	return ret;
}

static int fail_futile(const struct node *node, char why[WHY_SIZE])
{
	return why_fail(why, -ENOENT, "%s does not know runtime \"mpu\" after it was told and restarted: what starts it writes %s anew. Name a file that it keeps, or use engines module and bpf",
			node->runtime->name,
			node->config ? node->config : node->runtime->file);
}

/* CRI-O ignores a runtime whose program is not there when it starts, as ours after a boot. */
static int tell(struct node *node, char why[WHY_SIZE])
{
	int told = configure(node, node->runtime, "--name=mpu", "--runtime=" RUNTIME, why);

	if (told < 0 || !check(node, why))
		return told < 0 ? told : 0;
	if (!told && restart(node, node->runtime, why))
		return -EIO;
	if (!told && !check(node, why))
		return 0;
	node->left_alone = LEFT_ALONE;
	return fail_futile(node, why);
}

int node_runtime_set_up(struct node *node, char why[WHY_SIZE])
{
	int ret;

	if (!node->runtime) {
		ret = node->is_forgotten ? 0 : node_runtime_undo(node, why);
		node->is_forgotten = !ret;
		return ret;
	}
	ret = access(RUNTIME, F_OK) ? note_unread(node->runtime, why) : 0;
	if (!ret)
		ret = make_link(node, why);
	if (!ret && node->left_alone && --node->left_alone && check(node, why))
		return fail_futile(node, why);
	return ret ? ret : tell(node, why);
}

/*
 * Undoes what mpu configure has changed, which outlives a boot. The link does not, and
 * then there is no container that it would have to be kept for.
 */
int node_runtime_undo(const struct node *node, char why[WHY_SIZE])
{
	static const struct setup_engine *const engines[] = {
		&setup_containerd, &setup_crio,
	};
	char one[WHY_SIZE];
	struct stat stat;
	size_t i;
	int ret = 0, done;

	for (i = 0; i < sizeof(engines) / sizeof(*engines); i++) {
		done = configure(node, engines[i], "--undo", NULL, one);
		ret = node_add_failure(ret, done < 0 ? done : 0, one, why);
	}
	if (!lstat(RUNTIME, &stat))
		ret = node_add_failure(ret, keep_runtime(node, one), one, why);
	return ret;
}
