// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu doctor: what gives GPUs to containers on this host. Mistakes there do not keep
 * MPU from translating, so each is a note.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/doctor/internal.h"
#include "container/cdi/cdi.h"
#include "container/container.h"
#include "container/request/request.h"
#include "container/oci/oci.h"
#include "container/setup/setup.h"
#include "host/host.h"
#include "lib/in_root.h"
#include "lib/host.h"
#include "lib/path.h"
#include "lib/text_file.h"
#include "lib/xalloc.h"
#include "nvidia/nvidia.h"

/* @named: receives the path of config.toml. Return: as settings_parse() */
static int read_settings(struct settings *settings, char named[PATH_MAX], bool *is_there,
			 char why[WHY_SIZE])
{
	struct text_file file = { 0 };
	char path[PATH_MAX];
	bool required;
	int ret = settings_path(named, NULL, SETTINGS_RUNTIME, &required);

	if (!ret)
		ret = host_path(path, sizeof(path), "%s", named);
	if (!ret)
		ret = text_file_read(path, &file, why);
	if (!ret)
		ret = settings_parse(settings, file.text, strlen(file.text), why);
	*is_there = file.is_there;
	text_file_free(&file);
	return ret;
}

/*
 * Plans what a runtime of ours would give a container that asks for all GPUs, and finds what
 * it runs in its turn, as a service's PATH has it. @asks: plan, which a service that sees no
 * nodes cannot; @behind: receives what it runs, or ""
 * Return: as gpus_plan(); 0 also if the settings are wrong, which is said elsewhere, or there
 * is no driver.
 */
static int plan_container(const struct setup_engine *engine, bool asks, char behind[PATH_MAX],
			  char why[WHY_SIZE])
{
	struct container container = { .privileged = true };
	struct gpus gpus = { 0 }, by_hook = { 0 };
	struct settings settings = { 0 };
	struct driver driver;
	char named[PATH_MAX];
	bool is_there, wrong = read_settings(&settings, named, &is_there, why);
	bool found = wrong || host_exists("/etc/mpu/runtime");
	int ret = 0;
	size_t i;

	*behind = '\0';
	for (i = 0; !found && i < settings.runtime.runtimes.n; i++)
		found = setup_find_program(behind, HOST_USUAL_PATH ":" OCI_CRIO_PATH,
				     settings.runtime.runtimes.word[i]) ||
			/* docker's static packages bring runc in a folder of their own. */
			(engine == &setup_docker && !strchr(settings.runtime.runtimes.word[i], '/'));
	driver_read(&driver, DRIVER_MODULE);
	strv_add(&container.env, "NVIDIA_VISIBLE_DEVICES=all");
	settings.cli.load_kmods = false;
	if (!found)
		ret = why_fail(why, -ENOENT, "none of what it runs in its turn, runc, crun or the runtimes of config.toml, is in PATH or where CRI-O has it: install one, or name yours in /etc/mpu/runtime");
	else if (asks && !wrong && driver.version[0] && !host_is_other())
		ret = gpus_plan(&gpus, &container, &settings, NULL, false, why);
	if (!ret && gpus.mode == MODE_LEGACY && gpus.container)
		ret = gpus_plan(&by_hook, &container, &settings, mode_names[MODE_LEGACY], true, why);
	gpus_free(&by_hook);
	gpus_free(&gpus);
	container_free(&container);
	settings_free(&settings);
	return ret;
}

static bool is_here(const struct setup_engine *engine)
{
	struct strv files = { 0 };
	char path[PATH_MAX];
	bool here = setup_find_program(path, HOST_USUAL_PATH,
				 engine == &setup_docker ? "dockerd" : engine->name);
	size_t i;

	if (!here)
		setup_files(engine, engine->file, &files);
	for (i = 0; i < files.n; i++)
		here |= host_exists("%s", files.word[i]);
	strv_free(&files);
	return here;
}

/* Does it have containers supervised? A link to it by NVIDIA's name does not. */
static bool is_ours(const char *path)
{
	return !strcmp(path_name(path), OCI_RUNTIME_NAME);
}

static bool gives_gpus(const char *path)
{
	const char *name = path_name(path);

	return is_ours(path) ||
	       !strncmp(name, "nvidia-container-runtime",
			strlen("nvidia-container-runtime"));
}

static bool is_default(const struct setup_found *found, size_t at)
{
	return found->standard && !strcmp(found->standard, found->names.word[at]);
}

/*
 * Index of such a runtime, the default one if that is; @found->names.n: there is none. @ours:
 * engine notify translates for no other.
 */
static size_t find_runtime(const struct setup_found *found, bool ours)
{
	size_t i, first = found->names.n;

	for (i = found->names.n; i-- > 0;)
		if ((ours ? is_ours : gives_gpus)(found->paths.word[i])) {
			first = i;
			if (is_default(found, i))
				break;
		}
	return first;
}

