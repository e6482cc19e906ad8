// SPDX-License-Identifier: GPL-2.0-only
/*
 * Merging the filter's rules into a profile, whose entries on ioctl are replaced: for
 * mpu-runtime, which may end for lack of memory.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "engines/notify/internal.h"
#include "lib/json.h"
#include "lib/json_file.h"
#include "lib/xalloc.h"

#define SECCOMP	"linux.seccomp."

/* Calls by an ABI that a filter does not name kill the process. */
static const char *const architectures[] = {
#if defined(__x86_64__)
	"SCMP_ARCH_X86_64", "SCMP_ARCH_X86", "SCMP_ARCH_X32",
#elif defined(__aarch64__)
	"SCMP_ARCH_AARCH64", "SCMP_ARCH_ARM",
#else
#error "which ABIs are there?"
#endif
	NULL
};

/**
 * struct profile - linux.seccomp, and what it decides about ioctl
 * @unconditional: the rule without conditions that decides every ioctl, so that no other
 *		rule on ioctl counts; NULL: there is none
 */
struct profile {
	struct json_object *object;
	const char *action;		/* the default, as is @error */
	u64 error;
	const char *listener;		/* NULL: none */
	struct json_object *flags;
	struct json_object *syscalls;
	struct profile_rule *rules;	/* rules of @syscalls, in their order */
	size_t n;
	const struct profile_rule *unconditional;
};

static const char *text_of(struct json_object *string)
{
	return string ? json_object_get_string(string) : NULL;
}

static int find_profile(struct json_object *config, struct json_object **parent,
			struct json_object **profile, char why[WHY_SIZE])
{
	if (!json_object_is_type(config, json_type_object))
		return why_fail(why, -EINVAL, "it is not an object");
	if (json_file_member(config, "", "linux", json_type_object, parent, why))
		return -EINVAL;
	if (!*parent)
		return why_fail(why, -EINVAL, "it has no member \"linux\": this is not a Linux container");
	return json_file_member(*parent, "linux.", "seccomp", json_type_object, profile, why);
}

static int read_profile(struct profile *p, char why[WHY_SIZE])
{
	struct json_object *action, *listener;

	if (json_file_member(p->object, SECCOMP, "defaultAction",
			     json_type_string, &action, why) ||
	    json_file_member(p->object, SECCOMP, "listenerPath",
			     json_type_string, &listener, why) ||
	    json_file_member(p->object, SECCOMP, "flags", json_type_array,
			     &p->flags, why) ||
	    json_file_member(p->object, SECCOMP, "syscalls", json_type_array,
			     &p->syscalls, why) ||
	    profile_error_number(p->object, SECCOMP, "defaultErrnoRet", &p->error,
				 why))
		return -EINVAL;
	if (!action)
		return why_fail(why, -EINVAL, SECCOMP "defaultAction is missing");
	p->action = text_of(action);
	p->listener = text_of(listener);
	return 0;
}

static bool acts_alike(const struct profile_rule *rule, const char *action, u64 error)
{
	return profile_action_is_same(rule->action, action) &&
	       (rule->error == error || !profile_action_has_number(action));
}

/* Runtimes leave out entries that say what the default says. */
static bool is_redundant(const struct profile *p, const struct profile_rule *rule)
{
	return acts_alike(rule, p->action, p->error);
}

/* Does a rule decide about any ioctl, or does another one, or the default? */
static bool decides_ioctl(const struct profile *p, const struct profile_rule *rule)
{
	if (!rule->names_ioctl)
		return false;
	return p->unconditional ? rule == p->unconditional : !is_redundant(p, rule);
}

static bool meets_driver(const struct profile_rule *rule)
{
	return rule->cannot_narrow ||
	       profile_match_overlaps(&rule->match, &driver_requests[0]) ||
	       profile_match_overlaps(&rule->match, &driver_requests[1]);
}

static bool has_listener(const struct profile *p, const char *listener)
{
	return p->listener && !strcmp(p->listener, listener);
}

