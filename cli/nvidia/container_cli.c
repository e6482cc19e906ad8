// SPDX-License-Identifier: GPL-2.0-only
/*
 * nvidia-container-cli: its command line, and what its commands have in common.
 */
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/nvidia/internal.h"
#include "lib/text_file.h"
#include "nvidia/nvidia.h"

/* Writes a line into the log, as NVIDIA's program begins one. @level: I, W or E */
void container_cli_log(const struct container_cli *cli, char level, const char *format, ...)
{
	struct timespec now;
	char when[32];
	struct tm tm;
	va_list args;

	if (!cli->log)
		return;
	clock_gettime(CLOCK_REALTIME, &now);
	strftime(when, sizeof(when), "%m%d %H:%M:%S", gmtime_r(&now.tv_sec, &tm));
	fprintf(cli->log, "%c%s.%06ld %d] ", level, when, now.tv_nsec / 1000, getpid());
	va_start(args, format);
	vfprintf(cli->log, format, args);
	va_end(args);
	putc('\n', cli->log);
}

/* @class: "device" of "nvidia-container-cli: device error: ..."; NULL: @why begins with it */
int container_cli_fail(const struct container_cli *cli, const char *class, const char *why)
{
	container_cli_log(cli, 'E', "%s%s%s", class ?: "", class ? " error: " : "", why);
	return command_fail(cli->call, CLI_FAILED, "%s%s%s", class ? class : "",
			    class ? " error: " : "", why);
}

/* Says what a container has to do without. */
void container_cli_warn(const struct container_cli *cli, const struct strv *problems)
{
	size_t i;

	for (i = 0; i < problems->n; i++) {
		container_cli_log(cli, 'W', "%s", problems->word[i]);
		command_warn(cli->call, "warning: %s", problems->word[i]);
	}
}

int container_cli_phase(struct container_cli *cli, enum rootfs_phase phase)
{
	char why[WHY_SIZE];

	return rootfs_phase(phase, why) ? container_cli_fail(cli, NULL, why) : 0;
}

/* A log that cannot be opened is a warning: enroot and LXC name files that their users
 * may not write. */
static void open_log(struct container_cli *cli)
{
	const char *path = command_text(cli->call, "debug");
	int fd;

	if (!path)
		return;
	fd = text_file_append(path);
	cli->log = fd < 0 ? NULL : fdopen(fd, "a");
	if (!cli->log) {
		command_warn(cli->call, "warning: cannot open the log %s: %s", path,
			     fd == -ELOOP || fd == -EMLINK ? "others may have made the link" : strerror(-fd));
		return;
	}
	setvbuf(cli->log, NULL, _IOLBF, BUFSIZ);
	container_cli_log(cli, 'I', "%s, mpu " MPU_VERSION, cli->call->name);
}

static void log_driver(const struct container_cli *cli)
{
	const struct installation *host = &cli->installation;
	size_t i;

	container_cli_log(cli, 'I', "driver %s, CUDA %s, below %s/", host->version,
			  *host->cuda ? host->cuda : "unknown", host->root.files);
	for (i = 0; i < host->devices.n_gpus; i++)
		container_cli_log(cli, 'I', "GPU %zu: %s, /dev/nvidia%u", i,
				  *host->devices.gpus[i].uuid ? host->devices.gpus[i].uuid :
				  "without a UUID",
				  host->devices.gpus[i].minor);
	for (i = 0; i < host->files.n; i++)
		container_cli_log(cli, 'I', "%s %s", driver_file_kinds[host->files.file[i].kind],
				  host->files.file[i].path);
	for (i = 0; i < host->files.missing.n; i++)
		container_cli_log(cli, 'W', "%s", host->files.missing.word[i]);
}

static unsigned int without(const struct command_call *call)
{
	return (command_is_on(call, "no-gsp-firmware") ? WITHOUT_FIRMWARE : 0) |
	       (command_is_on(call, "no-persistenced") ? WITHOUT_PERSISTENCED : 0) |
	       (command_is_on(call, "no-fabricmanager") ? WITHOUT_FABRICMANAGER : 0);
}

/*
 * Hardens this process and finds the driver, with files of @capabilities. Whether it
 * fails or not, container_cli_close() is to follow.
 */
