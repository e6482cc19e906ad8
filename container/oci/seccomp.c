// SPDX-License-Identifier: GPL-2.0-only
/*
 * Merging the rule into a configuration: decides what the profile's entries on
 * ioctl become, and cuts that into the text; all else stays as it is.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "container/oci/seccomp.h"
#include "container/oci/seccomp_rule.h"

/* Other ABIs are killed if a filter does not name them. */
#if defined(__x86_64__)
#define ARCHITECTURES \
	"\"SCMP_ARCH_X86_64\",\"SCMP_ARCH_X86\",\"SCMP_ARCH_X32\""
#elif defined(__aarch64__)
#define ARCHITECTURES "\"SCMP_ARCH_AARCH64\",\"SCMP_ARCH_ARM\""
#else
#error "which ABIs are there?"
#endif

#define NOBODY	((size_t)-1)

/**
 * struct profile - linux.seccomp, and what it decides about ioctl
 * @object:	it, no value if there is none
 * @lets:	its default action lets calls through
 * @governs:	the entry without conditions that decides every ioctl, so that
 *		no other entry on ioctl counts; NOBODY if there is none
 */
struct profile {
	struct jsontext object;
	struct jsontext action;
	struct jsontext listener;
	struct jsontext flags;
	struct jsontext syscalls;
	bool lets;
	u64 error;
	size_t governs;
};

/* Text and what takes its place; what is inserted replaces nothing. */
struct edit {
	struct jsontext old;
	char *new;
};

struct merge {
	const struct oci_want *want;
	struct jsontext document;
	struct jsontext linux_object;
	struct jsontext seccomp;	/* null, too */
	struct profile profile;
	struct edit edit[3];
	int edits;
	char *why;
	size_t size;
};

static int refuse(struct merge *m, const char *where, const char *what)
{
	snprintf(m->why, m->size, "%s %s", where, what);
	return -EINVAL;
}

static int refuse_entry(struct merge *m, size_t entry, const char *what)
{
	char where[64];

	snprintf(where, sizeof(where), "linux.seccomp.syscalls[%zu]", entry);
	return refuse(m, where, what);
}

/* A member that is null or absent is of no kind. */
static int member(struct merge *m, struct jsontext object, const char *where,
		  const char *name, char kind, struct jsontext *value)
{
	char path[128];

	snprintf(path, sizeof(path), "%s%s", where, name);
	if (jsontext_member(object, name, value))
		return refuse(m, path, "is there twice, or in another case: runtimes differ about it");
	if (!value->at || jsontext_is(*value, 'n') || jsontext_is(*value, kind))
		return 0;
	return refuse(m, path, kind == '{' ? "is no object" :
				kind == '[' ? "is no array" : "is no string");
}

static int find_profile(struct merge *m)
{
	int ret;

	if (!jsontext_is(m->document, '{'))
		return refuse(m, "it", "is no object");
	ret = member(m, m->document, "", "linux", '{', &m->linux_object);
	if (ret)
		return ret;
	if (!jsontext_is(m->linux_object, '{'))
		return refuse(m, "it", "has no member \"linux\": this is no Linux container");
	ret = member(m, m->linux_object, "linux.", "seccomp", '{', &m->seccomp);
	if (!ret && jsontext_is(m->seccomp, '{'))
		m->profile.object = m->seccomp;
	return ret;
}

static int read_profile(struct merge *m)
{
	static const char in[] = "linux.seccomp.";
	struct profile *p = &m->profile;
	const char *wrong;

	if (member(m, p->object, in, "defaultAction", '"', &p->action) ||
	    member(m, p->object, in, "listenerPath", '"', &p->listener) ||
	    member(m, p->object, in, "flags", '[', &p->flags) ||
	    member(m, p->object, in, "syscalls", '[', &p->syscalls))
		return -EINVAL;
	if (!jsontext_is(p->action, '"'))
		return refuse(m, "linux.seccomp", "has no defaultAction");
	p->lets = oci_lets(p->action);
	wrong = oci_error_number(p->object, "defaultErrnoRet", &p->error);
	return wrong ? refuse(m, "linux.seccomp", wrong) : 0;
}

