// SPDX-License-Identifier: GPL-2.0-only
/*
 * Carries out edits inside of a container. Mounts are opened and prepared on the host; then the
 * container is entered, and they are attached there.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "container/rootfs/internal.h"
#include "lib/caps.h"
#include "lib/in_root.h"
#include "lib/xalloc.h"

/* Names in the scratch filesystem: both are mounted over others to hide them. */
#define EMPTY_FILE	"empty"
#define EMPTY_FOLDER	"nothing"

/* An edit that is being carried out. */
struct action {
	const struct edit *edit;
	struct detached_mount tree;	/* has fd -1 if nothing is attached for it */
	bool attached;
	bool skipped;			/* an optional one that could not be prepared */
};

struct session {
	const struct rootfs_options *options;
	struct strv *warnings;
	struct container_ns target;
	struct mount_targets places;
	struct action *actions;
	size_t n;
	struct scratch scratch;		/* texts, by number of the action, and what hides */
	struct procfs procfs;		/* has an edit if @has_procfs */
	bool has_procfs;
	struct device_rules rules;
};

/* Put nvidia-container-cli's class of an error in front of a sentence. */
static int fail(char why[WHY_SIZE], int ret, const char *class)
{
	char sentence[WHY_SIZE];

	memcpy(sentence, why, WHY_SIZE);
	return why_fail(why, ret, "%s error: %s", class, sentence);
}

static int prepare_node(struct session *session, struct action *action, char why[WHY_SIZE])
{
	const struct edit *edit = action->edit;
	dev_t device = makedev(edit->node.major, edit->node.minor);
	int ret;

	if (session->options->no_devbind)
		return 0;
	ret = detached_mount_open(&action->tree, session->options->driver,
				  edit->source ?: edit->path, why);
	if (ret)
		return ret;
	if (!S_ISCHR(action->tree.mode) || action->tree.device != device)
		return why_fail(why, -ENODEV,
				"%s is not device %u:%u, which the driver has by now: make the node again (nvidia-modprobe does)",
				edit->source ?: edit->path, edit->node.major,
				edit->node.minor);
	return detached_mount_restrict(&action->tree, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID |
				       MOUNT_ATTR_NOEXEC, session->options->allow_old_kernel, why);
}

static int prepare_mount(struct session *session, struct action *action, char why[WHY_SIZE])
{
	const struct edit *edit = action->edit;
	int ret;

	/* A folder of device nodes. */
	action->skipped = session->options->no_devbind && !strncmp(edit->path, "/dev/", 5);
	if (action->skipped)
		return 0;
	ret = detached_mount_open(&action->tree, session->options->driver, edit->source, why);
	return ret ?: detached_mount_restrict(&action->tree,
					      detached_mount_attributes(&edit->options),
					      session->options->allow_old_kernel, why);
}

static void name_text(const struct session *session, const struct action *action, char name[32])
{
	snprintf(name, 32, "text%zu", (size_t)(action - session->actions));
}

static int prepare_text(struct session *session, struct action *action, char why[WHY_SIZE])
{
	const struct edit *edit = action->edit;
	char name[32];
	int ret;

	name_text(session, action, name);
	ret = scratch_write(&session->scratch, name, edit->text, edit->size ?: strlen(edit->text));
	return ret ? why_fail(why, ret, "content of %s: %s", edit->path, strerror(-ret)) : 0;
}

static int prepare_procfs(struct session *session, const struct edit *edit, char why[WHY_SIZE])
{
	int ret;

	if (session->has_procfs)
		return why_fail(why, -EINVAL, "%s is to be filtered twice", edit->path);
	ret = procfs_make(&session->procfs, edit, session->options->driver,
			  session->options->allow_old_kernel, why);
	session->has_procfs = !ret;
	return ret;
}

static int prepare_action(struct session *session, struct action *action, char why[WHY_SIZE])
{
	switch (action->edit->kind) {
	case EDIT_NODE:
		return prepare_node(session, action, why);
	case EDIT_MOUNT:
		return prepare_mount(session, action, why);
	case EDIT_TEXT:
		return prepare_text(session, action, why);
	case EDIT_PROC:
		return prepare_procfs(session, action->edit, why);
	default:
		return 0;
	}
}

