/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types and functions that the files of engine notify share.
 */
#ifndef MPU_NOTIFY_INTERNAL_H
#define MPU_NOTIFY_INTERNAL_H

#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdnoreturn.h>
#include <sys/types.h>

#include "core/env.h"
#include "core/row.h"
#include "core/controls.h"
#include "core/counters.h"
#include "engines/notify/notify.h"

struct json_object;
struct json_tokener;

/* 6.9, not in headers of Linux 6.1: a pidfd of a thread, whose files may be its own. */
#ifndef PIDFD_THREAD
#define PIDFD_THREAD	O_EXCL
#endif

/* kernel.c */
int kernel_check(pid_t pid, char why[WHY_SIZE]);

/* --- state.c: memory that outlives a worker, shared with the monitor --- */

#define STATE_SLOTS	10240
#define STATE_NAME	80	/* a container's id has 64 characters */

/* Counted by control; one more for calls of which that cannot be told. */
#define NOTIFY_UNKNOWN	MPU_CONTROLS
#define NOTIFY_CONTROLS	(MPU_CONTROLS + 1)

/**
 * struct slot - one listener; up to and with @fd it never changes: see struct old_state
 * @request:	the call being handled, received right here: if its worker is
 *		killed, the next one finds it. All zero between two calls. The
 *		kernel's structure may grow, hence the room.
 * @count:	per control; written by the slot's worker alone
 */
struct slot {
	char name[STATE_NAME];	/* the container's id; empty: not known, or not yet */
	union {
		struct seccomp_notif request;
		u8 room[256];
	};
	_Atomic int fd;	/* the listener's number in the worker, below 0 if it is not there */
	_Atomic u32 tries;	/* workers that died of handling @request: see listener_thread.c */
	_Atomic bool waiting;	/* the worker could not start a thread for it, and tries again */
	_Atomic int offer;	/* the listener's number in the monitor */
	_Atomic u64 calls;
	_Atomic u64 abandoned;	/* calls that were refused because they had killed two workers */
	_Atomic u64 count[NOTIFY_CONTROLS][MPU_COUNTERS];
} __attribute__((__aligned__(4096)));

/* The first caller that an engine run by a user could not look at */
struct denied {
	_Atomic int error;	/* EACCES: nor at its memory; EPERM: another user's; 0: none */
	_Atomic bool told;
	char program[16];
};

/*
 * NEWS_LISTENER: the monitor has one for the worker; NEWS_REFUSED: the worker is to close it;
 * NEWS_ENDED: the worker is done with the slot, whatever the monitor had to say of it
 */
enum news { NEWS_NONE, NEWS_LISTENER, NEWS_REFUSED, NEWS_ENDED };

struct totals {
	_Atomic u64 calls;
	_Atomic u64 abandoned;
	_Atomic u64 count[NOTIFY_CONTROLS][MPU_COUNTERS];
};

/**
 * struct state - all of it; up to and with @worker_start it never changes, and the slots
 * are its end
 * @twin:	PID of the process that shares the agent's descriptors; 0: none
 * @question:	that the monitor asks for a sign of life; the worker copies it to @answer
 * @used:	which slots are in use; outside of them, so that a look at all of
 *		them takes no memory
 * @news:	of a slot: what monitor or worker has to tell the other, an enum news
 */
struct state {
	u32 version;		/* number of the layout: a newer program may find an older one's */
	_Atomic int worker;	/* PID of the worker; 0: none, it is about to be started again */
	_Atomic u64 worker_start;	/* when it started, as in /proc: a PID may be given again */
	_Atomic u64 restarts;	/* workers that have died, and had to be replaced */
	_Atomic int twin;
	_Atomic u64 twin_start;
	_Atomic u32 cpu_percent;
	_Atomic bool pass_unknown;
	_Atomic u64 refused;	/* listeners without a slot, or too many of one container */
	struct denied denied;
	struct totals gone;	/* sums of the slots that are free again */
	_Atomic u32 question, answer;
	_Atomic bool used[STATE_SLOTS];
	_Atomic u8 news[STATE_SLOTS];
	struct slot slot[STATE_SLOTS];
};

/* Memory that a program of another version left; @stride: bytes of one slot */
struct old_state {
	char *memory;
	size_t size, stride;
};

const char *notify_control_name(unsigned int control);
struct state *state_new(int *fd);
struct state *state_map(int fd);
int old_state_map(struct old_state *old, int fd);
const struct state *old_state_head(const struct old_state *old);
const struct slot *old_state_slot(const struct old_state *old, unsigned int index);
void slot_set_name(struct slot *slot, const char *name);
void slot_carry_over(struct slot *slot, const struct slot *old);
void totals_add(struct totals *totals, const struct slot *slot);
void slot_free(struct state *state, unsigned int index);
int state_tell_denied(struct state *state, const char *who);

