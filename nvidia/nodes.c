// SPDX-License-Identifier: GPL-2.0-only
/*
 * The driver's device nodes in /dev.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/dirtree.h"
#include "lib/host.h"
#include "lib/xalloc.h"
#include "nvidia/internal.h"

#define TEXT_SIZE	8192

struct work {
	const struct devices *devices;
	const struct driver_root *root;
	struct strv *problems;
};

/**
 * struct access - how a node is to be made
 * @modify:	may it be made at all?
 */
struct access {
	uint32_t uid, gid, mode, modify;
};

struct visitor {
	const struct devices *devices;
	node_visit *visit;
	void *arg;
};

/* Returns true for a node whose minor number is a GPU's, whatever number is in its name. */
bool node_is_gpu(const char *name, mode_t mode)
{
	uint32_t number;

	return S_ISCHR(mode) && procfs_suffix(name, "nvidia", &number);
}

/* A module that is not loaded has no major number, and no node. */
static void visit(const struct visitor *v, struct driver_node *node)
{
	if (node->major)
		v->visit(node, v->arg);
}

static void visit_cap(const struct visitor *v, enum node_kind kind, const struct gpu *gpu,
		      const struct mig *mig, const struct cap *cap, uint32_t minor)
{
	struct driver_node node = {
		.kind = kind, .major = v->devices->majors.caps, .minor = minor,
		.gpu = gpu, .mig = mig,
	};

	snprintf(node.path, sizeof(node.path), "/dev/nvidia-caps/nvidia-cap%u", minor);
	procfs_cap_path(cap, node.proc);
	visit(v, &node);
}

static void visit_mig(const struct visitor *v, const struct gpu *gpu, const struct mig *mig)
{
	struct cap cap = {
		.kind = CAP_GPU_INSTANCE, .gpu = gpu->minor, .gpu_instance = mig->gpu_instance,
	};

	visit_cap(v, NODE_MIG, gpu, mig, &cap, mig->gpu_cap);
	cap.kind = CAP_COMPUTE_INSTANCE;
	cap.compute_instance = mig->compute_instance;
	visit_cap(v, NODE_MIG, gpu, mig, &cap, mig->compute_cap);
}

static void visit_gpu(const struct visitor *v, const struct gpu *gpu, bool whole)
{
	struct driver_node node = {
		.kind = NODE_GPU, .major = v->devices->majors.nvidia, .minor = gpu->minor,
		.gpu = gpu, .whole = whole,
	};

	snprintf(node.path, sizeof(node.path), "/dev/nvidia%u", gpu->minor);
	visit(v, &node);
}

static void visit_imex(const struct visitor *v, uint32_t channel)
{
	struct driver_node node = {
		.kind = NODE_IMEX, .major = v->devices->majors.imex, .minor = channel,
	};

	snprintf(node.path, sizeof(node.path), "/dev/nvidia-caps-imex-channels/channel%u", channel);
	visit(v, &node);
}

static void visit_common(const struct visitor *v)
{
	const struct majors *majors = &v->devices->majors;
	struct driver_node nodes[] = {
		{ .kind = NODE_CONTROL, .path = "/dev/nvidiactl",
		  .major = majors->nvidia, .minor = MINOR_CONTROL },
		{ .kind = NODE_UVM, .path = "/dev/nvidia-uvm", .major = majors->uvm, .minor = 0 },
		{ .kind = NODE_UVM_TOOLS, .path = "/dev/nvidia-uvm-tools",
		  .major = majors->uvm, .minor = 1 },
		{ .kind = NODE_MODESET, .path = "/dev/nvidia-modeset",
		  .major = majors->nvidia, .minor = MINOR_MODESET },
	};
	size_t i;

	for (i = 0; i < sizeof(nodes) / sizeof(*nodes); i++)
		visit(v, &nodes[i]);
}

static void visit_chosen(const struct visitor *v, const struct selection *selection)
{
	const struct cap config = { .kind = CAP_CONFIG }, monitor = { .kind = CAP_MONITOR };
	const struct devices *devices = v->devices;
	size_t i, j;

	for (i = 0; i < selection->n_gpus; i++)
		visit_gpu(v, selection->gpus[i].gpu, selection->gpus[i].whole);
	if (selection->config && devices->mig_config)
		visit_cap(v, NODE_MIG_CONFIG, NULL, NULL, &config, devices->mig_config);
	if (selection->monitor && devices->mig_monitor)
		visit_cap(v, NODE_MIG_MONITOR, NULL, NULL, &monitor, devices->mig_monitor);
	if (!selection->config && !selection->monitor)
		for (i = 0; i < selection->n_migs; i++)
			visit_mig(v, selection->migs[i].gpu, selection->migs[i].mig);
	else
		for (i = 0; i < selection->n_gpus; i++)
			for (j = 0; j < selection->gpus[i].gpu->n_migs; j++)
				visit_mig(v, selection->gpus[i].gpu,
					  &selection->gpus[i].gpu->migs[j]);
	for (i = 0; i < selection->n_imex; i++)
		visit_imex(v, selection->imex[i]);
}