static bool acts(const struct rule *rule, struct jsontext action, u64 error)
{
	size_t len = (size_t)(action.end - action.at);

	return len == (size_t)(rule->action.end - rule->action.at) &&
	       !memcmp(rule->action.at, action.at, len) &&
	       rule->error == error;
}

/* Runtimes leave out entries that say what the default says. */
static bool is_redundant(const struct profile *p, const struct rule *rule)
{
	return acts(rule, p->action, p->error);
}

static bool counts(const struct profile *p, size_t entry,
		   const struct rule *rule)
{
	if (!rule->mentions)
		return false;
	return p->governs == NOBODY ? !is_redundant(p, rule) :
				      entry == p->governs;
}

/* May it decide about a call that we look at? */
static bool touches(const struct rule *rule)
{
	return rule->odd || oci_meets(&rule->match, &oci_requests[0]) ||
	       oci_meets(&rule->match, &oci_requests[1]);
}

static int theirs(struct merge *m)
{
	snprintf(m->why, m->size, "its seccomp profile has a listener of its own: GPU processes are not translated in this container");
	return OCI_THEIRS;
}

/* Is there a listener, and is it ours? */
static int look_for_listener(struct merge *m)
{
	const struct profile *p = &m->profile;
	struct jsontext rest, key, entry, action;

	if (jsontext_equal(p->listener, m->want->listener))
		return OCI_PRESENT;
	if ((jsontext_is(p->listener, '"') && !jsontext_equal(p->listener, "")) ||
	    oci_notifies(p->action))
		return theirs(m);
	if (!jsontext_is(p->syscalls, '['))
		return OCI_ADDED;
	rest = jsontext_inside(p->syscalls);
	while (jsontext_next(&rest, &key, &entry))
		if (jsontext_is(entry, '{') &&
		    !jsontext_member(entry, "action", &action) &&
		    oci_notifies(action))
			return theirs(m);
	return OCI_ADDED;
}

static int find_governing(struct merge *m)
{
	struct profile *p = &m->profile;
	struct jsontext rest, key, entry;
	struct rule rule;
	const char *wrong;
	size_t i;

	p->governs = NOBODY;
	if (!jsontext_is(p->syscalls, '['))
		return 0;
	rest = jsontext_inside(p->syscalls);
	for (i = 0; jsontext_next(&rest, &key, &entry); i++) {
		wrong = oci_read_rule(entry, &rule);
		if (wrong)
			return refuse_entry(m, i, wrong);
		if (p->governs == NOBODY && rule.mentions &&
		    !rule.conditional && !is_redundant(p, &rule))
			p->governs = i;
	}
	return 0;
}

/*
 * Is there a call to be notified of, and can the entries be kept apart from
 * it? Entries with conditions may overlap, and dividing one may change which
 * of them libseccomp asks first: then they must not disagree.
 *
 * Return: OCI_ADDED, OCI_CLOSED, or -EINVAL.
 */
static int judge(struct merge *m)
{
	struct profile *p = &m->profile;
	bool open = p->lets && p->governs == NOBODY;
	bool disagree = false;
	struct jsontext rest, key, entry;
	size_t i, bad = NOBODY, divided = NOBODY;
	struct rule rule, first = { 0 };

	if (jsontext_is(p->syscalls, '[')) {
		rest = jsontext_inside(p->syscalls);
		for (i = 0; jsontext_next(&rest, &key, &entry); i++) {
			oci_read_rule(entry, &rule);
			if (!counts(p, i, &rule))
				continue;
			if (!first.mentions)
				first = rule;
			disagree |= !acts(&rule, first.action, first.error);
			if (!touches(&rule))
				continue;
			open |= rule.lets;
			if (rule.lets)
				divided = i;
			if (rule.odd || (!rule.lets && rule.conditional))
				bad = i;
		}
	}
	if (disagree && bad == NOBODY)
		bad = divided;
	if (!open) {
		snprintf(m->why, m->size, "its profile lets no call of the NVIDIA driver through: there is nothing to translate");
		return OCI_CLOSED;
	}
	if (bad == NOBODY)
		return OCI_ADDED;
	return refuse_entry(m, bad, "has conditions on ioctl that the rule for the NVIDIA driver cannot be merged with: see docs/containers.md");
}

/* The array being written: its elements keep the white space before them. */
struct array {
	FILE *out;
	struct jsontext gap;
	bool any;
};

