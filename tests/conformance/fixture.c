// SPDX-License-Identifier: GPL-2.0-only
/*
 * Actors in PID namespaces, and the truth about them: see suite.h.
 *
 * Requests travel in memory that every actor shares, so that neither a
 * descriptor nor a name has to be handed into a container.
 */
#include <dirent.h>
#include <linux/futex.h>
#include <linux/nsfs.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#include "tests/conformance/suite.h"

#define TIMEOUT_S 300	/* only a hang takes that long */

enum turn { IDLE, ASKED, ANSWERED };

struct slot {
	_Atomic u32 turn;
	int ret;
	actor_fn fn;
	_Alignas(64) u8 arg[ACTOR_MEMORY];
};

/* The request to an actor to fork another. */
struct birth {
	unsigned int slot;
	enum actor_place place;
	pid_t numbers[4];
	size_t count;
	pid_t join;		/* the PID namespace of that process */
};

static struct slot *slots;
static struct actor actors[ACTORS];
static unsigned int used;

static void futex(_Atomic u32 *word, int op, u32 value)
{
	struct timespec ts = { .tv_sec = 1 };

	syscall(SYS_futex, word, op, value, op == FUTEX_WAIT ? &ts : NULL, NULL, 0);
}

static void turn_to(struct slot *slot, enum turn turn)
{
	atomic_store(&slot->turn, turn);
	futex(&slot->turn, FUTEX_WAKE, 1 << 30);
}

static struct slot *own_slot;

/* The life of an actor. */
static void serve(struct slot *slot)
{
	for (;;) {
		u32 turn;

		while ((turn = atomic_load(&slot->turn)) != ASKED)
			futex(&slot->turn, FUTEX_WAIT, turn);
		slot->ret = slot->fn(slot->arg);
		turn_to(slot, ANSWERED);
	}
}

static void *serve_on(void *unused)
{
	turn_to(own_slot, ANSWERED);
	serve(own_slot);
	return unused;
}

int actor_leave_main_thread(void *unused)
{
	pthread_t thread;

	own_slot->ret = 0;
	if (pthread_create(&thread, NULL, serve_on, NULL))
		return -EAGAIN;
	pthread_exit(NULL);
}

static void become_actor(const struct birth *birth)
{
	char name[16];

	own_slot = &slots[birth->slot];
	signal(SIGCHLD, SIG_IGN);	/* nobody waits for its children */
	snprintf(name, sizeof(name), "actor%u", birth->slot);
	prctl(PR_SET_NAME, name);
	if (birth->join || birth->place == NEW_CONTAINER || birth->place == NEW_ROOTLESS)
		agent_supervise();
	if (birth->place == SAME_NAMESPACE)
		return;
	mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL);
	mount("proc", "/proc", "proc", 0, NULL);
}

/* 5.5 came with set_tid: how many numbers are too many is known from then on. */
bool fixture_sets_tid(void)
{
	pid_t none[64] = { 0 };
	struct clone_args args = { .set_tid = (uintptr_t)none, .set_tid_size = 64 };

	return syscall(SYS_clone3, &args, sizeof(args)) < 0 && errno == EINVAL;
}

/*
 * Makes a process with a number. Before clone3() can, a process can say the next number
 * of its own namespace; the coordinator does so for the initial one (add_actor()). A
 * number of a namespace between is by chance.
 */
static long clone_numbered(const struct birth *birth, struct clone_args *args)
{
	bool new = args->flags & CLONE_NEWPID;

	args->set_tid = (uintptr_t)birth->numbers;
	args->set_tid_size = birth->count;
	if (fixture_sets_tid())
		return syscall(SYS_clone3, args, sizeof(*args));
	if (!new || birth->count > 1)
		host_set_next_pid(birth->numbers[new]);
	return syscall(SYS_clone, args->flags | SIGCHLD, NULL, NULL, NULL, NULL);
}