void nodes_visit(const struct devices *devices, const struct selection *selection,
		 node_visit *visit, void *arg)
{
	const struct visitor v = { .devices = devices, .visit = visit, .arg = arg };
	struct chosen_gpu *gpus;
	struct selection all = {
		.n_gpus = devices->n_gpus, .config = true, .monitor = true,
		.imex = devices->imex, .n_imex = devices->n_imex,
	};
	size_t i;

	visit_common(&v);
	if (selection) {
		visit_chosen(&v, selection);
		return;
	}
	gpus = xcalloc(devices->n_gpus + 1, sizeof(*gpus));
	for (i = 0; i < devices->n_gpus; i++)
		gpus[i] = (struct chosen_gpu){ &devices->gpus[i], true };
	all.gpus = gpus;
	visit_chosen(&v, &all);
	free(gpus);
}

static void visit_folder(const struct driver_root *root, const char *folder,
			 node_visit *visit, void *arg)
{
	char path[PATH_MAX + NAME_MAX + 64];
	struct dirent **entry;
	struct stat st;
	int i, n;

	snprintf(path, sizeof(path), "%s/dev/%s", root->dev, folder);
	n = scandir(path, &entry, NULL, alphasort);
	for (i = 0; i < n; i++) {
		const char *name = entry[i]->d_name;
		struct driver_node node = { .kind = NODE_OTHER };

		snprintf(path, sizeof(path), "%s/dev/%s%s", root->dev, folder, name);
		if ((*folder || !strncmp(name, "nvidia", 6)) && !stat(path, &st) &&
		    S_ISCHR(st.st_mode) &&
		    snprintf(node.path, sizeof(node.path), "/dev/%s%s", folder, name) <
			    (int)sizeof(node.path)) {
			if (node_is_gpu(name, st.st_mode))
				node.kind = NODE_GPU;
			node.major = major(st.st_rdev);
			node.minor = minor(st.st_rdev);
			visit(&node, arg);
		}
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
}

void nodes_visit_present(const struct driver_root *root, node_visit *visit, void *arg)
{
	visit_folder(root, "", visit, arg);
	visit_folder(root, "nvidia-caps/", visit, arg);
	visit_folder(root, "nvidia-caps-imex-channels/", visit, arg);
}

static void get_path(const struct work *work, const struct driver_node *node,
		     char path[PATH_MAX + 128])
{
	snprintf(path, PATH_MAX + 128, "%s%s", work->root->dev, node->path);
}

static bool is_unused(const struct work *work, const struct driver_node *node)
{
	char path[PATH_MAX + 128];

	snprintf(path, sizeof(path), "%s/sys/module/nvidia_modeset", work->root->proc);
	return node->kind == NODE_MODESET && access(path, F_OK);
}

/* Is @path, or what it leads to, this node? 0, or -errno: -EEXIST: another one. */
static int look(const char *path, const struct driver_node *node)
{
	struct stat st;

	if (stat(path, &st))
		return -errno;
	return S_ISCHR(st.st_mode) && st.st_rdev == makedev(node->major, node->minor) ? 0 : -EEXIST;
}

/* By the capability's own file, or by the params of the whole driver. */
static void read_access(const struct work *work, const struct driver_node *node,
			struct access *access)
{
	const char *file = *node->proc ? node->proc : "/proc/driver/nvidia/params";
	char path[PATH_MAX + 128], text[TEXT_SIZE];

	*access = (struct access){ .mode = 0666, .modify = 1 };
	snprintf(path, sizeof(path), "%s%s", work->root->proc, file);
	host_read_at(AT_FDCWD, path, text, sizeof(text));
	procfs_number(text, "DeviceFileUID", &access->uid);
	procfs_number(text, "DeviceFileGID", &access->gid);
	procfs_number(text, "DeviceFileMode", &access->mode);
	procfs_number(text, *node->proc ? "DeviceFileModify" : "ModifyDeviceFiles",
		      &access->modify);
}

/*
 * Under another name first, so that nobody sees a node that is not all as it has
 * to be, and two that make the same one do not disturb each other.
 */
static int make_node(const char *path, const struct driver_node *node, const struct access *access)
{
	char temporary[PATH_MAX + 192];
	int ret = 0;

	snprintf(temporary, sizeof(temporary), "%s.%d", path, getpid());
	unlink(temporary);	/* in a container, a killed process had this number, too */
	if (mknod(temporary, S_IFCHR, makedev(node->major, node->minor)) ||
	    chown(temporary, access->uid, access->gid) ||
	    chmod(temporary, access->mode & 0777) || rename(temporary, path))
		ret = -errno;
	unlink(temporary);
	return ret;
}

static void visit_to_make(const struct driver_node *node, void *arg)
{
	const struct work *work = arg;
	char path[PATH_MAX + 128], why[WHY_SIZE];
	struct access access;
	struct stat st;
	int ret;

	get_path(work, node, path);
	if (!look(path, node) || is_unused(work, node))
		return;
	read_access(work, node, &access);
	if (!access.modify) {
		strv_add_format(work->problems, "%s: missing, and the driver's own settings (ModifyDeviceFiles) leave it to others to make it: see what makes nodes on this machine",
				path);
		return;
	}
	if (!lstat(path, &st) && !S_ISCHR(st.st_mode)) {
		strv_add_format(work->problems,
				"%s: something else than the node %u:%u is there: remove it",
				path, node->major, node->minor);
		return;
	}
	ret = dirtree_make(path, why) ?: make_node(path, node, &access);
	if (ret)
		strv_add_format(work->problems, "%s: making the node %u:%u: %s", path,
				node->major, node->minor, strerror(-ret));
}

void nodes_make(const struct devices *devices, const struct driver_root *root,
		const struct selection *selection, struct strv *problems)
{
	struct work work = { .root = root, .problems = problems };

	nodes_visit(devices, selection, visit_to_make, &work);
}

static void visit_to_check(const struct driver_node *node, void *arg)
{
	const struct work *work = arg;
	char path[PATH_MAX + 128];
	int ret;

	get_path(work, node, path);
	ret = is_unused(work, node) ? 0 : look(path, node);
	if (ret == -EEXIST)
		strv_add_format(work->problems, "%s: not the node %u:%u, which the driver has: have it made again: mpu container nodes",
				path, node->major, node->minor);
	else if (ret)
		strv_add_format(work->problems, "%s: %s: have it made: mpu container nodes",
				path, strerror(-ret));
}

static void visit_to_check_left(const struct driver_node *node, void *arg)
{
	const struct work *work = arg;
	size_t i;

	if (node->kind != NODE_GPU)
		return;
	for (i = 0; i < work->devices->n_gpus; i++)
		if (work->devices->gpus[i].minor == node->minor)
			return;
	strv_add_format(work->problems,
			"%s%s: left from a GPU that is gone or excluded: remove it",
			work->root->dev, node->path);
}

void nodes_check(const struct devices *devices, const struct driver_root *root,
		 struct strv *problems)
{
	struct work work = { .devices = devices, .root = root, .problems = problems };

	nodes_visit(devices, NULL, visit_to_check, &work);
	nodes_visit_present(root, visit_to_check_left, &work);
}

static void get_link(const struct work *work, const struct driver_node *node,
		     char link[PATH_MAX + 128])
{
	snprintf(link, PATH_MAX + 128, "%s/dev/char/%u:%u", work->root->dev, node->major,
		 node->minor);
}

/* As udev makes such links: "../nvidia0". A link that leads there stays. */
static void visit_to_link(const struct driver_node *node, void *arg)
{
	const struct work *work = arg;
	char path[PATH_MAX + 128], link[PATH_MAX + 128];
	char temporary[PATH_MAX + 192], target[96], why[WHY_SIZE];
	int ret;

	get_path(work, node, path);
	get_link(work, node, link);
	if (look(path, node) || !look(link, node))
		return;
	snprintf(target, sizeof(target), "..%s", node->path + strlen("/dev"));
	snprintf(temporary, sizeof(temporary), "%s.%d", link, getpid());
	ret = dirtree_make(link, why);
	unlink(temporary);
	if (!ret && (symlink(target, temporary) || rename(temporary, link)))
		ret = -errno;
	unlink(temporary);
	if (ret)
		strv_add_format(work->problems, "%s: linking it to %s: %s", link, target,
				strerror(-ret));
}

static void visit_to_check_link(const struct driver_node *node, void *arg)
{
	const struct work *work = arg;
	char path[PATH_MAX + 128], link[PATH_MAX + 128];

	get_path(work, node, path);
	get_link(work, node, link);
	if (!look(path, node) && look(link, node))
		strv_add_format(work->problems, "%s: does not lead to %s: 'systemctl daemon-reload' takes that from containers: have it made: mpu container nodes",
				link, path);
}

void nodes_link(const struct devices *devices, const struct driver_root *root,
		struct strv *problems)
{
	struct work work = { .root = root, .problems = problems };

	nodes_visit(devices, NULL, visit_to_link, &work);
}

void nodes_link_present(const struct driver_root *root, struct strv *problems)
{
	struct work work = { .root = root, .problems = problems };

	nodes_visit_present(root, visit_to_link, &work);
}

void nodes_check_links(const struct devices *devices, const struct driver_root *root,
		       struct strv *problems)
{
	struct work work = { .root = root, .problems = problems };

	nodes_visit(devices, NULL, visit_to_check_link, &work);
}
