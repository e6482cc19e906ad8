// SPDX-License-Identifier: GPL-2.0-only
/*
 * The resident process.
 *
 * It holds one hook or two. The first must not pin the driver's module, which
 * probes and tracepoints do not. fentry is cheaper and does: it is taken while
 * somebody else uses the driver, and given up as soon as nobody does, so that
 * the driver can be unloaded whenever it could be without us.
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
#include <unistd.h>

#include <linux/netlink.h>

#include "lib/clock.h"
#include "lib/host.h"
#include "nvidia/calibrate.h"
#include "nvidia/infer.h"
#include "pins.h"
#include "resident.h"
#include "sweep.h"

/* How often the driver's users are counted. */
#define TICK_MS		200

/* How long fentry is left alone once it was refused, in ticks. */
#define REFUSED_TICKS	150

/*
 * How often a driver is asked that could not be asked yet, and calls are looked
 * for that nobody makes any more, in ticks.
 */
#define RETRY_TICKS	25
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
	struct hook base;	/* holds no reference to the driver */
	struct hook fast;	/* fentry, while the driver is in use */
	const char *no_fast;	/* why that cannot be, or NULL */
	unsigned int pause;	/* in ticks, before it is tried again */
	int references;		/* to the driver's module, by @fast */
	unsigned int retries;
	unsigned int ticks;
	unsigned int looks;
	int signals;
	int events;
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

	state_spare(resident->maps.state, tgid, CALIBRATE_PATIENCE + 2);
	/* A predecessor's programs may be at work still. */
	pins_spare(tgid, CALIBRATE_PATIENCE + 2);
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

	identity_read(&found.driver, resident->driver.module);
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

static void tell_state(struct resident *resident, enum bpf_hook hook,
		       const char *why)
{
	struct bpf_state *state = resident->maps.state;

	state->branch = resident->driver.branch;
	memcpy(state->module, resident->driver.module, sizeof(state->module));
	memcpy(state->version, resident->driver.version,
	       sizeof(state->version));
	snprintf(state->why, sizeof(state->why), "%s", why);
	__atomic_store_n(&state->hook, hook, __ATOMIC_SEQ_CST);
}

/*
 * fentry and fexit run with preemption on. A task that is preempted in one
 * keeps it from running for others on that CPU (prog->active): their answers
 * would pass as they are. Probes run with it off.
 */
static const char *refuse_fast(void)
{
	return preempts() ? "this kernel preempts programs of fentry, and would skip them for others then" :
			    NULL;
}

static const char *base_reason(const struct resident *resident)
{
	if (resident->wish != HOOK_AUTO)
		return "as --hook says";
	if (resident->base.kind == BPF_TRACEPOINT)
		return preempts() ?
		       "this kernel has no kprobe events; each ioctl of the host passes by, 32-bit callers are not seen, and calls are missed when a program is preempted" :
		       "this kernel has no kprobe events; each ioctl of the host passes by, and 32-bit callers are not seen";
	if (resident->driver.btf)
		return resident->no_fast ? resident->no_fast :
		       "while nobody uses the driver: fentry would keep it from being unloaded";
	if (!resident->driver.module[0])
		return "no driver is loaded yet";
	return "the driver's module has no BTF, which fentry needs";
}

/* The hook that pins nothing; with --hook fentry the only one, and it does. */
static int open_base(struct resident *resident)
{
	enum bpf_hook kind = resident->wish;

	if (resident->wish == HOOK_AUTO)
		kind = event_possible() ? BPF_KPROBE : BPF_TRACEPOINT;
	return hook_open(&resident->base, kind, &resident->driver,
			 &resident->maps);
}

/*
 * From one hook to another, both attached. Whoever is between the two when that
 * is decided begins at either, and has a moment to do so. Calls that began at
 * the old one end there: wait for them.
 */
static void switch_hook(struct resident *resident, const struct hook *to,
			const char *why)
{
	const struct timespec moment = { .tv_nsec = 50 * 1000 * 1000 };

	__atomic_store_n(&resident->maps.state->hook, BPF_HOOKS,
			 __ATOMIC_SEQ_CST);
	nanosleep(&moment, NULL);
	tell_state(resident, to->kind, why);
	pins_drain(resident->maps.state, to->kind);
}

static void take_fast(struct resident *resident)
{
	if (hook_open(&resident->fast, BPF_FENTRY, &resident->driver,
		      &resident->maps)) {
		resident->no_fast = "the kernel refuses fentry on the driver";
		resident->pause = REFUSED_TICKS;
		tell_state(resident, resident->base.kind,
			   base_reason(resident));
		return;
	}
	hook_pin(&resident->fast, PINS_FOLDER);
	resident->references = hook_references(&resident->fast,
					       &resident->driver);
	switch_hook(resident, &resident->fast,
		    "the driver's module has BTF, and somebody uses it");
	hook_detach(&resident->base);
}

