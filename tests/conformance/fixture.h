/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The fixture of a case: processes in PID namespaces, and the truth about them.
 *
 * An actor is a forked copy of this program that carries out functions on
 * request. Since it shares the program's text, a request is a function and a
 * block of memory. What a namespace may see is read from the host's /proc.
 */
#ifndef MPU_TESTS_CONFORMANCE_FIXTURE_H
#define MPU_TESTS_CONFORMANCE_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "core/env.h"

#define ACTORS		64
#define ACTOR_MEMORY	0x30000	/* the largest argument of a request */

/* The place of a new actor, relative to the one that forks it. */
enum actor_place {
	SAME_NAMESPACE,
	NEW_CONTAINER,		/* PID and mount namespace, own /proc */
	NEW_ROOTLESS,		/* the same in a user namespace */
	NEW_MOUNTS,		/* a container that shares the host's PIDs */
};

#define LINEAGE		33	/* MAX_PID_NS_LEVEL and the initial one */

/* A process in the PID namespaces that see it: its own first, the initial last. */
struct lineage {
	unsigned int levels;
	u32 number[LINEAGE];
	ino_t space[LINEAGE];	/* inode of the namespace */
};

struct actor {
	unsigned int slot;
	pid_t pid;		/* in the initial namespace */
	struct lineage line;
	u32 mib;		/* GPU memory it took: no two actors the same */
	struct actor *parent;
};

typedef int (*actor_fn)(void *arg);

/** fixture_open() - no actors yet, but one: the program itself, on the host */
void fixture_open(void);

/** fixture_close() - kill every actor and wait until it is gone */
void fixture_close(void);

/**
 * fixture_size() - how many actors there are, fixture_actor() - one of them
 *
 * Actor 0 is the host's; those that died keep their place with pid 0.
 */
unsigned int fixture_size(void);
struct actor *fixture_actor(unsigned int i);

/** fixture_sets_tid() - can a new process be given its numbers (clone3() since Linux 5.5)? */
bool fixture_sets_tid(void);

/**
 * actor_new() - fork an actor
 * @parent:	who forks, NULL: the program itself
 * @number:	its number in the namespace it lives in and in those above,
 *		innermost first, as clone3's set_tid; NULL: any
 * @numbers:	how many of them
 *
 * Return: NULL if @parent could not fork; the case is failed.
 */
struct actor *actor_new(struct actor *parent, enum actor_place place,
			const pid_t *number, size_t numbers);

/** actor_join() - fork an actor on the host into @other's PID namespace */
struct actor *actor_join(struct actor *other);

/**
 * actor_do() - have an actor call @fn on a copy of @arg, which comes back
 *
 * Return: what @fn returned, -ETIMEDOUT after 300 s or if the actor died.
 */
int actor_do(struct actor *actor, actor_fn fn, void *arg, size_t size);

/* actor_do() in two steps, for what happens meanwhile. */
void actor_begin(struct actor *actor, actor_fn fn, void *arg, size_t size);
bool actor_busy(struct actor *actor);
int actor_end(struct actor *actor, void *arg, size_t size);

/* The actor's main thread ends, another one serves actor_do() from now. */
int actor_leave_main_thread(void *unused);

/** actor_kill() - SIGKILL, and wait until the process is gone */
void actor_kill(struct actor *actor);

/**
 * truth_local() - the number under which @seer sees a process
 * @number:	of a process or one of its threads, in the initial namespace
 *
 * From NStgid and the namespace links in /proc of the initial namespace.
 * Return: the number of the process in @seer's namespace, 0 if it cannot see
 * it or there is no such process.
 */
u32 truth_local(const struct actor *seer, u32 number);

/** truth_on_host() - is the actor in the initial namespace? */
bool truth_on_host(const struct actor *actor);

#endif /* MPU_TESTS_CONFORMANCE_FIXTURE_H */