char *chain_runtime(const char *name, bool ours, bool asks, bool *by_default)
{
	const struct setup_engine *engine = setup_engine_find(name);
	struct setup_found found = { 0 };
	char why[WHY_SIZE], *runtime = NULL;
	size_t at;

	*by_default = false;
	if (engine && setup_in_force(engine, engine->file, asks ? SETUP_ENGINE : SETUP_FILES,
				     &found, why) >= 0 &&
	    (at = find_runtime(&found, ours)) < found.names.n) {
		runtime = xstrdup(found.names.word[at]);
		*by_default = is_default(&found, at);
	}
	setup_found_free(&found);
	return runtime;
}

static const char *cdi_text(enum setup_cdi cdi)
{
	return cdi == SETUP_CDI_ON ? ", takes CDI devices" :
	       cdi == SETUP_CDI_OFF ? ", takes no CDI devices" : "";
}

static void report_runtime(struct findings *findings,
			   const struct setup_engine *engine, const char *by,
			   const struct setup_found *found, size_t at,
			   enum setup_source source, bool by_runtime)
{
	const char *name = found->names.word[at], *path = found->paths.word[at];
	const char *too = is_default(found, at) ? ", for containers that name none, too" : "";
	char behind[PATH_MAX] = "", own[PATH_MAX], todo[512], set_default[256], why[WHY_SIZE];

	snprintf(set_default, sizeof(set_default), "sudo mpu configure %s --name %s --default",
		 engine->name, name);
	snprintf(todo, sizeof(todo), "sudo mpu configure %s --name %s, or install it; until then no container of that runtime starts",
		 engine->name, name);
	if (!setup_find_program(own, HOST_USUAL_PATH, path))
		finding_add_of(findings, FOUND_RUNTIME_ABSENT, engine->name, todo, "%s: runtime %s is %s%s, which is not there", by, name, path, too);
	else if ((found->is_lost || by != engine->asked) && setup_misses_default(engine, found, why))
		finding_add_of(findings, FOUND_RUNTIME_ABSENT, engine->name,
			set_default, "%s: %s", by, why);
	else if (source == SETUP_ENGINE && setup_is_stale(engine, name, own))
		finding_add_of(findings, FOUND_RUNTIME_STALE, engine->name,
			"call mpu configure again as before: it renews the file",
			"%s repeats settings of %s which its files have changed since",
			own, engine->name);
	else if (plan_container(engine, source == SETUP_ENGINE, behind, why))
		finding_add_of(findings, FOUND_RUNTIME_UNUSABLE, engine->name,
			"until then no container starts that asks for all GPUs",
			"%s: runtime %s is %s, which would refuse a container: %s", by, name, path, why);
	else if (by_runtime && !is_default(found, at))
		finding_add_of(findings, FOUND_RUNTIME_NOT_DEFAULT, engine->name, set_default,
			"%s: engine notify translates for containers that name runtime %s, and for no others",
			by, name);
	else
		finding_add_of(findings, FOUND_RUNTIME_OK, engine->name, NOTHING,
			"%s: runtime %s is %s%s%s%s%s", by, name, path,
			engine == &setup_crio && *behind ? ", which runs " : "",
			engine == &setup_crio ? behind : "", too, cdi_text(found->cdi));
}

/* Do the files of an engine that runs name a runtime which it has not read yet? */
static bool is_unread(const struct setup_engine *engine, bool by_runtime)
{
	struct setup_found found;
	char why[WHY_SIZE];
	bool unread = setup_in_force(engine, engine->file, SETUP_NEXT_ENGINE,
				     &found, why) >= 0 &&
		      find_runtime(&found, by_runtime) < found.names.n;

	setup_found_free(&found);
	return unread;
}

static void report_unregistered(struct findings *findings, const struct setup_engine *engine,
				const char *by, const struct setup_found *found,
				bool by_runtime)
{
	char todo[96], reload[96];

	snprintf(todo, sizeof(todo), "sudo mpu configure %s%s", engine->name,
		 by_runtime ? " --default" : "");
	snprintf(reload, sizeof(reload), "sudo %s", engine->reload);
	if (found->is_off)
		finding_add_of(findings, FOUND_RUNTIME_UNREGISTERED, engine->name,
			"fine where Kubernetes does not use it; else take \"cri\" out of that list",
			"%s: disabled_plugins turns the CRI off, so Kubernetes gets no containers from it",
			by);
	else if (by == engine->asked && is_unread(engine, by_runtime))
		finding_add_of(findings, FOUND_RUNTIME_UNREGISTERED, engine->name, reload,
			"%s names no runtime that gives GPUs; it has not read %s yet, which does",
			by, engine->file);
	else if (engine == &setup_containerd && is_here(&setup_docker) && !host_exists("/var/lib/kubelet"))
		finding_add_of(findings, FOUND_RUNTIME_OK, engine->name, NOTHING,
			"%s names no runtime that gives GPUs: docker, whose containerd it is, brings its own",
			by);
	else
		finding_add_of(findings, FOUND_RUNTIME_UNREGISTERED, engine->name, todo,
			"%s names no runtime %s%s", by, by_runtime ?
			"that is mpu-runtime, and engine notify translates for no other" : "that gives GPUs",
			cdi_text(found->cdi));
}

