// SPDX-License-Identifier: GPL-2.0-only
/*
 * The daemon: loads the programs, tells them whose PIDs the driver uses, and follows the
 * driver when it goes and comes.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "engines/bpf/internal.h"
#include "lib/clock.h"
#include "lib/process.h"
#include "lib/worker_thread.h"
#include "nvidia/nvidia.h"

/*
 * Seconds between tries to measure a driver, and looks for calls that nobody makes any more;
 * and how often a driver is measured anew.
 */
#define CHORES_S	5
#define MEASUREMENTS	25

/* The time, in seconds, for which status says that calls were missed. */
#define MISSED_S	60

/* How long, in seconds, the end waits for a measurement; bpf_down() waits 20. */
#define MEASURED_S	10

/** struct job - looking for a driver, or measuring it */
struct job {
	bool measure;			/* measuring, not looking */
	struct bpf_state *state;
	const char *dev;
	unsigned int driver;		/* struct daemon, @drivers, when it was asked for */
	uint32_t coming;		/* pid_space_coming() then */
	struct driver there;		/* out: the driver that there is */
	struct calibration found;	/* out: what was measured */
	bool all;			/* out: that is everything */
};

struct daemon {
	bool pass_unknown;	/* see struct bpf_state */
	const char *dev;	/* folder of the device nodes */
	struct driver driver;	/* the driver that the programs are for, or were for last */
	unsigned int drivers;	/* number of those so far */
	bool loaded;		/* @driver is loaded, and the programs know it */
	bool search;		/* some module was loaded that may be a driver */
	unsigned int measurements;	/* times more to measure @driver */
	struct job job;		/* a task that takes its time: all symbols are read, a GPU is woken */
	struct worker_thread thread;	/* does it: meanwhile another driver may come */
	struct hook_maps maps;	/* shared by the programs with this process */
	struct hook hook;
	int signals;		/* descriptor of the signals that end it */
	int uevents;		/* descriptor of the kernel's events of modules */
	int timer;		/* descriptor of a timer that ends when chores are due */
};

/* --- the programs --- */

static void publish_driver(struct daemon *daemon)
{
	const struct driver *driver = &daemon->driver;
	struct bpf_state *state = daemon->maps.state;

	memcpy(state->module, driver->module, sizeof(state->module));
	memcpy(state->version, driver->version, sizeof(state->version));
}

static void publish_epoch(struct daemon *daemon)
{
	__atomic_store_n(&daemon->maps.state->epoch, clock_epoch(), __ATOMIC_RELAXED);
}

/* --- the driver --- */

static void prepare_job(struct daemon *daemon, bool measure)
{
	struct bpf_state *state = daemon->maps.state;

	daemon->job = (struct job){
		.measure = measure, .state = state, .dev = daemon->dev,
		.driver = daemon->drivers, .coming = pid_space_coming(state),
	};
}

static void do_job(void *arg)
{
	struct job *job = arg;

	/* A child that hangs in the driver is waited for: the next would hang, too. */
	while (waitpid(-1, NULL, 0) > 0)
		;
	if (job->measure)
		job->all = pid_space_measure(job->state, job->dev, &job->found);
	else
		driver_find(&job->there);
}

static void begin_job(struct daemon *daemon, bool measure)
{
	if (daemon->thread.busy)
		return;
	prepare_job(daemon, measure);
	worker_thread_ask(&daemon->thread);
}

static void take_measurement(struct daemon *daemon)
{
	const struct job *job = &daemon->job;

	if (job->coming != pid_space_coming(daemon->maps.state))
		return;
	pid_space_set_measured(daemon->maps.state, &job->found, job->coming);
	if (job->all)
		daemon->measurements = 0;
	else
		daemon->measurements--;
}

static void take_driver(struct daemon *daemon, const struct driver *found)
{
	/* Other functions, or those of another module? The kernel arms the same again. */
	bool other = memcmp(found->entry, daemon->driver.entry, sizeof(found->entry)) ||
		     strcmp(found->module, daemon->driver.module);
	struct hook old = daemon->hook;

	daemon->driver = *found;
	daemon->drivers++;
	daemon->loaded = true;
	pid_space_look_up(daemon->maps.state, found->module);
	if (other) {
		if (hook_open(&daemon->hook, found, &daemon->maps)) {
			daemon->hook = old;
			return;
		}
		hook_pin(&daemon->hook, PINS_FOLDER);
		hook_close(&old);
	}
	publish_driver(daemon);
	daemon->measurements = MEASUREMENTS;
	begin_job(daemon, true);
}

