// SPDX-License-Identifier: GPL-2.0-only
/*
 * Entries of linux.seccomp.syscalls.
 *
 * Conditions are kept apart: no call meets a rule that notifies and another
 * one. libseccomp, of which the runtimes make their filter, promises nothing
 * about overlapping rules; what it does (2.5.4, by runc 1.1.5 and crun 1.8.1)
 * is that a rule without conditions takes everything, wherever it stands, and
 * the first of two such wins.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "engines/notify/internal.h"
#include "lib/json_file.h"

#define REQUEST_ARG	1	/* ioctl(fd, request, ...) */
#define CALL_ARGS	6	/* arguments of a system call */

const struct profile_match driver_requests[DRIVER_REQUESTS] = {
	{ FILTER_MASK, FILTER_CONTROL },
	{ FILTER_MASK, FILTER_XFER },
};

/*
 * Makes conditions, one or more of which hold for each request but two, a and b, and none for
 * these. Each looks at one or two bits. (Two conditions on one argument would be simpler, but
 * runtimes make two rules of them.) With the numbers alone, eight bits:
 *
 *	a = 0x2a = 0010 1010
 *	b = 0xd3 = 1101 0011
 *
 * In bits 1 and 2 a and b agree: a request with another bit there is neither.
 *
 *	mask 0x02 value 0x00, mask 0x04 value 0x04
 *
 * In bits 0, 3, 4, 5, 6 and 7 they differ, so there each bit of a request is
 * either as in a or as in b. If all six are as in a, or all as in b, it is one
 * of the two; if not, then on the way round, 0 3 4 5 6 7 0, a bit as in b is
 * followed somewhere by a bit as in a. One condition for each place where:
 *
 *	mask 0x09 value 0x09, mask 0x18 value 0x00, mask 0x30 value 0x30,
 *	mask 0x60 value 0x00, mask 0xc0 value 0x40, mask 0x81 value 0x80
 *
 * These eight hold for all numbers but 0x2a and 0xd3. The sizes 32 and 16 make
 * it 22: their 14 bits are looked at likewise.
 */
void profile_match_others(struct profile_match others[OTHER_REQUESTS])
{
	u64 a = driver_requests[0].value, b = driver_requests[1].value;
	u64 differ = a ^ b, bit, next;
	int n = 0;

	for (bit = 1; bit <= FILTER_MASK; bit <<= 1) {
		if (!(FILTER_MASK & bit))
			continue;
		if (!(differ & bit)) {
			others[n++] = (struct profile_match){ bit, ~a & bit };
			continue;
		}
		next = bit;
		do {
			next = next << 1 > FILTER_MASK ? 1 : next << 1;
		} while (!(differ & next));
		others[n++] = (struct profile_match){ bit | next,
						  (b & bit) | (a & next) };
	}
}

bool profile_match_overlaps(const struct profile_match *a, const struct profile_match *b)
{
	return !((a->value ^ b->value) & a->mask & b->mask);
}

bool profile_action_allows(const char *action)
{
	return !strcmp(action, "SCMP_ACT_ALLOW") || !strcmp(action, "SCMP_ACT_LOG");
}

bool profile_action_notifies(const char *action)
{
	return !strcmp(action, "SCMP_ACT_NOTIFY");
}

static const char *common_name(const char *action)
{
	return strcmp(action, "SCMP_ACT_KILL_THREAD") ? action : "SCMP_ACT_KILL";
}

bool profile_action_is_same(const char *action, const char *other)
{
	return !strcmp(common_name(action), common_name(other));
}

/* Others leave errnoRet unread. */
bool profile_action_has_number(const char *action)
{
	return !strcmp(action, "SCMP_ACT_ERRNO") || !strcmp(action, "SCMP_ACT_TRACE");
}

static int read_number(struct json_object *object, const char *where, const char *name, u64 absent,
		       u64 *number, char why[WHY_SIZE])
{
	struct json_object *value;
	int ret = json_file_member(object, where, name, json_type_int, &value, why);

	*number = value ? json_object_get_uint64(value) : absent;
	return ret;
}

/* EPERM if there is none. */
int profile_error_number(struct json_object *object, const char *where,
			 const char *name, u64 *number, char why[WHY_SIZE])
{
	return read_number(object, where, name, EPERM, number, why);
}

static bool is_ioctl(struct json_object *name)
{
	return json_object_is_type(name, json_type_string) &&
	       !strcmp(json_object_get_string(name), "ioctl");
}

static int read_names(struct profile_rule *rule, const char *where, char why[WHY_SIZE])
{
	struct json_object *names;
	size_t i;
	int ret = json_file_member(rule->entry, where, "names", json_type_array, &names, why);

	if (ret)
		return ret;
	if (!names)
		return why_fail(why, -EINVAL, "%snames is missing", where);
	for (i = 0; i < json_object_array_length(names); i++) {
		if (is_ioctl(json_object_array_get_idx(names, i)))
			rule->names_ioctl = true;
		else
			rule->names_other = true;
	}
	return 0;
}

