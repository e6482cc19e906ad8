// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changes a node for mpu node, by its own systemctl. The engine is a service of the node's
 * systemd, not in the pod: so it goes on whatever becomes of the pod.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/engine/internal.h"
#include "lib/dirtree.h"
#include "lib/strv.h"
#include "nvidia/nvidia.h"

#define SERVICE		"mpu.service"
#define AGENT		"mpu-agent.service"
#define SOCKET		"mpu-agent.socket"
#define METRICS		"mpu-metrics.service"

static const char *const units[] = { SERVICE, SOCKET, AGENT, METRICS };

/* Units that write_settings() may have to be started anew. */
enum { OF_SERVICE, OF_AGENT, OF_METRICS, CHANGES };

/* Settings of a unit, where the image's own do not fit. */
#define SETTING_FOLDER	"/etc/systemd/system/%s.d"
#define SETTING		SETTING_FOLDER "/node.conf"

/* Node feature discovery makes labels of the files there. */
#define FEATURES	"/etc/kubernetes/node-feature-discovery/features.d"

/* Two of MPU on one node would take each other for an old one. */
static int refuse_other(const struct node *node, char why[WHY_SIZE])
{
	char path[PATH_MAX], real[PATH_MAX];
	int ret = node_property(SERVICE, "FragmentPath", path, sizeof(path), why);
	size_t len = strlen(node->folder);

	if (ret || !realpath(path, real) || (!strncmp(real, node->folder, len) && real[len] == '/'))
		return ret;
	return why_fail(why, -EEXIST, "MPU is installed on this node already (%s): remove it there, or leave this node out",
			real);
}

/* --- the service --- */

/* Settings of others may be beside it. @text: "": ours is to go */
static int write_setting(const char *unit, const char *text, bool *changed, char why[WHY_SIZE])
{
	char folder[128], path[128];
	int ret;

	snprintf(folder, sizeof(folder), SETTING_FOLDER, unit);
	snprintf(path, sizeof(path), SETTING, unit);
	ret = (*text ? dirtree_make(path, why) : 0) ?:
	      node_write(path, text, 0644, changed, why);
	if (!ret && !*text)
		rmdir(folder);
	return ret;
}

/* The folder of the socket stays when the service is restarted: a pod has it mounted. */
static int write_metrics(const struct node *node, bool *changed, char why[WHY_SIZE])
{
	char text[2 * PATH_MAX] = "";

	if (node->limit)
		snprintf(text, sizeof(text),
			 "# Of mpu node.\n[Service]\nExecStart=\nExecStart=%s/bin/mpu metrics --listen " NODE_METRICS " --keep 0 --limit %s%s\nRuntimeDirectory=mpu-metrics\nRuntimeDirectoryPreserve=yes\nStateDirectory=\n",
			 node->folder, node->limit, node->processes ? " --processes" : "");
	return write_setting(METRICS, text, changed, why);
}

/* Write what of the units is not as in the image. @others: set where it was something else */
static int write_settings(const struct node *node, bool others[CHANGES], char why[WHY_SIZE])
{
	const char *engine = node->engine ? node->engine : "auto";
	bool is_moved = strcmp(node->folder, NODE_FOLDER) != 0;
	char place[2 * PATH_MAX] = "", text[3 * PATH_MAX] = "";
	int ret;

	/* The units hide /home, where some nodes have the only folder for programs. */
	if (is_moved)
		snprintf(place, sizeof(place), "ProtectHome=tmpfs\nBindReadOnlyPaths=%s\n",
			 node->folder);
	if (is_moved || node->engine)
		snprintf(text, sizeof(text),
			 "# Of mpu node.\n[Service]\nExecStart=\nExecStart=%s/bin/mpu up --foreground --engine %s\n%s",
			 node->folder, engine, place);
	ret = write_setting(SERVICE, text, &others[OF_SERVICE], why);
	if (is_moved)
		snprintf(text, sizeof(text),
			 "# Of mpu node.\n[Service]\nExecStart=\nExecStart=%s/bin/mpu agent\n%s",
			 node->folder, place);
	if (!ret)
		ret = write_setting(AGENT, is_moved ? text : "", &others[OF_AGENT], why);
	return ret ? ret : write_metrics(node, &others[OF_METRICS], why);
}

