/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Engines, which get in front of the driver's calls: what the command asks of each, how it
 * is doing, and the same as JSON and as metrics.
 */
#ifndef MPU_ENGINES_ENGINES_H
#define MPU_ENGINES_ENGINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/counters.h"
#include "lib/why.h"

struct engine_status;
struct exposition;
struct json_object;

/* Names of all engines, for users; a build may lack bpf. */
#define ENGINE_NAMES	"module|bpf|notify"

#define ENGINES		3

/* Members of struct engine_options. */
enum engine_option {
	ENGINE_FILE = 1 << 0, ENGINE_UNKNOWN = 1 << 1,
};

/**
 * struct engine_options - how to start, in the user's words
 * @unknown:	"pass": a control of the table in another size goes to the driver; else, or
 *		NULL: it is refused
 */
struct engine_options {
	const char *file;	/* an mpu.ko of their own, or NULL */
	const char *unknown;
};

/**
 * struct engine - operations of one engine
 * @everywhere:	it is in front of every call of a container; else only of those
 *		started through it
 * @available:	could it be started here? If not, @why says why not, and
 *		@todo what to do about it
 * @leftovers:	is something of it there that is neither up nor clean: what a
 *		killed process has left, or one that is still starting? NULL: no
 * @up:		start it; @available has not just said no, unless the user gave a file
 * @replace_running:	replace what of it runs by what this program has, while containers are
 *		translated; NULL: what runs stays until it is stopped
 * @held:	would @down be refused because calls in flight do not end? NULL: it never is
 * @down:	stop it; returns when no call is in flight any more, or with -EBUSY, and leaves it
 *		as it was then; @force: never so, if it has @held. @waiting is called once a
 *		second until then
 * @status:	into a zeroed structure; see engine_status()
 *
 * @up, @replace_running and @down return 0 or a negative errno, with a sentence in @why.
 */
struct engine {
	const char *name;	/* a word of ENGINE_NAMES */
	unsigned int options;	/* set of enum engine_option: which of the options it understands */
	bool everywhere;
	bool (*available)(char why[WHY_SIZE], char todo[WHY_SIZE]);
	bool (*is_up)(void);
	bool (*leftovers)(void);
	int (*up)(const struct engine_options *options, char why[WHY_SIZE]);
	int (*replace_running)(const struct engine_options *options, char why[WHY_SIZE]);
	bool (*held)(char why[WHY_SIZE]);
	int (*down)(bool force, void (*waiting)(const char *what), char why[WHY_SIZE]);
	void (*status)(struct engine_status *status);
};

extern const struct engine engine_module;
extern const struct engine engine_bpf;
extern const struct engine engine_notify;

/* Best first; NULL ends them. */
extern const struct engine *const engines[ENGINES + 1];

/** module_is_foreign() - is another's module loaded that has our name, and may translate, too? */
bool module_is_foreign(void);

/** engine_find() - NULL if this build has none of that name */
const struct engine *engine_find(const char *name);

/** engine_current() - the one that is up, or NULL */
const struct engine *engine_current(void);

/** engine_leftovers() - is there more, or less, of it than should be? */
bool engine_leftovers(const struct engine *engine);

/* --- how an engine is doing --- */

/* The place where an engine reads the arguments of a call. */
enum engine_arguments {
	ENGINE_ARGUMENTS_UNKNOWN,
	ENGINE_ARGUMENTS_NONE,		/* nowhere: there is no driver */
	ENGINE_ARGUMENTS_DRIVER,	/* the driver's copy */
	ENGINE_ARGUMENTS_CALLER,	/* the caller's memory */
};

/* Disposition of a control of the table in a size that the table does not have. */
enum engine_odd_size {
	ENGINE_ODD_SIZE_UNKNOWN,
	ENGINE_ODD_SIZE_REFUSE,
	ENGINE_ODD_SIZE_PASS,
};

/* Names of these enums, as users write and read them; NULL: not known. */
extern const char *const engine_arguments_names[];
extern const char *const engine_odd_size_names[];

/** engine_name_index() - find a name of one of the two. Return: 0 if it is none */
unsigned int engine_name_index(const char *const names[], const char *name);

