// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every figure that the real libnvidia-ml computes about a process:
 *
 *	figures [PERIOD N...]	a line each: KIND GPU PID FIGURE...
 *
 * Utilisation is asked for of all samples and, for each N, of the newest N (kind
 * recent.N), PERIOD being the milliseconds between two of them. Figures of the
 * whole GPU stand beside the PID "-". A call that this generation of the library
 * does not have says nothing; one that fails says so.
 *
 * Structures and numbers are those of NVIDIA's public nvml.h. Only the first
 * shape that a call ever had is asked for: its symbol keeps it for ever.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef unsigned int u32;
typedef unsigned long long u64;

#define MAX		1024
#define TRIES		500
#define VALUE_NONE	0xffffffffffffffffull	/* NVML_VALUE_NOT_AVAILABLE */

enum { SUCCESS = 0, NOT_SUPPORTED = 3, NOT_FOUND = 6 };

struct process {
	u32 pid;
	u64 bytes;
};

struct sample {
	u32 pid;
	u64 time_us;
	u32 sm, memory, encoder, decoder;
};

struct sample_info {
	u64 time_us;
	u32 pid;
	u32 sm, memory, encoder, decoder, jpeg, ofa;
};

struct sample_infos {
	u32 version;
	u32 count;
	u64 after_us;
	struct sample_info *array;
};

struct encoder_session {
	u32 id, pid, vgpu, codec, width, height, fps, latency;
};

struct capture_session {
	u32 id, pid, vgpu, display, type, flags;
	u32 width_max, height_max, width, height, fps, latency;
};

struct capture_stats {
	u32 count, fps, latency;
};

struct account {
	u32 gpu, memory;
	u64 max_bytes, time_ms, start_us;
	u32 running;
	u32 reserved[5];
};

static void *nvml;
static void *device;
static u32 gpu;

static void *call_of(const char *name)
{
	return dlsym(nvml, name);
}

/* Does this result of an NVML call come with an answer? */
static int answered(const char *kind, int result)
{
	if (result != SUCCESS && result != NOT_FOUND && result != NOT_SUPPORTED)
		printf("%s %u - error %d\n", kind, gpu, result);
	return result == SUCCESS;
}

static void print_processes(const char *kind, const char *name)
{
	int (*ask)(void *, u32 *, struct process *) = call_of(name);
	static struct process p[MAX];
	u32 i, n = MAX;

	if (!ask || !answered(kind, ask(device, &n, p)))
		return;
	for (i = 0; i < n; i++)
		if (p[i].bytes == VALUE_NONE)
			printf("%s %u %u -\n", kind, gpu, p[i].pid);
		else
			printf("%s %u %u %llu\n", kind, gpu, p[i].pid, p[i].bytes);
}

/*
 * Libraries up to 525 say that all is well where no sample names anybody, and write
 * nothing, not even the count.
 */
static int is_written(u32 pid)
{
	return pid != 0xffffffff;
}

static u64 now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec * 1000000ull + t.tv_nsec / 1000;
}

static int ask_samples(void *call, u64 after_us, struct sample *s, u32 *n)
{
	int (*ask)(void *, struct sample *, u32 *, u64) = call;

	memset(s, 0xff, MAX * sizeof(*s));
	*n = MAX;
	return ask(device, s, n, after_us);
}

static int ask_sample_infos(void *call, u64 after_us, struct sample_info *s, u32 *n)
{
	int (*ask)(void *, struct sample_infos *) = call;
	struct sample_infos all = {
		.version = sizeof(all) | 1 << 24, .count = MAX,
		.after_us = after_us, .array = s,
	};
	int result;

	memset(s, 0xff, MAX * sizeof(*s));
	result = ask(device, &all);
	*n = all.count;
	return result;
}

/*
 * The newest @newest samples: all that are younger than the one before them, by
 * half a period. 0: all samples. If the driver may have had another sample by the
 * time that it was asked, it is asked again.
 */
static u32 newest;
static u64 period_us;
static u64 asked_us;

static u64 ask_after(void)
{
	asked_us = now_us();
	return newest ? asked_us - newest * period_us + period_us / 2 : 0;
}

static int too_late(void)
{
	return newest && now_us() - asked_us > period_us / 3;
}

static void print_kind(const char *all, const char *recent)
{
	if (newest)
		printf("%s.%u", recent, newest);
	else
		printf("%s", all);
}

static void print_samples(void)
{
	void *call = call_of("nvmlDeviceGetProcessUtilization");
	static struct sample s[MAX];
	int result, tries = 0;
	u32 i, n;

	if (!call)
		return;
	do
		result = ask_samples(call, ask_after(), s, &n);
	while (too_late() && tries++ < TRIES);
	if (!answered("utilisation", result))
		return;
	for (i = 0; i < n && is_written(s[i].pid); i++) {
		print_kind("utilisation", "recent");
		printf(" %u %u %u %u %u %u\n", gpu, s[i].pid, s[i].sm,
		       s[i].memory, s[i].encoder, s[i].decoder);
	}
}

