// SPDX-License-Identifier: GPL-2.0-only
/*
 * The resident process: see resident.h.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <linux/netlink.h>

#include "lib/clock.h"
#include "lib/host.h"
#include "nvidia/calibrate.h"
#include "nvidia/infer.h"
#include "pins.h"
#include "resident.h"
#include "sweep.h"

/*
 * How often a driver is asked that could not be asked yet, and calls are looked
 * for that nobody makes any more, in seconds.
 */
#define CHORES_S	5
#define RETRIES		24

/* How often a module that has come is looked at: it takes a while to start. */
#define LOOKS		500
#define LOOK_TICKS	50
#define LOOK_MS		20

struct resident {
	unsigned int wish;
	bool pass_unknown;
	const char *dev;
	struct driver driver;
	bool met;		/* it is loaded, and known; else it was */
	bool came;		/* a module has, since it was */
	struct hook_maps maps;
	struct hook hook;
	unsigned int retries;
	unsigned int looks;
	int signals;
	int events;
	int timer;
};

__attribute__((format(printf, 2, 3)))
static void say(char why[RESIDENT_WHY], const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(why, RESIDENT_WHY, fmt, args);
	va_end(args);
}

static void spare(pid_t tgid, void *arg)
{
	struct resident *resident = arg;

	state_exempt(resident->maps.state, tgid, CALIBRATE_PATIENCE + 2);
	/* A predecessor's programs may be at work still. */
	pins_exempt(tgid, CALIBRATE_PATIENCE + 2);
}

static void tell_speech(struct resident *resident,
			const struct calibration *found)
{
	struct bpf_state *state = resident->maps.state;
	unsigned int i;

	for (i = 0; i < MPU_CONTROLS; i++) {
		state->speech[i] = found->control[i].speech;
		state->measured[i] = found->control[i].measured;
	}
}

/*
 * Whose numbers the driver speaks, by its version: at once. Before it has
 * started it does not say; until then the last one's word is the best guess.
 */
static void guess_speech(struct resident *resident)
{
	struct calibration found = { .seen.has_symbol = -1 };

	driver_read(&found.driver, resident->driver.module);
	if (infer_regime_by_version(&found.driver) == MPU_REGIMES)
		return;
	infer_speech(&found);
	tell_speech(resident, &found);
}

/* The same, measured as far as it can be. @retries: how often, if it cannot. */
static void learn_speech(struct resident *resident, unsigned int retries)
{
	struct calibration found;

	calibrate_run(&found, resident->dev, spare, resident);
	spare(0, resident);
	resident->retries = found.step == CALIBRATE_DONE ? 0 : retries;
	/* A driver that was not reached has said nothing. */
	if (found.step > CALIBRATE_DRIVER)
		tell_speech(resident, &found);
}

static const char *reason(const struct resident *resident)
{
	if (resident->wish != HOOK_AUTO)
		return "as --hook says";
	if (resident->hook.kind == BPF_TRACEPOINT)
		return "this kernel has no kprobe events; each ioctl of the host passes by, 32-bit callers are not seen, and calls are missed where the kernel preempts a program";
	return "the default: the driver can be unloaded at any time";
}

static void tell_state(struct resident *resident)
{
	struct bpf_state *state = resident->maps.state;

	state->branch = resident->driver.branch;
	memcpy(state->module, resident->driver.module, sizeof(state->module));
	memcpy(state->version, resident->driver.version,
	       sizeof(state->version));
	snprintf(state->why, sizeof(state->why), "%s", reason(resident));
	state->hook = resident->hook.kind;
}

static int open_hook(struct resident *resident)
{
	enum bpf_hook kind = resident->wish;

	if (resident->wish == HOOK_AUTO)
		kind = event_possible() ? BPF_KPROBE : BPF_TRACEPOINT;
	return hook_open(&resident->hook, kind, &resident->driver,
			 &resident->maps);
}

