// SPDX-License-Identifier: GPL-2.0-only
/*
 * The resident process: see resident.h.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/background.h"
#include "lib/clock.h"
#include "lib/signals.h"
#include "nvidia/calibrate.h"
#include "pins.h"
#include "resident.h"
#include "speech.h"
#include "stale_calls.h"
#include "uevent.h"

/*
 * The interval, in seconds, of trying again to measure a driver, and of looking for
 * calls that nobody makes any more; and the interval of measuring a driver anew.
 */
#define CHORES_S	5
#define MEASUREMENTS	25

/* The time, in seconds, for which status says that calls were missed. */
#define MISSED_S	60

/**
 * struct job - looking for a driver, or measuring it
 * @measure:	which of the two
 * @driver:	struct resident, @drivers, when it was asked for
 * @coming:	speech_coming() then
 * @there:	out: the driver that there is
 * @found:	out: what was measured
 * @all:	out: that is everything
 */
struct job {
	bool measure;
	struct bpf_state *state;
	const char *dev;
	unsigned int driver;
	uint32_t coming;
	struct driver there;
	struct calibration found;
	bool all;
};

/**
 * struct resident - the resident process
 * @pass_unknown: see struct bpf_state
 * @dev:	folder of the device nodes
 * @driver:	the driver that the programs are for, or were for last
 * @drivers:	how many there have been
 * @loaded:	@driver is loaded, and the programs know it
 * @search:	some module was loaded that may be a driver
 * @measurements: how many times more to measure @driver
 * @job:	what takes its time: all symbols are read, a GPU is woken
 * @thread:	the thread that does it: meanwhile another driver may come
 * @maps:	what the programs share with this process
 * @hook:	the programs
 * @signals:	descriptor of the signals that end it
 * @uevents:	descriptor of the kernel's news of modules
 * @timer:	descriptor of a timer that ends when chores are due
 */
struct resident {
	bool pass_unknown;
	const char *dev;
	struct driver driver;
	unsigned int drivers;
	bool loaded;
	bool search;
	unsigned int measurements;
	struct job job;
	struct background thread;
	struct hook_maps maps;
	struct hook hook;
	int signals;
	int uevents;
	int timer;
};

/* --- the programs --- */

/* Tells whoever asks for the status which driver it is. */
static void publish_driver(struct resident *resident)
{
	const struct driver *driver = &resident->driver;
	struct bpf_state *state = resident->maps.state;

	memcpy(state->module, driver->module, sizeof(state->module));
	memcpy(state->version, driver->version, sizeof(state->version));
}

static void publish_epoch(struct resident *resident)
{
	__atomic_store_n(&resident->maps.state->epoch, clock_epoch(),
			 __ATOMIC_RELAXED);
}

/* --- the driver --- */

static void prepare_job(struct resident *resident, bool measure)
{
	struct bpf_state *state = resident->maps.state;

	resident->job = (struct job){
		.measure = measure, .state = state, .dev = resident->dev,
		.driver = resident->drivers, .coming = speech_coming(state),
	};
}

static void do_job(void *arg)
{
	struct job *job = arg;

	/* A child that hangs in the driver is waited for: the next would hang, too. */
	while (waitpid(-1, NULL, 0) > 0)
		;
	if (job->measure)
		job->all = speech_measure(job->state, job->dev, &job->found);
	else
		driver_find(&job->there);
}

static void begin_job(struct resident *resident, bool measure)
{
	if (resident->thread.busy)
		return;
	prepare_job(resident, measure);
	background_ask(&resident->thread);
}

static void take_measurement(struct resident *resident)
{
	const struct job *job = &resident->job;

	if (job->coming != speech_coming(resident->maps.state))
		return;
	speech_set_measured(resident->maps.state, &job->found, job->coming);
	if (job->all)
		resident->measurements = 0;
	else
		resident->measurements--;
}

/* Other functions, or those of another module? The kernel arms the same again. */
static bool needs_other_hook(const struct resident *resident,
			     const struct driver *found)
{
	return memcmp(found->entry, resident->driver.entry, sizeof(found->entry)) ||
	       strcmp(found->module, resident->driver.module);
}

