/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mpu doctor: its findings, a list of all there are; its report on a node, as JSON and for
 * Prometheus; and which containers the agent of engine notify supervises, or does not.
 */
#ifndef MPU_CLI_DOCTOR_DOCTOR_H
#define MPU_CLI_DOCTOR_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "cli/command/command.h"
#include "engines/engines.h"
#include "host/host.h"
#include "lib/strv.h"
#include "nvidia/nvidia.h"

struct exposition;

extern const struct command command_doctor;

/* The advice of a finding that is fine. */
#define NOTHING		"nothing to do"

enum verdict {
	FINE,
	NOTE,		/* worth knowing, nothing is broken */
	PROBLEM,	/* keeps MPU from working */
	VERDICTS,
};

/* Verdicts as they are printed. */
extern const char *const verdict_names[VERDICTS];

/*
 * Every finding there is: X(enumerator, about, state, verdict). "ABOUT-STATE" is the
 * finding's identifier, by which programs know it and Prometheus counts it: it is never
 * given to another finding. %s: a name that finding_add_of() is given.
 * docs/fleet.md says what each of them means.
 */
#define FINDING_EACH(X) \
	X(DRIVER_OK, "driver", "ok", FINE) \
	X(DRIVER_ABSENT, "driver", "absent", PROBLEM) \
	X(DRIVER_RENAMED, "driver", "renamed", NOTE) \
	X(DRIVER_FLAVOUR_UNKNOWN, "driver", "flavour-unknown", NOTE) \
	X(TABLE_OK, "table", "ok", FINE) \
	X(TABLE_OLD, "table", "old", NOTE) \
	X(PAGE_OK, "page", "ok", FINE) \
	X(PAGE_SHARED, "page", "shared", NOTE) \
	X(NODES_OK, "nodes", "ok", FINE) \
	X(NODES_WRONG, "nodes", "wrong", NOTE) \
	X(KERNEL_OK, "kernel", "ok", FINE) \
	X(LOCKDOWN_OK, "lockdown", "ok", FINE) \
	X(LOCKDOWN_ON, "lockdown", "on", NOTE) \
	X(LOCKDOWN_UNKNOWN, "lockdown", "unknown", NOTE) \
	X(SIGNATURES_OK, "signatures", "ok", FINE) \
	X(SIGNATURES_ENFORCED, "signatures", "enforced", NOTE) \
	X(SIGNATURES_UNKNOWN, "signatures", "unknown", NOTE) \
	X(SECURE_BOOT_OK, "secure-boot", "ok", FINE) \
	X(SECURE_BOOT_ON, "secure-boot", "on", NOTE) \
	X(SECURE_BOOT_UNKNOWN, "secure-boot", "unknown", NOTE) \
	X(FTRACE_OK, "ftrace", "ok", FINE) \
	X(FTRACE_ABSENT, "ftrace", "absent", NOTE) \
	X(FTRACE_OFF, "ftrace", "off", NOTE) \
	X(KPROBES_OK, "kprobes", "ok", FINE) \
	X(KPROBES_ABSENT, "kprobes", "absent", NOTE) \
	X(KPROBES_OFF, "kprobes", "off", NOTE) \
	X(KPROBES_UNKNOWN, "kprobes", "unknown", NOTE) \
	X(HEADERS_OK, "headers", "ok", FINE) \
	X(HEADERS_ABSENT, "headers", "absent", NOTE) \
	X(DKMS_OK, "dkms", "ok", FINE) \
	X(DKMS_UNBUILT, "dkms", "unbuilt", NOTE) \
	X(DKMS_UNREGISTERED, "dkms", "unregistered", NOTE) \
	X(AUTO_OK, "engine-auto", "ok", FINE) \
	X(AUTO_NONE, "engine-auto", "none", PROBLEM) \
	X(ENGINE_OK, "engine-%s", "ok", FINE) \
	X(ENGINE_UNUSABLE, "engine-%s", "unusable", NOTE) \
	X(MPU_OK, "mpu", "ok", FINE) \
	X(MPU_WAITING, "mpu", "waiting", NOTE) \
	X(MPU_OFF, "mpu", "off", PROBLEM) \
	X(MPU_CALLER_MEMORY, "mpu", "caller-memory", NOTE) \
	X(MPU_COPIES, "mpu", "copies", NOTE) \
	X(MPU_AGENT_FAILED, "mpu", "agent-failed", PROBLEM) \
	X(NAMESPACE_CONTAINER, "namespace", "container", NOTE) \
	X(CONTAINERS_OK, "containers", "ok", FINE) \
	X(CONTAINERS_UNTRANSLATED, "containers", "untranslated", NOTE) \
	X(CONTAINERS_WRONG, "containers", "wrong", PROBLEM) \
	X(CONTAINERS_UNSUPERVISED, "containers", "unsupervised", PROBLEM) \
	X(CONTAINERS_UNMEASURED, "containers", "unmeasured", NOTE) \
	X(REGIME_OK, "regime", "ok", FINE) \
	X(REGIME_ANOTHER, "regime", "another", NOTE) \
	X(REGIME_UNKNOWN, "regime", "unknown", NOTE) \
	X(RUNTIME_OK, "%s", "ok", FINE) \
	X(RUNTIME_ABSENT, "%s", "runtime-absent", NOTE) \
	X(RUNTIME_UNREADABLE, "%s", "unreadable", NOTE) \
	X(RUNTIME_UNUSABLE, "%s", "unusable", NOTE) \
	X(RUNTIME_UNREGISTERED, "%s", "unregistered", NOTE) \
	X(RUNTIME_STALE, "%s", "stale", NOTE) \
	X(RUNTIME_NOT_DEFAULT, "%s", "not-default", NOTE) \
	X(DOCKER_GPUS_UNKNOWN, "docker", "gpus-unknown", NOTE) \
	X(TOOLKIT_ANOTHER, "toolkit", "another", NOTE) \
	X(SETTINGS_OK, "settings", "ok", FINE) \
	X(SETTINGS_WRONG, "settings", "wrong", NOTE) \
	X(SETTINGS_UNKNOWN, "settings", "unknown", NOTE) \
	X(CDI_OK, "cdi", "ok", FINE) \
	X(CDI_WRONG, "cdi", "wrong", NOTE) \
	X(CHAIN_UNUSABLE, "chain", "unusable", NOTE) \
	X(USERNS_FORBIDDEN, "userns", "forbidden", NOTE) \
	X(SELINUX_ENFORCING, "selinux", "enforcing", NOTE)