/* --- pidns.c, caller.c: the issuer of a call --- */

/* tests/unit/engines/notify/call_test.c has functions of these names of its own. */

#define PIDNS_MEMOS	64
#define PIDNS_HINTS	256	/* a power of 2; a question has 200 numbers */

struct pidns_member {
	u32 local;
	u32 global;
};

/* An answer of the kernel's: samples name the same few processes many times. */
struct pidns_memo {
	u64 call;
	u32 global;
	u32 local;
};

/**
 * struct pidns - a PID namespace of callers
 * @hint:	pairs that held once, in any PID namespace; set once to zero
 * @member:	what /proc said of all its processes, NULL: not asked yet
 */
struct pidns {
	int fd;
	dev_t dev;			/* identity, with @ino */
	ino_t ino;
	u32 level;			/* numbers that its processes have, ours included */
	u64 call;			/* counts the calls */
	struct pidns_memo memo[PIDNS_MEMOS];	/* answers, good for @call only */
	struct pidns_member hint[PIDNS_HINTS];
	struct pidns_member *member;	/* of @call, as @members */
	size_t members;
};

int pidns_init(void);
void pidns_use_proc(bool use);
int pidns_open(struct pidns *ns, int dir, u32 level);
void pidns_next(struct pidns *ns);
void pidns_close(struct pidns *ns);
u32 pidns_local(struct pidns *ns, u32 global);
u32 pidns_global(struct pidns *ns, u32 local);
bool pidns_lived(struct pidns *ns, u32 local, u32 global, u64 when);

/**
 * struct caller - a thread that waits for an answer
 * @tid:	the thread whose folder in /proc, status and PID namespace are open, for its next
 *		call too: as long as it lives its number is no other's. 0: nobody's are
 */
struct caller {
	int listener;	/* way of the answer; set once by who handles its calls, as @denied */
	struct denied *denied;	/* or NULL */
	u32 tid;
	int dir, status;
	u64 id;		/* id of its call */
	int fd;		/* our descriptor of the file that the call is for */
	int memory, maps;	/* /proc/PID/mem and maps; -1: they may not be opened */
	uid_t euid;	/* the effective user, as our user namespace knows it */
	u64 caps;	/* effective capabilities, 0 if of another user namespace */
	struct pidns ns;	/* of @tid */
};

int caller_init(void);
int caller_read(u32 tid, u64 address, void *to, size_t size);
int caller_write(const struct caller *caller, u64 address, const void *from, size_t size);
int caller_open(struct caller *caller, const struct seccomp_notif *request);
void caller_close(struct caller *caller);
void caller_forget(struct caller *caller);
int caller_ioctl(struct caller *caller, unsigned int request, void *arg);
bool caller_waits(struct caller *caller);

/* --- call.c --- */

/* RMAPI_PARAM_COPY_MAX_PARAMS_SIZE: the largest array beside the params. */
#define CALL_ARRAY_MAX	(1u << 20)

/**
 * struct kept_answer - an answer that nobody was left to take
 *
 * Without WAIT_KILLABLE_RECV (runc before 1.5) a signal takes a thread out of
 * its call, to issue it again. If its signals come faster than the driver
 * answers, it would never get one: so the same question finds the answer, once
 * and within a second.
 *
 * @asked:	the block as the thread issued it, @question the params
 * @answer:	the block as the thread is to get it, @params the params
 */
struct kept_answer {
	u64 until;			/* when the answer is too old; 0: there is none */
	u32 tid;
	unsigned int request;
	u64 block;			/* address of the argument block */
	struct nv_control asked;
	struct nv_control answer;
	int ret;
	enum mpu_counter outcome;
	struct mpu_tally tally;
	u8 question[MPU_PARAMS_MAX];
	u8 params[MPU_PARAMS_MAX];
};

#define CALL_KEPT	8	/* answers, each of a thread: by its number */

#define CALL_PAGE	65536	/* the largest there is: of arm64 */

/* Copies of the caller's params and array, and answers kept; pages are taken when used. */
struct call_memory {
	u8 params[(MPU_PARAMS_MAX + CALL_PAGE - 1) / CALL_PAGE * CALL_PAGE];
	u8 array[CALL_ARRAY_MAX];
	struct kept_answer kept[CALL_KEPT];
};

/* The part of struct call_memory that is of no use between two calls. */
#define CALL_SCRATCH	offsetof(struct call_memory, kept)

/* madvise() would round up, into the answers that are kept. */
_Static_assert(CALL_SCRATCH % CALL_PAGE == 0, "whole pages are given back");

