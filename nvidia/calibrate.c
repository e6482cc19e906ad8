// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calibration: the measurement. Two processes besides ours:
 *
 *	outsider	our child; holds a GPU, and memory on it
 *	insider		its child, the first process of a new PID namespace;
 *			talks to the driver from its second thread
 *
 * One socket joins the three. The outsider says when it is ready, we let the
 * insider begin, the insider says what it saw. Neither outlives its parent.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/fds.h"
#include "lib/host.h"
#include "lib/process.h"
#include "nvidia/internal.h"

/* Waking a GPU takes seconds; a driver that hangs must not hang us. */
#define PATIENCE	CALIBRATE_PATIENCE
#define MEMORY		(2u << 20)

/**
 * struct ready - the outsider's message, which goes on to the insider
 * @error:	why there is no insider
 * @insider:	its tgid in our namespace
 * @outsider:	its own
 * @accounted:	it saw a process in the accounting list that is alive
 * @taken, @changed: see struct calibration
 */
struct ready {
	int error;
	u32 insider;
	u32 outsider;
	bool accounted;
	u32 taken;
	u32 changed;
};

struct report {
	enum calibrate_step step;
	int error;
	struct observations seen;
};

/* State shared by the insider's two threads. */
struct insider {
	const char *dev;
	struct ready ready;
	u32 tgid;
	u32 tid;
	struct report report;
};

static int attach_any(struct rm *rm, struct rm_gpu *gpu)
{
	struct rm_gpu all[RM_GPUS];
	u32 i, n;
	int ret = rm_list_gpus(rm, all, &n);

	if (ret)
		return ret;
	ret = -ENODEV;
	for (i = 0; i < n && ret; i++) {
		ret = rm_attach(rm, &all[i]);
		*gpu = all[i];
	}
	return ret;
}

static void record_answer(struct observation *answer, const struct rm *rm)
{
	answer->answered = true;
	answer->control = rm_answered_row(rm)->control;
}

/* Set of AS_*; 0: it is the number of another process. */
static u8 known_as(const struct insider *me, u32 pid)
{
	return (pid == me->tgid ? AS_TGID : 0) | (pid == me->tid ? AS_TID : 0) |
	       (pid == me->ready.insider ? AS_GLOBAL : 0);
}

static int observe_list(struct insider *me, struct rm *rm, const struct rm_gpu *gpu)
{
	struct observations *seen = &me->report.seen;
	u32 pids[RM_PIDS];
	u32 i, n;
	int ret = rm_list_pids(rm, gpu, RM_CLASS_SUBDEVICE, pids, &n);

	if (ret)
		return ret;
	record_answer(&seen->list, rm);
	for (i = 0; i < n; i++) {
		seen->list.found_as |= known_as(me, pids[i]);
		seen->others += !known_as(me, pids[i]);
		seen->lists_outsider |= pids[i] == me->ready.outsider;
	}
	return 0;
}

static void observe_samples(struct insider *me, struct rm *rm, const struct rm_gpu *gpu)
{
	struct observations *seen = &me->report.seen;
	struct rm_sample sample[RM_SAMPLES];
	u32 i, n;

	if (rm_list_samples(rm, gpu, RM_SAMPLES_ALL, sample, &n))
		return;
	record_answer(&seen->samples, rm);
	seen->pointers = rm_answered_row(rm)->pointer != MPU_NO_OFFSET;
	for (i = 0; i < n; i++) {
		if (!sample[i].pid || known_as(me, sample[i].pid))
			continue;
		seen->others_with_pointer += sample[i].pointer != 0;
		seen->others_without_pointer += sample[i].pointer == 0;
	}
}

static int read_accounting_list(struct rm *rm, const struct rm_gpu *gpu, u32 *pids, u32 *n)
{
	bool on = false;
	int ret = rm_accounting_is_on(rm, gpu, &on);

	if (!ret && !on)
		ret = -ENODATA;
	return ret ? ret : rm_list_accounted(rm, gpu, pids, n);
}

