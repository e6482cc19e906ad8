// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures what it takes to say who uses the GPUs of a large host: real processes, and a
 * driver made of tables that spreads them over 16 GPUs.
 *
 *	who [-b | -j | -t] [-g GROUPS] [PROCESSES [READINGS]]	10000, 5
 *
 * All are in the control group of who itself, and in no container; with -g, which needs
 * root, in as many control groups as are asked for, of docker, podman and pods by turns.
 * With -j they are printed as mpu ps -j does, with -b read and printed as mpu ps --by
 * container does; with -t, a second apart, shown as mpu top does on 200x60: at the end the
 * CPU time and the time that all readings but the first took, and one as a share of the other;
 * and for each list of mpu top the CPU time of what is done with a reading, and of drawing.
 *
 * Prints, for the first reading and for the later ones, the time and the CPU time of
 * asking, of printing as mpu ps does, and of writing as mpu metrics does. Linked with
 * --wrap=open and --wrap=ioctl.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/view/internal.h"
#include "cli/view/top/internal.h"
#include "core/nvrm.h"
#include "lib/clock.h"
#include "tests/bench/groups.h"

#define GPUS		16
#define STACK		4096
#define TIMES		20	/* that each list of mpu top is made */
#define CARD		72	/* bytes of one nv_ioctl_card_info_t */

static pid_t *pids;
static size_t n_pids;
static size_t n_groups;	/* 0: none are made */
static bool as_json, by_container, as_top;
static struct top top;
static struct screen screen;

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __real_ioctl(int fd, unsigned long request, void *arg);
int __wrap_ioctl(int fd, unsigned long request, void *arg);

int __wrap_open(const char *path, int flags, ...)
{
	va_list args;
	int mode;

	va_start(args, flags);
	mode = va_arg(args, int);
	va_end(args);
	return __real_open(strncmp(path, "/dev/nvidia", 11) ? path : "/dev/null", flags, mode);
}

/* GPU i has every GPUS-th process. */
static u32 count_on(u32 gpu)
{
	return (u32)(n_pids / GPUS + (gpu < n_pids % GPUS));
}

static u32 answer_pids(u8 *p, u32 gpu)
{
	u32 i, n = count_on(gpu);

	for (i = 0; i < n && i < 950; i++)
		mpu_put32(p, 12 + 4 * i, (u32)pids[i * GPUS + gpu]);
	mpu_put32(p, 8, i);
	return 0;
}

static u32 answer_memory(u8 *p)
{
	u32 i;

	for (i = 0; i < mpu_get32(p, 0); i++)
		mpu_put64(p, 8 + i * 72 + 16, 64 << 20);
	return 0;
}

/* 72 samples, each naming a process for SM. */
static u32 answer_samples(u8 *p, u32 gpu)
{
	u32 i;

	memset(p + 16, 0xff, 72 * 776);
	for (i = 0; i < 72 && count_on(gpu); i++) {
		mpu_put64(p, 16 + i * 776, i + 1);
		mpu_put32(p, 16 + i * 776 + 8 + 128, 5000);
		mpu_put32(p, 16 + i * 776 + 8 + 128 + 8, (u32)pids[i % count_on(gpu) * GPUS + gpu]);
	}
	return 0;
}

static u32 answer_control(const struct nv_control *c)
{
	u32 gpu = c->object & 0xff, i;
	u8 *p = (u8 *)(uintptr_t)c->params;

	switch (c->cmd) {
	case NV_CTRL_GPU_GET_PROBED_IDS:
		if (c->size != 384)
			return NV_ERR_INVALID_ARGUMENT;
		for (i = 0; i < GPUS; i++)
			mpu_put32(p, 4 * i, 0x100 + i);
		return 0;
	case NV_CTRL_GPU_GET_ID_INFO:
		mpu_put32(p, 8, mpu_get32(p, 0) - 0x100);
		return 0;
	case NV_CTRL_GPU_ATTACH_IDS:
	case NV_CTRL_GPU_DETACH_IDS:
		return 0;
	case NV_CTRL_GPU_GET_CLASSLIST_V2:
		mpu_put32(p, 0, 2);
		mpu_put32(p, 4, 0xcb97);
		mpu_put32(p, 8, 0xcbc0);
		return c->size == 804 ? 0 : NV_ERR_INVALID_ARGUMENT;
	case 0x2080018d:
		return mpu_get32(p, 4) == 0xcbc0 ? answer_pids(p, gpu) : 0;
	case 0x2080018e:
		return c->size == 14408 ? answer_memory(p) : NV_ERR_INVALID_ARGUMENT;
	case 0x20802096:
		return c->size == 55888 ? answer_samples(p, gpu) : NV_ERR_INVALID_ARGUMENT;
	}
	return NV_ERR_NOT_SUPPORTED;
}