static void check_engine(struct findings *findings,
			 const struct setup_engine *engine, enum setup_source source,
			 bool by_runtime)
{
	struct setup_found found;
	char why[WHY_SIZE] = "";
	int asked = setup_in_force(engine, engine->file, source, &found, why);
	const char *by = asked > 0 ? engine->asked :
			 engine->files ? "its configuration" : engine->file;
	size_t at = find_runtime(&found, by_runtime);

	if (asked < 0)
		finding_add_of(findings, FOUND_RUNTIME_UNREADABLE, engine->name,
			"correct the file: the engine will not read it either",
			"%s", why);
	else if (at < found.names.n && !found.is_off)
		report_runtime(findings, engine, by, &found, at, source, by_runtime);
	else
		report_unregistered(findings, engine, by, &found, by_runtime);
	setup_found_free(&found);
}

/* Finds a program where another process would. Return: 0, or -ENOENT. */
static int find_in_path_of(int pid, const char *name, struct stat *st)
{
	char text[32768], path[PATH_MAX], *at, *end, *folder;
	int len = host_read(text, sizeof(text), "/proc/%d/environ", pid);

	for (at = text; len > 0 && at < text + len; at = end + 1) {
		end = at + strlen(at);
		if (strncmp(at, "PATH=", strlen("PATH=")) != 0)
			continue;
		for (at += strlen("PATH="); (folder = strsep(&at, ":"));)
			if (!host_path(path, sizeof(path), "%s/%s", folder, name) &&
			    !stat(path, st) && !lstat(path, st))
				return 0;
		break;
	}
	return -ENOENT;
}

static uint64_t find_start_s(int pid)
{
	struct host_reader *reader = host_reader_open(true);
	const struct host_process *process;
	const pid_t pids[] = { pid };
	uint64_t start;

	host_reader_read(reader, pids, 1, &process);
	start = process->started_us / 1000000;
	host_reader_close(reader);
	return start;
}

#define HOOK	"nvidia-container-runtime-hook"

/*
 * Checks how dockerd knows `docker run --gpus`: without CDI by this program, for which
 * it looks once, when it starts.
 */
static void check_docker_gpus(struct findings *findings, bool asks)
{
	static const char fails[] = "'docker run --gpus all' fails, unless docker has CDI devices for it: could not select device driver \"\" with capabilities: [[gpu]]";
	struct stat st;
	char text[16], todo[384], *runtime;
	bool by_default;
	int pid;

	if (host_read(text, sizeof(text), "/run/docker.pid") <= 0)
		return;
	pid = atoi(text);
	if (!host_exists("/proc/%d/environ", pid))
		return;
	runtime = chain_runtime("docker", false, asks, &by_default);
	snprintf(todo, sizeof(todo), "%suse --runtime %s -e NVIDIA_VISIBLE_DEVICES=all, or install the names (package mpu-container-compat, make install-nvidia-names) and sudo systemctl restart docker",
		 runtime ? "" : "sudo mpu configure docker, and ", runtime ? runtime : "nvidia");
	free(runtime);
	if (find_in_path_of(pid, HOOK, &st))
		finding_add(findings, FOUND_DOCKER_GPUS_UNKNOWN, todo, "%s; " HOOK " is not in dockerd's PATH", fails);
	else if ((uint64_t)st.st_ctime > find_start_s(pid))
		finding_add(findings, FOUND_DOCKER_GPUS_UNKNOWN,
			"if it does, sudo systemctl restart docker",
			"%s; " HOOK " is newer than dockerd, which looks for it when it starts",
			fails);
}

/* NVIDIA's toolkit, whose programs have the names that ours may have. */
static void check_toolkit(struct findings *findings)
{
	static const char *const names[] = { "nvidia-container-runtime",
		"nvidia-container-runtime-hook", "nvidia-container-cli",
		"nvidia-ctk", "nvidia-cdi-hook" };
	char path[PATH_MAX], other[PATH_MAX], real[PATH_MAX], list[512] = "";
	struct strv folders = { 0 };
	size_t i, k, len = 0;

	strv_split(&folders, HOST_USUAL_PATH, ':');
	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		for (k = 0; k < folders.n; k++) {
			snprintf(other, sizeof(other), "%s/%s", folders.word[k], names[i]);
			if (host_path(path, sizeof(path), "%s", other) || !realpath(path, real) ||
			    !strcmp(path_name(real), "mpu"))
				continue;
			len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%s",
						len ? ", " : "", other);
			break;
		}
	strv_free(&folders);
	if (*list)
		finding_add(findings, FOUND_TOOLKIT_ANOTHER,
			"fine where it is meant to do the work; else have the engines name mpu-runtime (mpu configure), and remove its package",
			"another container toolkit is installed, too: %s", list);
}