static void take_driver(struct resident *resident, const struct driver *found)
{
	bool other = needs_other_hook(resident, found);
	struct hook old = resident->hook;

	resident->driver = *found;
	resident->drivers++;
	resident->loaded = true;
	speech_look_up(resident->maps.state, found->module);
	if (other) {
		if (hook_open(&resident->hook, found, &resident->maps)) {
			resident->hook = old;
			return;
		}
		hook_pin(&resident->hook, PINS_FOLDER);
		hook_close(&old);
	}
	publish_driver(resident);
	resident->measurements = MEASUREMENTS;
	begin_job(resident, true);
}

/* The results for a driver that has gone meanwhile say nothing about the next. */
static void end_job(struct resident *resident)
{
	const struct job *job = &resident->job;

	if (job->driver != resident->drivers)
		return;
	if (job->measure)
		take_measurement(resident);
	else if (!resident->loaded && driver_is_there(job->there.module))
		take_driver(resident, &job->there);
}

/* Looks the version up; until then PID controls of containers are refused. */
static void look_up_version(struct resident *resident)
{
	struct bpf_state *state = resident->maps.state;

	if (!resident->loaded && driver_is_there(state->awaited))
		speech_look_up(state, state->awaited);
}

static void hear_news(struct resident *resident)
{
	struct uevent uevent = uevent_read(resident->uevents, resident->driver.module);
	struct bpf_state *state = resident->maps.state;

	/* A driver that was unloaded may be back before it is looked for. */
	if (uevent.gone || !driver_is_there(resident->driver.module)) {
		resident->drivers += uevent.gone;
		resident->loaded = false;
		state->module[0] = '\0';
		state->version[0] = '\0';
	}
	if (!uevent.came)
		return;
	look_up_version(resident);
	resident->search = true;
}

static void begin_search(struct resident *resident)
{
	if (!resident->search || resident->thread.busy)
		return;
	resident->search = false;
	if (!resident->loaded)
		begin_job(resident, false);
}

/* --- what it waits for --- */

/* The timer ends when chores are due, and at once if somebody sets the clock. */
static int start_timer(struct resident *resident)
{
	struct itimerspec due = { 0 };

	clock_gettime(CLOCK_REALTIME, &due.it_value);
	due.it_value.tv_sec += CHORES_S;
	return timerfd_settime(resident->timer,
			       TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET,
			       &due, NULL) ? -errno : 0;
}

static void publish_missed(struct resident *resident)
{
	struct bpf_state *state = resident->maps.state;
	u64 missed = pins_missed(state);

	if (missed > state->missed_known)
		state->missed_until = clock_ms() + MISSED_S * 1000;
	state->missed_known = missed;
}

static void do_chores(struct resident *resident)
{
	uint64_t ends;

	/* ECANCELED: the clock was set. The timer starts again in any case. */
	if (read(resident->timer, &ends, sizeof(ends)) < 0 && errno == EAGAIN)
		return;
	start_timer(resident);
	publish_epoch(resident);
	stale_calls_end(&resident->maps);
	publish_missed(resident);
	look_up_version(resident);
	if (resident->measurements && resident->loaded)
		begin_job(resident, true);
}

static void run_until_signal(struct resident *resident)
{
	struct pollfd fds[] = {
		{ .fd = resident->signals, .events = POLLIN },
		{ .fd = resident->uevents, .events = POLLIN },
		{ .fd = resident->timer, .events = POLLIN },
		{ .fd = resident->thread.done, .events = POLLIN },
	};

	for (;;) {
		if (poll(fds, 4, -1) < 0 && errno != EINTR)
			return;
		if (fds[0].revents)
			return;
		hear_news(resident);
		if (background_take(&resident->thread))
			end_job(resident);
		begin_search(resident);
		if (fds[2].revents)
			do_chores(resident);
	}
}

