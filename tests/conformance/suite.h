/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The conformance suite for its own files: how a case says its result, the machine, the
 * engines, the actors and what they ask. storm.h and conformance32.h are for two programs.
 */
#ifndef MPU_TESTS_CONFORMANCE_SUITE_H
#define MPU_TESTS_CONFORMANCE_SUITE_H

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/controls.h"
#include "core/env.h"
#include "core/nvrm.h"
#include "core/regimes.h"
#include "core/row.h"
#include "nvidia/nvidia.h"

/* --- report.c: a case passes, unless it says otherwise; its first reason is printed --- */

/*
 * check() fails the case, once, and leaves the function it stands in. A case
 * goes on after a helper has failed only if it asks for that.
 */
#define check(cond, ...) \
	do { \
		if (!(cond)) { \
			case_fail(__VA_ARGS__); \
			return; \
		} \
	} while (0)

/* Checks like check(), for helpers, and returns @ret. */
#define check_or(ret, cond, ...) \
	do { \
		if (!(cond)) { \
			case_fail(__VA_ARGS__); \
			return ret; \
		} \
	} while (0)

void case_fail(const char *format, ...) __attribute__((__format__(printf, 1, 2)));
void case_skip(const char *format, ...) __attribute__((__format__(printf, 1, 2)));
bool case_failed(void);
void case_begin(void);
void case_must_fail(void);
void case_end(const char *name, unsigned int ms);
bool report_total(void);

/* --- options.c --- */

/* The command line: paths, parameters and names as suite.c explains them. */
extern struct options {
	const char *driver, *driver_options;	/* nvsim.ko */
	enum mpu_regime regime;			/* of the driver */
	const char *engine;			/* module, notify, bpf or none */
	const char *engine_file, *engine_options;
	const char *reference;	/* mpu.ko for cases_differential.c, or NULL: they are skipped */
	unsigned int loops;	/* how often cases_engine.c starts and stops the engine */
	const char *only;	/* texts split by commas, of which names have one; NULL: all */
	bool tell;		/* print what the driver says in cases_oracle.c */
	bool list;		/* print the names of the cases, and do no more */
} options;

bool options_read(int argc, char **argv);

/* --- cases_*.c: the cases, by name; suite.c runs each in a fixture of its own --- */

/*
 * Regimes in which the driver alone passes a case, a bit each; the proprietary flavour
 * counts as R0.
 */
#define IN(regime)	(1u << (regime))
#define FROM(regime)	(IN(MPU_REGIMES) - IN(regime))
#define R0_UP	FROM(MPU_R0)
#define R1_UP	FROM(MPU_R1)
#define R2_UP	FROM(MPU_R2)
#define R4_UP	FROM(MPU_R4)
#define R3_EARLY	IN(MPU_R3_EARLY)
#define NEVER	0u
#define MAYBE	IN(MPU_REGIMES)	/* depends on luck or version: not judged */

struct scenario;

/*
 * A case says how it ended by report.c:
 *
 *	IN_SMALL("edges: absurd counts", NEVER, 0) { ... }
 *
 * @native: where it passes without an engine: elsewhere it must fail then, or it proves nothing.
 * @engines: for these only (ON_MODULE | ...); 0: for all, and for none. In a small or whole
 * scenario it is called with that, @s, once it has been opened. Cases of one group, the word in
 * front of the colon, stand in one file.
 */
