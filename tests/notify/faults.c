// SPDX-License-Identifier: GPL-2.0-only
/*
 * Things done to monitor and worker while containers call the driver: no call may
 * fail or be forgotten, no answer name a stranger. And what its processes do
 * when they lack something.
 *
 *	faults MPU CALLER [CASE]
 *
 * Needs root.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/clock.h"

#include "harness.h"

/* --- deaths --- */

STAGE("undisturbed")
{
	start_containers();
	nap(2000);
	end_containers();
}

static int killed;

static bool worker_is_another(void)
{
	return state->worker && state->worker != killed;
}

STAGE("worker killed 20 times")
{
	int i;

	start_containers();
	for (i = 0; i < 20; i++) {
		killed = state->worker;
		kill(killed, SIGKILL);
		if (!within_reason(worker_is_another))
			fail("worker %d was not replaced", killed);
		nap(100);
	}
	end_containers();
}

STAGE("agent killed 10 times")
{
	int i;

	start_containers();
	for (i = 0; i < 10; i++) {
		restart_agent(SIGKILL);
		nap(100);
	}
	end_containers();
}

STAGE("agent upgraded 5 times")
{
	int i;

	start_containers();
	for (i = 0; i < 5; i++) {
		restart_agent(SIGTERM);
		nap(100);
	}
	end_containers();
}

#define STARTS		400	/* containers that start while the agent does */
#define RESTARTS	20

static int end_by;	/* a signal */

/* Each is in the hands of an agent at some moment, by chance the one that ends. */
static void restart_sometimes(int started)
{
	listen_to_agent();
	if (started % (STARTS / RESTARTS))
		return;
	usleep((unsigned int)rand() % 8000);
	restart_agent(end_by);
}

static void start_under(int signal)
{
	int lost;

	end_by = signal;
	lost = start_many(STARTS, restart_sometimes);
	if (lost)
		fail("%d containers of %d are lost", lost, STARTS);
}

STAGE("starts while the agent is restarted")
{
	start_under(SIGTERM);
}

STAGE("starts while the agent is killed")
{
	start_under(SIGKILL);
}

STAGE("agent away for a while")
{
	start_containers();
	end_agent(SIGTERM);
	nap(1500);		/* the worker it left serves */
	start_agent();
	end_containers();
}

/*
 * The manager has kept nothing; the next agent takes the listeners over from
 * the worker.
 */
static void take_over_after(void (*end)(void))
{
	unsigned long calls = 0;
	int i;

	start_containers();
	killed = state->worker;
	end();
	forget_all();
	start_agent();
	for (i = 0; i < STATE_SLOTS; i++)
		calls += state->used[i] ? state->slot[i].calls : 0;
	if (slots_used() != CONTAINERS || !calls)
		fail("%d containers are served", slots_used());
	if (!worker_is_another())
		fail("by the worker of before");
	end_containers();
}

static void stop_agent(void)
{
	end_agent(SIGTERM);
}

STAGE("agent stopped and started")
{
	take_over_after(stop_agent);
}

static void kill_agent(void)
{
	end_agent(SIGKILL);
}

STAGE("agent killed and started")
{
	take_over_after(kill_agent);
}

/* The worker learns of both at once: its own end, and that it is to go. */
static void stop_without_worker(void)
{
	kill(agent, SIGSTOP);
	kill(state->worker, SIGKILL);
	if (!within_reason(worker_is_dead))
		die("the worker does not die");
	kill(agent, SIGTERM);
	end_agent(SIGCONT);
}

STAGE("agent stopped without a worker")
{
	take_over_after(stop_without_worker);
}

static bool is_named(void)
{
	char answer[65536];

	return ask_agent(answer, sizeof(answer)) && strstr(answer, "\"name\": \"container\"");
}

/* Nothing but the counts is lost, whether the manager has the listeners or not. */
static void upgrade_version(bool forget)
{
	start_containers();
	end_agent(SIGTERM);
	if (forget)
		forget_all();
	state->version++;
	start_agent();
	if (slots_used() != CONTAINERS)
		fail("%d containers are taken over", slots_used());
	if (!is_named())
		fail("their names are lost");
	/* The one from before would not outlive its container's worker. */
	restart_agent(SIGKILL);
	end_containers();
}

STAGE("agent of another version")
{
	upgrade_version(false);
	upgrade_version(true);
}

/*
 * Kills callers in a call, since they do nothing else, with a worker that does not
 * know.
 */
STAGE("callers killed")
{
	pid_t victim;
	int i;

	start_containers();
	for (i = 0; i < 10; i++) {
		victim = start_container("60", 0);
		nap(150);
		kill(victim, SIGKILL);
		waitpid(victim, NULL, 0);
	}
	end_containers();
}

