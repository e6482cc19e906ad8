/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The findings of mpu doctor: a list of all of them, and how they are kept and printed.
 */
#ifndef MPU_CLI_DOCTOR_FINDING_H
#define MPU_CLI_DOCTOR_FINDING_H

#include <stdbool.h>
#include <stddef.h>

struct json_object;

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
	X(RUNTIME_UNREGISTERED, "%s", "unregistered", NOTE) \
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

/** finding_add() - one more; @fmt: what was found */
void finding_add(struct findings *findings, enum finding_kind kind,
		 const char *todo, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/** finding_add_of() - one more, of a kind that has a %s. @name: what stands there */
void finding_add_of(struct findings *findings, enum finding_kind kind,
		    const char *name, const char *todo, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/** findings_have() - is there one with this verdict? */
bool findings_have(const struct findings *findings, enum verdict verdict);

/**
 * findings_print() - for people, and what to do next in the last line
 * @all:	those that are fine, too
 * @next:	what to do if there is no problem; NULL: nothing
 */
void findings_print(const struct findings *findings, bool all, const char *next);

/** findings_add_json() - all of them, as member "findings" */
void findings_add_json(struct json_object *answer,
		       const struct findings *findings);

#endif /* MPU_CLI_DOCTOR_FINDING_H */