/** struct call_context - what the calls of one listener share: they come one by one */
struct call_context {
	struct slot *slot;	/* has the counters */
	struct call_memory *memory;
	struct caller *caller;
	size_t touched;		/* bytes of @memory in use since the owner released them */
	bool pass_unknown;	/* see struct monitor_options */
};

void call_handle(struct call_context *context, const struct seccomp_notif *request,
		 struct seccomp_notif_resp *response);

/* --- budget.c --- */

#define BUDGET_ADVANCE	1000000000ull	/* ns that may be taken at once */
#define BUDGET_ALL	25	/* per cent of all CPUs that all containers have together */
#define BUDGET_PERIOD	10000000ull	/* ns of a thread between two charges */

struct bucket {
	u64 charged;		/* when it was charged last, 0: never */
	u64 taken;		/* ns beyond its share */
};

/**
 * struct budget - of one container: each exec is one more listener, and all of their
 * threads have it together
 * @name:	of the container; empty: not known, and the budget is one thread's
 */
struct budget {
	struct budget *next;
	unsigned int users;
	const char *name;
	unsigned int percent;	/* share of one CPU; with 100 one thread never has to rest */
	struct bucket own, fair;	/* by @percent, and by a part of what is for all */
	u64 second;		/* when it was charged last */
};

struct budget *budget_join(const char *name, unsigned int percent);
void budget_leave(struct budget *budget);
void budget_limit_all(unsigned int percent);
u64 budget_charge(struct budget *budget, u64 now, u64 used);

/* --- listener_thread.c --- */

/**
 * struct listener_thread - a thread for the calls of one listener
 * @charged, @cpu: when the thread last charged @budget, and the CPU time it had used then
 */
struct listener_thread {
	struct listener_thread *next;
	struct call_context context;
	struct caller caller;
	int fd;		/* the listener, in the worker's table; closed by listener_thread_end() */
	u32 index;	/* index of its slot */
	pthread_t id;
	u32 last;	/* thread that made the last call */
	u32 in_row;	/* calls of @last with none of another thread in between */
	struct budget *budget;
	u64 charged, cpu;
	bool sync;	/* the kernel is to wake the thread on the caller's CPU, and back */
	_Atomic bool over;	/* it is to end: nobody is left under the filter, or it is refused */
	_Atomic bool ended;
};

bool listener_thread_is_over(int fd);
int listener_thread_init(void);
struct listener_thread *listener_thread_start(struct state *state, u32 index, int fd);
void listener_thread_wake(struct listener_thread *thread);
void listener_thread_end(struct listener_thread *thread);

/* --- monitor.c, worker.c: a process that serves, and one that replaces it --- */

/**
 * struct monitor - what the monitor holds
 *
 * Monitor and worker tell each other by words in the state, and wake each other by two
 * eventfds: neither ever waits for the other to listen.
 *
 * @fd:		the listeners, by slot; -1: none. Private: a worker that is
 *		forked has just these, and takes the later ones from here
 * @worker:	of which this need not be the parent; if there is none (0), one is to be
 *		started at @start_ms
 * @pidfd:	of @worker, or -1; in a worker, of the monitor
 * @wake:	readable when the worker has something to tell; @wake_worker: the monitor
 * @work:	what a worker does, in a process that has just been forked, until
 *		there is nothing left to do: worker_run()
 * @changed:	called with the index of a slot that has got a listener, before its
 *		worker hears of it, or has none any more; or NULL
 * @died:	called when @worker has died, or none could be started (0); or NULL
 */
struct monitor {
	struct state *state;
	int state_fd;	/* descriptor of @state */
	int fd[STATE_SLOTS];
	pid_t worker;
	int pidfd, wake, wake_worker;
	u64 start_ms;	/* when the worker was started, or is to be */
	unsigned int delay_ms;	/* pause before the next worker, if this one dies at once */
	void (*work)(const struct monitor *monitor);
	void (*changed)(unsigned int index);
	void (*died)(const struct monitor *monitor, pid_t worker, const char *why);
};

/* The number of descriptors of its own that a monitor polls. */
#define MONITOR_POLLS	2

void monitor_init(struct monitor *monitor, void (*work)(const struct monitor *monitor));
int monitor_start(struct monitor *monitor, const struct monitor_options *options);
int monitor_add(struct monitor *monitor, int fd);
void monitor_refuse(struct monitor *monitor, u32 index);
bool monitor_wait(struct monitor *monitor, struct pollfd *polls, nfds_t n, int ms);
bool monitor_ask(struct monitor *monitor, int ms);
unsigned int monitor_listeners(const struct monitor *monitor);
int monitor_leave(struct monitor *monitor);
void monitor_stop(struct monitor *monitor);

noreturn void worker_run(const struct monitor *monitor);

/* --- agent_client.c, agent_message.c, agent_handover.c: parts of the agent --- */