/* Units that systemd does not know yet it reads when it is asked for them. */
static int link_units(const struct node *node, char why[WHY_SIZE])
{
	char path[sizeof(units) / sizeof(*units)][PATH_MAX];
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(*units); i++)
		snprintf(path[i], PATH_MAX, "%s/lib/systemd/system/%s", node->folder, units[i]);
	return NODE_RUN_WORDS(why, "systemctl", "--quiet", "--no-reload", "link", path[0],
			      path[1], path[2], path[3]);
}

/* When systemd reads units again it looks nodes up by their links in /dev/char. */
static int keep_gpus(const struct node *node, char why[WHY_SIZE])
{
	struct strv problems = { 0 };
	struct driver_root root;
	int ret = driver_root_open(&root, node->driver_root ? node->driver_root : "", why);

	if (ret)
		return ret;
	nodes_link_present(&root, &problems);
	if (problems.n)
		ret = why_fail(why, -EIO, "containers that run would lose their GPUs: %s",
			       problems.word[0]);
	strv_free(&problems);
	driver_root_close(&root);
	return ret;
}

/* Does it know something else of a unit than its files say? */
static int is_stale(const char *unit, bool *stale, char why[WHY_SIZE])
{
	char need[64], state[64];
	int ret = node_property(unit, "NeedDaemonReload", need, sizeof(need), why);

	if (!ret)
		ret = node_property(unit, "LoadState", state, sizeof(state), why);
	if (!ret)
		*stale |= !strcmp(need, "yes") || !strcmp(state, "not-found");
	return ret;
}

/*
 * Only where it has to be: systemd reads all units again, and takes GPUs from containers
 * that were started when their nodes had no links.
 */
static int reload_units(const struct node *node, char why[WHY_SIZE])
{
	bool stale = false;
	int ret = 0;
	size_t i;

	for (i = 0; !ret && i < sizeof(units) / sizeof(*units); i++)
		ret = is_stale(units[i], &stale, why);
	if (ret || !stale)
		return ret;
	ret = keep_gpus(node, why);
	return ret ? ret : NODE_RUN_WORDS(why, "systemctl", "daemon-reload");
}

/*
 * Reloading has the program that is installed now go on in place of the old one,
 * while the engine translates; the agent does that when it is restarted.
 * @others: as of write_settings()
 */
static int start_service(const struct node *node, bool is_new, const bool others[CHANGES],
			 char why[WHY_SIZE])
{
	int ret = link_units(node, why);

	if (!ret)
		ret = NODE_RUN_WORDS(why, "systemctl", "--quiet", "--no-reload", "enable", SERVICE);
	if (!ret)
		ret = reload_units(node, why);
	if (!ret && (is_new || others[OF_AGENT]))
		ret = NODE_RUN_WORDS(why, "systemctl", "try-restart", AGENT);
	if (!ret)
		ret = NODE_RUN_WORDS(why, "systemctl", others[OF_SERVICE] ? "restart" :
				     is_new ? "reload-or-restart" : "start", SERVICE);
	if (!ret && (node->limit || others[OF_METRICS]))
		ret = NODE_RUN_WORDS(why, "systemctl", "--quiet", "--no-reload",
				     node->limit ? "enable" : "disable", METRICS) ?:
		      NODE_RUN_WORDS(why, "systemctl", !node->limit ? "stop" :
				     is_new || others[OF_METRICS] ? "restart" : "start", METRICS);
	return ret;
}