static void observe_accounts(struct insider *me, struct rm *rm, const struct rm_gpu *gpu)
{
	struct observations *seen = &me->report.seen;
	u32 pids[RM_PIDS];
	u32 i, n;

	if (read_accounting_list(rm, gpu, pids, &n))
		return;
	record_answer(&seen->accounts, rm);
	seen->accounted_outside = me->ready.accounted;
	for (i = 0; i < n; i++)
		seen->accounted += !known_as(me, pids[i]);
}

/* A process that holds no memory looks like one that does not exist. */
static int observe_memory(struct insider *me, struct rm *rm, const struct rm_gpu *gpu)
{
	struct observations *seen = &me->report.seen;
	struct rm_process who[] = {
		{ .pid = me->tgid }, { .pid = me->tid },
		{ .pid = me->ready.insider }, { .pid = me->ready.outsider },
	};
	u32 memory, i;
	int ret = rm_allocate_memory(rm, gpu, MEMORY, &memory);

	if (!ret)
		ret = rm_read_memory(rm, gpu, who, 4);
	if (ret)
		return ret;
	record_answer(&seen->input, rm);
	for (i = 0; i < 3; i++)
		if (!who[i].status && who[i].bytes >= MEMORY)
			seen->input.found_as |= 1u << i; /* in AS_*'s order */
	seen->finds_outsider = !who[3].status && who[3].bytes >= MEMORY;
	return 0;
}

static void *observe_driver(void *arg)
{
	struct insider *me = arg;
	struct report *report = &me->report;
	struct rm_gpu gpu;
	struct rm rm;

	me->tid = (u32)syscall(SYS_gettid);
	report->step = CALIBRATE_DRIVER;
	report->error = rm_open(&rm, me->dev, NULL);
	if (report->error)
		return NULL;
	report->step = CALIBRATE_GPU;
	report->error = attach_any(&rm, &gpu);
	if (report->error)
		goto close;
	report->step = CALIBRATE_LIST;
	report->error = observe_list(me, &rm, &gpu);
	if (report->error)
		goto detach;
	observe_samples(me, &rm, &gpu);
	observe_accounts(me, &rm, &gpu);
	report->step = CALIBRATE_MEMORY;
	report->error = observe_memory(me, &rm, &gpu);
	if (!report->error)
		report->step = CALIBRATE_DONE;
detach:
	rm_detach(&rm, &gpu);
close:
	rm_close(&rm);
	return NULL;
}

/* The first process of a namespace ignores SIGALRM, so the outsider takes it. */
__attribute__((noreturn))
static void run_insider(int socket, const char *dev)
{
	struct insider me = { .dev = dev, .tgid = (u32)getpid() };
	pthread_t thread;
	int ret;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (recv(socket, &me.ready, sizeof(me.ready), 0) != sizeof(me.ready))
		_exit(1);
	/* From here on the report is the thread's, if there is one. */
	ret = pthread_create(&thread, NULL, observe_driver, &me);
	if (ret)
		me.report.error = -ret;
	else
		pthread_join(thread, NULL);
	_exit(fd_send(socket, &me.report, sizeof(me.report), -1) != 0);
}

static bool sees_account(struct rm *rm, const struct rm_gpu *gpu)
{
	struct rm_account account;
	u32 pids[RM_PIDS];
	u32 i, n;

	if (read_accounting_list(rm, gpu, pids, &n))
		return false;
	for (i = 0; i < n; i++) {
		account.pid = pids[i];
		if (!rm_read_account(rm, gpu, &account) && !account.end_us)
			return true;
	}
	return false;
}

/* Client and memory stay until the outsider ends. */
static void use_gpu(struct ready *ready, const char *dev)
{
	struct rm_gpu gpu;
	struct rm rm;
	u32 memory;

	if (rm_open(&rm, dev, NULL) || attach_any(&rm, &gpu))
		return;
	rm_allocate_memory(&rm, &gpu, MEMORY, &memory);
	ready->accounted = sees_account(&rm, &gpu);
	rm_probe_layouts(&rm, &gpu, &ready->taken, &ready->changed);
}