STAGE("container stopped")
{
	char path[64], text[16];
	FILE *file;
	pid_t inner = 0;

	start_containers();
	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", containers[0], containers[0]);
	file = fopen(path, "re");
	if (file && fgets(text, sizeof(text), file))
		inner = atoi(text);
	if (file)
		fclose(file);
	if (!inner)
		fail("no process to stop");
	kill(inner, SIGSTOP);
	nap(300);
	kill(inner, SIGCONT);
	end_containers();
}

/* Sets a limit: from now on a process gets no descriptor with a number from @n. */
static void take_descriptors(pid_t pid, rlim_t n, struct rlimit *before)
{
	struct rlimit now;

	prlimit(pid, RLIMIT_NOFILE, NULL, before);
	now = *before;
	now.rlim_cur = n;
	prlimit(pid, RLIMIT_NOFILE, &now, NULL);
}

/* No more than the soft limit was changed: it may not be for us to raise. */
static void give_back(pid_t pid, int resource, const struct rlimit *before)
{
	if (prlimit(pid, resource, before, NULL))
		die("prlimit");
}

/* Not even one to take the caller's into: its calls wait for it. */
STAGE("no descriptors left")
{
	struct rlimit before;

	start_containers();
	take_descriptors(state->worker, 3, &before);
	nap(1000);
	give_back(state->worker, RLIMIT_NOFILE, &before);
	end_containers_that(true);
}

/* --- lacks --- */

/* Pages of a process. */
static unsigned long size_of(pid_t pid)
{
	unsigned long pages = 0;
	char path[32];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/statm", pid);
	file = fopen(path, "re");
	if (!file || fscanf(file, "%lu", &pages) != 1)
		die(path);
	fclose(file);
	return pages;
}

/*
 * Sets a limit: from now on a process gets no more memory than it had at its smallest.
 */
static void take_memory(pid_t pid, struct rlimit *before)
{
	unsigned long pages = size_of(pid), now;
	struct rlimit limit;
	int i;

	for (i = 0; i < 10; i++) {
		now = size_of(pid);
		pages = now < pages ? now : pages;
		nap(10);
	}
	prlimit(pid, RLIMIT_AS, NULL, before);
	limit = *before;
	limit.rlim_cur = pages * 4096 + 65536;
	prlimit(pid, RLIMIT_AS, &limit, NULL);
}

static unsigned long deaths;

static int waiting(void)
{
	int i, n = 0;

	for (i = 0; i < STATE_SLOTS; i++)
		n += state->used[i] && state->slot[i].waiting;
	return n;
}

static bool one_waits_or_worker_died(void)
{
	return waiting() || state->restarts != deaths;
}

static bool nobody_waits(void)
{
	char answer[65536];

	/* The questions keep the worker busy, which may not forget who waits. */
	return ask_agent(answer, sizeof(answer)) && !waiting();
}

/* A container that is served once the worker has what it lacks. */
static void lacks(int resource, void (*take)(pid_t pid, struct rlimit *before))
{
	struct rlimit before;
	pid_t late;
	int status;

	start_containers();
	deaths = state->restarts;
	take(state->worker, &before);
	late = start_container("1", 0);
	if (!within_reason(one_waits_or_worker_died) || state->restarts != deaths)
		fail("the worker died of a thread it could not start");
	give_back(state->worker, resource, &before);
	if (!within_reason(nobody_waits)) {
		fail("it waits still");
		kill(late, SIGKILL);
	}
	waitpid(late, &status, 0);
	if (status)
		fail("the one that waited ended with status 0x%x", status);
	end_containers();
}

/* A listener without a thread waits, and no other container notices. */
STAGE("no memory for a listener thread")
{
	lacks(RLIMIT_AS, take_memory);
}

static void take_all_descriptors(pid_t pid, struct rlimit *before)
{
	take_descriptors(pid, 3, before);
}

/* The worker cannot even receive the listener: nobody may forget it. */
STAGE("no descriptor for a listener")
{
	lacks(RLIMIT_NOFILE, take_all_descriptors);
}

static bool agent_answers(void)
{
	char answer[65536];

	return ask_agent(answer, sizeof(answer));
}

/* poll() takes no more descriptors than there may be: the agent polls 4. */
STAGE("more polled than allowed")
{
	struct rlimit before;

	take_descriptors(agent, 3, &before);
	if (!agent_answers())
		fail("the agent is deaf");
	give_back(agent, RLIMIT_NOFILE, &before);
}

static unsigned int said;

static bool it_says_so(void)
{
	return log_lines("cannot start a worker") > said || waitpid(agent, NULL, WNOHANG) == agent;
}