/* The results for a driver that has gone meanwhile say nothing about the next. */
static void end_job(struct daemon *daemon)
{
	const struct job *job = &daemon->job;

	if (job->driver != daemon->drivers)
		return;
	if (job->measure)
		take_measurement(daemon);
	else if (!daemon->loaded && driver_is_there(job->there.module))
		take_driver(daemon, &job->there);
}

/* Looks the version up; until then PID controls of containers are refused. */
static void look_up_version(struct daemon *daemon)
{
	struct bpf_state *state = daemon->maps.state;

	if (!daemon->loaded && driver_is_there(state->awaited))
		pid_space_look_up(state, state->awaited);
}

static void read_uevents(struct daemon *daemon)
{
	struct uevent uevent = uevent_read(daemon->uevents, daemon->driver.module);
	struct bpf_state *state = daemon->maps.state;

	/* A driver that was unloaded may be back before it is looked for. */
	if (uevent.gone || !driver_is_there(daemon->driver.module)) {
		daemon->drivers += uevent.gone;
		daemon->loaded = false;
		state->module[0] = '\0';
		state->version[0] = '\0';
	}
	if (!uevent.came)
		return;
	look_up_version(daemon);
	daemon->search = true;
}

static void begin_search(struct daemon *daemon)
{
	if (!daemon->search || daemon->thread.busy)
		return;
	daemon->search = false;
	if (!daemon->loaded)
		begin_job(daemon, false);
}

/* --- calls whose return will not be seen --- */

/* @key: of bpf_get_current_pid_tgid(); this process is in the same PID namespace */
static bool thread_is_gone(u64 key)
{
	return syscall(SYS_tgkill, (pid_t)(key >> 32), (pid_t)key, 0) && errno == ESRCH;
}