static void check_settings(struct findings *findings)
{
	char named[PATH_MAX] = "", why[WHY_SIZE] = "";
	struct settings settings = { 0 };
	bool is_there;
	int ret = read_settings(&settings, named, &is_there, why);
	char *warning = ret ? NULL : settings_warn(&settings);

	if (ret)
		finding_add(findings, FOUND_SETTINGS_WRONG,
			"correct it, no GPU container starts until then; 'nvidia-ctk config migrate' gives ldconfig its @",
			"%s: %s", named, why);
	else if (warning)
		finding_add(findings, FOUND_SETTINGS_UNKNOWN, "remove them, or see how they are spelled",
			"%s", warning);
	else if (is_there)
		finding_add(findings, FOUND_SETTINGS_OK, NOTHING,
			"%s: mode %s", named, settings.runtime.mode);
	free(warning);
	settings_free(&settings);
}

/*
 * Documents of a driver that is another by now are left by an update of it, those that lack
 * MIG devices by whoever made these.
 */
static void check_cdi(struct findings *findings, const char *version)
{
	struct installation host = { .root.fd = -1 };
	struct cdi_registry registry;
	struct strv wrong = { 0 };
	char why[WHY_SIZE];

	cdi_registry_read(&registry, NULL);
	if (registry.n && !installation_read_some(&host, "", why)) {
		snprintf(host.version, sizeof(host.version), "%s", version);
		cdi_check(&registry, &host, &wrong);
		if (wrong.n)
			finding_add(findings, FOUND_CDI_WRONG,
				"write them again: 'mpu cdi generate --output FILE'; 'mpu cdi check' says all of it",
				"%.400s%s", wrong.word[0], wrong.n > 1 ? " ..." : "");
		else
			finding_add(findings, FOUND_CDI_OK, NOTHING,
				"%zu CDI documents, all up to date", registry.n);
	}
	installation_free(&host);
	strv_free(&wrong);
	cdi_registry_free(&registry);
}

static bool says(const char *path, const char *text)
{
	char found[16];

	return host_read(found, sizeof(found), "%s", path) >= 0 && !strcmp(found, text);
}

/* Paths of a container's root are opened by openat2(2), and by nothing else. */
static void check_openat2(struct findings *findings)
{
	int fd = host_is_other() ? -1 : in_root_open(AT_FDCWD, "/", O_PATH);
	char why[WHY_SIZE];

	if (fd >= 0) {
		close(fd);
	} else if (!host_is_other()) {
		in_root_fail(why, fd, "", "/");
		finding_add(findings, FOUND_CHAIN_UNUSABLE,
			"boot Linux 5.6 or later; until then no container is given a GPU by MPU's runtime, hooks and documents",
			"%s", why);
	}
}

/*
 * Checks for limits that keep users without root from starting containers, or from
 * their GPUs.
 */
static void check_confinement(struct findings *findings)
{
	if (says("/proc/sys/user/max_user_namespaces", "0") ||
	    says("/proc/sys/kernel/unprivileged_userns_clone", "0") ||
	    says("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1"))
		finding_add(findings, FOUND_USERNS_FORBIDDEN,
			"see user.max_user_namespaces, kernel.unprivileged_userns_clone and kernel.apparmor_restrict_unprivileged_userns in sysctl(8)",
			"users other than root may make no user namespaces: no rootless containers");
	if (says("/sys/fs/selinux/enforce", "1"))
		finding_add(findings, FOUND_SELINUX_ENFORCING,
			"setsebool -P container_use_devices on, or --security-opt label=disable",
			"SELinux enforces: containers are denied the driver's nodes unless its policy lets them");
}

void doctor_engines(struct findings *findings, bool asks, bool by_runtime)
{
	const struct setup_engine *const *engine;

	for (engine = setup_engines; *engine; engine++)
		if (is_here(*engine))
			check_engine(findings, *engine, asks ? SETUP_ENGINE : SETUP_FILES,
				     by_runtime);
}

void doctor_chain(struct findings *findings, bool asks, bool by_runtime)
{
	struct driver driver;

	doctor_engines(findings, asks, by_runtime);
	check_docker_gpus(findings, asks);
	check_toolkit(findings);
	check_settings(findings);
	driver_read(&driver, DRIVER_MODULE);
	if (driver.version[0])
		check_cdi(findings, driver.version);
	check_openat2(findings);
	check_confinement(findings);
}