/* Return: negative errno if the driver would be left without a hook. */
static int leave_fast(struct resident *resident)
{
	int err = hook_attach(&resident->base, &resident->driver);

	if (err)
		return err;
	hook_pin(&resident->base, PINS_FOLDER);
	switch_hook(resident, &resident->base, base_reason(resident));
	hook_close(&resident->fast);
	return 0;
}

/* Somebody besides us: open files of the driver hold its module. */
static void follow_users(struct resident *resident)
{
	int users;

	if (resident->wish != HOOK_AUTO || !resident->met ||
	    !resident->driver.btf)
		return;
	/* Refused: perhaps the last one's trampoline was still being freed. */
	if (resident->pause && !--resident->pause)
		resident->no_fast = NULL;
	if (resident->no_fast)
		return;
	users = driver_references(&resident->driver);
	if (!resident->fast.skel && users > 0)
		take_fast(resident);
	else if (resident->fast.skel && users <= resident->references)
		leave_fast(resident);
}

static void meet_driver(struct resident *resident, const struct driver *found)
{
	bool other = memcmp(found->entry, resident->driver.entry,
			    sizeof(found->entry)) ||
		     strcmp(found->module, resident->driver.module);
	struct hook old = resident->base;

	resident->driver = *found;
	resident->met = true;
	resident->no_fast = refuse_fast();
	resident->pause = 0;
	/* The same functions of the same module: the kernel armed them. */
	if (other && old.kind == BPF_KPROBE) {
		if (open_base(resident)) {
			resident->base = old;
			return;
		}
		hook_pin(&resident->base, PINS_FOLDER);
		hook_close(&old);
	}
	guess_speech(resident);
	tell_state(resident, resident->base.kind, base_reason(resident));
	learn_speech(resident, RETRIES);
}

/* The one we knew, or another one? Return: could it be the driver, and when? */
static bool may_be_driver(struct resident *resident)
{
	const struct driver *known = &resident->driver;

	/*
	 * Another one? Reading all symbols takes 50 ms: not at each tick, and not
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

/* Somebody may have set the clock. */
static void tell_epoch(struct resident *resident)
{
	__atomic_store_n(&resident->maps.state->epoch, clock_epoch(),
			 __ATOMIC_RELAXED);
}

static void tick(struct resident *resident)
{
	tell_epoch(resident);
	follow_users(resident);
	if (++resident->ticks < RETRY_TICKS)
		return;
	resident->ticks = 0;
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
	};

	for (;;) {
		if (poll(fds, 2, is_looking(resident) ? LOOK_MS : TICK_MS) < 0 &&
		    errno != EINTR)
			return;
		if (fds[0].revents)
			return;
		follow_driver(resident, read_news(resident));
		tick(resident);
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
	if (resident->signals < 0 || resident->events < 0 ||
	    bind(resident->events, (struct sockaddr *)&address,
		 sizeof(address)))
		return -errno;
	return 0;
}

static void close_ears(struct resident *resident)
{
	if (resident->signals >= 0)
		close(resident->signals);
	if (resident->events >= 0)
		close(resident->events);
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
	    hook_names[resident->base.kind]);
	return -EIO;
}

static int open_first(struct resident *resident, char why[RESIDENT_WHY])
{
	const char *off;
	int err = open_base(resident);

	if (err) {
		say(why, "cannot attach by %s: %s%s%s; 'mpu doctor' says what this host allows",
		    hook_names[resident->wish == HOOK_AUTO ?
			       resident->base.kind : resident->wish],
		    strerror(-err), *hook_error() ? ": " : "", hook_error());
		return err;
	}
	off = hook_off(resident->base.kind);
	if (!off)
		return 0;
	say(why, "hook %s would never be met: %s",
	    hook_names[resident->base.kind], off);
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
	resident->no_fast = refuse_fast();
	if (resident->wish == BPF_FENTRY && !resident->driver.btf) {
		say(why, "hook fentry needs a loaded driver whose module has BTF: say --hook kprobe, or none");
		return -ENOENT;
	}
	err = open_first(resident, why);
	if (err)
		return err;
	resident->maps.state->pass_unknown = resident->pass_unknown;
	tell_state(resident, resident->base.kind, base_reason(resident));
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
	hook_pin(&resident->base, PINS_FOLDER);
	follow_users(resident);
	return prove(resident, why);
}

static void stop(struct resident *resident)
{
	if (resident->maps.state) {
		__atomic_store_n(&resident->maps.state->on, 0,
				 __ATOMIC_SEQ_CST);
		pins_drain(resident->maps.state, BPF_HOOKS);
	}
	hook_close(&resident->fast);
	hook_close(&resident->base);
	hook_maps_close(&resident->maps);
	pins_clear();
}

int resident_run(unsigned int hook, bool pass_unknown, const char *dev,
		 void (*ready)(void *arg), void *arg, char why[RESIDENT_WHY])
{
	struct resident resident = {
		.wish = hook, .pass_unknown = pass_unknown, .dev = dev,
		.signals = -1, .events = -1,
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