#define FINDING_ENUMERATOR(name, about, state, verdict) FOUND_##name,

enum finding_kind { FINDING_EACH(FINDING_ENUMERATOR) FINDING_KINDS };

/**
 * struct finding - one thing that was looked at
 * @id:		its identifier
 * @about:	one word
 * @found:	what was found
 * @todo:	what to do about it, a sentence without its full stop
 */
struct finding {
	enum verdict verdict;
	char id[64];
	char about[32];
	char found[1024];
	char todo[512];
};

/* Room for all that are ever made; one more is a mistake of ours. */
#define FINDINGS	48

/**
 * struct findings - in the order they were made
 */
struct findings {
	size_t count;
	struct finding finding[FINDINGS];
};

/**
 * finding_add_of() - one more
 * @name:	stands in place of the %s that its kind has; NULL: it has none
 * @fmt:	what was found
 */
void finding_add_of(struct findings *findings, enum finding_kind kind,
		    const char *name, const char *todo, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

#define finding_add(findings, kind, ...) finding_add_of(findings, kind, NULL, __VA_ARGS__)

/** findings_have() - is there one with this verdict? */
bool findings_have(const struct findings *findings, enum verdict verdict);

/**
 * findings_print() - for people, and what to do next in the last line
 * @all:	those that are fine, too
 * @next:	what to do if there is no problem; NULL: nothing
 */
void findings_print(const struct findings *findings, bool all, const char *next);

/** findings_add_json() - all of them, as member "findings" */
void findings_add_json(struct json_object *answer, const struct findings *findings);

/**
 * struct node_state - "": not known, or there is none
 * @name:	the host's
 * @time:	when it was looked at
 * @kernel:	release
 * @driver:	version of the driver that is loaded
 * @flavour:	of that driver
 * @engine:	that is up
 */
struct node_state {
	char name[256];
	time_t time;
	char kernel[128];
	char driver[64];
	char flavour[16];
	char engine[16];
	struct findings findings;
};

/** node_state_now() - fill in name, time and kernel; the others are empty then */
void node_state_now(struct node_state *state);

/** node_state_add() - as members of a document */
void node_state_add(struct json_object *document, const struct node_state *state);

/** node_state_add_metrics() - as metrics: docs/metrics.md explains each */
void node_state_add_metrics(struct exposition *exposition, const struct node_state *state);

/**
 * struct measurement - what a container is told
 * @made:	it could be made
 * @through_engine: by an engine and the driver; else by the driver alone
 * @found:	what was observed
 */
struct measurement {
	bool made;
	bool through_engine;
	struct calibration found;
};

/**
 * doctor_examine() - ask all of mpu doctor's questions
 * @asks:	container engines are asked, by their own programs; else their files are read
 *
 * They start and stop nothing, and may be asked from any thread. Some take their time:
 * the measurement starts two processes, and takes 2 x 2 MiB of a GPU for a moment; it
 * takes a minute if the driver hangs. Where no engine is up, a BPF program is loaded, and
 * taken away again, to find out whether the kernel allows engine bpf.
 */
void doctor_examine(struct node_state *state, struct measurement *measurement, bool asks);

/* --- containers that are supervised, and those that are not --- */

/** supervised_name() - name the agent's containers, as far as they have names here */
void supervised_name(struct engine_agent *agent);

/** supervised_find() - find a process's container. Return: NULL: it is not supervised */
const struct engine_container *supervised_find(const struct engine_agent *agent,
					       const struct host_process *process);

/** supervised_by_run() - was a process started by mpu run, which supervises it itself? */
bool supervised_by_run(pid_t pid);

/**
 * struct unsupervised - containers that use a GPU, and whose calls nobody translates
 * @names:	of each
 * @todo:	what to type, a sentence without its full stop
 */
struct unsupervised {
	struct strv names;
	char todo[WHY_SIZE];
};

/** unsupervised_find() - look for them; unsupervised_free() has to follow. @asks: as above */
void unsupervised_find(struct unsupervised *found, const struct engine_agent *agent, bool asks);

/** unsupervised_todo() - say what has containers supervised. @kinds: set of enum owner_kind */
void unsupervised_todo(char todo[WHY_SIZE], unsigned int kinds, bool asks);

/**
 * doctor_engines() - find out which runtimes the container engines know
 * @asks:	as of doctor_examine()
 * @by_runtime:	containers of mpu-runtime alone are translated
 */
void doctor_engines(struct findings *findings, bool asks, bool by_runtime);

/** unsupervised_free() - free its names */
void unsupervised_free(struct unsupervised *found);

/** names_join() - write names as "a, b, c and 7 more". Return: @text */
const char *names_join(char text[WHY_SIZE], const struct strv *names);

#endif /* MPU_CLI_DOCTOR_DOCTOR_H */