/* Asked before the entries are read: then nothing of them is to be edited. */
static bool notifies_somebody(const struct profile *p)
{
	struct json_object *action;
	size_t i;

	if ((p->listener && *p->listener) || profile_action_notifies(p->action))
		return true;
	for (i = 0; i < array_length(p->syscalls); i++)
		if (json_object_object_get_ex(
			    json_object_array_get_idx(p->syscalls, i),
			    "action", &action) &&
		    json_object_is_type(action, json_type_string) &&
		    profile_action_notifies(text_of(action)))
			return true;
	return false;
}

static int read_rules(struct profile *p, char why[WHY_SIZE])
{
	size_t i, n = array_length(p->syscalls);

	p->rules = xcalloc(n + 1, sizeof(*p->rules));
	for (i = 0; i < n; i++) {
		struct profile_rule *rule = &p->rules[i];

		if (profile_rule_read(json_object_array_get_idx(p->syscalls, i), i, rule, why))
			return -EINVAL;
		if (!p->unconditional && rule->names_ioctl && !rule->args && !is_redundant(p, rule))
			p->unconditional = rule;
	}
	p->n = n;
	return 0;
}

/*
 * Is there a call to be notified of, and can the entries be kept apart from it? An entry that
 * allows calls of the driver is divided. In the way is one that forbids some of them, or that
 * cannot be narrowed. Entries with conditions may overlap, and dividing one may change which
 * libseccomp asks first: then they must not disagree. Return: PROFILE_ADDED, PROFILE_CLOSED, or -EINVAL.
 */
static int check_overlap(const struct profile *p, char why[WHY_SIZE])
{
	bool allows_driver = profile_action_allows(p->action) && !p->unconditional;
	const struct profile_rule *rule, *first = NULL;
	const struct profile_rule *in_the_way = NULL, *divided = NULL;
	bool disagree = false;

	for (rule = p->rules; rule < p->rules + p->n; rule++) {
		bool allows = profile_action_allows(rule->action);

		if (!decides_ioctl(p, rule))
			continue;
		if (!first)
			first = rule;
		disagree |= !acts_alike(rule, first->action, first->error);
		if (!meets_driver(rule))
			continue;
		allows_driver |= allows;
		if (allows)
			divided = rule;
		if (rule->cannot_narrow || (!allows && rule->args))
			in_the_way = rule;
	}
	if (disagree && !in_the_way)
		in_the_way = divided;
	if (!allows_driver)
		return why_fail(why, PROFILE_CLOSED, "its profile lets no call of the NVIDIA driver through: there is nothing to translate");
	if (!in_the_way)
		return PROFILE_ADDED;
	return why_fail(why, -EINVAL, SECCOMP "syscalls[%zu] has conditions on ioctl that the rule for the NVIDIA driver cannot be merged with: see docs/containers.md",
			(size_t)(in_the_way - p->rules));
}

/* An entry for each of @match that can hold where @like holds. */
static void add_narrowed(struct json_object *syscalls, const struct profile_rule *like,
			 const struct profile_match *match, size_t n, bool notify)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!like || profile_match_overlaps(&like->match, &match[i]))
			json_object_array_add(syscalls, profile_rule_narrow(like, &match[i], notify));
}

static void add_rule(const struct profile *p, const struct profile_rule *rule,
		     struct json_object *syscalls)
{
	struct profile_match others[OTHER_REQUESTS];
	bool divided = decides_ioctl(p, rule) &&
		       profile_action_allows(rule->action) && meets_driver(rule);
	bool shadowed = rule->names_ioctl && p->unconditional && rule != p->unconditional;

	if (!divided && !shadowed) {
		json_object_array_add(syscalls, json_object_get(rule->entry));
		return;
	}
	if (rule->names_other)
		json_object_array_add(syscalls, profile_rule_without_ioctl(rule));
	if (!divided)
		return;
	add_narrowed(syscalls, rule, driver_requests, DRIVER_REQUESTS, true);
	profile_match_others(others);
	add_narrowed(syscalls, rule, others, OTHER_REQUESTS, false);
}

