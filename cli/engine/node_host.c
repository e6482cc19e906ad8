// SPDX-License-Identifier: GPL-2.0-only
/*
 * What mpu node does to a node, by the node's own systemctl: see node.h.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/engine/node.h"
#include "container/oci/runtime_find.h"
#include "container/setup/change.h"
#include "container/setup/engine.h"
#include "lib/folder.h"
#include "lib/process.h"
#include "lib/text_file.h"
#include "lib/words.h"
#include "nvidia/nodes.h"

#define SERVICE		"mpu.service"
#define AGENT		"mpu-agent.service"
#define SOCKET		"mpu-agent.socket"
#define UNITS		NODE_FOLDER "/lib/systemd/system/"

/* Which engine the service is to start, where one is named. */
#define SETTING_FOLDER	"/etc/systemd/system/" SERVICE ".d"
#define SETTING		SETTING_FOLDER "/node.conf"

/*
 * What containers of runtime "mpu" are started with, and ended: it has to be there
 * for as long as they live, also when MPU is not. A link that the next boot removes.
 */
#define RUNTIME		NODE_RUN "/" OCI_RUNTIME_NAME

/* Path of a file that is there while an engine of containers has something to read. */
#define UNREAD		NODE_RUN "/unread-%s"

/* Run a program of the node's. @words: end with NULL */
static int run(const char *const *words, char why[WHY_SIZE])
{
	const int fd[3] = { PROCESS_NULL, STDERR_FILENO, STDERR_FILENO };
	int ret = process_run(words, fd);

	if (ret < 0)
		return why_fail(why, ret, "cannot run %s on this node: %s", words[0],
				strerror(-ret));
	return !ret ? 0 : why_fail(why, -EIO, "'%s %s %s' failed: see above",
				   words[0], words[1], words[2] ? words[2] : "");
}

#define RUN(why, ...) run((const char *const[]){ __VA_ARGS__, NULL }, why)

/* A property of a unit, without the newline; "" if it has none. */
static int read_property(const char *unit, const char *property, char *text,
			 size_t size, char why[WHY_SIZE])
{
	const char *const words[] = { "systemctl", "show", "--value", "--property",
				      property, unit, NULL };
	const int fd[3] = { PROCESS_NULL, PROCESS_PIPE, STDERR_FILENO };
	int ret = process_read(words, fd, text, size);

	text[strcspn(text, "\n")] = '\0';
	if (ret)
		return why_fail(why, ret < 0 ? ret : -EIO, "systemd does not answer on this node: 'systemctl show %s' failed",
				unit);
	return 0;
}

/* Two of MPU on one node would take each other for an old one. */
static int refuse_other(char why[WHY_SIZE])
{
	char path[PATH_MAX], real[PATH_MAX];
	int ret = read_property(SERVICE, "FragmentPath", path, sizeof(path), why);

	if (ret || !realpath(path, real) ||
	    !strncmp(real, NODE_FOLDER "/", strlen(NODE_FOLDER "/")))
		return ret;
	return why_fail(why, -EEXIST, "MPU is installed on this node already (%s): remove it there, or leave this node out",
			real);
}

/* --- the service --- */

/* Settings of others may be beside it. */
static int remove_setting(char why[WHY_SIZE])
{
	if (unlink(SETTING) && errno != ENOENT)
		return why_fail(why, -errno, "cannot remove %s: %s", SETTING,
				strerror(errno));
	rmdir(SETTING_FOLDER);
	return 0;
}

/* @changed: set if the service has to be started anew for it */
static int write_setting(const char *engine, bool *changed, char why[WHY_SIZE])
{
	struct text_file file;
	char text[256] = "";
	int ret = text_file_read(SETTING, &file, why);

	if (engine)
		snprintf(text, sizeof(text),
			 "# Of mpu node.\n[Service]\nExecStart=\nExecStart=%s/bin/mpu up --foreground --engine %s\n",
			 NODE_FOLDER, engine);
	*changed = !ret && strcmp(file.text, text) != 0;
	if (*changed && !engine)
		ret = remove_setting(why);
	else if (*changed && mkdir(SETTING_FOLDER, 0755) && errno != EEXIST)
		ret = why_fail(why, -errno, "cannot make the folder %s: %s",
			       SETTING_FOLDER, strerror(errno));
	else if (*changed)
		ret = text_file_write(SETTING, text, &file.stat, why);
	text_file_free(&file);
	return ret;
}

