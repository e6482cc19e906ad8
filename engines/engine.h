/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An engine: what gets in front of the driver's calls.
 */
#ifndef MPU_ENGINES_ENGINE_H
#define MPU_ENGINES_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/why.h"

struct engine_status;

/* Names of all engines, for users; a build may lack bpf. */
#define ENGINE_NAMES	"module|bpf|notify"

/* The maximum number of engines in a build. */
#define ENGINES		3

/**
 * enum engine_fit - could an engine be started here?
 * @ENGINE_UNUSABLE: no
 * @ENGINE_USABLE: yes
 * @ENGINE_IF_NAMED: yes, but a user has to want this one: there is something against it
 */
enum engine_fit { ENGINE_UNUSABLE, ENGINE_USABLE, ENGINE_IF_NAMED };

/* Members of struct engine_options. */
enum engine_option {
	ENGINE_FILE = 1 << 0, ENGINE_UNKNOWN = 1 << 1,
};

/**
 * struct engine_options - what the user said about how to start
 * @file:	an mpu.ko of their own, or NULL
 * @unknown:	"pass": a control of the table with a size that it does not have
 *		goes to the driver; else it is refused; or NULL: refused
 */
struct engine_options {
	const char *file;
	const char *unknown;
};

/**
 * struct engine - operations of one engine
 * @name:	one of ENGINE_NAMES
 * @options:	set of enum engine_option: which of the options it understands
 * @everywhere:	it is in front of every call of a container; else only of those
 *		started through it
 * @available:	could it be started here? If it is not usable, @why says why not, and
 *		@todo what to do about it
 * @is_up:	does it translate, or wait for a driver, right now?
 * @leftovers:	is something of it there that is neither up nor clean: what a
 *		killed process has left, or one that is still starting? NULL: no
 * @up:		start it; @available has not just said no, unless the user gave a file
 * @replace_running:	replace what of it runs by what this program has, while containers are
 *		translated; NULL: what runs stays until it is stopped
 * @down:	stop it; returns when no call is in flight any more. @waiting is
 *		called once a second until then
 * @status:	how is it doing? Into a zeroed structure; see engine_status()
 *
 * @up, @replace_running and @down return 0 or a negative errno, with a sentence in @why.
 */
struct engine {
	const char *name;
	unsigned int options;
	bool everywhere;
	enum engine_fit (*available)(char why[WHY_SIZE], char todo[WHY_SIZE]);
	bool (*is_up)(void);
	bool (*leftovers)(void);
	int (*up)(const struct engine_options *options, char why[WHY_SIZE]);
	int (*replace_running)(const struct engine_options *options, char why[WHY_SIZE]);
	int (*down)(void (*waiting)(const char *what), char why[WHY_SIZE]);
	void (*status)(struct engine_status *status);
};

extern const struct engine engine_module;
extern const struct engine engine_bpf;
extern const struct engine engine_notify;

/* The engines of this build, best first; NULL ends them. */
extern const struct engine *const engines[ENGINES + 1];

/** engine_find() - NULL if this build has none of that name */
const struct engine *engine_find(const char *name);

/** engine_current() - the one that is up, or NULL */
const struct engine *engine_current(void);

/** engine_leftovers() - is there more, or less, of it than should be? */
bool engine_leftovers(const struct engine *engine);

#endif /* MPU_ENGINES_ENGINE_H */