static int fork_into(const struct birth *birth)
{
	struct clone_args args = { .exit_signal = SIGCHLD };
	long pid;

	if (birth->place == NEW_CONTAINER)
		args.flags = CLONE_NEWPID | CLONE_NEWNS;
	if (birth->place == NEW_ROOTLESS)
		args.flags = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWUSER;
	if (birth->place == NEW_MOUNTS)
		args.flags = CLONE_NEWNS;
	pid = birth->count ? clone_numbered(birth, &args) :
	      syscall(SYS_clone, args.flags | SIGCHLD, NULL, NULL, NULL, NULL);
	if (pid < 0)
		return -errno;
	if (pid)
		return 0;
	become_actor(birth);
	serve(own_slot);
	return 0;
}

/* Fork by way of a child that enters the namespace, for setns() is for good. */
static int fork_joined(const struct birth *birth)
{
	char path[64];
	int status, fd;
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (pid) {
		waitpid(pid, &status, 0);
		return WIFEXITED(status) ? -WEXITSTATUS(status) : -EIO;
	}
	snprintf(path, sizeof(path), "/proc/%d/ns/pid", birth->join);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || setns(fd, CLONE_NEWPID))
		_exit(errno);
	_exit(-fork_into(birth));
}

static int fork_actor(void *arg)
{
	const struct birth *birth = arg;

	return birth->join ? fork_joined(birth) : fork_into(birth);
}

/* --- what the host's /proc says --- */

/* Numbers on the line "@key:" of a status file; 0 if there is no such line. */
static unsigned int status_line(u32 pid, const char *key, u32 *numbers, unsigned int room)
{
	char path[64], line[512];
	unsigned int n = 0;
	size_t len = strlen(key);
	char *at, *end;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	while (!n && fgets(line, sizeof(line), f)) {
		if (strncmp(line, key, len) || line[len] != ':')
			continue;
		for (at = line + len + 1; n < room; at = end) {
			u32 number = strtoul(at, &end, 10);

			if (end == at)
				break;
			numbers[n++] = number;
		}
	}
	fclose(f);
	return n;
}

static int pid_namespace(pid_t pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/ns/pid", pid);
	return open(path, O_RDONLY | O_CLOEXEC);
}

static ino_t inode(int fd)
{
	struct stat st;

	return fd < 0 || fstat(fd, &st) ? 0 : st.st_ino;
}

/* A process in every namespace that sees it, from its own up. */
static struct lineage lineage_of(u32 number)
{
	struct lineage line = { 0 };
	u32 numbers[LINEAGE];
	u32 n = status_line(number, "NStgid", numbers, LINEAGE);
	int fd = pid_namespace(number), up;

	/* NStgid goes from the initial namespace to the process's own. */
	while (n && fd >= 0) {
		line.number[line.levels] = numbers[--n];
		line.space[line.levels++] = inode(fd);
		up = ioctl(fd, NS_GET_PARENT);
		close(fd);
		fd = up;
	}
	if (fd >= 0)
		close(fd);
	return line;
}

/* The actor that has this number now; its lineage was read when it was forked. */
static const struct actor *living_actor(u32 number)
{
	unsigned int i;

	/* The youngest first: a number may have been another's before. */
	for (i = used; number && i-- > 0;)
		if ((u32)actors[i].pid == number && !kill(number, 0))
			return &actors[i];
	return NULL;
}

u32 truth_local(const struct actor *seer, u32 number)
{
	const struct actor *actor = living_actor(number);
	struct lineage line = actor ? actor->line : lineage_of(number);
	unsigned int i;

	for (i = 0; i < line.levels; i++)
		if (line.space[i] == seer->line.space[0])
			return line.number[i];
	return 0;
}

bool truth_on_host(const struct actor *actor)
{
	return actor->line.space[0] == actors[0].line.space[0];
}

static pid_t scan_names(const char *want)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	char path[300];
	pid_t pid = 0;

	while (proc && !pid && (entry = readdir(proc))) {
		if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
			continue;
		snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
		if (!strcmp(host_read_text(path), want))
			pid = atoi(entry->d_name);
	}
	if (proc)
		closedir(proc);
	return pid;
}

static pid_t find_by_name(unsigned int slot)
{
	char want[24];
	pid_t pid = 0;
	int tries;

	snprintf(want, sizeof(want), "actor%u\n", slot);
	for (tries = 0; tries < 3000 && !pid; tries++) {
		pid = scan_names(want);
		if (!pid)
			usleep(1000);
	}
	return pid;
}

/* --- the controller --- */