struct engine_control {
	char name[64];	/* "unknown": the engine cannot tell */
	uint32_t counted;	/* set of 1 << enum mpu_counter: what this engine counts */
	uint64_t count[MPU_COUNTERS];	/* calls and PIDs since the engine was started */
	unsigned int pid_space;	/* enum mpu_pid_space: whose PIDs the driver is taken to use */
	bool measured;	/* @pid_space was measured, not looked up */
};

/* Room for more than the table has: mpu.ko may be newer. Others are left out. */
#define ENGINE_CONTROLS	64

/**
 * struct engine_place - of an engine in front of the driver
 * @off:	why nothing is translated although it is up, a sentence; "": it is
 */
struct engine_place {
	char driver[64];	/* name of its module; "": none yet, the engine waits for it */
	char driver_version[64];
	char hook[32];		/* the kind of hook; "": not known */
	char off[WHY_SIZE];
	enum engine_arguments arguments;
	enum engine_odd_size odd_size;
	bool has_counters;	/* counters and @in_flight are shown to this process */
	uint64_t in_flight;
	bool has_daemon;	/* there is a daemon, and so the members below */
	pid_t daemon;		/* PID of that process, 0: it is gone */
	uint64_t missed;	/* calls whose answers were not translated */
	bool has_pid_space;	/* the engine goes by whose PIDs the driver uses */
};

/**
 * struct engine_container - a container that is supervised
 * @known_as:	its container engine's name for it, or NAMESPACE/POD/NAME; "": none, or not
 *		looked for
 */
struct engine_container {
	char name[80];		/* the id; "": not known */
	char known_as[768];
	uint64_t calls;		/* looked at, of all its listeners together */
	bool waiting;		/* no thread for its calls yet */
};

/** struct engine_agent - the agent of an engine that supervises containers */
struct engine_agent {
	pid_t pid;
	pid_t worker;		/* PID of its worker; 0: it has died, and is started again */
	bool worker_answers;	/* false: it hangs, and so may the calls of all containers */
	uint64_t restarts;	/* workers that have died */
	uint64_t cpu_percent;	/* share of one CPU for the calls of each container */
	uint64_t calls;		/* looked at, those of containers that have ended, too */
	uint64_t waiting;	/* containers that no thread could be started for */
	uint64_t abandoned;	/* calls refused because two workers had died of them */
	uint64_t refused;	/* containers and commands in one that are not supervised */
	size_t containers;
	struct engine_container *container;	/* the living; engine_status_free() frees it */
};

/** struct engine_status - whoever has it filled frees it: engine_status_free() */
struct engine_status {
	char version[64];	/* the version of the program that runs, "" if it does not say */
	char error[WHY_SIZE];	/* a sentence on a fault; "": none */
	bool answered;		/* false: it does not tell this user; what follows is empty then */
	bool supervises;	/* @agent is of it, else @place */
	struct engine_place place;
	struct engine_agent agent;
	unsigned int controls;
	struct engine_control control[ENGINE_CONTROLS];	/* list in the table's order, or by name */
};

/** engine_status() - engine_status_free() has to follow */
void engine_status(const struct engine *engine, struct engine_status *status);

void engine_status_free(struct engine_status *status);

/** engine_status_control() - one more control. Return: NULL: there is no room */
struct engine_control *engine_status_control(struct engine_status *status, const char *name);

/** engine_control_shows() - is this counter to be shown? @all: also if it is zero */
bool engine_control_shows(const struct engine_control *control, enum mpu_counter counter, bool all);

/** engine_status_add() - as members of a JSON object; @all: counters that are zero, too */
void engine_status_add(struct json_object *object, const struct engine_status *status, bool all);

/**
 * engine_status_parse() - fill it from what engine_status_add() has written about an
 * engine that supervises; what is missing is 0. Return: 0 or -ENOMEM.
 */
int engine_status_parse(struct engine_status *status, struct json_object *object);

/** engine_status_text() - say a JSON member in words. Return: false: there is nothing to say */
bool engine_status_text(const struct engine_status *status, const char *name, char text[WHY_SIZE]);

/** engine_add_metrics() - docs/metrics.md explains each; @engine: NULL: none is up */
void engine_add_metrics(struct exposition *exposition, const struct engine *engine,
			const struct engine_status *status);

/** engine_add_agent_metrics() - add what an agent says that is up, beside another engine too */
void engine_add_agent_metrics(struct exposition *exposition, const struct engine_status *status);

#endif /* MPU_ENGINES_ENGINES_H */