static void print_sample_infos(void)
{
	void *call = call_of("nvmlDeviceGetProcessesUtilizationInfo");
	static struct sample_info s[MAX];
	int result, tries = 0;
	u32 i, n;

	if (!call)
		return;
	do
		result = ask_sample_infos(call, ask_after(), s, &n);
	while (too_late() && tries++ < TRIES);
	if (!answered("utilisation-info", result))
		return;
	for (i = 0; i < n && is_written(s[i].pid); i++) {
		print_kind("utilisation-info", "recent-info");
		printf(" %u %u %u %u %u %u %u %u\n", gpu, s[i].pid, s[i].sm, s[i].memory,
		       s[i].encoder, s[i].decoder, s[i].jpeg, s[i].ofa);
	}
}

static void print_utilisation(void)
{
	print_samples();
	print_sample_infos();
}

static void print_encoder(void)
{
	int (*ask)(void *, u32 *, struct encoder_session *) =
		call_of("nvmlDeviceGetEncoderSessions");
	int (*ask_stats)(void *, u32 *, u32 *, u32 *) = call_of("nvmlDeviceGetEncoderStats");
	static struct encoder_session s[MAX];
	u32 i, n = MAX, fps, latency;

	if (ask && answered("encoder", ask(device, &n, s)))
		for (i = 0; i < n; i++)
			printf("encoder %u %u %u %u %u %u %u %u\n", gpu, s[i].pid, s[i].id,
			       s[i].codec, s[i].width, s[i].height, s[i].fps, s[i].latency);
	if (ask_stats && answered("encoder-stats", ask_stats(device, &n, &fps, &latency)))
		printf("encoder-stats %u - %u %u %u\n", gpu, n, fps, latency);
}

static void print_capture(void)
{
	int (*ask)(void *, u32 *, struct capture_session *) = call_of("nvmlDeviceGetFBCSessions");
	int (*ask_stats)(void *, struct capture_stats *) = call_of("nvmlDeviceGetFBCStats");
	static struct capture_session s[MAX];
	struct capture_stats stats;
	u32 i, n = MAX;

	if (ask && answered("capture", ask(device, &n, s)))
		for (i = 0; i < n; i++)
			printf("capture %u %u %u %u %u %u %u %u\n", gpu, s[i].pid, s[i].id,
			       s[i].type, s[i].width, s[i].height, s[i].fps, s[i].latency);
	if (ask_stats && answered("capture-stats", ask_stats(device, &stats)))
		printf("capture-stats %u - %u %u %u\n", gpu, stats.count, stats.fps, stats.latency);
}

static void print_accounts(void)
{
	int (*ask)(void *, u32 *, u32 *) = call_of("nvmlDeviceGetAccountingPids");
	int (*ask_stats)(void *, u32, struct account *) = call_of("nvmlDeviceGetAccountingStats");
	static u32 pid[4 * MAX];
	struct account a;
	u32 i, n = 4 * MAX;

	if (!ask || !ask_stats || !answered("account", ask(device, &n, pid)))
		return;
	for (i = 0; i < n; i++) {
		memset(&a, 0, sizeof(a));
		if (!answered("account", ask_stats(device, pid[i], &a)))
			printf("account %u %u none\n", gpu, pid[i]);
		else
			printf("account %u %u %u %u %llu %llu %u\n", gpu, pid[i], a.gpu, a.memory,
			       a.max_bytes, a.start_us, a.running);
	}
}

int main(int argc, char **argv)
{
	int (*init)(void);
	int (*count)(u32 *);
	int (*handle)(u32, void **);
	u32 n = 0;
	int i;

	period_us = argc > 1 ? strtoul(argv[1], NULL, 10) * 1000 : 0;
	nvml = dlopen("libnvidia-ml.so.1", RTLD_NOW);
	if (!nvml) {
		fprintf(stderr, "usage: figures [PERIOD N...] (needs libnvidia-ml.so.1)\n");
		return 2;
	}
	init = call_of("nvmlInit");
	count = call_of("nvmlDeviceGetCount");
	handle = call_of("nvmlDeviceGetHandleByIndex");
	if (!init || !count || !handle || init() || count(&n)) {
		fprintf(stderr, "figures: NVML does not start\n");
		return 1;
	}
	for (gpu = 0; gpu < n; gpu++) {
		if (handle(gpu, &device)) {
			fprintf(stderr, "figures: NVML has no GPU %u\n", gpu);
			return 1;
		}
		print_processes("compute", "nvmlDeviceGetComputeRunningProcesses");
		print_processes("graphics", "nvmlDeviceGetGraphicsRunningProcesses");
		print_processes("mps", "nvmlDeviceGetMPSComputeRunningProcesses");
		newest = 0;
		print_utilisation();
		for (i = 2; i < argc; i++) {
			newest = strtoul(argv[i], NULL, 10);
			print_utilisation();
		}
		print_encoder();
		print_capture();
		print_accounts();
	}
	return 0;
}
