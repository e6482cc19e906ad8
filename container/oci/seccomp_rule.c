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
#include <inttypes.h>
#include <string.h>

#include "container/oci/seccomp_rule.h"
#include "engines/notify/filter.h"

#define REQUEST_ARG	1	/* ioctl(fd, request, ...) */

const struct match oci_requests[OCI_REQUESTS] = {
	{ FILTER_MASK, FILTER_CONTROL },
	{ FILTER_MASK, FILTER_XFER },
};

/*
 * A request is neither a nor b if it differs from both in a bit where they
 * agree; or else, going round the bits where they differ, if there is one like
 * in b with the next one like in a: only a and b themselves have no such
 * change. Two conditions on one argument are no way to say this: runtimes make
 * two rules of them.
 */
void oci_others(struct match others[OCI_OTHERS])
{
	u64 a = oci_requests[0].value, b = oci_requests[1].value;
	u64 differ = a ^ b, bit, next;
	int n = 0;

	for (bit = 1; bit <= FILTER_MASK; bit <<= 1) {
		if (!(FILTER_MASK & bit))
			continue;
		if (!(differ & bit)) {
			others[n++] = (struct match){ bit, ~a & bit };
			continue;
		}
		next = bit;
		do {
			next = next << 1 > FILTER_MASK ? 1 : next << 1;
		} while (!(differ & next));
		others[n++] = (struct match){ bit | next,
					      (b & bit) | (a & next) };
	}
}

bool oci_meets(const struct match *a, const struct match *b)
{
	return !((a->value ^ b->value) & a->mask & b->mask);
}

bool oci_lets(struct jsontext action)
{
	return jsontext_equal(action, "SCMP_ACT_ALLOW") ||
	       jsontext_equal(action, "SCMP_ACT_LOG");
}

bool oci_notifies(struct jsontext action)
{
	return jsontext_equal(action, "SCMP_ACT_NOTIFY");
}

static const char twice[] = "has a member twice, or in another case: runtimes differ about it";

const char *oci_error_number(struct jsontext object, const char *name,
			     u64 *number)
{
	struct jsontext value;

	if (jsontext_member(object, name, &value))
		return twice;
	*number = EPERM;
	if (!value.at || jsontext_is(value, 'n') || jsontext_u64(value, number))
		return NULL;
	return "has an error number that is none";
}

static const char *read_names(struct rule *rule)
{
	struct jsontext rest, key, name;

	if (jsontext_member(rule->entry, "names", &rule->names))
		return twice;
	if (!jsontext_is(rule->names, '['))
		return "has no array \"names\"";
	rest = jsontext_inside(rule->names);
	while (jsontext_next(&rest, &key, &name)) {
		if (jsontext_equal(name, "ioctl"))
			rule->mentions = true;
		else
			rule->others = true;
	}
	return NULL;
}

/* A condition on one argument; absent numbers are 0. */
static const char *read_arg(struct jsontext arg, u64 *index,
			    struct match *match, bool *equality)
{
	struct jsontext part[4];
	static const char *const name[] = { "index", "value", "valueTwo" };
	u64 number[3] = { 0 };
	int i;

	if (!jsontext_is(arg, '{'))
		return "has a condition that is no object";
	for (i = 0; i < 3; i++) {
		if (jsontext_member(arg, name[i], &part[i]))
			return twice;
		if (part[i].at && !jsontext_u64(part[i], &number[i]))
			return "has a condition with a number that is not whole";
	}
	if (jsontext_member(arg, "op", &part[3]))
		return twice;
	*index = number[0];
	*equality = true;
	if (jsontext_equal(part[3], "SCMP_CMP_EQ"))
		*match = (struct match){ ~(u64)0, number[1] };
	else if (jsontext_equal(part[3], "SCMP_CMP_MASKED_EQ"))
		*match = (struct match){ number[1], number[2] & number[1] };
	else
		*equality = false;
	return NULL;
}

