// SPDX-License-Identifier: GPL-2.0-only
/*
 * The driver's device nodes in /dev.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/host.h"
#include "nvidia/internal.h"

#define TEXT_SIZE	8192

/**
 * struct node - a node that there has to be
 * @name:	below /dev: "nvidia-caps/nvidia-cap1"
 * @cap:	what it is for, of a node in nvidia-caps; else NULL
 */
struct node {
	char name[64];
	uint32_t major, minor;
	const struct cap *cap;
};

/**
 * struct nodes - what is to be done with each
 * @visit:	does it
 */
struct nodes {
	const struct devices *devices;
	const struct driver_root *root;
	const uint32_t *imex;
	size_t n_imex;
	struct strv *problems;
	void (*visit)(const struct nodes *nodes, const struct node *node);
};

/**
 * struct access - how a node is to be made
 * @modify:	may it be made at all?
 */
struct access {
	uint32_t uid, gid, mode, modify;
};

/* Returns true for a node whose minor number is a GPU's, whatever number is in its name. */
bool node_is_gpu(const char *name, mode_t mode)
{
	uint32_t number;

	return S_ISCHR(mode) && procfs_suffix(name, "nvidia", &number);
}

static void get_path(const struct nodes *nodes, const char *name,
		     char path[PATH_MAX + 128])
{
	snprintf(path, PATH_MAX + 128, "%s/dev/%s", nodes->root->dev, name);
}

__attribute__((format(printf, 5, 6)))
static void visit(const struct nodes *nodes, uint32_t major, uint32_t minor,
		  const struct cap *cap, const char *fmt, ...)
{
	struct node node = { .major = major, .minor = minor, .cap = cap };
	va_list args;

	va_start(args, fmt);
	vsnprintf(node.name, sizeof(node.name), fmt, args);
	va_end(args);
	nodes->visit(nodes, &node);
}

static void visit_cap(const struct nodes *nodes, const struct cap *cap, uint32_t minor)
{
	visit(nodes, nodes->devices->majors.caps, minor, cap, "nvidia-caps/nvidia-cap%u", minor);
}

static void visit_migs(const struct nodes *nodes, const struct gpu *gpu)
{
	size_t i;

	for (i = 0; i < gpu->n_migs; i++) {
		const struct mig *mig = &gpu->migs[i];
		struct cap cap = {
			.kind = CAP_GPU_INSTANCE, .gpu = gpu->minor,
			.gpu_instance = mig->gpu_instance,
		};

		visit_cap(nodes, &cap, mig->gpu_cap);
		cap.kind = CAP_COMPUTE_INSTANCE;
		cap.compute_instance = mig->compute_instance;
		visit_cap(nodes, &cap, mig->compute_cap);
	}
}

static void visit_caps(const struct nodes *nodes)
{
	const struct cap config = { .kind = CAP_CONFIG };
	const struct cap monitor = { .kind = CAP_MONITOR };
	const struct devices *devices = nodes->devices;
	size_t i;

	if (devices->mig_config)
		visit_cap(nodes, &config, devices->mig_config);
	if (devices->mig_monitor)
		visit_cap(nodes, &monitor, devices->mig_monitor);
	for (i = 0; i < devices->n_gpus; i++)
		visit_migs(nodes, &devices->gpus[i]);
}

static bool has_modeset(const struct nodes *nodes)
{
	char path[PATH_MAX + 128];

	snprintf(path, sizeof(path), "%s/sys/module/nvidia_modeset",
		 nodes->root->proc);
	return !access(path, F_OK);
}

static void visit_all(const struct nodes *nodes)
{
	const struct devices *devices = nodes->devices;
	const struct majors *majors = &devices->majors;
	size_t i;

	visit(nodes, majors->nvidia, MINOR_CONTROL, NULL, "nvidiactl");
	for (i = 0; i < devices->n_gpus; i++)
		visit(nodes, majors->nvidia, devices->gpus[i].minor, NULL, "nvidia%u",
		      devices->gpus[i].minor);
	if (has_modeset(nodes))
		visit(nodes, majors->nvidia, MINOR_MODESET, NULL, "nvidia-modeset");
	if (majors->uvm) {
		visit(nodes, majors->uvm, 0, NULL, "nvidia-uvm");
		visit(nodes, majors->uvm, 1, NULL, "nvidia-uvm-tools");
	}
	if (majors->caps)
		visit_caps(nodes);
	for (i = 0; i < nodes->n_imex && majors->imex; i++)
		visit(nodes, majors->imex, nodes->imex[i], NULL,
		      "nvidia-caps-imex-channels/channel%u", nodes->imex[i]);
}