/*
 * The maximum size of a message: JSON, as an OCI runtime sends it
 * (containerProcessState, with all of the container's annotations), or the question {
 * "mpu": "status" }. The answer may be longer: it names all slots.
 */
#define AGENT_MESSAGE	(4 * 1024 * 1024)

#define CLIENT_FDS	8	/* descriptors of a message; runtimes send one or two */

/**
 * struct client - one connection: one message, up to the end or to where JSON
 * is complete, and perhaps an answer
 * @until_ms:	when the agent closes it: ten seconds after it began, or some seconds
 *		after the answer was ready
 * @fd:		descriptors that came with the message, closed with the connection
 * @slot:	where the listener that came with the message is handled; negative errno:
 *		it cannot be; -ENOENT: none has come
 */
struct client {
	int sock;			/* -1: none */
	pid_t peer;			/* PID of who connected */
	uint64_t until_ms;
	struct json_tokener *parser;	/* has all of the message so far, @length bytes */
	size_t length;
	int fd[2 * CLIENT_FDS];
	size_t fds;
	bool waits;			/* for the agent to have room for its descriptors */
	int slot;			/* -ENOENT: no listener has come, -ESRCH: its processes ended */
	char *answer;			/* NULL: the message is not complete */
	size_t sent;			/* bytes of @answer that the client has taken */
};

int agent_ask(const char *path, struct json_object **answer, pid_t *pid);
void client_open(struct client *client, int sock);
short client_events(const struct client *client);
struct json_object *client_read(struct client *client, void (*got_fds)(struct client *),
				const char **why);
void client_answer(struct client *client, const char *text);
void client_write(struct client *client);
bool client_is_late(const struct client *client);
void client_close(struct client *client);

struct json_object *agent_describe(const struct state *state, bool answers);
const char *agent_container(struct json_object *message);

u64 handover_start(pid_t pid);
int handover_kill(pid_t pid, u64 start);
int handover_write_note(const struct monitor *monitor, int sock);
void handover_remove_note(int sock);
int handover_adopt(struct monitor *monitor, int sock, pid_t *worker);
int handover_start_twin(struct state *state, int sock, void (*take)(int sock));

/* --- container.c: the container of mpu run, from inside --- */

/**
 * struct container_report - what the first process tells the launcher: first that
 * the container is set up, with the listener, or why it is not; then that the
 * command has been stopped, and how it has ended
 */
struct container_report {
	int error;	/* 0 or errno */
	char step[128];	/* a step that could not be done */
	int status;	/* the result of waitpid() */
};

bool container_comes_from_terminal(int sig, int code);
void container_find_included(const char *pattern);
noreturn void container_run(int sock, char **words, const sigset_t *mask);

/* seccomp_rule.c */

/* A condition on the request of an ioctl: its bits in @mask are @value. */
struct profile_match {
	u64 mask;
	u64 value;
};

/* The driver's requests, of which the filter notifies, and all but them. */
#define DRIVER_REQUESTS	2
#define OTHER_REQUESTS	22	/* bits of FILTER_MASK */
extern const struct profile_match driver_requests[DRIVER_REQUESTS];

/**
 * struct profile_rule - an entry of linux.seccomp.syscalls, as far as it is about ioctl
 * @error:	errnoRet, which tells two rules apart whose action takes it
 * @request:	which of @args is about the request; behind the last: none
 * @match:	that condition; mask 0: every request
 * @cannot_narrow: it has two conditions on one argument, of which a runtime makes two
 *		rules, or one on the request that is not about equality
 */
struct profile_rule {
	struct json_object *entry;
	const char *action;		/* "SCMP_ACT_..." */
	bool names_ioctl;
	bool names_other;		/* names others than ioctl */
	u64 error;
	struct json_object *args;	/* conditions on arguments; NULL: none */
	size_t request;
	struct profile_match match;
	bool cannot_narrow;
};

void profile_match_others(struct profile_match others[OTHER_REQUESTS]);
bool profile_match_overlaps(const struct profile_match *a, const struct profile_match *b);
bool profile_action_allows(const char *action);
bool profile_action_notifies(const char *action);
bool profile_action_is_same(const char *action, const char *other);
bool profile_action_has_number(const char *action);
int profile_error_number(struct json_object *object, const char *where, const char *name,
			 u64 *number, char why[WHY_SIZE]);
int profile_rule_read(struct json_object *entry, size_t index, struct profile_rule *rule,
		      char why[WHY_SIZE]);
struct json_object *profile_rule_narrow(const struct profile_rule *like,
					const struct profile_match *match, bool notify);
struct json_object *profile_rule_without_ioctl(const struct profile_rule *rule);

#endif /* MPU_NOTIFY_INTERNAL_H */