static FILE *begin(struct array *array)
{
	const char *at;

	if (array->any)
		putc(',', array->out);
	for (at = array->gap.at; at < array->gap.end; at++)
		if (*at != ',')
			putc(*at, array->out);
	array->gap = (struct jsontext){ 0 };
	array->any = true;
	return array->out;
}

static void put_rules(struct array *array, const struct rule *like,
		      const struct match *match, size_t n, bool notify)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!like || oci_meets(&like->match, &match[i]))
			oci_put_rule(begin(array), like, &match[i], notify);
}

static void put_entry(const struct merge *m, struct array *array, size_t i,
		      const struct rule *rule)
{
	const struct profile *p = &m->profile;
	struct match others[OCI_OTHERS];
	bool split = counts(p, i, rule) && rule->lets && touches(rule);
	bool dead = rule->mentions && p->governs != NOBODY && i != p->governs;

	if (!split && !dead) {
		fwrite(rule->entry.at, 1,
		       (size_t)(rule->entry.end - rule->entry.at),
		       begin(array));
		return;
	}
	if (rule->others)
		oci_put_others(begin(array), rule);
	if (!split)
		return;
	put_rules(array, rule, oci_requests, OCI_REQUESTS, true);
	oci_others(others);
	put_rules(array, rule, others, OCI_OTHERS, false);
}

/* The array linux.seccomp.syscalls as it will be. */
static void put_syscalls(const struct merge *m, FILE *out)
{
	const struct profile *p = &m->profile;
	struct array array = { .out = out };
	struct jsontext rest = { 0 }, key, entry;
	struct rule rule;
	size_t i;

	putc('[', out);
	if (p->lets && p->governs == NOBODY)
		put_rules(&array, NULL, oci_requests, OCI_REQUESTS, true);
	if (jsontext_is(p->syscalls, '['))
		rest = jsontext_inside(p->syscalls);
	array.gap.at = rest.at;
	for (i = 0; jsontext_next(&rest, &key, &entry); i++) {
		array.gap.end = entry.at;
		oci_read_rule(entry, &rule);
		put_entry(m, &array, i, &rule);
		array.gap.at = rest.at;
	}
	if (rest.at)
		fwrite(array.gap.at, 1, (size_t)(rest.end - array.gap.at), out);
	putc(']', out);
}

static void put_string(FILE *out, const char *string)
{
	putc('"', out);
	for (; *string; string++) {
		if (*string == '"' || *string == '\\')
			putc('\\', out);
		if ((unsigned char)*string < 0x20)
			fprintf(out, "\\u%04x", *string);
		else
			putc(*string, out);
	}
	putc('"', out);
}

/* Those that are there, and ours behind them, if it is wanted. */
static void put_flags(const struct merge *m, FILE *out)
{
	struct jsontext rest = { 0 }, key, flag;
	const char *comma = "";

	if (jsontext_is(m->profile.flags, '['))
		rest = jsontext_inside(m->profile.flags);
	putc('[', out);
	while (jsontext_next(&rest, &key, &flag)) {
		if (jsontext_equal(flag, OCI_FLAG))
			continue;
		fprintf(out, "%s%.*s", comma, (int)(flag.end - flag.at),
			flag.at);
		comma = ",";
	}
	if (m->want->flag)
		fprintf(out, "%s\"%s\"", comma, OCI_FLAG);
	putc(']', out);
}

/* The least profile there is. */
static void put_profile(const struct merge *m, FILE *out)
{
	fputs("{\"defaultAction\":\"SCMP_ACT_ALLOW\",\"architectures\":["
	      ARCHITECTURES "],\"listenerPath\":", out);
	put_string(out, m->want->listener);
	if (m->want->flag) {
		fputs(",\"flags\":", out);
		put_flags(m, out);
	}
	fputs(",\"syscalls\":", out);
	put_syscalls(m, out);
	putc('}', out);
}

static void put_listener(const struct merge *m, FILE *out)
{
	put_string(out, m->want->listener);
}

/*
 * Set a member: in place of @old, or in front of the object's others.
 * Edits stay sorted by where they are.
 */