/* Requires runtime "mpu": through engine notify only its containers are served. */
static int need_runtime(const struct node *node, char why[WHY_SIZE])
{
	char text[64];
	int ret = node_property(AGENT, "ActiveState", text, sizeof(text), why);

	if (ret || node->runtime || strcmp(text, "active") != 0)
		return ret;
	return why_fail(why, -EINVAL, "this node allows engine notify alone, which serves containers of runtime \"mpu\", and no container engine is told of that: say --runtime");
}

/* Has a node be as is wanted, and leaves alone what is so already. May be called again. */
int node_set_up(struct node *node, char why[WHY_SIZE])
{
	bool is_new = false, others[CHANGES] = { false };
	int ret = refuse_other(node, why);

	if (!ret)
		ret = dirtree_copy(node->image, node->folder, &is_new, why);
	if (ret == -EROFS)
		node_add_failure(ret, ret, "name a folder of this node's that can be written (--folder), or have MPU in the node's image", why);
	if (!ret)
		ret = write_settings(node, others, why);
	if (!ret)
		ret = start_service(node, is_new, others, why);
	if (!ret)
		ret = need_runtime(node, why);
	return ret ? ret : node_runtime_set_up(node, why);
}

/* --- undoing --- */

/* Refuses if containers depend on the engine, as mpu down does: they are listed in @why. */
int node_in_use(const struct node *node, char why[WHY_SIZE])
{
	char program[PATH_MAX];

	snprintf(program, sizeof(program), "%s/bin/mpu", node->folder);
	return access(program, F_OK) ? 0 : NODE_RUN_WORDS(why, program, "down", "--dry-run");
}

/* A step is left out where its file is missing: nothing of it was done. */
static bool has_file(const struct node *node, const char *file)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s%s", node->folder, file);
	return !access(path, F_OK);
}

/* Tries each step, whatever the others did. */
int node_undo(const struct node *node, char why[WHY_SIZE])
{
	bool has_service = has_file(node, "/lib/systemd/system/" SERVICE), changed = false;
	char one[WHY_SIZE];
	int ret = node_add_failure(0, node_label(false, one), one, why);

	/* Units that nobody knows cannot be stopped: some may have been left unlinked. */
	if (has_service)
		ret = node_add_failure(ret, link_units(node, one) ?:
			NODE_RUN_WORDS(one, "systemctl", "stop", SERVICE, METRICS), one, why);
	if (has_file(node, "/lib/systemd/system/" AGENT))
		ret = node_add_failure(ret, NODE_RUN_WORDS(one, "systemctl", "stop", SOCKET,
							   AGENT), one, why);
	if (has_service)
		ret = node_add_failure(ret, NODE_RUN_WORDS(one, "systemctl", "--quiet",
			"--no-reload", "disable", SERVICE, SOCKET, AGENT, METRICS), one, why);
	ret = node_add_failure(ret, write_setting(SERVICE, "", &changed, one) ?:
			       write_setting(AGENT, "", &changed, one) ?:
			       write_setting(METRICS, "", &changed, one), one, why);
	if (has_file(node, "/bin/mpu"))
		ret = node_add_failure(ret, node_runtime_undo(node, one), one, why);
	return node_add_failure(ret, dirtree_remove(node->folder, one), one, why);
}

/* --- how it is --- */

/* Does the engine's service say so? @why: what it says */
bool node_works(char why[WHY_SIZE])
{
	char state[64], text[1024];

	if (node_property(SERVICE, "ActiveState", state, sizeof(state), why) ||
	    node_property(SERVICE, "StatusText", text, sizeof(text), why))
		return false;
	why_fail(why, 0, "%s: %s%s%s", SERVICE, state, *text ? ": " : "", text);
	/* The engine is never off while a new version takes over. */
	return !strcmp(state, "active") || !strcmp(state, "reloading");
}

/* Has node feature discovery, where the node has it, label the node. */
int node_label(bool ready, char why[WHY_SIZE])
{
	bool changed = false;

	return access(FEATURES, F_OK) ? 0 :
		node_write(FEATURES "/mpu", ready ? "feature.node.kubernetes.io/mpu.ready=true\n" :
			   "", 0644, &changed, why);
}
