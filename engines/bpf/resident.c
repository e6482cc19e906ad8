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
#include <unistd.h>

#include "lib/clock.h"
#include "lib/signals.h"
#include "nvidia/calibrate.h"
#include "news.h"
#include "pins.h"
#include "resident.h"
#include "speech.h"
#include "sweep.h"

/*
 * How often a driver is measured that could not be yet, and calls are looked for
 * that nobody makes any more, in seconds; and how often a driver is measured.
 */
#define CHORES_S	5
#define MEASUREMENTS	25

/*
 * After the kernel has announced a module the driver is looked for, which takes a
 * while to start: so often, in milliseconds, and so many times. Every so many of
 * these looks may read all symbols, which takes 50 ms.
 */
#define LOOK_MS		20
#define LOOKS		500
#define LOOKS_A_SEARCH	50

/**
 * struct resident - the resident process
 * @pass_unknown: see struct bpf_state
 * @dev:	folder of the device nodes
 * @driver:	the driver that the programs are for, or were for last
 * @loaded:	@driver is loaded, and the programs know it
 * @module_came: since @driver was unloaded, some module was loaded
 * @looks:	how many times more to look for a driver
 * @measurements: how many times more to measure @driver
 * @maps:	what the programs share with this process
 * @hook:	the programs
 * @signals:	descriptor of the signals that end it
 * @news:	descriptor of the kernel's news of modules
 * @timer:	descriptor of a timer that ends when chores are due
 */
struct resident {
	bool pass_unknown;
	const char *dev;
	struct driver driver;
	bool loaded;
	bool module_came;
	unsigned int looks;
	unsigned int measurements;
	struct hook_maps maps;
	struct hook hook;
	int signals;
	int news;
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

static void hear_news(struct resident *resident)
{
	struct news news = news_read(resident->news, resident->driver.module);

	/* A driver that was unloaded may be back before it is looked for. */
	if (news.gone) {
		resident->loaded = false;
		resident->module_came = false;
	}
	resident->module_came |= news.came;
	if (news.any)
		resident->looks = LOOKS;
}

static void measure_driver(struct resident *resident)
{
	bool loaded = resident->loaded;
	struct calibration found;
	uint32_t coming = speech_coming(resident->maps.state);
	bool all = speech_measure(resident->maps.state, resident->dev, &found);

	/* What a driver answered that has gone meanwhile says nothing of the next. */
	hear_news(resident);
	if (loaded && !resident->loaded)
		return;
	speech_set_measured(resident->maps.state, &found, coming);
	if (all)
		resident->measurements = 0;
	else
		resident->measurements--;
}

/* --- the driver --- */

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
	resident->loaded = true;
	if (other) {
		if (hook_open(&resident->hook, found, &resident->maps)) {
			resident->hook = old;
			return;
		}
		hook_pin(&resident->hook, PINS_FOLDER);
		hook_close(&old);
	}
	speech_look_up(resident->maps.state, found->module);
	publish_driver(resident);
	resident->measurements = MEASUREMENTS;
	measure_driver(resident);
}

/*
 * Is a driver to be searched for? The last one may have come again: then it may
 * be used before all is known of it, and its version at least is looked up. That
 * another has come is possible only after some module did.
 */
static bool is_search_due(struct resident *resident)
{
	const struct driver *last = &resident->driver;

	if (!last->module[0] || !driver_is_there(last))
		return resident->module_came &&
		       resident->looks % LOOKS_A_SEARCH == 0;
	speech_look_up(resident->maps.state, last->module);
	return driver_is_loaded(last);
}

static bool is_looking(const struct resident *resident)
{
	return resident->looks && !resident->loaded;
}

static void look_for_driver(struct resident *resident)
{
	struct bpf_state *state = resident->maps.state;
	struct driver found;

	if (!driver_is_loaded(&resident->driver))
		resident->loaded = false;
	if (!resident->loaded) {
		state->module[0] = '\0';
		state->version[0] = '\0';
	}
	if (!is_looking(resident))
		return;
	if (is_search_due(resident)) {
		driver_find(&found);
		if (driver_is_loaded(&found))
			take_driver(resident, &found);
	}
	resident->looks--;
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

static void do_chores(struct resident *resident)
{
	uint64_t ends;

	/* ECANCELED: the clock was set. The timer starts again in any case. */
	if (read(resident->timer, &ends, sizeof(ends)) < 0 && errno == EAGAIN)
		return;
	start_timer(resident);
	publish_epoch(resident);
	sweep_calls(&resident->maps);
	if (resident->measurements && resident->loaded)
		measure_driver(resident);
}

static void run_until_signal(struct resident *resident)
{
	struct pollfd fds[] = {
		{ .fd = resident->signals, .events = POLLIN },
		{ .fd = resident->news, .events = POLLIN },
		{ .fd = resident->timer, .events = POLLIN },
	};

	for (;;) {
		if (poll(fds, 3, is_looking(resident) ? LOOK_MS : -1) < 0 &&
		    errno != EINTR)
			return;
		if (fds[0].revents)
			return;
		hear_news(resident);
		look_for_driver(resident);
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
	resident->news = news_open();
	if (resident->news < 0)
		return -errno;
	resident->timer = timerfd_create(CLOCK_REALTIME,
					 TFD_CLOEXEC | TFD_NONBLOCK);
	return resident->timer < 0 ? -errno : start_timer(resident);
}

static void close_descriptors(struct resident *resident)
{
	if (resident->signals >= 0)
		close(resident->signals);
	if (resident->news >= 0)
		close(resident->news);
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
	event_remove_others();
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
	resident->loaded = driver_is_loaded(&resident->driver);
	resident->module_came = true;
	resident->looks = LOOKS;
	err = open_first_hook(resident, why);
	if (err)
		return err;
	resident->maps.state->pass_unknown = resident->pass_unknown;
	publish_driver(resident);
	publish_epoch(resident);
	speech_look_up(resident->maps.state, resident->driver.module);
	resident->measurements = MEASUREMENTS;
	measure_driver(resident);
	err = take_over(resident, why);
	if (err || speech_is_translated(resident->dev))
		return err;
	return why_fail(why, -EIO, "attached, but what a container asks is not translated: another tool or a setting keeps the programs from running");
}

static void stop(struct resident *resident)
{
	if (resident->maps.state) {
		__atomic_store_n(&resident->maps.state->on, 0,
				 __ATOMIC_SEQ_CST);
		pins_drain(resident->maps.state);
	}
	hook_close(&resident->hook);
	hook_maps_close(&resident->maps);
	pins_clear();
}

int resident_run(bool pass_unknown, const char *dev, void (*ready)(void *arg),
		 void *arg, char why[WHY_SIZE])
{
	struct resident resident = {
		.pass_unknown = pass_unknown, .dev = dev,
		.signals = -1, .news = -1, .timer = -1,
	};
	int lock, err;

	lock = pins_lock();
	if (lock == -EBUSY)
		return why_fail(why, lock, "another mpu is already running engine bpf");
	if (lock < 0)
		return why_fail(why, lock, "cannot lock %s: %s", PINS_LOCK, strerror(-lock));
	hook_maps_init(&resident.maps);
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