static void set_syscalls(const struct profile *p)
{
	struct json_object *syscalls = json_object_new_array();
	size_t i;

	if (profile_action_allows(p->action) && !p->unconditional)
		add_narrowed(syscalls, NULL, driver_requests, DRIVER_REQUESTS, true);
	for (i = 0; i < p->n; i++)
		add_rule(p, &p->rules[i], syscalls);
	json_object_object_add(p->object, "syscalls", syscalls);
}

/* The flag may be of an edit for another runtime, which knows it. Return: is that a change? */
static bool set_flag(const struct profile *p, bool flag)
{
	struct json_object *flags = json_object_new_array(), *old;
	bool had_flag = false;
	size_t i;

	for (i = 0; i < array_length(p->flags); i++) {
		old = json_object_array_get_idx(p->flags, i);
		if (json_object_is_type(old, json_type_string) && !strcmp(text_of(old), PROFILE_FLAG))
			had_flag = true;
		else
			json_object_array_add(flags, json_object_get(old));
	}
	if (had_flag == flag) {
		json_object_put(flags);
		return false;
	}
	if (flag)
		json_object_array_add(flags, json_object_new_string(PROFILE_FLAG));
	json_object_object_add(p->object, "flags", flags);
	return true;
}

static struct json_object *new_profile(void)
{
	struct json_object *profile = json_object_new_object();
	struct json_object *list = json_object_new_array();
	const char *const *name;

	for (name = architectures; *name; name++)
		json_object_array_add(list, json_object_new_string(*name));
	json_object_object_add(profile, "defaultAction", json_object_new_string("SCMP_ACT_ALLOW"));
	json_object_object_add(profile, "architectures", list);
	return profile;
}

/*
 * Each engine sets its own annotation, containerd after those that a pod may set; the
 * other engine's may come from a pod, and is not believed against it. The sandbox's only
 * process waits, and nobody can exec into it.
 */
static bool is_sandbox(struct json_object *config)
{
	struct json_object *annotations = member_get(config, "annotations");
	const char *cri = member_text(annotations, "io.kubernetes.cri.container-type");
	const char *crio = member_text(annotations, "io.kubernetes.cri-o.ContainerType");

	return (cri || crio) && !strcmp(cri ?: crio, "sandbox") && !strcmp(crio ?: cri, "sandbox");
}

int profile_add(struct json_object *config, const struct supervision *want, char why[WHY_SIZE])
{
	struct json_object *parent;
	struct profile p = { 0 };
	int ret;

	if (is_sandbox(config))
		return PROFILE_PRESENT;
	ret = find_profile(config, &parent, &p.object, why);
	if (!ret && !p.object) {
		p.object = new_profile();
		json_object_object_add(parent, "seccomp", p.object);
	}
	if (!ret)
		ret = read_profile(&p, why);
	if (ret)
		return ret;
	if (has_listener(&p, want->listener))
		return set_flag(&p, want->flag) ? PROFILE_ADDED : PROFILE_PRESENT;
	if (notifies_somebody(&p))
		return why_fail(why, PROFILE_FOREIGN, "its seccomp profile has a listener of its own: GPU processes are not translated in this container");
	ret = read_rules(&p, why);
	if (!ret)
		ret = check_overlap(&p, why);
	if (ret == PROFILE_ADDED) {
		member_add_text(p.object, "listenerPath", want->listener);
		set_flag(&p, want->flag);
		set_syscalls(&p);
	}
	free(p.rules);
	return ret;
}

bool profile_has(struct json_object *config, const char *listener)
{
	struct json_object *parent;
	struct profile p = { 0 };
	char why[WHY_SIZE];

	return !find_profile(config, &parent, &p.object, why) && p.object &&
	       !read_profile(&p, why) && has_listener(&p, listener);
}