/* Is a place one where nothing can be made: read-only, immutable, others', a link to nowhere? */
static bool means_no_place(int ret)
{
	return ret == -EROFS || ret == -EPERM || ret == -EACCES || ret == -ENOTDIR ||
	       ret == -ELOOP || ret == -ENOENT;
}

/* An optional edit that failed is left out; so is a file of ours, or another name of a file. */
static int forgive(struct session *session, struct action *action, int ret, const char *why)
{
	enum edit_kind kind = action->edit->kind;

	if (!ret || !(action->edit->optional ||
		      (means_no_place(ret) && (kind == EDIT_TEXT || kind == EDIT_LINK))))
		return ret;
	action->skipped = true;
	strv_add(session->warnings, why);
	return 0;
}

static int prepare_actions(struct session *session, char why[WHY_SIZE])
{
	size_t i;
	int ret = scratch_make(&session->scratch, why);

	if (!ret)
		ret = scratch_write(&session->scratch, EMPTY_FILE, "", 0) ?:
		      scratch_folder(&session->scratch, EMPTY_FOLDER);
	if (ret)
		return why_fail(why, ret, "a filesystem in memory: %s", strerror(-ret));
	for (i = 0; i < session->n && !ret; i++)
		ret = forgive(session, &session->actions[i],
			      prepare_action(session, &session->actions[i], why), why);
	if (!ret)
		ret = scratch_seal(&session->scratch, why);
	return ret;
}

/* Is it hidden already, since the filtered folder does not have it? */
static bool is_filtered(const struct session *session, const char *path)
{
	const struct edit *edit;
	size_t i, len;

	for (i = 0; i < session->n && session->has_procfs; i++) {
		edit = session->actions[i].edit;
		len = strlen(edit->path ?: "");
		if (edit->kind == EDIT_PROC && !strncmp(path, edit->path, len) && path[len] == '/')
			return true;
	}
	return false;
}

static int take_scratch(struct session *session, struct action *action, char why[WHY_SIZE])
{
	const char *path = action->edit->path;
	struct stat st;
	char name[32];
	int ret;

	if (action->edit->kind == EDIT_TEXT) {
		name_text(session, action, name);
		ret = scratch_take(&session->scratch, name, &action->tree);
	} else {
		ret = is_filtered(session, path) ? -ENOENT :
		      in_root_stat(session->places.root, path, 0, &st);
		action->skipped = ret == -ENOENT;	/* there is nothing to hide */
		if (ret)
			return action->skipped ? 0 :
			       in_root_fail(why, ret, "the container's ", path);
		ret = scratch_take(&session->scratch, S_ISDIR(st.st_mode) ? EMPTY_FOLDER :
				   EMPTY_FILE, &action->tree);
	}
	return ret ? why_fail(why, ret, "%s: %s", path, strerror(-ret)) : 0;
}

/*
 * The kernel makes mounts of single files from a mount of this namespace alone, so
 * the scratch filesystem is there for a moment: on the container's root, where
 * nobody sees it whose root or working folder that is already.
 */
static int take_scratches(struct session *session, char why[WHY_SIZE])
{
	struct detached_mount whole = { .fd = session->scratch.mount };
	struct action *action;
	size_t i;
	int ret = detached_mount_attach(&whole, session->places.root, session->target.fds);

	if (ret)
		return why_fail(why, ret, "%s: to attach a filesystem in memory: %s",
				session->options->root, strerror(-ret));
	for (i = 0; i < session->n && !ret; i++) {
		action = &session->actions[i];
		if (!action->skipped && (action->edit->kind == EDIT_TEXT ||
					 action->edit->kind == EDIT_MASK))
			ret = take_scratch(session, action, why);
	}
	detached_mount_detach(&whole, session->target.fds);
	return ret;
}

static int attach_tree(struct session *session, struct action *action, char why[WHY_SIZE])
{
	const struct edit *edit = action->edit;
	int place, ret = 0;

	if (edit->below)
		ret = mount_target_file(&session->places, edit->path, edit->below, why);
	if (ret)
		return ret;
	place = mount_target_open(&session->places, edit->path, action->tree.mode, why);
	if (place < 0)
		return place;
	ret = detached_mount_attach(&action->tree, place, session->target.fds);
	close(place);
	action->attached = !ret;
	return ret ? why_fail(why, ret, "to mount %s: %s", edit->path, strerror(-ret)) : 0;
}

