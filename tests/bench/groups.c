// SPDX-License-Identifier: GPL-2.0-only
/*
 * Control groups of containers: see groups.h.
 */
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/bench/groups.h"

#define CGROUPS	"/var/lib/cgroup"
#define STORAGE	"/var/lib/containers/storage/overlay-containers"

enum kind { DOCKER, PODMAN, POD, KINDS };

static size_t made;

static void find_path(char path[PATH_MAX], size_t group)
{
	static const char *const names[KINDS] = {
		[DOCKER] = "docker-", [PODMAN] = "libpod-",
		[POD] = "kubepods-pod00000000_1111_2222_3333_444444444444.slice:cri-containerd:",
	};

	snprintf(path, PATH_MAX, CGROUPS "/who-%d/%s%064zx%s", getpid(),
		 names[group % KINDS], group, group % KINDS == POD ? "" : ".scope");
}

/* Folders are made, too. */
static FILE *create(const char *path)
{
	char folder[PATH_MAX], *slash;

	snprintf(folder, sizeof(folder), "%s", path);
	for (slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(folder, 0755);
		*slash = '/';
	}
	return fopen(path, "we");
}

static int finish(FILE *file)
{
	return !file || fclose(file) ? -errno : 0;
}

/* The size of docker's own files, most of which is variables, labels and networks. */
static int write_docker(size_t group)
{
	char path[PATH_MAX];
	FILE *file;
	int i;

	snprintf(path, sizeof(path), "/var/lib/docker/containers/%064zx/config.v2.json", group);
	file = create(path);
	if (!file)
		return -errno;
	fprintf(file, "{\"ID\":\"%064zx\",\"Config\":{\"Env\":[\"PATH=/bin\"", group);
	for (i = 0; i < 100; i++)
		fprintf(file, ",\"VARIABLE_%d=some value of it\"", i);
	fprintf(file, "],\"Labels\":{}},\"Name\":\"/train-%zu\"}", group);
	return finish(file);
}

static int write_podman(size_t n)
{
	FILE *file = create(STORAGE "/containers.json");
	size_t i;

	if (!file)
		return -errno;
	fprintf(file, "[{}");
	for (i = PODMAN; i < n; i += KINDS)
		fprintf(file,
			",{\"id\":\"%064zx\",\"names\":[\"train-%zu\"],\"image\":\"%064d\",\"layer\":\"%064d\",\"metadata\":\"{\\\"image-name\\\":\\\"docker.io/library/pytorch:latest\\\",\\\"created-at\\\":1700000000}\",\"created\":\"2026-11-20T10:00:00.123456789Z\",\"flags\":{\"MountLabel\":\"\",\"ProcessLabel\":\"\"}}",
			i, i, 1, 2);
	fprintf(file, "]");
	return finish(file);
}

static int write_pod(size_t group)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "/var/log/containers/train-%zu_ml_main-%064zx.log",
		 group, group);
	return finish(create(path));
}

static int make_group(size_t group)
{
	char path[PATH_MAX];

	find_path(path, group);
	if (mkdir(path, 0755))
		return -errno;
	made++;
	return group % KINDS == DOCKER ? write_docker(group) :
	       group % KINDS == POD ? write_pod(group) : 0;
}

int groups_make(size_t n)
{
	char path[PATH_MAX];
	int ret = 0;

	snprintf(path, sizeof(path), CGROUPS "/who-%d", getpid());
	if (unshare(CLONE_NEWNS) || mount("", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("tmpfs", "/var/lib", "tmpfs", 0, NULL) ||
	    mount("tmpfs", "/var/log", "tmpfs", 0, NULL) || mkdir(CGROUPS, 0755) ||
	    mount("cgroup2", CGROUPS, "cgroup2", 0, NULL) || mkdir(path, 0755))
		return -errno;
	while (!ret && made < n)
		ret = make_group(made);
	return ret ? ret : write_podman(n);
}

static int enter(const char *path)
{
	char file[PATH_MAX + 16];
	FILE *procs;

	snprintf(file, sizeof(file), "%s/cgroup.procs", path);
	procs = fopen(file, "we");
	if (!procs)
		return -errno;
	fprintf(procs, "0");
	return finish(procs);
}

int groups_enter(size_t group)
{
	char path[PATH_MAX];

	find_path(path, group);
	return enter(path);
}

void groups_remove(void)
{
	char path[PATH_MAX];

	if (made)
		enter(CGROUPS);
	while (made > 0) {
		find_path(path, --made);
		rmdir(path);
	}
	snprintf(path, sizeof(path), CGROUPS "/who-%d", getpid());
	rmdir(path);
}