/* Condition @i of a rule; @seen: arguments that have one already. */
static int read_condition(struct profile_rule *rule, size_t i, const char *where,
			  u64 *seen, char why[WHY_SIZE])
{
	struct json_object *arg = json_object_array_get_idx(rule->args, i);
	struct json_object *op;
	u64 index, value, value_two;

	if (!json_object_is_type(arg, json_type_object))
		return why_fail(why, -EINVAL, "%.*s is not an object",
				(int)strlen(where) - 1, where);
	if (read_number(arg, where, "index", 0, &index, why) ||
	    read_number(arg, where, "value", 0, &value, why) ||
	    read_number(arg, where, "valueTwo", 0, &value_two, why) ||
	    json_file_member(arg, where, "op", json_type_string, &op, why))
		return -EINVAL;
	if (index >= CALL_ARGS)
		return why_fail(why, -EINVAL, "%sindex names an argument that no call has: they count from 0 to 5",
				where);
	/* Met by all calls, or by all of 32-bit programs: libseccomp makes a rule without it. */
	if (op && !strcmp(json_object_get_string(op), "SCMP_CMP_MASKED_EQ") && !(u32)value)
		return why_fail(why, -EINVAL, "%svalue is a mask without a bit in its lower half: remove this condition",
				where);
	rule->cannot_narrow |= (*seen >> index & 1) != 0;
	*seen |= 1u << index;
	if (index != REQUEST_ARG)
		return 0;
	rule->request = i;
	if (op && !strcmp(json_object_get_string(op), "SCMP_CMP_EQ"))
		rule->match = (struct profile_match){ ~(u64)0, value };
	else if (op && !strcmp(json_object_get_string(op), "SCMP_CMP_MASKED_EQ"))
		rule->match = (struct profile_match){ value, value_two & value };
	else
		rule->cannot_narrow = true;
	return 0;
}

static int read_conditions(struct profile_rule *rule, const char *where, char why[WHY_SIZE])
{
	char condition[96];
	u64 seen = 0;
	size_t i, n;
	int ret = json_file_member(rule->entry, where, "args", json_type_array, &rule->args, why);

	n = rule->args ? json_object_array_length(rule->args) : 0;
	if (!n)
		rule->args = NULL;
	rule->request = n;
	for (i = 0; i < n && !ret; i++) {
		snprintf(condition, sizeof(condition), "%sargs[%zu].", where, i);
		ret = read_condition(rule, i, condition, &seen, why);
	}
	return ret;
}

/* Takes entry @index of the profile apart: conditions in rules alone that name ioctl. */
int profile_rule_read(struct json_object *entry, size_t index,
		      struct profile_rule *rule, char why[WHY_SIZE])
{
	struct json_object *action;
	char where[64];

	*rule = (struct profile_rule){ .entry = entry };
	snprintf(where, sizeof(where), "linux.seccomp.syscalls[%zu].", index);
	if (!json_object_is_type(entry, json_type_object))
		return why_fail(why, -EINVAL, "%.*s is not an object",
				(int)strlen(where) - 1, where);
	if (json_file_member(entry, where, "action", json_type_string, &action, why))
		return -EINVAL;
	if (!action)
		return why_fail(why, -EINVAL, "%saction is missing", where);
	rule->action = json_object_get_string(action);
	if (read_names(rule, where, why))
		return -EINVAL;
	if (!rule->names_ioctl)
		return 0;
	if (profile_error_number(entry, where, "errnoRet", &rule->error, why))
		return -EINVAL;
	return read_conditions(rule, where, why);
}

/* The copy has the members themselves, not copies of them. */
static struct json_object *copy_object(struct json_object *object)
{
	struct json_object *copy = json_object_new_object();

	json_object_object_foreach(object, key, value)
		json_object_object_add(copy, key, json_object_get(value));
	return copy;
}

static struct json_object *narrow_conditions(const struct profile_rule *like,
					     const struct profile_match *match)
{
	struct json_object *args = json_object_new_array();
	struct json_object *request = json_object_new_object();
	u64 mask = match->mask, value = match->value;
	size_t i, n = like && like->args ? json_object_array_length(like->args) : 0;

	for (i = 0; i < n; i++)
		if (i != like->request)
			json_object_array_add(args, json_object_get(
				json_object_array_get_idx(like->args, i)));
	if (like) {
		mask |= like->match.mask;
		value |= like->match.value;
	}
	json_object_object_add(request, "index", json_object_new_int(REQUEST_ARG));
	json_object_object_add(request, "value", json_object_new_uint64(mask));
	json_object_object_add(request, "valueTwo", json_object_new_uint64(value));
	json_object_object_add(request, "op", json_object_new_string("SCMP_CMP_MASKED_EQ"));
	json_object_array_add(args, request);
	return args;
}

/* @like: whose action, conditions and unknown members it has, may be NULL; @match: one more */
struct json_object *profile_rule_narrow(const struct profile_rule *like,
					const struct profile_match *match, bool notify)
{
	struct json_object *entry = like ? copy_object(like->entry) : json_object_new_object();
	struct json_object *names = json_object_new_array();

	json_object_array_add(names, json_object_new_string("ioctl"));
	json_object_object_add(entry, "names", names);
	if (notify) {
		json_object_object_add(entry, "action", json_object_new_string("SCMP_ACT_NOTIFY"));
		json_object_object_del(entry, "errnoRet");
	}
	json_object_object_add(entry, "args", narrow_conditions(like, match));
	return entry;
}

struct json_object *profile_rule_without_ioctl(const struct profile_rule *rule)
{
	struct json_object *entry = copy_object(rule->entry);
	struct json_object *names = json_object_object_get(entry, "names");
	struct json_object *others = json_object_new_array();
	size_t i;

	for (i = 0; i < json_object_array_length(names); i++) {
		struct json_object *name = json_object_array_get_idx(names, i);

		if (!is_ioctl(name))
			json_object_array_add(others, json_object_get(name));
	}
	json_object_object_add(entry, "names", others);
	return entry;
}