/* Units that systemd does not know yet it reads when it is asked for them. */
static int link_units(char why[WHY_SIZE])
{
	return RUN(why, "systemctl", "--quiet", "--no-reload", "link", UNITS SERVICE,
		   UNITS SOCKET, UNITS AGENT);
}

/* When systemd reads units again it looks nodes up by their links in /dev/char. */
static int keep_gpus(char why[WHY_SIZE])
{
	struct words problems = { 0 };
	struct driver_root root;
	int ret = driver_root_open(&root, "", why);

	if (ret)
		return ret;
	ret = nodes_link_present(&root, &problems);
	if (problems.n)
		ret = why_fail(why, -EIO, "containers that run would lose their GPUs: %s",
			       problems.word[0]);
	else if (ret)
		why_fail(why, ret, "no memory");
	words_free(&problems);
	driver_root_close(&root);
	return ret;
}

/* Does it know something else of a unit than its files say? */
static int is_stale(const char *unit, bool *stale, char why[WHY_SIZE])
{
	char need[64], state[64];
	int ret = read_property(unit, "NeedDaemonReload", need, sizeof(need), why);

	if (!ret)
		ret = read_property(unit, "LoadState", state, sizeof(state), why);
	if (!ret)
		*stale |= !strcmp(need, "yes") || !strcmp(state, "not-found");
	return ret;
}

/*
 * Only where it has to be: systemd reads all units again, and takes GPUs from containers
 * that were started when their nodes had no links.
 */
static int reload_units(char why[WHY_SIZE])
{
	static const char *const units[] = { SERVICE, SOCKET, AGENT };
	bool stale = false;
	int ret = 0;
	size_t i;

	for (i = 0; !ret && i < sizeof(units) / sizeof(*units); i++)
		ret = is_stale(units[i], &stale, why);
	if (ret || !stale)
		return ret;
	ret = keep_gpus(why);
	return ret ? ret : RUN(why, "systemctl", "daemon-reload");
}

/*
 * Reloading has the program that is installed now go on in place of the old one,
 * while the engine translates; the agent does that when it is restarted.
 */
static int start_service(bool is_new, bool is_other, char why[WHY_SIZE])
{
	int ret = link_units(why);

	if (!ret)
		ret = RUN(why, "systemctl", "--quiet", "--no-reload", "enable", SERVICE);
	if (!ret)
		ret = reload_units(why);
	if (!ret && is_new)
		ret = RUN(why, "systemctl", "try-restart", AGENT);
	if (!ret)
		ret = RUN(why, "systemctl", is_other ? "restart" :
			  is_new ? "reload-or-restart" : "start", SERVICE);
	return ret;
}

/* Units that nobody knows cannot be stopped: some may have been left unlinked. */
static int stop_service(char why[WHY_SIZE])
{
	int ret = link_units(why);

	if (!ret)
		ret = RUN(why, "systemctl", "stop", SERVICE);
	if (!ret)
		ret = RUN(why, "systemctl", "stop", SOCKET, AGENT);
	if (!ret)
		ret = RUN(why, "systemctl", "--quiet", "--no-reload", "disable", SERVICE,
			  SOCKET, AGENT);
	return ret;
}

/* --- the engine of containers --- */

static int restart_runtime(const struct setup_engine *engine, char why[WHY_SIZE])
{
	struct words words = { 0 };
	int ret = words_split(&words, engine->restart, ' ');

	if (!ret)
		ret = run((const char *const *)words.word, why);
	else
		why_fail(why, ret, "no memory");
	words_free(&words);
	return ret;
}

/* Have the link lead somewhere else, with no moment in which it leads nowhere. */
static int set_runtime_link(const char *target, char why[WHY_SIZE])
{
	unlink(RUNTIME ".new");
	if (symlink(target, RUNTIME ".new") || rename(RUNTIME ".new", RUNTIME))
		return why_fail(why, -errno, "cannot make the link %s: %s", RUNTIME,
				strerror(errno));
	return 0;
}

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

/*
 * Call mpu configure, and have the engine of containers read what that has changed: each
 * change is in a record, whichever file it is of.
 * @word, @value: more words, @value may be NULL
 */