/* Handles end with the number of the GPU, by which objects below it are known. */
static void allocate(u8 *p)
{
	u32 class = mpu_get32(p, 12), parent = mpu_get32(p, 4);
	const u8 *params = (const u8 *)(uintptr_t)mpu_get64(p, 16);

	if (class == NV01_DEVICE_0)
		mpu_put32(p, 8, 0x8000 + mpu_get32(params, 0));
	else if (class == NV20_SUBDEVICE_0)
		mpu_put32(p, 8, 0x9000 + (parent & 0xff));
	else
		mpu_put32(p, 8, 0x7000);
	mpu_put64(p, 24, 0);
}

static void answer_cards(u8 *p)
{
	u32 i;

	for (i = 0; i < GPUS; i++) {
		p[i * CARD] = 1;
		p[i * CARD + 8] = (u8)i;
		mpu_put32(p, i * CARD + 16, 0x100 + i);
		mpu_put32(p, i * CARD + 56, i);
	}
}

int __wrap_ioctl(int fd, unsigned long request, void *arg)
{
	if (_IOC_TYPE(request) != 'F')
		return __real_ioctl(fd, request, arg);
	switch (_IOC_NR(request)) {
	case NV_ESC_RM_CONTROL:
		((struct nv_control *)arg)->status = answer_control(arg);
		break;
	case NV_ESC_RM_ALLOC:
		allocate(arg);
		break;
	case NV_ESC_CARD_INFO:
		answer_cards(arg);
		break;
	}
	return 0;
}

static int sleep_on(void *arg)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (pause())
		;
	return arg != NULL;
}

/* The next process is the first of its group: as many are in each. */
static bool is_first(size_t wanted)
{
	return n_groups && (!n_pids || n_pids * n_groups / wanted !=
			    (n_pids - 1) * n_groups / wanted);
}