/* Is @path, or what it leads to, this node? 0, or -errno: -EEXIST: another one. */
static int look(const char *path, const struct node *node)
{
	struct stat st;

	if (stat(path, &st))
		return -errno;
	return S_ISCHR(st.st_mode) &&
	       st.st_rdev == makedev(node->major, node->minor) ? 0 : -EEXIST;
}

/* By the capability's own file, or by the params of the whole driver. */
static void read_access(const struct nodes *nodes, const struct node *node,
			struct access *access)
{
	char file[128] = "/proc/driver/nvidia/params";
	char path[PATH_MAX + 128], text[TEXT_SIZE];

	*access = (struct access){ .mode = 0666, .modify = 1 };
	if (node->cap)
		procfs_cap_path(node->cap, file);
	snprintf(path, sizeof(path), "%s%s", nodes->root->proc, file);
	host_read_at(AT_FDCWD, path, text, sizeof(text));
	procfs_number(text, "DeviceFileUID", &access->uid);
	procfs_number(text, "DeviceFileGID", &access->gid);
	procfs_number(text, "DeviceFileMode", &access->mode);
	procfs_number(text, node->cap ? "DeviceFileModify" : "ModifyDeviceFiles",
		      &access->modify);
}

/*
 * Under another name first, so that nobody sees a node that is not all as it has
 * to be, and two that make the same one do not disturb each other.
 */
static int make_node(const char *path, const struct node *node,
		     const struct access *access)
{
	char temporary[PATH_MAX + 192];

	snprintf(temporary, sizeof(temporary), "%s.%d", path, getpid());
	if (mknod(temporary, S_IFCHR, makedev(node->major, node->minor)))
		return -errno;
	if (chown(temporary, access->uid, access->gid) ||
	    chmod(temporary, access->mode & 0777) ||
	    rename(temporary, path)) {
		int ret = -errno;

		unlink(temporary);
		return ret;
	}
	return 0;
}

static int make_folder(const char *path)
{
	char folder[PATH_MAX + 128];

	snprintf(folder, sizeof(folder), "%s", path);
	*strrchr(folder, '/') = '\0';
	return mkdir(folder, 0755) && errno != EEXIST ? -errno : 0;
}

static void visit_to_make(const struct nodes *nodes, const struct node *node)
{
	char path[PATH_MAX + 128];
	struct access access;
	struct stat st;
	int ret;

	get_path(nodes, node->name, path);
	if (!look(path, node))
		return;
	read_access(nodes, node, &access);
	if (!access.modify) {
		strv_add_format(nodes->problems, "%s: missing, and the driver's own settings (ModifyDeviceFiles) leave it to others to make it: see what makes nodes on this machine",
				path);
		return;
	}
	if (!lstat(path, &st) && !S_ISCHR(st.st_mode)) {
		strv_add_format(nodes->problems,
				"%s: something else than the node %u:%u is there: remove it",
				path, node->major, node->minor);
		return;
	}
	ret = make_folder(path);
	if (!ret)
		ret = make_node(path, node, &access);
	if (ret)
		strv_add_format(nodes->problems, "%s: making the node %u:%u: %s", path,
				node->major, node->minor, strerror(-ret));
}

void nodes_make(const struct devices *devices, const struct driver_root *root,
		const uint32_t *imex, size_t n_imex, struct strv *problems)
{
	const struct nodes nodes = {
		.devices = devices, .root = root, .imex = imex, .n_imex = n_imex,
		.problems = problems, .visit = visit_to_make,
	};

	visit_all(&nodes);
}

static void visit_to_check(const struct nodes *nodes, const struct node *node)
{
	char path[PATH_MAX + 128];
	int ret;

	get_path(nodes, node->name, path);
	ret = look(path, node);
	if (ret == -EEXIST)
		strv_add_format(nodes->problems, "%s: not the node %u:%u, which the driver has: have it made again: mpu container nodes",
				path, node->major, node->minor);
	else if (ret)
		strv_add_format(nodes->problems, "%s: %s: have it made: mpu container nodes",
				path, strerror(-ret));
}