static int attach_procfs(struct session *session, struct action *action, char why[WHY_SIZE])
{
	int place = mount_target_open(&session->places, action->edit->path, S_IFDIR, why);
	int ret;

	/* Nothing can be made in a kernel's /proc. */
	if (place == -ENOENT)
		return why_fail(why, place, "%s: the container's /proc lacks it: is the driver loaded?",
				action->edit->path);
	if (place < 0)
		return place;
	/* The parts are detached with the mount. */
	action->attached = true;
	action->tree.fd = fcntl(session->procfs.whole.fd, F_DUPFD_CLOEXEC, 0);
	ret = procfs_attach(&session->procfs, place, session->target.fds);
	close(place);
	return ret ? why_fail(why, ret, "to mount %s: %s", action->edit->path, strerror(-ret)) : 0;
}

/* --no-devbind: the node is the container's own. */
static int check_node(const struct session *session, const struct edit *edit, char why[WHY_SIZE])
{
	struct stat st;
	int ret = in_root_stat(session->places.root, edit->path, 0, &st);

	if (!ret && (!S_ISCHR(st.st_mode) ||
		     st.st_rdev != makedev(edit->node.major, edit->node.minor)))
		return why_fail(why, -ENODEV,
				"the container's %s is not device %u:%u: make it, or leave out --no-devbind",
				edit->path, edit->node.major, edit->node.minor);
	return ret ? in_root_fail(why, ret, "the container's ", edit->path) : 0;
}

static bool is_left_out(const struct session *session, const struct edit *link)
{
	size_t i;

	for (i = 0; i < session->n && link->source; i++) {
		const struct action *action = &session->actions[i];

		if (action->skipped && action->edit->kind == EDIT_MOUNT &&
		    !strcmp(action->edit->source, link->source))
			return true;
	}
	return false;
}

static void log_edit(const struct session *session, const struct edit *edit)
{
	char *line;

	if (!session->options->log)
		return;
	line = explain_edit(edit);
	session->options->log(session->options->context, line);
	free(line);
}

static void log_rules(const struct session *session)
{
	char line[64];
	size_t i;

	for (i = 0; session->options->log && i < session->rules.n; i++) {
		snprintf(line, sizeof(line), "cgroup c %u:%u rw", session->rules.rule[i].major,
			 session->rules.rule[i].minor);
		session->options->log(session->options->context, line);
	}
}

static int carry_out(struct session *session, struct action *action, char why[WHY_SIZE])
{
	const struct edit *edit = action->edit;

	if (action->skipped)
		return 0;
	switch (edit->kind) {
	case EDIT_NODE:
		if (session->options->no_devbind)
			return check_node(session, edit, why);
		return attach_tree(session, action, why);
	case EDIT_TEXT:
		if (edit->own && !mount_target_own(&session->places, edit->path, edit->text,
						   edit->size ?: strlen(edit->text)))
			return 0;
		return attach_tree(session, action, why);
	case EDIT_MOUNT:
	case EDIT_MASK:
		return attach_tree(session, action, why);
	case EDIT_PROC:
		return attach_procfs(session, action, why);
	case EDIT_LINK:
		action->skipped = is_left_out(session, edit);
		return action->skipped ? 0 :
		       mount_target_link(&session->places, edit->path, edit->text, why);
	default:
		return 0;
	}
}

/* The last that was done is undone first. */
static void undo(struct session *session)
{
	size_t i;

	for (i = session->n; i--;)
		if (session->actions[i].attached)
			detached_mount_detach(&session->actions[i].tree, session->target.fds);
	mount_targets_undo(&session->places);
}

static int carry_out_all(struct session *session, char why[WHY_SIZE])
{
	int ret = mount_targets_open(&session->places, session->options->root);
	size_t i;

	if (ret)
		return why_fail(why, ret, "%s, the container's root: %s",
				session->options->root, strerror(-ret));
	ret = take_scratches(session, why);
	for (i = 0; i < session->n && !ret; i++) {
		struct action *action = &session->actions[i];

		ret = forgive(session, action, carry_out(session, action, why), why);
		/* The others are not for a container that exists, or come with finish(). */
		if (!ret && !action->skipped && action->edit->kind >= EDIT_NODE &&
		    action->edit->kind <= EDIT_MASK)
			log_edit(session, action->edit);
	}
	return ret;
}

