/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The set-up for tests of agent and worker: mpu agent under a manager like systemd,
 * whose descriptor store it uses, and containers that call. All in a mount namespace of
 * its own, where /run is empty.
 */
#ifndef MPU_TESTS_NOTIFY_HARNESS_H
#define MPU_TESTS_NOTIFY_HARNESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "engines/notify/internal.h"

#define CONTAINERS	4
#define HANGS_MS	120000	/* no host is that busy */
#define KEPT		64
#define FOLDER		"/run/mpu"	/* the path where mpu looks for its agent */
#define AGENT_LOG	FOLDER "/log"
#define INHERITED	150	/* a descriptor of its log that it is given */

/* The manager's store; fd 0: nothing. */
struct kept {
	int fd;
	char name[32];
};

extern struct kept kept[KEPT];
extern struct state *state;		/* the agent's */
extern pid_t agent;
extern const char *mpu, *caller;	/* paths */
extern pid_t containers[CONTAINERS];	/* 0: has been waited for */
extern bool case_failed;
extern unsigned int watchdogs;		/* signs of life to the manager */

/*
 * STAGE("worker killed") { ... } is a case; those of a file run in its order. The program is
 * called with the paths of mpu and of tests/notify/caller, and the words of the cases' names.
 */
#define STAGE(name)		STAGE_(__COUNTER__, name)
#define STAGE_(n, name)		STAGE_OF(n, name)
#define STAGE_OF(n, name) \
	static void stage_##n(void); \
	static void __attribute__((constructor)) stage_add_##n(void) \
	{ \
		static struct stage_case row = { name, stage_##n, n, NULL }; \
		stage_add(&row); \
	} \
	static void stage_##n(void)

struct stage_case {
	const char *name;
	void (*run)(void);
	int place;
	struct stage_case *next;
};

void stage_add(struct stage_case *stage);

/** stage_is_empty() - nothing of the cases before is left; the last case of each program */
void stage_is_empty(void);

/** fail() - say why the case has failed */
void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** die() - the test cannot go on */
void die(const char *what);

/** nap() - as a manager does, which always listens */
void nap(unsigned int ms);

/** listen_to_agent() - take what it has said to its manager so far */
void listen_to_agent(void);

/** within_reason() - does @is_so become true? */
bool within_reason(bool (*is_so)(void));

void start_agent(void);
void end_agent(int signal);
void restart_agent(int signal);

/** worker_is_stopped() - all threads: a call in hand is then one for sure */
bool worker_is_stopped(void);

/** worker_is_dead() - and nobody has waited for it yet */
bool worker_is_dead(void);

/** forget_all() - what a manager keeps, as if the agent were stopped for good */
void forget_all(void);

/** connect_agent() - as a client of its */
int connect_agent(void);

/** ask_agent() - its status, up to @size; false: no answer in a long time */
bool ask_agent(char *answer, size_t size);

/** log_lines() - of the agent's log, those that hold @text */
unsigned int log_lines(const char *text);

/**
 * start_container() - one that calls
 * @seconds:	how long
 * @annotation:	bytes of an annotation in what its runtime says of it
 *
 * Return: its PID outside, exit status as of tests/notify/caller.c.
 */
pid_t start_container(const char *seconds, size_t annotation);

/**
 * start_many() - so many containers, some at once, which call and end
 * @started:	called after each
 *
 * Return: how many did not end as they should: a call of theirs has failed.
 */
int start_many(int starts, void (*started)(int so_far));

/** slots_used() - listeners in the agent's state */
int slots_used(void);

/** none_is_served() - there are none */
bool none_is_served(void);

/** start_containers() - all of them and no others, up to where they call */
void start_containers(void);

/** end_container() - have one of them end. Return: its status */
int end_container(pid_t pid);

/** end_containers() - have them end: none may have failed */
void end_containers(void);

/** end_containers_that() - the same; @foreign: a stranger may be named */
void end_containers_that(bool foreign);

#endif /* MPU_TESTS_NOTIFY_HARNESS_H */