int container_cli_open(struct container_cli *cli, const struct command_call *call,
		       unsigned int capabilities)
{
	const char *root = command_value(call, "root") ?: "";
	bool loads = command_is_on(call, "load-kmods");
	struct strv problems = { 0 };
	char why[WHY_SIZE];
	int ret;

	*cli = (struct container_cli){
		.call = call, .installation.root.fd = -1, .without = without(call),
	};
	if (rootfs_harden(why))
		return container_cli_fail(cli, NULL, why);
	open_log(cli);
	if (container_cli_phase(cli, loads ? PHASE_KMODS : PHASE_INIT))
		return CLI_FAILED;
	if (loads)
		modules_load(root, &problems);
	container_cli_warn(cli, &problems);
	strv_free(&problems);
	ret = installation_read(&cli->installation, root, capabilities,
				command_text(call, "ldcache"), why);
	/* The existing tool's messages, which people search for, begin so. */
	if (ret)
		return container_cli_fail(cli, ret == -ENODEV ?
			"initialization error: nvml" : "initialization", why);
	log_driver(cli);
	if (loads)
		nodes_make(&cli->installation.devices, &cli->installation.root, NULL, &problems);
	container_cli_warn(cli, &problems);
	strv_free(&problems);
	return 0;
}

void container_cli_close(struct container_cli *cli)
{
	selection_free(&cli->selection);
	if (cli->installation.root.fd >= 0)
		installation_free(&cli->installation);
	if (cli->log)
		fclose(cli->log);
}

/* Selects what the command line names; where it names none, @otherwise, or with NULL none. */
int container_cli_select(struct container_cli *cli, const char *otherwise)
{
	const struct command_call *call = cli->call;
	struct strv devices = { 0 }, imex = { 0 };
	struct wanted wanted = {
		.devices = &devices, .imex = &imex,
		.mig_config = command_value(call, "mig-config"),
		.mig_monitor = command_value(call, "mig-monitor"),
		.imex_made = !command_is_on(call, "no-create-imex-channels"),
	};
	char why[WHY_SIZE];
	int ret;

	command_values(call, "device", &devices);
	if (!devices.n && otherwise)
		strv_add(&devices, otherwise);
	command_values(call, "imex-channel", &imex);
	ret = selection_make(&cli->selection, &cli->installation.devices,
			     &cli->installation.root, &wanted, why);
	strv_free(&devices);
	strv_free(&imex);
	return ret ? container_cli_fail(cli, NULL, why) : 0;
}

static const struct command_option global_options[] = {
	{ "debug", 'd', "FILE", "NVC_DEBUG_FILE", "log to this file" },
	{ "load-kmods", 'k', NULL, NULL, "load the driver's modules, make its nodes" },
	{ "no-pivot", 'n', NULL, NULL,
	  "taken and not used: no ldconfig is run" },
	{ "user", 'u', "[UID[:GID]]", NULL, "taken and not used: no service is run" },
	{ "root", 'r', "PATH", NULL, "folder that the driver's files are in" },
	{ "ldcache", 'l', "FILE", NULL, "cache to look for libraries in" },
	{ "no-create-imex-channels", 0, NULL, NULL,
	  "make no nodes of IMEX channels" },
	{ .name = NULL },
};

static const struct command_option info_options[] = {
	{ "csv", 0, NULL, NULL, "with commas" },
	{ .name = NULL },
};

static const struct command_option list_options[] = {
	{ "device", 'd', "ID", NULL, "nodes of these GPUs" },
	{ "libraries", 'l', NULL, NULL, "libraries" },
	{ "binaries", 'b', NULL, NULL, "programs" },
	{ "ipcs", 'i', NULL, NULL, "sockets" },
	{ "firmwares", 'f', NULL, NULL, "firmware" },
	{ "compat32", 0, NULL, NULL, "libraries of 32 bits, too" },
	{ "mig-config", 0, "ID", NULL, "files to configure MIG devices: all" },
	{ "mig-monitor", 0, "ID", NULL, "files to monitor MIG devices: all" },
	{ "imex-channel", 0, "ID", NULL, "nodes of these IMEX channels" },
	{ "no-persistenced", 0, NULL, NULL, "leave out its socket" },
	{ "no-fabricmanager", 0, NULL, NULL, "leave out its socket" },
	{ "no-gsp-firmware", 0, NULL, NULL, "leave out firmware" },
	{ .name = NULL },
};