/* Makes the changes from outside of the container, once its files are there. */
static int finish(struct session *session, char why[WHY_SIZE])
{
	size_t i;
	int ret = 0;

	for (i = 0; i < session->n && !ret; i++) {
		const struct edit *edit = session->actions[i].edit;

		if (edit->kind == EDIT_CGROUP)
			ret = cgroup_write(session->target.proc, edit->path, edit->text, why);
		if (!ret && edit->kind == EDIT_CGROUP)
			log_edit(session, edit);
		else if (edit->kind == EDIT_NODE && !session->actions[i].skipped)
			device_rules_add(&session->rules, edit->node.major, edit->node.minor);
	}
	if (ret)
		return fail(why, ret, "cgroup");
	if (session->options->no_cgroups)
		return 0;
	ret = cgroup_allow(session->target.proc, &session->rules,
			   session->options->device_rules, why);
	if (!ret)
		log_rules(session);
	return ret ? fail(why, ret, "mount") : 0;
}

static int configure(struct session *session, char why[WHY_SIZE])
{
	char more[WHY_SIZE];
	int ret;

	ret = container_ns_enter(&session->target, why);
	if (ret) {
		container_ns_leave(&session->target, more);
		return fail(why, ret, "container");
	}
	ret = carry_out_all(session, why);
	if (ret) {
		fail(why, ret, "mount");
		undo(session);
	}
	if (container_ns_leave(&session->target, ret ? more : why))
		return ret ?: -EIO;
	if (ret)
		return ret;
	ret = finish(session, why);
	if (ret && !rootfs_phase(PHASE_MOUNT, more) &&
	    !container_ns_enter(&session->target, more)) {
		undo(session);
		container_ns_leave(&session->target, more);
	}
	return ret;
}

static int prepare(struct session *session, const struct edits *edits, char why[WHY_SIZE])
{
	const struct rootfs_options *options = session->options;
	size_t i;
	int ret;

	if (!options->root || options->root[0] != '/' ||
	    !options->root[strspn(options->root, "/.")])
		return why_fail(why, -EINVAL,
				"container error: invalid rootfs directory: %s: name a folder below /",
				options->root ?: "");
	ret = container_ns_open(&session->target, options->pid, why);
	if (ret)
		return fail(why, ret, "container");
	session->places.uid = session->target.uid;
	session->places.gid = session->target.gid;
	session->actions = xcalloc(edits->n + 1, sizeof(*session->actions));
	for (i = 0; i < edits->n; i++) {
		session->actions[i].edit = &edits->edit[i];
		session->actions[i].tree.fd = -1;
	}
	session->n = edits->n;
	ret = prepare_actions(session, why);
	return ret ? fail(why, ret, "mount") : 0;
}

static void release(struct session *session)
{
	size_t i;

	for (i = 0; i < session->n; i++)
		detached_mount_close(&session->actions[i].tree);
	free(session->actions);
	if (session->has_procfs)
		procfs_close(&session->procfs);
	scratch_close(&session->scratch);
	free(session->rules.rule);
	mount_targets_close(&session->places);
	container_ns_close(&session->target);
}

int rootfs_configure(const struct edits *edits, const struct rootfs_options *options,
		     struct strv *warnings, char why[WHY_SIZE])
{
	struct session session = {
		.options = options, .warnings = warnings,
		.target = CONTAINER_NS_CLOSED,
		.places = { .root = -1, .writable = -1 }, .scratch = { -1, -1 },
	};
	uint64_t effective = 0;
	mode_t mask;
	int ret;

	caps_get(&effective);
	mask = umask(022);
	ret = rootfs_phase(PHASE_MOUNT, why);
	if (!ret)
		ret = prepare(&session, edits, why);
	if (!ret)
		ret = configure(&session, why);
	release(&session);
	umask(mask);
	caps_set(effective);
	return ret;
}