static void meet_driver(struct resident *resident, const struct driver *found)
{
	bool other = memcmp(found->entry, resident->driver.entry,
			    sizeof(found->entry)) ||
		     strcmp(found->module, resident->driver.module);
	struct hook old = resident->hook;

	resident->driver = *found;
	resident->met = true;
	/* The same functions of the same module: the kernel armed them. */
	if (other && old.kind == BPF_KPROBE) {
		if (open_hook(resident)) {
			resident->hook = old;
			return;
		}
		hook_pin(&resident->hook, PINS_FOLDER);
		hook_close(&old);
	}
	guess_speech(resident);
	tell_state(resident);
	learn_speech(resident, RETRIES);
}

/* The one we knew, or another one? Return: could it be the driver, and when? */
static bool may_be_driver(struct resident *resident)
{
	const struct driver *known = &resident->driver;

	/*
	 * Another one? Reading all symbols takes 50 ms: not at each look, and not
	 * before a module has come, for it may be the same again.
	 */
	if (!known->module[0] || !driver_is_there(known))
		return resident->came && resident->looks % LOOK_TICKS == 0;
	/* The same again: it may be used before all is known of it. */
	guess_speech(resident);
	return driver_is_loaded(known);
}

/* A module has come or gone: was it the driver? */
static void follow_driver(struct resident *resident, bool news)
{
	struct bpf_state *state = resident->maps.state;
	struct driver found;

	if (!driver_is_loaded(&resident->driver))
		resident->met = false;
	if (!resident->met) {
		state->module[0] = '\0';
		state->version[0] = '\0';
	}
	if (news)
		resident->looks = LOOKS;
	if (resident->met || !resident->looks)
		return;
	if (may_be_driver(resident)) {
		driver_find(&found);
		if (driver_is_loaded(&found))
			meet_driver(resident, &found);
	}
	resident->looks--;
}

/* One of the kernel's: "add@/module/nvidia" and so on. Is it about a module? */
static bool hear(struct resident *resident, const char *text)
{
	char gone[96];

	if (!strstr(text, "@/module/"))
		return false;
	snprintf(gone, sizeof(gone), "remove@/module/%s",
		 resident->driver.module);
	resident->came |= !strncmp(text, "add@", 4);
	/* It may be back before we look. */
	if (!strcmp(text, gone)) {
		resident->met = false;
		resident->came = false;
	}
	return true;
}

/*
 * More than the socket holds were lost, while we were busy: anything may have
 * happened.
 */
static bool hear_anything(struct resident *resident)
{
	resident->met = false;
	resident->came = true;
	return true;
}

static bool read_news(struct resident *resident)
{
	bool news = false;
	char text[4096];
	ssize_t n;

	for (;;) {
		n = recv(resident->events, text, sizeof(text) - 1, MSG_DONTWAIT);
		if (n < 0 && errno == ENOBUFS) {
			news |= hear_anything(resident);
			continue;
		}
		if (n <= 0)
			return news;
		text[n] = '\0';
		news |= hear(resident, text);
	}
}

static void tell_epoch(struct resident *resident)
{
	__atomic_store_n(&resident->maps.state->epoch, clock_epoch(),
			 __ATOMIC_RELAXED);
}

/* It ends when chores are due, and at once if somebody sets the clock. */
static int wind_timer(struct resident *resident)
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
	u64 ends;

	/* ECANCELED: the clock was set. Whatever it says, the timer starts again. */
	if (read(resident->timer, &ends, sizeof(ends)) < 0 && errno == EAGAIN)
		return;
	wind_timer(resident);
	tell_epoch(resident);
	sweep(&resident->maps);
	if (resident->retries && resident->met)
		learn_speech(resident, resident->retries - 1);
}

static bool is_looking(const struct resident *resident)
{
	return resident->looks && !resident->met;
}

/* Until a signal says that it is over. */
static void follow(struct resident *resident)
{
	struct pollfd fds[] = {
		{ .fd = resident->signals, .events = POLLIN },
		{ .fd = resident->events, .events = POLLIN },
		{ .fd = resident->timer, .events = POLLIN },
	};

	for (;;) {
		if (poll(fds, 3, is_looking(resident) ? LOOK_MS : -1) < 0 &&
		    errno != EINTR)
			return;
		if (fds[0].revents)
			return;
		follow_driver(resident, read_news(resident));
		if (fds[2].revents)
			do_chores(resident);
	}
}