static const char *read_args(struct rule *rule)
{
	struct jsontext rest, key, arg;
	struct match match;
	const char *wrong;
	bool equality;
	u64 index, seen = 0;

	if (jsontext_member(rule->entry, "args", &rule->args))
		return twice;
	if (!rule->args.at || jsontext_is(rule->args, 'n'))
		return NULL;
	if (!jsontext_is(rule->args, '['))
		return "has \"args\" that are no array";
	rest = jsontext_inside(rule->args);
	while (jsontext_next(&rest, &key, &arg)) {
		wrong = read_arg(arg, &index, &match, &equality);
		if (wrong)
			return wrong;
		if (index > 5)
			return "has a condition on an argument that no call has";
		rule->conditional = true;
		rule->odd |= (seen >> index & 1) != 0;
		seen |= 1u << index;
		if (index == REQUEST_ARG && equality)
			rule->match = match;
		else if (index == REQUEST_ARG)
			rule->odd = true;
	}
	return NULL;
}

const char *oci_read_rule(struct jsontext entry, struct rule *rule)
{
	const char *wrong;

	*rule = (struct rule){ .entry = entry };
	if (!jsontext_is(entry, '{'))
		return "is no object";
	if (jsontext_member(entry, "action", &rule->action))
		return twice;
	if (!jsontext_is(rule->action, '"'))
		return "has no action";
	rule->lets = oci_lets(rule->action);
	wrong = read_names(rule);
	if (wrong || !rule->mentions)
		return wrong;
	wrong = oci_error_number(entry, "errnoRet", &rule->error);
	return wrong ? wrong : read_args(rule);
}

static void put_text(FILE *out, struct jsontext text)
{
	fwrite(text.at, 1, (size_t)(text.end - text.at), out);
}

static bool is_rewritten(struct jsontext key, bool notify)
{
	return jsontext_equal(key, "names") || jsontext_equal(key, "args") ||
	       (notify && (jsontext_equal(key, "action") ||
			   jsontext_equal(key, "errnoRet")));
}

static void put_other_args(FILE *out, struct jsontext args)
{
	struct jsontext rest = jsontext_inside(args);
	struct jsontext key, arg, value;
	u64 index;

	while (jsontext_next(&rest, &key, &arg)) {
		jsontext_member(arg, "index", &value);
		if (value.at && jsontext_u64(value, &index) &&
		    index == REQUEST_ARG)
			continue;
		put_text(out, arg);
		putc(',', out);
	}
}

void oci_put_rule(FILE *out, const struct rule *like,
		  const struct match *match, bool notify)
{
	struct match both = *match;
	struct jsontext rest, key, value;

	fputs("{\"names\":[\"ioctl\"],", out);
	if (notify)
		fputs("\"action\":\"SCMP_ACT_NOTIFY\",", out);
	rest = like ? jsontext_inside(like->entry) : (struct jsontext){ 0 };
	while (jsontext_next(&rest, &key, &value)) {
		if (is_rewritten(key, notify))
			continue;
		put_text(out, key);
		putc(':', out);
		put_text(out, value);
		putc(',', out);
	}
	fputs("\"args\":[", out);
	if (like && like->conditional)
		put_other_args(out, like->args);
	if (like) {
		both.mask |= like->match.mask;
		both.value |= like->match.value;
	}
	fprintf(out, "{\"index\":%d,\"value\":%" PRIu64 ",\"valueTwo\":%" PRIu64
		",\"op\":\"SCMP_CMP_MASKED_EQ\"}]}",
		REQUEST_ARG, both.mask, both.value);
}

void oci_put_others(FILE *out, const struct rule *rule)
{
	struct jsontext rest = jsontext_inside(rule->names);
	struct jsontext key, name;
	const char *comma = "";

	put_text(out, (struct jsontext){ rule->entry.at, rule->names.at + 1 });
	while (jsontext_next(&rest, &key, &name)) {
		if (jsontext_equal(name, "ioctl"))
			continue;
		fputs(comma, out);
		put_text(out, name);
		comma = ",";
	}
	put_text(out, (struct jsontext){ rule->names.end - 1, rule->entry.end });
}
