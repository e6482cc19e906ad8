// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owners in paths of control groups, where runtimes, the kubelet and systemd put their names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host/internal.h"
#include "lib/host.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* One part of a path: the text between two slashes. */
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

	return part.length >= length && !memcmp(part.text + part.length - length, end, length);
}

static bool part_is(struct part part, const char *text)
{
	return part.length == strlen(text) && part_starts(part, text);
}

/* Returns @part without its first @n characters, and without @end if it ends so. */
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
	text_clean(to);
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
 * Prefixes of the id in the last part of a container's path. For docker and podman
 * without systemd it is the part above, for containerd nothing.
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
 * Places of the name that a runtime alone was given: behind @start, without @end, in
 * the part below @above and above one that begins with @below; NULL: whatever these
 * are. @apart: only of a process with a PID namespace of its own.
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
	text_clean(id);		/* users name groups of their own */
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

/* Systemd's own group is no service. */
static bool is_service(struct part part)
{
	return part_ends(part, ".service") ||
	       (part_ends(part, ".scope") && !part_is(part, "init.scope"));
}

/* Reads the number between @start and @end: decimal digits, a UID or less. */
static bool read_number(unsigned int *number, struct part part, const char *start, const char *end)
{
	struct part digits = part_inner(part, strlen(start), end);
	unsigned long value;
	char *stop;

	if (!part_starts(part, start) || !part_ends(part, end) || !digits.length ||
	    *digits.text < '0' || *digits.text > '9')
		return false;
	value = strtoul(digits.text, &stop, 10);
	if (stop != digits.text + digits.length || value >= (uid_t)-1)
		return false;
	*number = (unsigned int)value;
	return true;
}

/* A SLUID, which names a job from Slurm 26.05 on: "s5K1KKYAYG5D00". */
static bool is_sluid(struct part part)
{
	size_t n = 1;

	if (part.length < 9 || part.length > 15 || *part.text != 's')
		return false;
	while (n < part.length && ((part.text[n] >= '0' && part.text[n] <= '9') ||
				   (part.text[n] >= 'A' && part.text[n] <= 'Z')))
		n++;
	return n == part.length;
}

/*
 * Reads a job of Slurm: with cgroup v2 slurmstepd.scope/job_N/step_M (or
 * NODE_slurmstepd.scope), with v1 uid_U/job_N/step_M; or its SLUID in place of job_N.
 */
static bool read_job(struct owner *owner, const struct place *place)
{
	unsigned int job, uid = (uid_t)-1;

	if (!part_ends(place->above, "slurmstepd.scope") &&
	    !read_number(&uid, place->above, "uid_", ""))
		return false;
	if (read_number(&job, place->part, "job_", ""))
		snprintf(owner->job, sizeof(owner->job), "%u", job);
	else if (is_sluid(place->part))
		copy_part(owner->job, sizeof(owner->job), place->part);
	else
		return false;
	owner->kind = OWNER_SLURM;
	owner->uid = uid;
	if (part_starts(place->below, "step_"))
		copy_part(owner->step, sizeof(owner->step),
			  part_inner(place->below, strlen("step_"), ""));
	return true;
}

static bool is_one_of(struct part part, const char *const *names)
{
	while (*names && !part_is(part, *names))
		names++;
	return *names;
}

/* Folders in which batch systems have a group for each job: but for the first of no unit, too. */
static const char *const systems[] = {
	"jobid", "htcondor", "torque", "pbspro", "pbspro.slice", "oar", "oar.slice", "UGE", NULL
};

/*
 * Is this a job of a batch system that is no Slurm? The first group below its unit tells jobs
 * apart: pbs.service/jobid/7.server, condor.service/htcondor/condor_slot1_1@host, x.service/7,
 * torque/7.server, pbspro.slice/pbspro-7.server.slice; but lsf/CLUSTER/job.7, and
 * oar.slice/oar-u1000.slice/oar-u1000-j7.slice.
 */
static bool is_job(const struct place *place)
{
	static const char *const others[] = { "system", "supervisor", "payload", "libvirt",
					      "kubepods", "lsf", NULL };
	const bool is_oar = part_starts(place->part, "oar-u") &&
			    memmem(place->part.text, place->part.length, "-j", 2);

	return (is_service(place->above) || is_one_of(place->above, systems) ||
		part_starts(place->part, "job.") || is_oar) &&
	       (!is_unit(place->part) || part_starts(place->part, "pbspro-") || is_oar) &&
	       !is_one_of(place->part, others) &&
	       !is_one_of(place->part, systems);
}

/*
 * Return: was that the outermost container, or job? Below a user's slice all names are
 * the user's: no unit, pod or job counts there.
 */
static bool read_part(struct owner *owner, const struct place *place)
{
	const bool is_users = owner->uid != (uid_t)-1;
	char id[OWNER_ID];

	if (!is_users && read_job(owner, place))
		return true;
	if (!is_users)
		find_pod_uid(owner->pod_uid, place->part);
	owner->kind = find_id(id, place->part, place->above);
	if (owner->kind == OWNER_CONTAINER && owner->pod_uid[0])
		owner->kind = OWNER_CONTAINERD;
	if (!owner->kind && find_name(id, place))
		owner->kind = OWNER_CONTAINER;
	if (owner->kind) {
		memcpy(owner->id, id, sizeof(id));
		owner->job[0] = '\0';
	} else if (!is_users && !owner->unit[0] &&
		   (is_service(place->part) || is_one_of(place->part, systems + 1) ||
		    part_is(place->part, "lsf"))) {
		copy_part(owner->unit, sizeof(owner->unit), place->part);
	} else if (owner->unit[0] && !owner->job[0] && is_job(place)) {
		copy_part(owner->job, sizeof(owner->job), place->part);
	}
	return owner->kind != OWNER_NONE;
}

