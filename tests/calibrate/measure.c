// SPDX-License-Identifier: GPL-2.0-only
/*
 * calibrate_run() as engine bpf uses it: the process it is told to leave alone is
 * the one that asks, it is told in time, and nothing is left behind.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nvidia/internal.h"

struct told {
	int times;
	pid_t tgid;
	int alone;		/* first process of a namespace of its own */
	bool listed;		/* the driver knows it already */
};

static int failed;

static void expect(bool good, const char *what)
{
	printf("%s %s\n", good ? "ok" : "not ok", what);
	failed += !good;
}

/* "NSpid: 812 1" of its status. */
static int is_first(pid_t tgid)
{
	int outer = 0, inner = 0, more = 0, n = 0;
	char path[64], line[128];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", tgid);
	file = fopen(path, "re");
	while (file && !n && fgets(line, sizeof(line), file))
		if (!strncmp(line, "NSpid:", 6))
			n = sscanf(line + 6, "%d %d %d", &outer, &inner, &more);
	if (file)
		fclose(file);
	return n == 2 && outer == tgid && inner == 1;
}

/* The processes that use the first GPU, without this one. */
static u32 users(pid_t *has)
{
	struct rm_gpu gpu[RM_GPUS];
	u32 pids[RM_PIDS];
	u32 i, n = 0, others = 0;
	bool found = false;
	struct rm rm;

	if (rm_open(&rm, "/dev", NULL))
		return 99;
	if (rm_list_gpus(&rm, gpu, &n) || rm_attach(&rm, &gpu[0]) ||
	    rm_list_pids(&rm, &gpu[0], RM_CLASS_SUBDEVICE, pids, &n)) {
		rm_close(&rm);
		return 99;
	}
	for (i = 0; i < n; i++) {
		others += pids[i] != (u32)getpid();
		found |= has && pids[i] == (u32)*has;
	}
	if (has && !found)
		*has = 0;
	rm_detach(&rm, &gpu[0]);
	rm_close(&rm);
	return others;
}

static void begin(pid_t tgid, void *arg)
{
	struct told *told = arg;
	pid_t found = tgid;

	told->times++;
	told->tgid = tgid;
	told->alone = is_first(tgid);
	users(&found);
	told->listed = found;
}

int main(void)
{
	struct told told = { 0 };
	struct calibration c;
	int ret;

	signal(SIGALRM, SIG_IGN);	/* as somebody's who had it so */
	ret = calibrate_run(&c, "/dev", begin, &told);
	expect(!ret && c.step == CALIBRATE_DONE && !c.error, "it measures");
	expect(c.possible && c.possible != REGIMES_ALL, "something");
	expect(told.times == 1 && told.alone, "it names the process in the namespace");
	expect(!told.listed, "before that asks the driver anything");
	expect(kill(told.tgid, 0) < 0 && errno == ESRCH, "that is gone afterwards");
	expect(waitpid(-1, &ret, WNOHANG) < 0 && errno == ECHILD, "so is the other");
	expect(users(NULL) == 0, "and the GPU is not in use");

	ret = calibrate_run(&c, "/nowhere", NULL, NULL);
	expect(!ret && c.step == CALIBRATE_DRIVER && c.error == -ENOENT,
	       "without device nodes it says so");
	expect(c.control[0].pid_space == MPU_PIDS_GLOBAL && c.looked_up == MPU_R1,
	       "and goes by the version");
	return failed != 0;
}