/* The agent neither gives up nor dies. */
STAGE("no worker to be had")
{
	struct rlimit before;

	start_containers();
	said = log_lines("cannot start a worker");
	take_descriptors(agent, 4, &before);	/* poll() takes as many */
	kill(state->worker, SIGKILL);
	if (!within_reason(it_says_so))
		fail("it does not say that it has no worker");
	nap(1500);
	if (kill(agent, 0) || waitpid(agent, NULL, WNOHANG))
		fail("the agent gave up");
	give_back(agent, RLIMIT_NOFILE, &before);
	end_containers();
}

/* Pauses between workers double: some ten of them take 3 s on any host. */
STAGE("worker dies at once")
{
	unsigned int before = log_lines("has died"), n = 0, slept;
	pid_t last = 0;

	for (slept = 0; slept < 3000; slept++) {
		if (state->worker && state->worker != last) {
			last = state->worker;
			kill(last, SIGKILL);
			n++;
		}
		usleep(1000);
	}
	killed = last;
	if (!within_reason(worker_is_another))
		fail("there is no worker any more");
	if (n > 15)
		fail("%u workers were started in 3 s", n);
	if (log_lines("has died") - before != n)
		fail("%u deaths, %u lines", n, log_lines("has died") - before);
	start_containers();
	end_containers();
}

/* A slot whose call the worker, stopped, has in hand. */
static struct slot *stop_in_a_call(void)
{
	int tries, i;

	for (tries = 0; tries < 1000; tries++) {
		kill(state->worker, SIGSTOP);
		if (!within_reason(worker_is_stopped))
			die("the worker does not stop");
		for (i = 0; i < STATE_SLOTS; i++)
			if (state->used[i] && state->slot[i].request.id)
				return &state->slot[i];
		kill(state->worker, SIGCONT);
		nap(10);
	}
	return NULL;
}

static struct slot *deadly;

static bool next_call_is_another(void)
{
	return !deadly->tries;
}

/* Refused, and counted: nobody knows what it asks for. */
STAGE("call that kills workers")
{
	struct slot *slot;
	int i, status, refused = 0;

	start_containers();
	/*
	 * A call that it had answered already, and not forgotten yet, does not count.
	 */
	do {
		slot = stop_in_a_call();
		if (!slot)
			die("no call in hand");
		slot->tries = 2;
		deadly = slot;
		kill(state->worker, SIGKILL);
		if (!within_reason(next_call_is_another))
			fail("the next call is held to be another such");
	} while (!slot->abandoned && !case_failed);
	if (slot->abandoned > 1)
		fail("%lu calls abandoned", (unsigned long)slot->abandoned);
	for (i = 0; i < CONTAINERS; i++) {
		status = end_container(containers[i]);
		refused += WIFEXITED(status) && WEXITSTATUS(status) == 1;
		containers[i] = 0;
	}
	if (refused != 1)
		fail("%d containers had a call refused", refused);
}

/* A worker that others kill says nothing of the calls it had in hand. */
STAGE("call that kills nobody")
{
	start_containers();
	deadly = stop_in_a_call();
	if (!deadly)
		die("no call in hand");
	deadly->tries = 1;	/* another of its own, and it is refused */
	kill(state->worker, SIGKILL);
	if (!within_reason(next_call_is_another))
		fail("the call was not handled again");
	if (deadly->abandoned)
		fail("it was refused");
	end_containers();
}

/* --- floods --- */

static u64 cpu_time(pid_t pid)
{
	struct timespec ts;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &ts))
		die("clock of the worker");
	return (u64)ts.tv_sec * 1000000000 + (u64)ts.tv_nsec;
}

/*
 * A second in advance, then half a CPU, for a container and what is executed in it
 * together; a slow or busy host takes less. In addition what is used before the next
 * look, and by the other threads.
 */
STAGE("container that floods")
{
	u64 began, cpu, ms;
	pid_t worker;
	pid_t flood[2];
	int status, i;

	if (!within_reason(none_is_served))
		fail("%d of before are served", slots_used());
	worker = state->worker;
	began = clock_ms();
	cpu = cpu_time(worker);
	for (i = 0; i < 2; i++)
		flood[i] = start_container("8", 0);
	nap(8000);
	cpu = cpu_time(worker) - cpu;
	ms = clock_ms() - began;
	if (state->worker != worker)
		fail("the worker has died");
	if (cpu / 1000000 > 1000 + ms / 2 + 300)
		fail("%lu ms of CPU time in %lu ms", (unsigned long)cpu / 1000000,
		     (unsigned long)ms);
	for (i = 0; i < 2; i++) {
		waitpid(flood[i], &status, 0);
		if (status)
			fail("it ended with status 0x%x", status);
	}
}