static int open_ears(struct resident *resident)
{
	struct sockaddr_nl address = {
		.nl_family = AF_NETLINK, .nl_groups = 1,
	};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		return -errno;
	resident->signals = signalfd(-1, &set, SFD_CLOEXEC);
	resident->events = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC,
				  NETLINK_KOBJECT_UEVENT);
	resident->timer = timerfd_create(CLOCK_REALTIME,
					 TFD_CLOEXEC | TFD_NONBLOCK);
	if (resident->signals < 0 || resident->events < 0 ||
	    resident->timer < 0 ||
	    bind(resident->events, (struct sockaddr *)&address,
		 sizeof(address)))
		return -errno;
	return wind_timer(resident);
}

static void close_ears(struct resident *resident)
{
	if (resident->signals >= 0)
		close(resident->signals);
	if (resident->events >= 0)
		close(resident->events);
	if (resident->timer >= 0)
		close(resident->timer);
}

/*
 * What a container is told, for once through the programs: the kernel says that
 * they are attached also where they are never run.
 */
static int prove(const struct resident *resident, char why[RESIDENT_WHY])
{
	struct calibration found;

	if (calibrate_run(&found, resident->dev, NULL, NULL) ||
	    infer_is_translated(&found))
		return 0;
	say(why, "attached by %s, but what a container asks is not translated: another tool or a setting keeps the programs from running; try another --hook",
	    hook_names[resident->hook.kind]);
	return -EIO;
}

static int open_first(struct resident *resident, char why[RESIDENT_WHY])
{
	const char *off;
	int err = open_hook(resident);

	if (err) {
		say(why, "cannot attach by %s: %s%s%s; 'mpu doctor' says what this host allows",
		    hook_names[resident->hook.kind],
		    strerror(-err), *hook_error() ? ": " : "", hook_error());
		return err;
	}
	off = hook_off(resident->hook.kind);
	if (!off)
		return 0;
	say(why, "hook %s would never be met: %s",
	    hook_names[resident->hook.kind], off);
	return -EBUSY;
}

/*
 * Programs of a predecessor that died stay at work until ours can take over.
 * Nothing is turned before the last step; killed before, nothing is left but
 * definitions of probes that never fire.
 */
static int start(struct resident *resident, char why[RESIDENT_WHY])
{
	int err;

	driver_find(&resident->driver);
	resident->met = driver_is_loaded(&resident->driver);
	resident->came = true;
	resident->looks = LOOKS;
	if (resident->wish == BPF_FENTRY && !resident->driver.btf) {
		say(why, "hook fentry needs a loaded driver whose module has BTF: say --hook kprobe, or none");
		return -ENOENT;
	}
	err = open_first(resident, why);
	if (err)
		return err;
	resident->maps.state->pass_unknown = resident->pass_unknown;
	tell_state(resident);
	tell_epoch(resident);
	guess_speech(resident);
	learn_speech(resident, RETRIES);
	pins_clear();
	event_remove_others();
	err = pins_open();
	if (!err)
		err = pins_state(&resident->maps);
	if (err) {
		say(why, "cannot use %s: %s", PINS_FOLDER, strerror(-err));
		return err;
	}
	__atomic_store_n(&resident->maps.state->on, 1, __ATOMIC_SEQ_CST);
	hook_pin(&resident->hook, PINS_FOLDER);
	return prove(resident, why);
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

int resident_run(unsigned int hook, bool pass_unknown, const char *dev,
		 void (*ready)(void *arg), void *arg, char why[RESIDENT_WHY])
{
	struct resident resident = {
		.wish = hook, .pass_unknown = pass_unknown, .dev = dev,
		.signals = -1, .events = -1, .timer = -1,
	};
	int lock, err;

	lock = pins_lock();
	if (lock < 0) {
		say(why, "engine bpf cannot be its own only one: %s",
		    strerror(-lock));
		return lock;
	}
	hook_maps_init(&resident.maps);
	err = open_ears(&resident);
	if (err)
		say(why, "cannot listen to the kernel: %s", strerror(-err));
	else
		err = start(&resident, why);
	if (!err) {
		ready(arg);
		follow(&resident);
	}
	stop(&resident);
	close_ears(&resident);
	pins_unlock(lock);
	return err;
}