static const struct command_option configure_options[] = {
	{ "pid", 'p', "PID", NULL, "a process of the container (default: our parent)" },
	{ "device", 'd', "ID", NULL, "GPUs and MIG devices: UUID, index, address, all" },
	{ "require", 'r', "EXPR", NULL, "a condition on driver and GPUs" },
	{ "ldconfig", 'l', "PATH", NULL, "taken and not used: no ldconfig is run" },
	{ "compute", 'c', NULL, NULL, "CUDA and OpenCL" },
	{ "utility", 'u', NULL, NULL, "nvidia-smi and NVML" },
	{ "video", 'v', NULL, NULL, "encoding and decoding" },
	{ "graphics", 'g', NULL, NULL, "OpenGL and Vulkan" },
	{ "display", 'D', NULL, NULL, "X11 and displays" },
	{ "ngx", 'n', NULL, NULL, "NGX" },
	{ "compat32", 0, NULL, NULL, "libraries of 32 bits, too" },
	{ "mig-config", 0, "ID", NULL, "may configure MIG devices: all" },
	{ "mig-monitor", 0, "ID", NULL, "may monitor MIG devices: all" },
	{ "imex-channel", 0, "ID", NULL, "IMEX channels" },
	{ "gpu-memory-request", 0, "MIB", NULL, "memory of each GPU to be left to it" },
	{ "gpu-memory-limit", 0, "MIB", NULL, "memory of each GPU that it may have" },
	{ "no-cgroups", 0, NULL, NULL, "leave the device cgroup alone" },
	{ "no-devbind", 0, NULL, NULL, "mount no device nodes" },
	{ "no-persistenced", 0, NULL, NULL, "leave out its socket" },
	{ "no-fabricmanager", 0, NULL, NULL, "leave out its socket" },
	{ "no-gsp-firmware", 0, NULL, NULL, "leave out firmware" },
	{ "cuda-compat-mode", 0, "MODE", NULL,
	  "newer CUDA libraries of the image: ldconfig (the default), mount (as ldconfig) or disabled" },
	{ "no-cntlibs", 0, NULL, NULL, "as --cuda-compat-mode=disabled" },
	{ "allow-legacy-kernel", 0, NULL, NULL,
	  "go on without mount_setattr, before Linux 5.12" },
	{ .name = NULL },
};

static const struct command info = {
	.name = "info", .options = { info_options }, .run = container_cli_info,
	.what = "say which driver and which GPUs there are",
};

static const struct command list = {
	.name = "list", .options = { list_options }, .run = container_cli_list,
	.what = "list what of the driver a container takes, a path a line",
};

static const struct command configure = {
	.name = "configure", .argument = "ROOTFS", .options = { configure_options },
	.run = container_cli_configure,
	.what = "give a container that exists GPUs and driver",
};

static const struct command *const commands[] = { &info, &list, &configure, NULL };

static const struct command *const own_commands[] = {
	&info, &list, &configure, &container_nodes, &container_explain, NULL
};

static const struct program container_cli = {
	.top = {
		.name = CONTAINER_CLI_NAME, .options = { global_options }, .commands = commands,
		.what = "Give containers what the NVIDIA driver has",
	},
	.style = PROGRAM_GNU,
	.version = "cli-version: " NVIDIA_VERSION "\nlib-version: " NVIDIA_VERSION
		   "\nbuild: mpu " MPU_VERSION,
	.usage_status = CLI_FAILED,
};

const struct command command_container = {
	.name = "container", .options = { global_options }, .commands = own_commands,
	.flags = COMMAND_LONG,
	.what = "add GPUs and driver files to a container; list them",
};

int container_cli_main(char **words)
{
	return container_cli_run(words, NULL);
}

/* @caller: NULL: there is none */
int container_cli_run(char **words, struct container_cli_caller *caller)
{
	return program_run(&container_cli, words, caller);
}