void fixture_open(void)
{
	if (!slots) {
		slots = mmap(NULL, ACTORS * sizeof(*slots), PROT_READ | PROT_WRITE, MAP_SHARED |
			     MAP_ANONYMOUS, -1, 0);
		if (slots == MAP_FAILED) {
			perror("conformance: shared memory for the actors");
			exit(1);
		}
	}
	used = 1;
	actors[0] = (struct actor){ .pid = getpid(),
				    .line = lineage_of(getpid()) };
}

unsigned int fixture_size(void)
{
	return used;
}

struct actor *fixture_actor(unsigned int i)
{
	return &actors[i];
}

static struct actor *add_actor(struct actor *parent, struct birth *birth)
{
	struct actor *actor = &actors[used];
	int ret, tries = 0;

	check_or(NULL, used < ACTORS, "more than %u actors", ACTORS);
	birth->slot = used;
	atomic_store(&slots[used].turn, IDLE);
	/* A number is free a moment after its process is gone from /proc. */
	do {
		if (tries)
			usleep(10000);
		if (birth->count > 1 && !fixture_sets_tid())
			host_set_next_pid(birth->numbers[birth->count - 1]);
		if (!parent || parent == &actors[0])
			ret = fork_actor(birth);
		else
			ret = actor_do(parent, fork_actor, birth, sizeof(*birth));
	} while (ret == -EEXIST && ++tries < 100);
	check_or(NULL, !ret, "cannot fork actor %u: %s", used, strerror(-ret));
	*actor = (struct actor){ .slot = used, .parent = parent };
	used++;
	actor->pid = find_by_name(actor->slot);
	check_or(NULL, actor->pid, "actor %u did not appear in /proc", actor->slot);
	actor->line = lineage_of(actor->pid);
	return actor;
}

struct actor *actor_new(struct actor *parent, enum actor_place place,
			const pid_t *number, size_t numbers)
{
	struct birth birth = { .place = place, .count = numbers };

	if (numbers)
		memcpy(birth.numbers, number, numbers * sizeof(*number));
	return add_actor(parent, &birth);
}

struct actor *actor_join(struct actor *other)
{
	struct birth birth = { .place = SAME_NAMESPACE, .join = other->pid };

	return add_actor(NULL, &birth);
}

void actor_begin(struct actor *actor, actor_fn fn, void *arg, size_t size)
{
	struct slot *slot = &slots[actor->slot];

	slot->fn = fn;
	if (size)
		memcpy(slot->arg, arg, size);
	if (actor->slot)
		turn_to(slot, ASKED);
	else
		slot->ret = fn(slot->arg);
}

bool actor_busy(struct actor *actor)
{
	return actor->slot && atomic_load(&slots[actor->slot].turn) == ASKED;
}

/* The parent is either the program itself, or reaps without asking. */
static bool has_died(struct actor *actor)
{
	int status;

	if (!actor->slot || !actor->pid)
		return false;
	if (waitpid(actor->pid, &status, WNOHANG) == actor->pid) {
		case_fail("actor %d died: status 0x%x", actor->pid, status);
		return true;
	}
	return kill(actor->pid, 0) != 0;
}

int actor_end(struct actor *actor, void *arg, size_t size)
{
	struct slot *slot = &slots[actor->slot];
	int waited;

	for (waited = 0; actor_busy(actor); waited++) {
		if (waited == TIMEOUT_S || has_died(actor))
			return -ETIMEDOUT;
		futex(&slot->turn, FUTEX_WAIT, ASKED);
	}
	if (size)
		memcpy(arg, slot->arg, size);
	return slot->ret;
}

int actor_do(struct actor *actor, actor_fn fn, void *arg, size_t size)
{
	actor_begin(actor, fn, arg, size);
	return actor_end(actor, arg, size);
}

void actor_kill(struct actor *actor)
{
	char path[64];
	int tries;

	if (!actor->slot || !actor->pid)
		return;
	kill(actor->pid, SIGKILL);
	snprintf(path, sizeof(path), "/proc/%d", actor->pid);
	for (tries = 0; tries < 10000 && !access(path, F_OK); tries++) {
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		usleep(1000);
	}
	actor->pid = 0;
}

void fixture_close(void)
{
	while (used > 1)
		actor_kill(&actors[--used]);
}