static bool has_minor(const struct devices *devices, unsigned int minor)
{
	size_t i;

	for (i = 0; i < devices->n_gpus; i++)
		if (devices->gpus[i].minor == minor)
			return true;
	return false;
}

static void check_left(const struct nodes *nodes)
{
	char path[PATH_MAX + 128];
	struct dirent *entry;
	struct stat st;
	DIR *folder;

	get_path(nodes, "", path);
	folder = opendir(path);
	while (folder && (entry = readdir(folder))) {
		if (fstatat(dirfd(folder), entry->d_name, &st,
			    AT_SYMLINK_NOFOLLOW) ||
		    !node_is_gpu(entry->d_name, st.st_mode) ||
		    has_minor(nodes->devices, minor(st.st_rdev)))
			continue;
		strv_add_format(nodes->problems,
				"%s%s: left from a GPU that is gone or excluded: remove it",
				path, entry->d_name);
	}
	if (folder)
		closedir(folder);
}

void nodes_check(const struct devices *devices, const struct driver_root *root,
		 struct strv *problems)
{
	const struct nodes nodes = {
		.devices = devices, .root = root, .problems = problems,
		.visit = visit_to_check,
	};

	visit_all(&nodes);
	check_left(&nodes);
}

static void get_link(const struct nodes *nodes, const struct node *node,
		     char link[PATH_MAX + 128])
{
	char name[64];

	snprintf(name, sizeof(name), "char/%u:%u", node->major, node->minor);
	get_path(nodes, name, link);
}

/* As udev makes such links: "../nvidia0". A link that leads there stays. */
static void visit_to_link(const struct nodes *nodes, const struct node *node)
{
	char path[PATH_MAX + 128], link[PATH_MAX + 128];
	char temporary[PATH_MAX + 192], target[96];
	int ret;

	get_path(nodes, node->name, path);
	get_link(nodes, node, link);
	if (look(path, node) || !look(link, node))
		return;
	snprintf(target, sizeof(target), "../%s", node->name);
	snprintf(temporary, sizeof(temporary), "%s.%d", link, getpid());
	ret = make_folder(link);
	if (!ret && (symlink(target, temporary) || rename(temporary, link))) {
		ret = -errno;
		unlink(temporary);
	}
	if (ret)
		strv_add_format(nodes->problems, "%s: linking it to %s: %s", link, target,
				strerror(-ret));
}

static void visit_to_check_link(const struct nodes *nodes, const struct node *node)
{
	char path[PATH_MAX + 128], link[PATH_MAX + 128];

	get_path(nodes, node->name, path);
	get_link(nodes, node, link);
	if (!look(path, node) && look(link, node))
		strv_add_format(nodes->problems, "%s: does not lead to %s: 'systemctl daemon-reload' takes that from containers: have it made: mpu container nodes",
				link, path);
}

void nodes_link(const struct devices *devices, const struct driver_root *root,
		struct strv *problems)
{
	const struct nodes nodes = {
		.devices = devices, .root = root, .imex = devices->imex,
		.n_imex = devices->n_imex, .problems = problems,
		.visit = visit_to_link,
	};

	visit_all(&nodes);
}

/* @folder: below /dev, with a slash behind it; or "" */
static void visit_present(const struct nodes *nodes, const char *folder)
{
	char path[PATH_MAX + 128];
	struct dirent *entry;
	struct stat st;
	DIR *dir;

	get_path(nodes, folder, path);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		if (strncmp(entry->d_name, "nvidia", 6) != 0 && !*folder)
			continue;
		if (!fstatat(dirfd(dir), entry->d_name, &st, 0) && S_ISCHR(st.st_mode))
			visit(nodes, major(st.st_rdev), minor(st.st_rdev), NULL, "%s%s",
			      folder, entry->d_name);
	}
	if (dir)
		closedir(dir);
}

void nodes_link_present(const struct driver_root *root, struct strv *problems)
{
	const struct nodes nodes = {
		.root = root, .problems = problems, .visit = visit_to_link,
	};

	visit_present(&nodes, "");
	visit_present(&nodes, "nvidia-caps/");
	visit_present(&nodes, "nvidia-caps-imex-channels/");
}

void nodes_check_links(const struct devices *devices, const struct driver_root *root,
		       struct strv *problems)
{
	const struct nodes nodes = {
		.devices = devices, .root = root, .imex = devices->imex,
		.n_imex = devices->n_imex, .problems = problems,
		.visit = visit_to_check_link,
	};

	visit_all(&nodes);
}