/* Signals as a new process has them, whatever program calibrates. */
static void reset_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
}

static pid_t insider_of_outsider = -1;

/* The time is over: the insider is killed, a second later the outsider. */
static void end_on_timeout(int signal_)
{
	signal(signal_, SIG_DFL);
	if (insider_of_outsider > 0)
		kill(insider_of_outsider, SIGKILL);
	alarm(1);
}

__attribute__((noreturn))
static void run_outsider(int socket, const char *dev)
{
	struct ready ready = { .outsider = (u32)getpid() };
	pid_t insider = -1;
	int status;

	reset_signals();
	signal(SIGALRM, end_on_timeout);
	alarm(PATIENCE);
	if (!unshare(CLONE_NEWPID) || !unshare(CLONE_NEWUSER | CLONE_NEWPID))
		insider = fork();
	if (!insider)
		run_insider(socket, dev);
	insider_of_outsider = insider;
	if (insider < 0)
		ready.error = -errno;
	/* Only now: new credentials take the signal back (commit_creds()). */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!ready.error)
		use_gpu(&ready, dev);
	ready.insider = (u32)insider;
	if (fd_send(socket, &ready, sizeof(ready), -1) && insider > 0)
		kill(insider, SIGKILL);
	close(socket);
	if (insider > 0)
		waitpid(insider, &status, 0);
	_exit(0);
}

static int receive_message(int socket, void *message, size_t size)
{
	struct pollfd fd = { .fd = socket, .events = POLLIN };
	int ret;

	do
		ret = poll(&fd, 1, (PATIENCE + 2) * 1000);
	while (ret < 0 && errno == EINTR);
	if (ret < 0)
		return -errno;
	if (!ret)
		return -ETIMEDOUT;
	return recv(socket, message, size, 0) == (ssize_t)size ? 0 : -EPIPE;
}

static int join_processes(struct calibration *calibration, int socket,
			  void (*begin)(pid_t tgid, void *arg), void *arg)
{
	struct report report;
	struct ready ready;
	int ret = receive_message(socket, &ready, sizeof(ready));

	if (ret)
		return ret;
	if (ready.error) {
		calibration->step = CALIBRATE_NAMESPACE;
		calibration->error = ready.error;
		return 0;
	}
	calibration->taken = ready.taken;
	calibration->changed = ready.changed;
	if (begin)
		begin((pid_t)ready.insider, arg);
	ret = fd_send(socket, &ready, sizeof(ready), -1);
	if (ret)
		return ret;
	ret = receive_message(socket, &report, sizeof(report));
	if (ret)
		return ret;
	calibration->step = report.step;
	calibration->error = report.error;
	calibration->seen = report.seen;
	return 0;
}

static int run_processes(struct calibration *calibration, const char *dev,
			 void (*begin)(pid_t tgid, void *arg), void *arg)
{
	int sockets[2], ret;
	pid_t outsider;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets))
		return -errno;
	outsider = process_fork_aside(&sockets[1], 1);
	if (!outsider)
		run_outsider(sockets[1], dev);
	ret = outsider < 0 ? (int)outsider : 0;
	close(sockets[1]);
	if (!ret)
		ret = join_processes(calibration, sockets[0], begin, arg);
	close(sockets[0]);
	/* To let go of a GPU may take a second, too. */
	if (outsider > 0)
		process_leave(outsider, ret == -ETIMEDOUT ? 1 : 5000);
	return ret;
}

int calibrate_run(struct calibration *calibration, const char *dev,
		  void (*begin)(pid_t tgid, void *arg), void *arg)
{
	int ret;

	memset(calibration, 0, sizeof(*calibration));
	driver_read(&calibration->driver, DRIVER_MODULE);
	ret = run_processes(calibration, dev, begin, arg);
	if (ret)
		calibration->error = ret;
	/* 200,000 lines are read for it: only where it decides something. */
	calibration->seen.has_symbol = calibration->seen.samples.answered ?
		-1 : host_has_symbol("os_is_init_ns");
	infer_pid_space(calibration);
	return ret;
}
