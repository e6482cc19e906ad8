// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the path of a control group says: see cgroup.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/cgroup.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* One part of a path: what stands between two slashes. */
struct part {
	const char *text;
	size_t length;
};

static bool part_starts(struct part part, const char *start)
{
	size_t length = strlen(start);

	return part.length >= length && !memcmp(part.text, start, length);
}

static bool part_ends(struct part part, const char *end)
{
	size_t length = strlen(end);

	return part.length >= length &&
	       !memcmp(part.text + part.length - length, end, length);
}

static bool part_is(struct part part, const char *text)
{
	return part.length == strlen(text) && part_starts(part, text);
}

/* @part without its first @n characters, and without @end if it ends so. */
static struct part part_inner(struct part part, size_t n, const char *end)
{
	if (part_ends(part, end))
		part.length -= strlen(end);
	n = n < part.length ? n : part.length;
	return (struct part){ part.text + n, part.length - n };
}

/* A part, and those above and below it; @apart: as of cgroup_parse() */
struct place {
	struct part above, part, below;
	bool apart;
};

static void copy_part(char *to, size_t size, struct part part)
{
	snprintf(to, size, "%.*s", (int)part.length, part.text);
}

static bool is_hex_digit(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

static size_t count_digits(const char *text, size_t length)
{
	size_t n = 0;

	while (n < length && is_hex_digit(text[n]))
		n++;
	return n;
}

/*
 * The UID of a pod: 36 characters, whose dashes systemd's names have as underscores;
 * of pods that the kubelet knows from a file, 32 digits.
 */
static bool copy_pod_uid(char uid[37], const char *text, size_t length)
{
	static const unsigned char groups[] = { 8, 4, 4, 4, 12 };
	size_t at = 0, i;

	if (length >= 32 && count_digits(text, length) == 32) {
		snprintf(uid, 37, "%.32s", text);
		return true;
	}
	if (length < 36)
		return false;
	for (i = 0; i < COUNT(groups); i++) {
		if (count_digits(text + at, groups[i]) != groups[i])
			return false;
		at += groups[i];
		if (i < COUNT(groups) - 1 && text[at] != '-' && text[at] != '_')
			return false;
		at++;
	}
	snprintf(uid, 37, "%.36s", text);
	uid[8] = uid[13] = uid[18] = uid[23] = '-';
	return true;
}

/* "kubepods-burstable-podUID.slice", "podUID": the UID stands behind the last "pod". */
static bool find_pod_uid(char uid[37], struct part part)
{
	size_t at = part.length;

	while (at-- > 0)
		if (part.length - at > 3 && !memcmp(part.text + at, "pod", 3) &&
		    (!at || part.text[at - 1] == '-') &&
		    copy_pod_uid(uid, part.text + at + 3, part.length - at - 3))
			return true;
	return false;
}

/*
 * What stands before the id in the last part of a container's path. Of docker and
 * podman without systemd it is the part above, of containerd nothing.
 */
static const struct {
	const char *word;
	enum owner_kind kind;
} words[] = {
	{ "docker", OWNER_DOCKER },
	{ "cri-containerd", OWNER_CONTAINERD },
	{ "nerdctl", OWNER_CONTAINERD },
	{ "crio", OWNER_CRIO },
	{ "libpod", OWNER_PODMAN },
	{ "libpod-payload", OWNER_PODMAN },
	{ "libpod_parent", OWNER_PODMAN },
};

static enum owner_kind kind_of_word(struct part word)
{
	size_t i;

	for (i = 0; i < COUNT(words); i++)
		if (part_is(word, words[i].word))
			return words[i].kind;
	return OWNER_NONE;
}

/*
 * A container's id: the 64 hex digits at the end of "docker-ID.scope", of
 * "libpod-payload-ID", of "kubepods-podUID.slice:cri-containerd:ID", of "ID".
 */
static enum owner_kind find_id(char id[OWNER_ID], struct part part, struct part above)
{
	struct part name = part_inner(part, 0, ".scope"), word = name;
	enum owner_kind kind;
	size_t i;

	if (name.length < OWNER_DIGITS)
		return OWNER_NONE;
	word.length -= OWNER_DIGITS;
	if (count_digits(name.text + word.length, OWNER_DIGITS) != OWNER_DIGITS)
		return OWNER_NONE;
	snprintf(id, OWNER_ID, "%.*s", OWNER_DIGITS, name.text + word.length);
	if (!word.length) {
		kind = kind_of_word(above);
		return kind ? kind : OWNER_CONTAINER;
	}
	word.length--;
	if (word.text[word.length] != '-' && word.text[word.length] != ':')
		return OWNER_NONE;
	for (i = word.length; i > 0 && word.text[i - 1] != ':'; i--)
		;
	return kind_of_word(part_inner(word, i, ""));
}

/*
 * Where a name stands that a runtime alone was given: behind @start, without @end, in the
 * part below @above and above one that begins with @below; NULL: whatever these are.
 * @apart: only of a process with a PID namespace of its own.
 */
static const struct {
	const char *above, *start, *end, *below;
	bool apart;
} names[] = {
	{ NULL, "runc-", ".scope", NULL, false },
	{ NULL, "crun-", ".scope", NULL, false },
	{ NULL, "lxc.payload.", "", NULL, false },	/* LXC, since 4.0; before: */
	{ "lxc.payload", "", "", NULL, false },
	{ "lxc", "", "", NULL, false },
	{ NULL, "machine-", ".scope", "payload", false },	/* systemd-nspawn */
	{ NULL, "systemd-nspawn@", ".service", "payload", false },
	{ NULL, "", ".service", "payload", true },
	{ NULL, "", "", "step_", true },	/* Slurm: job_7/step_0 */
};

/* A dash in a name stands as "\x2d" in that of a unit: systemd.unit(5). */
static void copy_name(char id[OWNER_ID], struct part name)
{
	static const char dash[] = "\\x2d";
	size_t n = 0, i = 0;

	while (i < name.length && n < OWNER_ID - 1) {
		bool is_dash = part_starts(part_inner(name, i, ""), dash);

		id[n++] = is_dash ? '-' : name.text[i];
		i += is_dash ? strlen(dash) : 1;
	}
	id[n] = '\0';
}

static bool find_name(char id[OWNER_ID], const struct place *place)
{
	struct part name;
	size_t i;

	for (i = 0; i < COUNT(names); i++) {
		name = part_inner(place->part, strlen(names[i].start), names[i].end);
		if (!name.length || !part_starts(place->part, names[i].start) ||
		    (names[i].above && !part_is(place->above, names[i].above)) ||
		    (names[i].below && !part_starts(place->below, names[i].below)) ||
		    (names[i].apart && !place->apart))
			continue;
		copy_name(id, name);
		return true;
	}
	return false;
}

static bool is_unit(struct part part)
{
	return part_ends(part, ".service") || part_ends(part, ".scope") ||
	       part_ends(part, ".slice");
}

/*
 * The service that a process belongs to. What keeps a login's processes together is
 * none: user@1000.service, session-3.scope; nor is systemd's own group.
 */
static bool is_service(struct part part)
{
	return (part_ends(part, ".service") && !part_starts(part, "user@")) ||
	       (part_ends(part, ".scope") && !part_starts(part, "session-") &&
		!part_is(part, "init.scope"));
}

/* Put a container before the others, into what is known from above. */
static void add_container(struct cgroup *cgroup, const struct owner *outer,
			  enum owner_kind kind, const char id[OWNER_ID])
{
	if (cgroup->n == CGROUP_DEPTH)
		cgroup->n--;
	memmove(cgroup->owner + 1, cgroup->owner,
		cgroup->n * sizeof(cgroup->owner[0]));
	cgroup->n++;
	cgroup->owner[0] = *outer;
	cgroup->owner[0].kind = kind;
	memcpy(cgroup->owner[0].id, id, OWNER_ID);
}

/*
 * "user-UID.slice": the outermost, outside of containers, which have users of their own.
 * Podman has slices of pods that begin and end so, too.
 */
static void read_user(struct cgroup *cgroup, struct part part)
{
	struct part uid = part_inner(part, strlen("user-"), ".slice");
	unsigned long number;
	char *end;

	if (cgroup->n || cgroup->uid != (uid_t)-1 || !part_starts(part, "user-") ||
	    !part_ends(part, ".slice") || *uid.text < '0' || *uid.text > '9')
		return;
	number = strtoul(uid.text, &end, 10);
	if (end == uid.text + uid.length && number < (uid_t)-1)
		cgroup->uid = (uid_t)number;
}

static void read_part(struct cgroup *cgroup, struct owner *outer,
		      const struct place *place)
{
	char id[OWNER_ID];
	enum owner_kind kind;

	read_user(cgroup, place->part);
	find_pod_uid(outer->pod_uid, place->part);
	kind = find_id(id, place->part, place->above);
	if (kind == OWNER_CONTAINER && outer->pod_uid[0])
		kind = OWNER_CONTAINERD;
	if (!kind && find_name(id, place))
		kind = OWNER_CONTAINER;
	if (kind)
		add_container(cgroup, outer, kind, id);
	else if (!cgroup->n && is_service(place->part))
		copy_part(outer->unit, sizeof(outer->unit), place->part);
}

/* The first part of what is left of a path, which may end with " (deleted)". */
static struct part find_part(const char *path)
{
	path += strspn(path, "/");
	return (struct part){ path, strcspn(path, "/ ") };
}

void cgroup_parse(struct cgroup *cgroup, const char *path, bool apart)
{
	struct place place = { .part = find_part(path), .apart = apart };
	struct owner outer = { .kind = OWNER_NONE };
	char id[OWNER_ID];

	cgroup->n = 0;
	cgroup->uid = (uid_t)-1;
	while (place.part.length) {
		place.below = find_part(place.part.text + place.part.length);
		read_part(cgroup, &outer, &place);
		place.above = place.part;
		place.part = place.below;
	}
	if (cgroup->n)
		return;
	if (apart && place.above.length && !is_unit(place.above) &&
	    !part_is(place.above, "..")) {
		copy_part(id, sizeof(id), place.above);
		add_container(cgroup, &outer, OWNER_CONTAINER, id);
		return;
	}
	outer.kind = outer.unit[0] ? OWNER_UNIT : OWNER_NONE;
	cgroup->owner[cgroup->n++] = outer;
}

/* How much a control group says. */
static int weight_of(const struct cgroup *cgroup)
{
	return cgroup->owner[0].kind > OWNER_UNIT ? 2 :
	       cgroup->owner[0].kind == OWNER_UNIT;
}

void cgroup_parse_file(struct cgroup *cgroup, const char *text, bool apart)
{
	char path[4096];
	struct cgroup other;
	size_t length;
	const char *colon;

	cgroup_parse(cgroup, "/", false);
	for (; *text; text += length + (text[length] == '\n')) {
		length = strcspn(text, "\n");
		colon = memchr(text, ':', length);
		if (colon)
			colon = memchr(colon + 1, ':',
				       length - (size_t)(colon + 1 - text));
		if (!colon)
			continue;
		snprintf(path, sizeof(path), "%.*s",
			 (int)(length - (size_t)(colon + 1 - text)), colon + 1);
		cgroup_parse(&other, path, apart);
		if (weight_of(&other) > weight_of(cgroup))
			*cgroup = other;
		if (weight_of(cgroup) == 2)
			return;
	}
}