/* The first part of what is left of a path, which may end with " (deleted)". */
static struct part find_part(const char *path)
{
	path += strspn(path, "/");
	return (struct part){ path, strcspn(path, "/ ") };
}

/* Reads "user.slice/user-UID.slice", which has a user's logins and manager in it. */
static bool read_user(uid_t *uid, struct part above, struct part part)
{
	return part_is(above, "user.slice") && read_number(uid, part, "user-", ".slice");
}

/*
 * Finds the outermost container or job; without any, the outermost service. @apart: the process
 * has a PID namespace of its own: without a runtime's name the last part names a container.
 */
void cgroup_parse(struct owner *owner, const char *path, bool apart)
{
	struct place place = { { "", 0 }, find_part(path), { "", 0 }, apart };

	*owner = (struct owner){ .uid = (uid_t)-1 };
	while (place.part.length) {
		place.below = find_part(place.part.text + place.part.length);
		if ((owner->unit[0] || owner->uid != (uid_t)-1 ||
		     !read_user(&owner->uid, place.above, place.part)) &&
		    read_part(owner, &place))
			return;
		place.above = place.part;
		place.part = place.below;
	}
	if (apart && place.above.length && !is_unit(place.above) && !part_is(place.above, "..")) {
		copy_part(owner->id, sizeof(owner->id), place.above);
		owner->job[0] = '\0';
		owner->kind = OWNER_CONTAINER;
		return;
	}
	owner->pod_uid[0] = '\0';
	owner->kind = owner->unit[0] ? OWNER_UNIT : OWNER_NONE;
}

/* Finds where the hierarchy of these controllers is mounted; "": that of cgroup v2. */
static int find_mount(char *mount, size_t size, const char *controllers)
{
	if (!strncmp(controllers, "name=", strlen("name=")))
		controllers += strlen("name=");
	if (!*controllers && host_exists("/sys/fs/cgroup/unified"))
		controllers = "unified";
	return host_path(mount, size, "/sys/fs/cgroup/%s", controllers);
}

/*
 * Cuts a path below the first group that is not root's, as one that is delegated to the
 * user of a service: names in it are no word of root's. Groups below a user's slice are
 * known to be that user's.
 */
static void cut_below_users(char *path, const char *controllers)
{
	struct part above, part = { "", 0 };
	char name[2 * 4096];
	struct stat top, st;
	char *last, *slash;
	bool in_unit = false;
	size_t length;
	uid_t uid;

	if (host_path(name, sizeof(name), "/sys/fs/cgroup") || stat(name, &top))
		return;		/* it is not mounted: nothing says otherwise */
	if (find_mount(name, sizeof(name) / 2, controllers))
		return;
	length = strlen(name);
	for (last = path; *last && (slash = strchr(last + 1, '/')); last = slash) {
		snprintf(name + length, sizeof(name) - length, "%.*s", (int)(slash - path), path);
		if (stat(name, &st) || st.st_uid != top.st_uid) {
			*slash = '\0';
			return;
		}
		above = part;
		part = (struct part){ last + 1, (size_t)(slash - last - 1) };
		in_unit = in_unit || is_service(part);
		if (!in_unit && read_user(&uid, above, part))
			return;
	}
}

/* Weighs what a control group says: root's containers, those of users, jobs, units and users. */
static int weight_of(const struct owner *owner)
{
	if (owner->kind <= OWNER_UNIT)
		return owner->job[0] ? 2 : owner->kind == OWNER_UNIT || owner->uid != (uid_t)-1;
	return owner->kind == OWNER_SLURM || owner->uid == (uid_t)-1 ? 4 : 3;
}

/* Reads "NUMBER:CONTROLLERS:PATH", which is cut up. */
static void parse_line(struct owner *owner, char *line, bool apart)
{
	char *controllers = strchr(line, ':');
	char *path = controllers ? strchr(controllers + 1, ':') : NULL;

	if (!path) {
		cgroup_parse(owner, "", false);
		return;
	}
	*path++ = '\0';
	cut_below_users(path, controllers + 1);
	cgroup_parse(owner, path, apart);
}

/*
 * Reads all of /proc/PID/cgroup: of several hierarchies the one counts that says most. Groups
 * that others than root have made are not looked at, but for containers in a user's slice.
 */
void cgroup_parse_file(struct owner *owner, const char *text, bool apart)
{
	char line[4096];
	struct owner other;
	size_t length;

	cgroup_parse(owner, "", false);
	for (; *text; text += length + (text[length] == '\n')) {
		length = strcspn(text, "\n");
		snprintf(line, sizeof(line), "%.*s", (int)length, text);
		parse_line(&other, line, apart);
		if (weight_of(&other) > weight_of(owner))
			*owner = other;
	}
}