static void forget_call(const struct hook_maps *maps, u64 key)
{
	if (bpf_map_delete_elem(maps->fd[HOOK_CALLS], &key))
		return;
	bpf_map_delete_elem(maps->fd[HOOK_QUESTIONS], &key);
	__atomic_fetch_sub(&maps->state->calls, 1, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(&maps->state->missed, 1, __ATOMIC_SEQ_CST);
}

/*
 * An oops in the driver killed their thread, or the program at the return was not run and
 * the thread has ended since.
 */
static void forget_stale_calls(const struct hook_maps *maps)
{
	u64 key, next;
	int more = bpf_map_get_next_key(maps->fd[HOOK_CALLS], NULL, &next);

	while (!more) {
		key = next;
		more = bpf_map_get_next_key(maps->fd[HOOK_CALLS], &key, &next);
		if (thread_is_gone(key))
			forget_call(maps, key);
	}
}

/* --- what it waits for --- */

/* The timer ends when chores are due, and at once if somebody sets the clock. */
static int start_timer(struct daemon *daemon)
{
	struct itimerspec due = { 0 };

	clock_gettime(CLOCK_REALTIME, &due.it_value);
	due.it_value.tv_sec += CHORES_S;
	return timerfd_settime(daemon->timer,
			       TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET,
			       &due, NULL) ? -errno : 0;
}

static void publish_missed(struct daemon *daemon)
{
	struct bpf_state *state = daemon->maps.state;
	u64 missed = pins_missed(state);

	if (missed > state->missed_known)
		state->missed_until = clock_ms() + MISSED_S * 1000;
	state->missed_known = missed;
}

static void do_chores(struct daemon *daemon)
{
	uint64_t ends;

	/* ECANCELED: the clock was set. The timer starts again in any case. */
	if (read(daemon->timer, &ends, sizeof(ends)) < 0 && errno == EAGAIN)
		return;
	start_timer(daemon);
	publish_epoch(daemon);
	forget_stale_calls(&daemon->maps);
	publish_missed(daemon);
	look_up_version(daemon);
	if (daemon->measurements && daemon->loaded)
		begin_job(daemon, true);
}

static void run_until_signal(struct daemon *daemon)
{
	struct pollfd fds[] = {
		{ .fd = daemon->signals, .events = POLLIN },
		{ .fd = daemon->uevents, .events = POLLIN },
		{ .fd = daemon->timer, .events = POLLIN },
		{ .fd = daemon->thread.done, .events = POLLIN },
	};

	for (;;) {
		if (poll(fds, 4, -1) < 0 && errno != EINTR)
			return;
		if (fds[0].revents)
			return;
		read_uevents(daemon);
		if (worker_thread_is_done(&daemon->thread))
			end_job(daemon);
		begin_search(daemon);
		if (fds[2].revents)
			do_chores(daemon);
	}
}

static int open_descriptors(struct daemon *daemon)
{
	static const int ends[] = { SIGTERM, SIGINT, 0 };

	daemon->signals = signals_hold(ends);
	if (daemon->signals < 0)
		return daemon->signals;
	daemon->uevents = uevent_open();
	if (daemon->uevents < 0)
		return -errno;
	daemon->timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
	return daemon->timer < 0 ? -errno : start_timer(daemon);
}

static void close_descriptors(struct daemon *daemon)
{
	if (daemon->signals >= 0)
		close(daemon->signals);
	if (daemon->uevents >= 0)
		close(daemon->uevents);
	if (daemon->timer >= 0)
		close(daemon->timer);
}

/* --- from start to stop --- */

static int open_first_hook(struct daemon *daemon, char why[WHY_SIZE])
{
	int err = hook_open(&daemon->hook, &daemon->driver, &daemon->maps);
	const char *off;

	if (err)
		return why_fail(why, err, "cannot attach to the driver: %s%s%s; 'mpu doctor' says what this host allows",
				strerror(-err), *hook_error() ? ": " : "",
				hook_error());
	off = hook_off();
	return off ? why_fail(why, -EBUSY, "the programs would never run: %s", off) : 0;
}

/* Our programs take over from those of a predecessor that died. */
static int take_over(struct daemon *daemon, char why[WHY_SIZE])
{
	int err;

	pins_hand_over(daemon->maps.state);
	kprobe_event_remove_others();
	err = pins_open();
	if (!err)
		err = pins_state(&daemon->maps);
	if (err)
		return why_fail(why, err, "cannot use %s: %s", PINS_FOLDER, strerror(-err));
	hook_pin(&daemon->hook, PINS_FOLDER);
	return 0;
}

/*
 * Programs of a predecessor that died stay at work until ours can take over.
 * Nothing is translated before the last step; killed before, nothing is left but
 * definitions of probes that never fire.
 */
static int start(struct daemon *daemon, char why[WHY_SIZE])
{
	int err;

	driver_find(&daemon->driver);
	daemon->loaded = driver_is_there(daemon->driver.module);
	err = open_first_hook(daemon, why);
	if (err)
		return err;
	daemon->maps.state->layout = sizeof(*daemon->maps.state);
	daemon->maps.state->pass_unknown = daemon->pass_unknown;
	publish_driver(daemon);
	publish_epoch(daemon);
	pid_space_look_up(daemon->maps.state, daemon->driver.module);
	daemon->measurements = MEASUREMENTS;
	prepare_job(daemon, true);
	do_job(&daemon->job);
	take_measurement(daemon);
	err = take_over(daemon, why);
	if (err || pid_space_is_translated(daemon->dev))
		return err;
	return why_fail(why, -EIO, "attached, but the calls of a container are not translated: another tool or a setting keeps the programs from running");
}

static void stop(struct daemon *daemon)
{
	struct pollfd measured = { .fd = daemon->thread.done, .events = POLLIN };

	if (daemon->maps.state) {
		__atomic_store_n(&daemon->maps.state->on, 0, __ATOMIC_SEQ_CST);
		pins_drain(daemon->maps.state);
	}
	hook_close(&daemon->hook);
	/* A measurement has the driver open, which then cannot be unloaded. */
	if (daemon->thread.busy)
		poll(&measured, 1, MEASURED_S * 1000);
	/* The thread may look at the state until the process ends. */
	if (worker_thread_stop(&daemon->thread))
		hook_maps_close(&daemon->maps);
	pins_clear();
}

/* Runs until SIGTERM, then cleans up. @ready: called once calls are translated */
int daemon_run(bool pass_unknown, const char *dev, void (*ready)(void *arg), void *arg,
	       char why[WHY_SIZE])
{
	struct daemon daemon = {
		.pass_unknown = pass_unknown, .dev = dev,
		.signals = -1, .uevents = -1, .timer = -1,
	};
	int lock, err;

	lock = pins_lock();
	if (lock == -EBUSY)
		return why_fail(why, lock, "another mpu is already running engine bpf");
	if (lock < 0)
		return why_fail(why, lock, "cannot lock %s: %s", PINS_LOCK, strerror(-lock));
	hook_maps_init(&daemon.maps);
	err = worker_thread_start(&daemon.thread, do_job, &daemon.job);
	if (err) {
		pins_unlock(lock);
		return why_fail(why, err, "cannot start a thread: %s", strerror(-err));
	}
	err = open_descriptors(&daemon);
	err = err ? why_fail(why, err, "cannot wait for events of the kernel: %s",
			     strerror(-err)) : start(&daemon, why);
	if (!err) {
		ready(arg);
		run_until_signal(&daemon);
	}
	stop(&daemon);
	close_descriptors(&daemon);
	pins_unlock(lock);
	return err;
}