static int open_descriptors(struct resident *resident)
{
	static const int ends[] = { SIGTERM, SIGINT, 0 };

	resident->signals = signals_hold(ends);
	if (resident->signals < 0)
		return resident->signals;
	resident->uevents = uevent_open();
	if (resident->uevents < 0)
		return -errno;
	resident->timer = timerfd_create(CLOCK_REALTIME,
					 TFD_CLOEXEC | TFD_NONBLOCK);
	return resident->timer < 0 ? -errno : start_timer(resident);
}

static void close_descriptors(struct resident *resident)
{
	if (resident->signals >= 0)
		close(resident->signals);
	if (resident->uevents >= 0)
		close(resident->uevents);
	if (resident->timer >= 0)
		close(resident->timer);
}

/* --- from start to stop --- */

static int open_first_hook(struct resident *resident, char why[WHY_SIZE])
{
	int err = hook_open(&resident->hook, &resident->driver, &resident->maps);
	const char *off;

	if (err)
		return why_fail(why, err, "cannot attach to the driver: %s%s%s; 'mpu doctor' says what this host allows",
				strerror(-err), *hook_error() ? ": " : "",
				hook_error());
	off = hook_off();
	return off ? why_fail(why, -EBUSY, "the programs would never run: %s", off) : 0;
}

/* Our programs take over from those of a predecessor that died. */
static int take_over(struct resident *resident, char why[WHY_SIZE])
{
	int err;

	pins_hand_over(resident->maps.state);
	kprobe_event_remove_others();
	err = pins_open();
	if (!err)
		err = pins_state(&resident->maps);
	if (err)
		return why_fail(why, err, "cannot use %s: %s", PINS_FOLDER, strerror(-err));
	hook_pin(&resident->hook, PINS_FOLDER);
	return 0;
}

/*
 * Programs of a predecessor that died stay at work until ours can take over.
 * Nothing is translated before the last step; killed before, nothing is left but
 * definitions of probes that never fire.
 */
static int start(struct resident *resident, char why[WHY_SIZE])
{
	int err;

	driver_find(&resident->driver);
	resident->loaded = driver_is_there(resident->driver.module);
	err = open_first_hook(resident, why);
	if (err)
		return err;
	resident->maps.state->pass_unknown = resident->pass_unknown;
	publish_driver(resident);
	publish_epoch(resident);
	speech_look_up(resident->maps.state, resident->driver.module);
	resident->measurements = MEASUREMENTS;
	prepare_job(resident, true);
	do_job(&resident->job);
	take_measurement(resident);
	err = take_over(resident, why);
	if (err || speech_is_translated(resident->dev))
		return err;
	return why_fail(why, -EIO, "attached, but the calls of a container are not translated: another tool or a setting keeps the programs from running");
}

static void stop(struct resident *resident)
{
	if (resident->maps.state) {
		__atomic_store_n(&resident->maps.state->on, 0,
				 __ATOMIC_SEQ_CST);
		pins_drain(resident->maps.state);
	}
	hook_close(&resident->hook);
	/* The thread may look at the state until the process ends. */
	if (background_stop(&resident->thread))
		hook_maps_close(&resident->maps);
	pins_clear();
}

int resident_run(bool pass_unknown, const char *dev, void (*ready)(void *arg),
		 void *arg, char why[WHY_SIZE])
{
	struct resident resident = {
		.pass_unknown = pass_unknown, .dev = dev,
		.signals = -1, .uevents = -1, .timer = -1,
	};
	int lock, err;

	lock = pins_lock();
	if (lock == -EBUSY)
		return why_fail(why, lock, "another mpu is already running engine bpf");
	if (lock < 0)
		return why_fail(why, lock, "cannot lock %s: %s", PINS_LOCK, strerror(-lock));
	hook_maps_init(&resident.maps);
	err = background_start(&resident.thread, do_job, &resident.job);
	if (err) {
		pins_unlock(lock);
		return why_fail(why, err, "cannot start a thread: %s", strerror(-err));
	}
	err = open_descriptors(&resident);
	err = err ? why_fail(why, err, "cannot wait for news of the kernel: %s",
			     strerror(-err)) : start(&resident, why);
	if (!err) {
		ready(arg);
		run_until_signal(&resident);
	}
	stop(&resident);
	close_descriptors(&resident);
	pins_unlock(lock);
	return err;
}