static int set(struct merge *m, struct jsontext object, const char *name,
	       struct jsontext old,
	       void (*put)(const struct merge *m, FILE *out))
{
	struct jsontext rest = jsontext_inside(object), key, first;
	struct edit edit = { .old = old };
	size_t len;
	FILE *out = open_memstream(&edit.new, &len);
	int i;

	if (!out)
		return -ENOMEM;
	if (old.at) {
		put(m, out);
	} else {
		edit.old = (struct jsontext){ rest.at, rest.at };
		fprintf(out, "\"%s\":", name);
		put(m, out);
		if (jsontext_next(&rest, &key, &first))
			putc(',', out);
	}
	if (fclose(out)) {
		free(edit.new);
		return -ENOMEM;
	}
	for (i = m->edits++; i && m->edit[i - 1].old.at > edit.old.at; i--)
		m->edit[i] = m->edit[i - 1];
	m->edit[i] = edit;
	return 0;
}

/*
 * Edited earlier, perhaps for another runtime: one that does not know the flag
 * refuses the container.
 */
static int mend_flag(struct merge *m)
{
	struct profile *p = &m->profile;
	struct jsontext rest = { 0 }, key, flag;
	bool has = false;

	if (jsontext_is(p->flags, '['))
		rest = jsontext_inside(p->flags);
	while (jsontext_next(&rest, &key, &flag))
		has |= jsontext_equal(flag, OCI_FLAG);
	if (has == m->want->flag)
		return OCI_PRESENT;
	return set(m, p->object, "flags", p->flags, put_flags);
}

/* Return: enum oci_result, or negative errno; edits for OCI_ADDED. */
static int plan(struct merge *m)
{
	struct profile *p = &m->profile;
	int ret = find_profile(m);

	if (ret)
		return ret;
	if (!p->object.at)
		return set(m, m->linux_object, "seccomp", m->seccomp,
			   put_profile);
	ret = read_profile(m);
	if (!ret)
		ret = look_for_listener(m);
	if (ret == OCI_PRESENT)
		return mend_flag(m);
	if (!ret)
		ret = find_governing(m);
	if (!ret)
		ret = judge(m);
	if (!ret)
		ret = set(m, p->object, "listenerPath", p->listener,
			  put_listener);
	if (!ret && m->want->flag)
		ret = set(m, p->object, "flags", p->flags, put_flags);
	if (!ret)
		ret = set(m, p->object, "syscalls", p->syscalls, put_syscalls);
	return ret;
}

static int carry_out(const struct merge *m, const char *text, size_t len,
		     char **edited, size_t *edited_len)
{
	FILE *out = open_memstream(edited, edited_len);
	const char *at = text;
	int i;

	if (!out)
		return -ENOMEM;
	for (i = 0; i < m->edits; i++) {
		fwrite(at, 1, (size_t)(m->edit[i].old.at - at), out);
		fputs(m->edit[i].new, out);
		at = m->edit[i].old.end;
	}
	fwrite(at, 1, (size_t)(text + len - at), out);
	if (!fclose(out))
		return OCI_ADDED;
	free(*edited);
	*edited = NULL;
	return -ENOMEM;
}

bool oci_is_ours(const char *text, size_t len, const char *listener)
{
	char why[256];
	const struct oci_want want = { .listener = listener };
	struct merge m = { .want = &want, .why = why, .size = sizeof(why) };

	return !jsontext_check(text, len, &m.document, why, sizeof(why)) &&
	       !find_profile(&m) && m.profile.object.at &&
	       !read_profile(&m) && look_for_listener(&m) == OCI_PRESENT;
}

int oci_merge(const char *text, size_t len, const struct oci_want *want,
	      char **edited, size_t *edited_len, char *why, size_t size)
{
	struct merge m = {
		.want = want, .why = why, .size = size,
		.profile = { .lets = true, .governs = NOBODY },
	};
	int i, ret;

	*edited = NULL;
	*edited_len = 0;
	ret = jsontext_check(text, len, &m.document, why, size);
	if (!ret)
		ret = plan(&m);
	if (ret == OCI_ADDED)
		ret = carry_out(&m, text, len, edited, edited_len);
	if (ret == -ENOMEM)
		snprintf(why, size, "no memory to edit it");
	for (i = 0; i < m.edits; i++)
		free(m.edit[i].new);
	return ret;
}