/* The processes share everything with this one, and take little memory. */
static int start_processes(size_t wanted)
{
	char *stacks = mmap(NULL, wanted * STACK, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	int ret;

	pids = calloc(wanted, sizeof(*pids));
	if (!pids || stacks == MAP_FAILED)
		return -ENOMEM;
	for (n_pids = 0; n_pids < wanted; n_pids++) {
		ret = is_first(wanted) ? groups_enter(n_pids * n_groups / wanted) : 0;
		if (ret)
			return ret;
		pids[n_pids] = clone(sleep_on, stacks + (n_pids + 1) * STACK,
				     CLONE_VM | CLONE_FS | SIGCHLD, NULL);
		if (pids[n_pids] < 0)
			return -errno;
	}
	return 0;
}

static void end_processes(void)
{
	size_t i;

	for (i = 0; i < n_pids; i++)
		kill(pids[i], SIGKILL);
	while (wait(NULL) > 0)
		;
}

/* Returns milliseconds. */
struct cost {
	double time;
	double cpu;
};

/* Returns the time spent since @since, which becomes now; the CPU's with that of who asks the driver. */
static struct cost spend(struct cost *since)
{
	struct cost now = { (double)clock_ns() / 1e6, 0 }, spent;
	struct rusage used;
	int who;

	for (who = RUSAGE_CHILDREN; who <= RUSAGE_SELF; who++) {
		getrusage(who, &used);
		now.cpu += (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e3 +
			   (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e3;
	}
	spent = (struct cost){ now.time - since->time, now.cpu - since->cpu };
	*since = now;
	return spent;
}

static int write_metrics(const struct usage *usage)
{
	static const struct metrics_extent by_default = { .limit = 1000 };
	struct exposition e = { 0 };
	int ret;

	usage_add_metrics(&e, usage, &by_default);
	ret = e.error;
	exposition_free(&e);
	return ret;
}

static void print(const struct usage *usage)
{
	static const struct table_view view;
	struct json_object *answer;
	struct usage_sum *sums;
	size_t n;

	if (as_top) {
		top_take(&top, usage);
		top_draw(&top, &screen);
		return;
	}
	if (by_container) {
		sums = usage_sum(usage, USAGE_BY_CONTAINER, false, &n);
		usage_print_sums(usage, USAGE_BY_CONTAINER, sums, n, &view);
		free(sums);
		return;
	}
	if (!as_json) {
		usage_print_processes(usage, &view);
		return;
	}
	answer = usage_describe(usage, NULL);
	puts(json_object_to_json_string_ext(answer, JSON_C_TO_STRING_PRETTY |
					    JSON_C_TO_STRING_SPACED |
					    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(answer);
}

static int read_once(struct usage_reader *reader, const char *which)
{
	struct cost since = { 0 }, asked, printed, written;
	const struct usage *usage;
	char why[WHY_SIZE];

	spend(&since);
	if (usage_read(reader, -1, &usage, why)) {
		fprintf(stderr, "who: %s\n", why);
		return 1;
	}
	asked = spend(&since);
	if (!freopen("/dev/null", "w", stdout))
		return 1;
	print(usage);
	fflush(stdout);
	printed = spend(&since);
	if (!as_top && write_metrics(usage))
		return 1;
	written = spend(&since);
	fprintf(stderr,
		"%s reading: %zu processes on %zu GPUs: asked %.1f ms (CPU %.1f), printed %.1f ms (CPU %.1f), as metrics %.1f ms (CPU %.1f)\n",
		which, usage->n_processes, usage->n_gpus, asked.time, asked.cpu,
		printed.time, printed.cpu, written.time, written.cpu);
	return 0;
}

static void compare_lists(const struct usage *usage)
{
	struct cost since = { 0 }, taken, drawn;
	unsigned int mode, i;

	for (mode = 0; mode < ROWS_MODES; mode++) {
		top_press(&top, '1' + mode, 200);
		spend(&since);
		for (i = 0; i < TIMES; i++)
			top_take(&top, usage);
		taken = spend(&since);
		for (i = 0; i < TIMES; i++)
			top_draw(&top, &screen);
		drawn = spend(&since);
		fprintf(stderr, "list %u: update CPU %.2f ms, draw %.2f ms\n", mode + 1,
			taken.cpu / TIMES, drawn.cpu / TIMES);
	}
}

/* The interval of mpu top between two readings. */
static int watch(struct usage_reader *reader, int readings)
{
	int i, ret = read_once(reader, "first");
	const struct usage *usage;
	struct cost all = { 0 };
	char why[WHY_SIZE];

	spend(&all);
	for (i = 1; !ret && i < readings; i++) {
		sleep(1);
		ret = read_once(reader, "later");
	}
	all = spend(&all);
	fprintf(stderr, "mpu top: CPU %.0f ms in %.0f ms, %.2f %% of a core\n", all.cpu, all.time,
		100 * all.cpu / all.time);
	if (!ret && !usage_read(reader, -1, &usage, why))
		compare_lists(usage);
	return ret;
}

/* Return: the first argument that is no option; 0: one is unknown. */
static int read_options(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "bg:jt")) != -1) {
		if (option == 'g')
			n_groups = strtoul(optarg, NULL, 10);
		else if (option == 'j')
			as_json = true;
		else if (option == 't')
			as_top = true;
		else if (option == 'b')
			by_container = true;
		else
			return 0;
	}
	return optind;
}

int main(int argc, char **argv)
{
	int at = read_options(argc, argv), i, ret;
	size_t wanted = at < argc ? strtoul(argv[at], NULL, 10) : 10000;
	int readings = at + 1 < argc ? atoi(argv[at + 1]) : 5;
	struct usage_reader *reader;
	struct rusage used;

	if (!at)
		return 2;
	ret = n_groups ? groups_make(n_groups) : 0;
	if (!ret)
		ret = start_processes(wanted);
	if (ret)
		fprintf(stderr, "who: %zu groups asked for, %zu processes, and no more: %s\n",
			n_groups, n_pids, strerror(-ret));
	if (!ret) {
		reader = usage_open(RM_SAMPLES_NEW, !by_container, false);
		top_begin(&top, 1);
		screen_resize(&screen, 60, 200);
		if (as_top)
			ret = watch(reader, readings);
		for (i = 0; !as_top && !ret && i < readings; i++)
			ret = read_once(reader, i ? "later" : "first");
		top_free(&top);
		screen_free(&screen);
		usage_close(reader);
	}
	getrusage(RUSAGE_SELF, &used);
	fprintf(stderr, "most memory: %ld KiB\n", used.ru_maxrss);
	end_processes();
	if (n_groups)
		groups_remove();
	return ret != 0;
}