#define ALONE(...)	CASE(__COUNTER__, alone, void, __VA_ARGS__)
#define IN_SMALL(...)	CASE(__COUNTER__, in_small, struct scenario *s, __VA_ARGS__)
#define IN_WHOLE(...)	CASE(__COUNTER__, in_whole, struct scenario *s, __VA_ARGS__)
#define CASE(n, kind, parameter, ...)	CASE_(n, kind, parameter, __VA_ARGS__)
#define CASE_(n, kind, parameter, name, native, engines) \
	static void case_##n(parameter); \
	static void __attribute__((constructor)) case_add_##n(void) \
	{ \
		static struct test_case row = { name, { .kind = case_##n }, native, engines, n, NULL }; \
		case_add(&row); \
	} \
	static void case_##n(parameter)

struct test_case {
	const char *name;	/* as it is shown */
	struct {
		void (*alone)(void);
		void (*in_small)(struct scenario *s);
		void (*in_whole)(struct scenario *s);
	} run;			/* one of them */
	unsigned int native, engines;
	unsigned int place;	/* in its file */
	struct test_case *next;
};

void case_add(struct test_case *c);

/* --- host.c: the machine; numbers returned are 0 or negative errno --- */

#define LARGEST_PAGE	65536u	/* the most that host_page_size() is */

int host_load_module(const char *path, const char *params);
int host_unload_module(const char *name);
const char *driver_name(void);	/* module name of the driver that the command line named */
bool driver_is_real(void);	/* NVIDIA's own */
const char *host_read_text(const char *path);	/* 4095 bytes of a file; "": it cannot be read */
void host_make_nodes(void);			/* /dev/nvidia*, as nvidia-modprobe makes them */
unsigned int host_page_size(void);
int host_set_next_pid(pid_t pid);		/* of the initial namespace */
int host_raise_pid_max(void);			/* as high as it goes */

/* --- engine.c, agent.c: how each engine is started and stopped, and what it says --- */

/* Engines by bit, as cases and limits name them. */
#define ON_MODULE	1u
#define ON_NOTIFY	2u
#define ON_BPF		4u
#define ON_ANY		(ON_MODULE | ON_NOTIFY | ON_BPF)

bool engine_choose(const char *name);		/* as --engine has it, "none" included */
bool engine_on(unsigned int engines);		/* is it one of these (ON_MODULE | ...)? */
int engine_start(void);				/* 0 or negative errno, as the next two */
int engine_stop(void);
int engine_start_passing(void);			/* with --unknown pass */

/* Returns why the engine cannot pass a case on this driver and kernel; NULL: it must. */
const char *engine_limit(const struct test_case *c);

/* The status that mpu.ko and engine bpf state of themselves. */
const char *engine_driver(void);	/* module name of the driver it is attached to, or "none" */
long engine_calls(void);		/* in flight */
long engine_missed(void);
void engine_look(void);
long engine_counter(u32 row, const char *name);	/* at the last engine_look() */

int agent_start(const char *mpu, const char *unknown);	/* 0 or negative errno, once it listens */
int agent_stop(void);			/* 0, or -EIO: it did not end well */
void agent_supervise(void);		/* this process, if there is an agent and no filter yet */

/* --- entry_path.c: ways of one and the same ioctl to the driver --- */

enum entry_path {
	ENTRY_PLAIN,
	ENTRY_BITS,		/* other type and direction bits */
	ENTRY_HALVES,		/* address that a 32-bit argument has no room for */
	ENTRY_XFER,		/* wrapped in NV_ESC_XFER */
	ENTRY_COMPAT,		/* call of a 32-bit program */
	ENTRY_COMPAT_XFER,
	ENTRY_PATHS,
};

/* Called by rm_open(): the client's calls go the way that was taken last. */
extern const struct rm_ops way_ops;

void entry_path_take(enum entry_path path);	/* from now on, until it is ENTRY_PLAIN again */

/*
 * Tells, called by actor_do(), whether this kernel has a way (u32, enum entry_path): 0; -ENOSYS:
 * it runs no 32-bit programs; any other errno: it could not be found out.
 */
int entry_path_works(void *path);

/* Returns memory for what a call by this way points at, and what that points at; or NULL. */
void *entry_path_alloc(enum entry_path path, u32 size);
void entry_path_free(enum entry_path path, void *memory);

/* --- guard.c: memory between guard bytes, which show that somebody wrote beside it --- */

struct guarded {
	u8 *at;		/* @size bytes to be used */
	u32 size;
	enum entry_path path;
	void *memory;
};

/* Makes such memory, @skew bytes from an aligned address; false: there is no more. */
bool guarded_alloc(struct guarded *g, enum entry_path path, u32 size, u32 skew);
bool guarded_holds(const struct guarded *g);
void guarded_free(struct guarded *g);

/* --- compat.c: system calls as a 32-bit program makes them ---
 *
 * On x86-64 a 64-bit program can make them, too, by int 0x80; on arm64 a 32-bit program
 * does it for us (conformance32.c).
 */

/* i386 and arm have the same numbers. */
#define COMPAT_GETPID	20
#define COMPAT_IOCTL	54

/*
 * Returns memory below 4 GiB for all that such a call points at, or NULL. It holds zeros or
 * what the last call left there, and lasts until compat_free() has been called as often.
 * Children made meanwhile share it.
 */
void *compat_alloc(u32 size);
void compat_free(void);

/*
 * Makes a call; @low is from compat_alloc(), or NULL. On x86-64 it is a fault where the kernel
 * runs no 32-bit programs. Returns what the kernel returns; negative errno if nobody could
 * make the call.
 */
long compat_call(u32 nr, int fd, u32 request, void *low);

/* --- fixture.c: processes in PID namespaces, and the truth about them ---
 *
 * An actor is a forked copy of this program that carries out functions on
 * request. Since it shares the program's text, a request is a function and a
 * block of memory. What a namespace may see is read from the host's /proc.
 */

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

void fixture_open(void);	/* no actors yet, but one: the program itself, on the host */
void fixture_close(void);	/* kills every actor, and waits until it is gone */

/* Actor 0 is the host's; those that died keep their place with pid 0. */
unsigned int fixture_size(void);
struct actor *fixture_actor(unsigned int i);
#define for_each_actor(x) \
	for (struct actor *x = fixture_actor(1); x < fixture_actor(fixture_size()); x++)

/* Can a new process be given its numbers (clone3() since Linux 5.5)? */
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

/* Forks an actor on the host into @other's PID namespace. */
struct actor *actor_join(struct actor *other);

/*
 * Has an actor call @fn on a copy of @arg, which comes back. Returns what @fn returned,
 * -ETIMEDOUT after 300 s or if the actor died.
 */
int actor_do(struct actor *actor, actor_fn fn, void *arg, size_t size);

/* actor_do() in two steps, for what happens meanwhile. */
void actor_begin(struct actor *actor, actor_fn fn, void *arg, size_t size);
bool actor_busy(struct actor *actor);
int actor_end(struct actor *actor, void *arg, size_t size);

/* The actor's main thread ends, another one serves actor_do() from now. */
int actor_leave_main_thread(void *unused);

void actor_kill(struct actor *actor);	/* and waits until the process is gone */

/*
 * Returns the number under which @seer sees the process that has @number, or a thread of that
 * number, in the initial namespace; 0: it cannot see it, or there is no such process. From
 * NStgid and the namespace links in /proc of the initial namespace.
 */
u32 truth_local(const struct actor *seer, u32 number);
bool truth_on_host(const struct actor *actor);	/* is it in the initial namespace? */

/* --- ask.c: an actor becomes a GPU process and asks a control; runs in the actor --- */

/*
 * The content of buffers where nobody has written. Two bytes of it are no number a
 * process has here, so that a word seen half written is not taken for one.
 */
#define FILL		0xee

/* The address of a question's params. */
enum place {
	PLACE_HEAP,		/* between guard bytes */
	PLACE_ODD,		/* the same, at an odd address */
	PLACE_NEW,		/* the array's pages have not been touched */
	PLACE_PAGE_END,		/* the next byte is not there */
	PLACE_TORN,		/* the last four bytes are not there */
	PLACE_READ_ONLY,
	PLACES,
};

/* One control, asked and answered. */
struct question {
	u32 row;		/* index into mpu_rows */
	u32 path;		/* enum entry_path */
	u32 place;		/* enum place */
	u32 class;		/* GET_PIDS: whose objects; 0: the subdevice's */
	u32 count;		/* of @pids */
	u32 pids[MPU_ASK_MAX];	/* whom to ask about, MPU_IN */
	bool lie;
	u32 said;		/* stands in the params instead of the count, if @lie */
	u32 cmd;		/* stands instead of the row's number, if not 0 */
	u32 size;		/* stands instead of the row's paramsSize, if not 0 */
	u32 fail;		/* RM status with which the call is to end, 0: none */
	int ret;		/* 0, negative errno, RM status */
	bool spoilt;		/* a guard byte changed */
	u8 sent[MPU_PARAMS_MAX];
	u8 params[MPU_PARAMS_MAX];	/* as they came back */
	u8 array[72 * 776];	/* what stood at the row's user pointer: 72 * 704 at the most */
};

/* The work of a GPU process. */
struct load {
	u32 mib;		/* memory */
	u32 util[6];		/* percent on each engine */
	bool encoder;
	bool capture;
	u32 class;		/* out: the compute class it has an object of */
};

/* A client without a GPU, and any control asked by it. */
int bare_client_open(void);
void bare_client_close(void);
int bare_client_ask(u32 path, u32 cmd, void *params, u32 size);

/* Requests for actor_do(); they return what the library returns. */
int gpu_open(void *unused);		/* a client and a subdevice, no more */
int gpu_start(void *load);		/* struct load */
int gpu_stop(void *unused);
int gpu_ask(void *question);		/* struct question; returns 0 */
int gpu_reserve(void *unused);		/* the profiler, GPU 0 */
int gpu_channel_error(void *unused);
int gpu_pattern(void *pattern);		/* u32 enum sim_pattern, of all */
int gpu_sleep(void *ms);		/* in the driver */
int gpu_accounting_on(void *unused);

/* The actor's client and objects, for cases that issue calls of their own. */
struct rm *gpu_client(void);
struct rm_gpu *gpu_board(void);
u32 gpu_object(u32 cmd);		/* the handle to ask a control of */
void question_compose(const struct question *q, u8 *params, void *array);
struct nv_control question_block(const struct question *q, const u8 *params);

/* Returns a userfaultfd for these pages, which nobody has touched, or negative errno. */
int pages_watch(u8 *from, size_t size);

/* A page that comes when somebody reads it, after words elsewhere have changed. */
struct late_page {
	u8 *at;			/* the page, which nobody has touched */
	u8 content[LARGEST_PAGE];
	u32 *word[2];		/* the words that change, or NULL */
	u32 value[2];		/* to these */
	int fd;
	pthread_t thread;
};

/* Returns 0 or negative errno. Only one may be open in a process. */
int late_page_open(struct late_page *page);
void late_page_close(struct late_page *page);

/* Returns where the pid of element @i, field @f stands, in the params or array. */
u32 row_pid_offset(const struct mpu_row *row, u32 i, u32 f);
/* Returns the number of elements an answer says it holds, within the row's bounds. */
u32 question_count(const struct question *q);
u32 question_pid(const struct question *q, u32 i, u32 f);
u64 question_time(const struct question *q, u32 i);	/* of a sample, of a row that has them */
const u8 *question_array(const struct question *q);

/* --- answer.c: what comes back is compared with what the host is told ---
 *
 * Each returns false where that is not so, and the case is failed.
 */

/* Has an actor ask; what comes back is in @q. */
bool question_ask(struct actor *seer, struct question *q);
/* Asks the same question, by global numbers, from the host. */
bool question_ask_host(struct actor *host, const struct actor *seer,
		       const struct question *q, struct question *answer);

/*
 * Is this what @seer may see of what the host was told, byte by byte? What is visible is as
 * the host has it but for the numbers, what is not leaves no trace. Time stamps of samples
 * are not compared.
 */
bool answer_is_right(const struct actor *seer, const struct question *q,
		     const struct question *host);
/* The same, with what the host is told of that question now; and no word names a stranger. */
bool answer_is_the_hosts(struct actor *host, const struct actor *seer, const struct question *q);
bool question_is_unchanged(const struct actor *seer, const struct question *q);
/* Clears what differs from call to call: time stamps of samples, the array's address. */
void question_forget_moment(struct question *q);
/* Does no word of @q name a process that @seer cannot see? */
bool answer_hides_strangers(const struct actor *seer, const struct question *q);

/* --- rows.c: the rows of the table, and which of them this driver has --- */

#define for_each_row(i) for ((i) = 0; (i) < MPU_ROWS; (i)++)
/* Goes through the rows whose layout this driver has. */
#define for_each_answered_row(i, host) for_each_row(i) if (!row_answered(host, i)) { } else
/* The same, but for reports of channel errors, which are about the caller alone. */
#define for_each_shared_row(i, host) \
	for_each_row(i) if (mpu_rows[i].cmd == 0x607 || !row_answered(host, i)) { } else

void row_report_covered(u32 row);	/* reports that it was seen answered */
u32 row_find(u32 cmd, u32 size);	/* index of the row of a control; @size 0: the first */
bool row_is_shared(u32 row);		/* has another row the same control and paramsSize? */
bool row_answered(struct actor *host, u32 row);	/* does this driver have the layout? */
u32 row_find_answered(struct actor *host, u32 cmd, u32 other_cmd);	/* MPU_ROWS: none */
bool row_names_process(struct actor *host, u32 row);	/* and is the host told of a process? */

/*
 * Is the caller's buffer, with nobody in it, granted without a look at its size? Then the
 * driver does not refuse what engine bpf must.
 */
bool row_is_unread(struct actor *host, u32 row);

/* --- scenario.c: the scenario that most cases play in --- */

struct scenario {
	struct actor *host;	/* the one whose answers are taken for complete */
	struct actor *mounts;	/* a container with the host's PIDs */
	struct actor *a, *a2;	/* container A */
	struct actor *idle;	/* in A, no GPU process */
	struct actor *guest;	/* started on the host, in A's PID namespace */
	struct actor *b, *c;	/* container B inside A; container C inside B */
	struct actor *d, *d2;	/* container D beside A */
	struct actor *rootless;	/* a container with a user namespace of its own */
	u32 class;		/* compute class they have objects of */
};

/* Goes through the actors with GPU work. */
#define for_each_worker(x, scenario) for_each_actor(x) if (x == (scenario)->idle) { } else

/* Fork them all, or host, a and d only, and start their GPU work; false: the case is failed. */
bool scenario_open(struct scenario *scenario);
bool scenario_open_small(struct scenario *scenario);

/* Forks one more actor, with GPU work of its own size. */
struct actor *scenario_new_process(struct actor *parent, enum actor_place place);
/* The same in @parent's namespace, with these numbers there and in the initial one. */
struct actor *scenario_new_numbered(struct actor *parent, u32 local, u32 global);
bool scenario_start_work(struct actor *actor, u32 *class);

/* Lets a question be about @seer and d, which @seer cannot see, by its global number. */
void question_name_two(const struct scenario *scenario, const struct actor *seer,
		       struct question *q);
/* About every actor, by @seer's number and by the global one, up to @most numbers. */
void question_name_all(const struct actor *seer, struct question *q, u32 most);

/* Has the kernel this way of a call? Where that cannot be found out the case is failed. */
bool actor_has_entry_path(struct actor *actor, u32 path);

/* Does no list name a stranger? It may lack processes. */
bool actor_sees_no_stranger(struct scenario *scenario, struct actor *seer);
/* Is every list what @seer may see of it? */
bool actor_sees_right_lists(struct scenario *scenario, struct actor *seer);
/* Is the memory of each process right, too? Else the case is failed. */
bool actor_sees_right(struct scenario *scenario, struct actor *seer);

/* --- lifecycle.c: steps of which each fails the case, and returns false --- */

bool loops_wanted(void);	/* else the case is skipped: loops take long, and say little of regimes */
bool engine_must_start(void);
bool engine_must_stop(void);
bool driver_must_unload(void);
bool driver_must_load(const char *file, const char *params);
bool engine_must_attach(const char *name);	/* waits until it names this driver, or "none" */
bool actor_sees_itself(struct actor *actor);	/* alone in its container, listed as PID 1 only */
bool engine_must_translate(void);		/* the same of a new container */

#endif /* MPU_TESTS_CONFORMANCE_SUITE_H */