static int configure(const struct setup_engine *engine, const char *word,
		     const char *value, char why[WHY_SIZE])
{
	const char *const words[] = { NODE_FOLDER "/bin/mpu", "configure",
		engine->name, word, value, NULL };
	char unread[64];
	struct stat was = { 0 };
	bool is_noted;
	int ret;

	snprintf(unread, sizeof(unread), UNREAD, engine->name);
	is_noted = !access(unread, F_OK);
	if (stat(CHANGE_FOLDER, &was) && errno != ENOENT)
		return why_fail(why, -errno, "cannot read %s: %s", CHANGE_FOLDER,
				strerror(errno));
	ret = note_unread(engine, why);
	if (!ret)
		ret = run(words, why);
	if (!ret && (is_noted || is_other_file(CHANGE_FOLDER, &was)))
		ret = restart_runtime(engine, why);
	if (!ret && unlink(unread))
		ret = why_fail(why, -errno, "cannot remove %s: %s", unread,
			       strerror(errno));
	return ret;
}

/*
 * CRI-O ignores a runtime whose program is not there when it starts, as ours is not
 * after a boot.
 */
static int know_runtime(const struct setup_engine *engine, char why[WHY_SIZE])
{
	int ret = access(RUNTIME, F_OK) ? note_unread(engine, why) : 0;

	if (!ret)
		ret = set_runtime_link(NODE_FOLDER "/bin/mpu", why);
	return ret ? ret : configure(engine, "--name=mpu", "--runtime=" RUNTIME, why);
}

/* Containers that live go on with the runtime that mpu-runtime has called for them. */
static int keep_runtime(char why[WHY_SIZE])
{
	static char *const names[] = { "runc", "crun", NULL };
	const struct words candidates = { (char **)names, 2 };
	struct oci_runtime real = { 0 };
	int ret = oci_runtime_locate(&real, &candidates, why);

	return ret ? ret : set_runtime_link(real.path, why);
}

/*
 * What mpu configure has changed outlives a boot. The link does not, and then there is
 * no container that it would have to be kept for.
 */
static int forget_runtime(char why[WHY_SIZE])
{
	static const struct setup_engine *const engines[] = {
		&setup_containerd, &setup_crio,
	};
	struct stat stat;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < sizeof(engines) / sizeof(*engines); i++)
		ret = configure(engines[i], "--undo", NULL, why);
	return ret || lstat(RUNTIME, &stat) ? ret : keep_runtime(why);
}

/* Through engine notify only containers of runtime "mpu" are served. */
static int need_runtime(const struct node *node, char why[WHY_SIZE])
{
	char text[64];
	int ret = read_property(AGENT, "ActiveState", text,
				sizeof(text), why);

	if (ret || node->runtime || strcmp(text, "active") != 0)
		return ret;
	return why_fail(why, -EINVAL, "this node allows engine notify alone, which serves containers of runtime \"mpu\", and no engine of containers is told of that: say --runtime");
}

/* --- all of it --- */

int node_set_up(const struct node *node, char why[WHY_SIZE])
{
	bool is_new = false, is_other = false;
	int ret = refuse_other(why);

	if (!ret)
		ret = folder_copy(node->image, NODE_FOLDER, &is_new, why);
	if (!ret)
		ret = write_setting(node->engine, &is_other, why);
	if (!ret)
		ret = start_service(is_new, is_other, why);
	if (!ret)
		ret = need_runtime(node, why);
	if (!ret)
		ret = node->runtime ? know_runtime(node->runtime, why) :
				      forget_runtime(why);
	return ret;
}

int node_undo(char why[WHY_SIZE])
{
	int ret = 0;

	if (!access(NODE_FOLDER "/bin/mpu", X_OK))
		ret = forget_runtime(why);
	if (!ret && !access(UNITS SERVICE, F_OK))
		ret = stop_service(why);
	if (!ret)
		ret = remove_setting(why);
	if (!ret)
		ret = folder_remove(NODE_FOLDER, why);
	return ret;
}

bool node_works(char why[WHY_SIZE])
{
	char state[64], text[1024];

	if (read_property(SERVICE, "ActiveState", state, sizeof(state), why) ||
	    read_property(SERVICE, "StatusText", text, sizeof(text), why))
		return false;
	why_fail(why, 0, "%s: %s%s%s", SERVICE, state, *text ? ": " : "", text);
	return !strcmp(state, "active");
}
