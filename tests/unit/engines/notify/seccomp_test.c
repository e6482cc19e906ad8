// SPDX-License-Identifier: GPL-2.0-only
/*
 * Merging into configurations: what results, what is refused, and that it says
 * what it said before (by libseccomp, see engines/notify/filter.c).
 */
#include <linux/audit.h>
#include <sys/stat.h>
#include "container/container.h"
#include "container/oci/oci.h"
#include "engines/notify/internal.h"
#include "lib/json_file.h"
#include "tests/unit/engines/notify/filter.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

static const struct supervision want = { .listener = "/run/a.sock" };
static const struct supervision want_flag = {
	.listener = "/run/a.sock", .flag = true
};

static char why[WHY_SIZE];

/* @edited receives the new text for PROFILE_ADDED, else NULL. */
static int merge_part(const char *text, size_t len, const struct supervision *w, char **edited)
{
	struct json_object *config;
	int ret = json_file_parse(text, len, &config, why);

	*edited = NULL;
	if (!ret)
		ret = profile_add(config, w, why);
	if (ret == PROFILE_ADDED)
		*edited = strdup(json_file_text(config));
	json_object_put(config);
	return ret;
}

static int merge(const char *text, const struct supervision *w, char **edited)
{
	return merge_part(text, strlen(text), w, edited);
}

static bool is_supervised(const char *text, const char *listener)
{
	struct json_object *config;
	bool is;

	assert_int_equal(json_file_parse(text, strlen(text), &config, why), 0);
	is = profile_has(config, listener);
	json_object_put(config);
	return is;
}

/* Checks properties of every edited configuration. */
static void check_edited(const char *text, const char *edited, const struct supervision *w)
{
	struct filter before, after;
	char *again;

	assert_int_equal(merge(edited, w, &again), PROFILE_PRESENT);
	assert_true(is_supervised(edited, w->listener));
	assert_false(is_supervised(text, w->listener));
	assert_int_equal(filter_make(text, strlen(text), &before), 0);
	assert_int_equal(filter_make(edited, strlen(edited), &after), 0);
	if (filter_compare(&before, &after, why, sizeof(why)))
		fail_msg("%s\nbefore: %s\nafter: %s", why, text, edited);
	filter_free(&before);
	filter_free(&after);
}

#define PROFILE(text)	"{\"linux\":{\"seccomp\":" text "}}"
#define ARCH \
	"\"architectures\":[\"SCMP_ARCH_X86_64\",\"SCMP_ARCH_X86\",\"SCMP_ARCH_X32\"]"
#define ALLOW(more)	PROFILE("{\"defaultAction\":\"SCMP_ACT_ALLOW\"," ARCH more "}")
#define ERRNO(more)	PROFILE("{\"defaultAction\":\"SCMP_ACT_ERRNO\"," ARCH more "}")
#define CALLS(list)	",\"syscalls\":[" list "]"
#define CALL(names, action, more) \
	"{\"names\":[" names "],\"action\":\"SCMP_ACT_" action "\"" more "}"
#define ARG(index, value, two, op) \
	"{\"index\":" #index ",\"value\":" #value ",\"valueTwo\":" #two \
	",\"op\":\"SCMP_CMP_" op "\"}"
#define ARGS(list)	",\"args\":[" list "]"

#define IOCTL		"\"ioctl\""
#define OTHER		"\"read\",\"write\",\"openat\""

static const struct merge_case {
	const char *name;
	const char *text;
	int result;
	const char *says;
} cases[] = {
	{ "no profile", "{\"linux\":{\"a\":1}}", PROFILE_ADDED, NULL },
	{ "an empty linux", "{\"linux\":{}}", PROFILE_ADDED, NULL },
	{ "a pod's sandbox, by containerd",
	  "{\"annotations\":{\"io.kubernetes.cri.container-type\":\"sandbox\"},\"linux\":{}}",
	  PROFILE_PRESENT, NULL },
	{ "a pod's sandbox, by CRI-O",
	  "{\"annotations\":{\"io.kubernetes.cri-o.ContainerType\":\"sandbox\"},\"linux\":{}}",
	  PROFILE_PRESENT, NULL },
	{ "a pod's container",
	  "{\"annotations\":{\"io.kubernetes.cri.container-type\":\"container\"},\"linux\":{}}",
	  PROFILE_ADDED, NULL },
	{ "one of CRI-O with containerd's annotation of a sandbox",
	  "{\"annotations\":{\"io.kubernetes.cri.container-type\":\"sandbox\","
	  "\"io.kubernetes.cri-o.ContainerType\":\"container\"},\"linux\":{}}",
	  PROFILE_ADDED, NULL },
	{ "a null profile", PROFILE("null"), PROFILE_ADDED, NULL },
	{ "allows everything", ALLOW(""), PROFILE_ADDED, NULL },
	{ "null lists", ALLOW(",\"syscalls\":null,\"flags\":null,\"listenerPath\":null"),
	  PROFILE_ADDED, NULL },
	{ "an empty list", ALLOW(CALLS("")), PROFILE_ADDED, NULL },
	{ "logs everything", PROFILE("{\"defaultAction\":\"SCMP_ACT_LOG\"," ARCH "}"),
	  PROFILE_ADDED, NULL },
	{ "like docker's", ERRNO(CALLS(CALL(OTHER "," IOCTL ",\"futex\"", "ALLOW", ""))),
	  PROFILE_ADDED, NULL },
	{ "ioctl first and twice",
	  ERRNO(CALLS(CALL(IOCTL "," IOCTL "," OTHER, "ALLOW", ""))),
	  PROFILE_ADDED, NULL },
	{ "ioctl alone", ERRNO(CALLS(CALL(IOCTL, "ALLOW", "") "," CALL(OTHER, "ALLOW", ""))),
	  PROFILE_ADDED, NULL },
	{ "ioctl alone, last", ERRNO(CALLS(CALL(OTHER, "ALLOW", "") "," CALL(IOCTL, "ALLOW", ""))),
	  PROFILE_ADDED, NULL },
	{ "ioctl in escapes",
	  ERRNO(CALLS(CALL("\"\\u0069octl\",\"read\"", "ALLOW", ""))),
	  PROFILE_ADDED, NULL },
	{ "ioctl logged", ERRNO(CALLS(CALL(IOCTL, "LOG", ""))), PROFILE_ADDED, NULL },
	{ "allowed by default, logged", ALLOW(CALLS(CALL(IOCTL, "LOG", ""))),
	  PROFILE_ADDED, NULL },
	{ "allowed twice", ERRNO(CALLS(CALL(IOCTL, "ALLOW", "") "," CALL(IOCTL, "ALLOW", ""))),
	  PROFILE_ADDED, NULL },
	{ "the first of two governs",
	  ERRNO(CALLS(CALL(IOCTL, "ALLOW", "") "," CALL(IOCTL ",\"read\"", "KILL", ""))),
	  PROFILE_ADDED, NULL },
	{ "conditions beside a governing entry do not count",
	  ERRNO(CALLS(CALL(IOCTL, "KILL", ARGS(ARG(1, 21522, 0, "EQ"))) ","
		      CALL(IOCTL, "ALLOW", "") ","
		      CALL(IOCTL, "TRAP", ARGS(ARG(0, 1, 0, "NE"))))),
	  PROFILE_ADDED, NULL },
	{ "what the default says is left out",
	  ERRNO(CALLS(CALL(IOCTL, "ERRNO", ",\"errnoRet\":1") "," CALL(IOCTL, "ALLOW", ""))),
	  PROFILE_ADDED, NULL },
	{ "another error number is not left out",
	  ERRNO(CALLS(CALL(IOCTL, "ERRNO", ",\"errnoRet\":38") "," CALL(IOCTL, "ALLOW", ""))),
	  PROFILE_CLOSED, "lets no call" },
	{ "a number that the action does not take",
	  ALLOW(CALLS(CALL(IOCTL, "ALLOW", ",\"errnoRet\":38") ","
		      CALL(IOCTL, "KILL", ARGS(ARG(2, 5, 0, "NE"))))),
	  -EINVAL, "has conditions on ioctl" },
	{ "two names of one action",
	  PROFILE("{\"defaultAction\":\"SCMP_ACT_KILL_THREAD\"," ARCH
		  CALLS(CALL(IOCTL, "KILL", "") "," CALL(IOCTL, "ALLOW", "")) "}"),
	  PROFILE_ADDED, NULL },
	{ "TIOCSTI forbidden", ALLOW(CALLS(CALL(IOCTL, "ERRNO", ARGS(ARG(1, 21522, 0, "EQ"))))),
	  PROFILE_ADDED, NULL },
	{ "a condition on another argument",
	  ERRNO(CALLS(CALL(IOCTL "," OTHER, "ALLOW", ARGS(ARG(0, 1, 0, "EQ"))))),
	  PROFILE_ADDED, NULL },
	{ "and an inequality of it",
	  ERRNO(CALLS(CALL(IOCTL, "ALLOW", ARGS(ARG(0, 2, 0, "LE") "," ARG(2, 7, 0, "NE"))))),
	  PROFILE_ADDED, NULL },
	{ "one request of the driver allowed",
	  ERRNO(CALLS(CALL(IOCTL, "ALLOW", ARGS(ARG(1, 3223340586, 0, "EQ"))))),
	  PROFILE_ADDED, NULL },
	{ "one other request allowed",
	  ERRNO(CALLS(CALL(IOCTL, "ALLOW", ARGS(ARG(1, 21505, 0, "EQ"))))),
	  PROFILE_CLOSED, "lets no call" },
	{ "one type of request allowed",
	  ERRNO(CALLS(CALL(IOCTL, "ALLOW", ARGS(ARG(1, 65280, 17920, "MASKED_EQ"))))),
	  PROFILE_ADDED, NULL },
	{ "odd numbers allowed",
	  ERRNO(CALLS(CALL(IOCTL, "ALLOW", ARGS(ARG(1, 1, 1, "MASKED_EQ"))))),
	  PROFILE_ADDED, NULL },
	{ "forbidden", ERRNO(CALLS(CALL(OTHER, "ALLOW", ""))), PROFILE_CLOSED, "lets no call" },
	{ "forbidden by an entry", ALLOW(CALLS(CALL(IOCTL, "KILL", ""))),
	  PROFILE_CLOSED, "lets no call" },

	{ "a listener of their own", ALLOW(",\"listenerPath\":\"/run/b.sock\""),
	  PROFILE_FOREIGN, "listener of its own" },
	{ "a call of theirs notifies", ALLOW(CALLS(CALL("\"mount\"", "NOTIFY", ""))),
	  PROFILE_FOREIGN, "listener of its own" },
	{ "ours", ALLOW(",\"listenerPath\":\"/run/a.sock\""), PROFILE_PRESENT, NULL },
	{ "ours in escapes", ALLOW(",\"listenerPath\":\"\\/run\\/a\\u002esock\""),
	  PROFILE_PRESENT, NULL },

	/* An empty path counts as no listener. */
	{ "no listener in so many words", ALLOW(",\"listenerPath\":\"\""),
	  PROFILE_ADDED, NULL },
	{ "all calls are theirs", PROFILE("{\"defaultAction\":\"SCMP_ACT_NOTIFY\"," ARCH "}"),
	  PROFILE_FOREIGN, "listener of its own" },

	{ "an inequality", ERRNO(CALLS(CALL(IOCTL, "ALLOW", ARGS(ARG(1, 5, 0, "NE"))))),
	  -EINVAL, "syscalls[0] has conditions" },
	{ "two conditions on one argument",
	  ERRNO(CALLS(CALL(OTHER, "ALLOW", "") "," CALL(IOCTL, "ALLOW",
		ARGS(ARG(1, 5, 0, "EQ") "," ARG(1, 6, 0, "EQ"))))),
	  -EINVAL, "syscalls[1] has conditions" },
	{ "overlapping entries that disagree",
	  ALLOW(CALLS(CALL(IOCTL, "TRAP", ARGS(ARG(1, 21505, 0, "EQ"))) ","
		      CALL(IOCTL, "LOG", ARGS(ARG(1, 65280, 21504, "MASKED_EQ"))))),
	  -EINVAL, "syscalls[1] has conditions" },
	{ "a mask without bits", ERRNO(CALLS(CALL(IOCTL, "TRAP", ARGS(ARG(0, 0, 7, "MASKED_EQ"))) ","
					     CALL(IOCTL, "ALLOW", ""))),
	  -EINVAL, "syscalls[0].args[0].value is a mask without a bit" },
	{ "one without bits for 32-bit programs",
	  ERRNO(CALLS(CALL(IOCTL, "ALLOW", ARGS(ARG(1, 4294967296, 0, "MASKED_EQ"))))),
	  -EINVAL, "syscalls[0].args[0].value is a mask without a bit" },
	{ "forbidden in part", ALLOW(CALLS(CALL(IOCTL, "KILL", ARGS(ARG(0, 5, 0, "EQ"))))),
	  -EINVAL, "syscalls[0] has conditions" },
	{ "seccomp twice",
	  "{\"linux\":{\"seccomp\":{},\"seccomp\":null}}", -EINVAL, "line 1: linux.seccomp is there twice, and some programs take the first, some the last: remove one of the two" },
	/* JSON that Go reads and crun does not. */
	{ "seccomp in capitals", "{\"linux\":{\"Seccomp\":{}}}",
	  -EINVAL, "linux.seccomp is there in another case, \"Seccomp\", which some programs take for it and some do not" },
	{ "linux twice but for its case", "{\"linux\":{},\"LINUX\":{}}",
	  -EINVAL, "linux is there in another case" },
	{ "a long s", "{\"linux\":{\"\305\277eccomp\":{}}}", -EINVAL, "another case" },
	{ "a long s in an escape", "{\"linux\":{\"\\u017feccomp\":{}}}", -EINVAL, "another case" },
	{ "an entry's member in capitals", ALLOW(CALLS("{\"names\":[\"ioctl\"],\"Names\":[],\"action\":\"SCMP_ACT_KILL\"}")),
	  -EINVAL, "another case" },
	{ "what is like no member of ours", "{\"Vm\":1,\"linu\":2,\"linux\":{\"seccom\":{},\"\\u212a\":1}}",
	  PROFILE_ADDED, NULL },
	{ "no linux", "{\"vm\":{}}", -EINVAL, "no member \"linux\"" },
	{ "linux a string", "{\"linux\":\"x\"}", -EINVAL, "linux is not an object" },
	{ "no default", PROFILE("{}"), -EINVAL, "linux.seccomp.defaultAction is missing" },
	{ "a list of numbers", ALLOW(CALLS("1,2")), -EINVAL, "linux.seccomp.syscalls[0] is not an object" },
	{ "names no list", ALLOW(CALLS("{\"names\":3,\"action\":\"SCMP_ACT_KILL\"}")),
	  -EINVAL, "linux.seccomp.syscalls[0].names is not an array" },
	{ "no action", ALLOW(CALLS("{\"names\":[]}")), -EINVAL, "linux.seccomp.syscalls[0].action is missing" },
	{ "a fraction", ALLOW(CALLS(CALL(IOCTL, "KILL", ARGS(ARG(1, 1e3, 0, "EQ"))))),
	  -EINVAL, "linux.seccomp.syscalls[0].args[0].value is not a whole number" },
	{ "a number of 65 bits", ALLOW(CALLS(CALL(IOCTL, "KILL", ARGS(ARG(1, 18446744073709551616, 0, "EQ"))))),
	  -EINVAL, "linux.seccomp.syscalls[0].args[0].value is not a whole number" },
	{ "a negative number", ALLOW(CALLS(CALL(IOCTL, "KILL", ",\"errnoRet\":-1"))),
	  -EINVAL, "linux.seccomp.syscalls[0].errnoRet is not a whole number" },
	{ "argument 6", ALLOW(CALLS(CALL(IOCTL, "KILL", ARGS(ARG(6, 1, 0, "EQ"))))),
	  -EINVAL, "no call has" },
	{ "argument 18446744073709551615",
	  ALLOW(CALLS(CALL(IOCTL, "KILL", ARGS(ARG(18446744073709551615, 1, 0, "EQ"))))),
	  -EINVAL, "no call has" },
	{ "a list", "[]", -EINVAL, "it is not an object" },
	{ "nothing", "", -EINVAL, "line 1: a value should be here" },
	{ "half", "{\n\"linux\":\n{", -EINVAL, "line 3: a name in double quotes should be here" },
	{ "two", "{}{}", -EINVAL, "something follows" },
};

TEST("each kind of profile is edited, left as it is, or refused")
{

	each_row(row, cases) {
		char *edited;
		int ret = merge(row->text, &want, &edited);

		if (ret != row->result)
			fail_msg("%s: result %d: %s", row->name, ret, why);
		if (row->says && !strstr(why, row->says))
			fail_msg("%s: says %s", row->name, why);
		if (edited)
			check_edited(row->text, edited, &want);
		free(edited);
	}
}

/*
 * The merged filter as numbers: container engines' profiles in short, with the rules of
 * theirs that have conditions, and calls of every architecture. A container's programs may be of
 * any that its profile names.
 */
#define ARCHES ",\"architectures\":[\"SCMP_ARCH_X86_64\",\"SCMP_ARCH_X86\",\"SCMP_ARCH_X32\"," \
	"\"SCMP_ARCH_AARCH64\",\"SCMP_ARCH_ARM\"]"
#define CONTAINERS_CALLS \
	CALL(OTHER "," IOCTL ",\"futex\",\"mmap\"", "ALLOW", "") "," \
	CALL("\"personality\"", "ALLOW", ARGS(ARG(0, 8, 0, "EQ"))) "," \
	CALL("\"socket\"", "ALLOW", ARGS(ARG(0, 40, 0, "NE")))

static const struct { const char *name, *text; u32 other; } engines_of[] = {
	{ "none", "{\"linux\":{}}", SECCOMP_RET_ALLOW },
	{ "docker", PROFILE("{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"defaultErrnoRet\":1" ARCHES
		CALLS(CONTAINERS_CALLS) "}"), SECCOMP_RET_ERRNO | EPERM },
	{ "containerd", PROFILE("{\"defaultAction\":\"SCMP_ACT_ERRNO\"" ARCHES
		CALLS(CONTAINERS_CALLS) "}"), SECCOMP_RET_ERRNO | EPERM },
	{ "podman", PROFILE("{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"defaultErrnoRet\":38" ARCHES
		CALLS(CALL("\"mount\",\"bpf\"", "ERRNO", ",\"errnoRet\":1") "," CONTAINERS_CALLS) "}"),
	  SECCOMP_RET_ERRNO | ENOSYS },
	{ "CRI-O", PROFILE("{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"defaultErrnoRet\":38" ARCHES
		",\"flags\":[]" CALLS(CONTAINERS_CALLS "," CALL("\"clone\"", "ALLOW",
		ARGS(ARG(0, 2114060288, 0, "MASKED_EQ")))) "}"), SECCOMP_RET_ERRNO | ENOSYS },
};

#ifdef __aarch64__
#define HERE	AUDIT_ARCH_AARCH64
#else
#define HERE	AUDIT_ARCH_X86_64
#endif

static bool is_arm(u32 arch)
{
	return arch == AUDIT_ARCH_AARCH64 || arch == AUDIT_ARCH_ARM;
}

enum { NOTIFIES, LETS, OTHERS };	/* verdicts: @other is for a call that is in no profile */

static const struct { u32 arch; int nr; u64 args[2]; int verdict; } calls_of[] = {
#define FIVE(a1, verdict) \
	{ AUDIT_ARCH_X86_64, 16, { 3, a1 }, verdict }, \
	{ AUDIT_ARCH_X86_64, 0x40000000 + 514, { 3, a1 }, verdict }, \
	{ AUDIT_ARCH_I386, 54, { 3, a1 }, verdict }, \
	{ AUDIT_ARCH_AARCH64, 29, { 3, a1 }, verdict }, \
	{ AUDIT_ARCH_ARM, 54, { 3, a1 }, verdict }
	FIVE(0xc020462a, NOTIFIES),		/* RM_CONTROL */
	FIVE(0xc01046d3, NOTIFIES),		/* XFER */
	FIVE(0x0020002a, NOTIFIES),		/* the driver goes by number and size */
	FIVE(0xffffffffc020462a, NOTIFIES),	/* and not by the upper half */
	FIVE(0x802c542a, LETS),			/* TCGETS2 */
	FIVE(0xc020462b, LETS),			/* RM_ALLOC */
	FIVE(0xc02046d3, LETS),
	FIVE(0xc010462a, LETS),
	FIVE(0x5401, LETS),
	{ AUDIT_ARCH_X86_64, 0, { 0xc020462a, 0xc020462a }, LETS },	/* read */
	{ AUDIT_ARCH_X86_64, 514, { 3, 0xc020462a }, OTHERS },
	{ AUDIT_ARCH_X86_64, 54, { 3, 0xc020462a }, OTHERS },		/* setsockopt */
	{ AUDIT_ARCH_I386, 16, { 3, 0xc020462a }, OTHERS },		/* lchown */
	{ AUDIT_ARCH_AARCH64, 54, { 3, 0xc020462a }, OTHERS },		/* fchownat */
	{ AUDIT_ARCH_X86_64, 41, { 2, 0 }, LETS },			/* socket */
	{ AUDIT_ARCH_X86_64, 135, { 8, 0 }, LETS },			/* personality */
};

TEST("the merged filter, as data: every container engine's, every architecture's")
{
	each_row(engine, engines_of) {
		struct filter filter;
		char *edited;

		assert_int_equal(merge(engine->text, &want, &edited), PROFILE_ADDED);
		assert_int_equal(filter_make(edited, strlen(edited), &filter), 0);
		each_row(call, calls_of) {
			const struct seccomp_data data = { .arch = call->arch, .nr = call->nr,
				.args = { call->args[0], call->args[1] } };
			u32 should = call->verdict == NOTIFIES ? SECCOMP_RET_USER_NOTIF :
				     call->verdict == LETS ? SECCOMP_RET_ALLOW : engine->other;
			u32 is = filter_run(&filter, &data);

			/* Without a profile ours names what this machine runs: no other can call. */
			if (engine == engines_of && is_arm(data.arch) != is_arm(HERE))
				should = SECCOMP_RET_KILL_THREAD;
			if (is != should)
				fail_msg("%s: arch %#x, call %d(%#llx, %#llx) is %#x, not %#x",
					 engine->name, data.arch, data.nr,
					 data.args[0], data.args[1], is, should);
		}
		filter_free(&filter);
		free(edited);
	}
}

#define NOTIFY_RULES \
	CALL(IOCTL, "NOTIFY", ARGS(ARG(1, 1073676543, 2097194, "MASKED_EQ"))) "," \
	CALL(IOCTL, "NOTIFY", ARGS(ARG(1, 1073676543, 1048787, "MASKED_EQ")))

TEST("a written configuration has the order and spelling it was read in")
{
	static const char text[] =
		" {\"n\":[1e3, 1.0,-0,123456789012345678901234567890,null,true],\n"
		"\"linux\":{\"x\":{},\"seccomp\":null,\"y\":[ ]},"
		"\"s\":\"\\u00e9\\/\303\251<\\ud800\\u0000\",\"\\u00e9/\":1}\n";
	static const char head[] = "{\n\t\"n\": [\n\t\t1e3,\n\t\t1.0,\n\t\t-0,\n"
		"\t\t123456789012345678901234567890,\n\t\tnull,\n\t\ttrue\n\t],\n"
		"\t\"linux\": {\n\t\t\"x\": {";
	static const char tail[] = "},\n\t\"s\": \"\\u00e9\\/\303\251<\\ud800\\u0000\",\n"
		"\t\"\303\251/\": 1\n}";
	char *edited;

	assert_int_equal(merge(text, &want, &edited), PROFILE_ADDED);
	assert_memory_equal(edited, head, strlen(head));
	assert_string_equal(edited + strlen(edited) - strlen(tail), tail);
	free(edited);
	/* Members of an entry that is divided go with each part. */
	merge(ERRNO(CALLS(CALL(IOCTL, "ALLOW", ",\"extra\": 1.0"))), &want, &edited);
	assert_non_null(strstr(edited, "\"SCMP_ACT_NOTIFY\",\n\t\t\t\t\t\"extra\": 1.0,"));
	assert_non_null(strstr(edited, "\"SCMP_ACT_ALLOW\",\n\t\t\t\t\t\"extra\": 1.0,"));
	free(edited);
}

TEST("a text that is no JSON is refused, with the line and the reason")
{
	static const struct { const char *text, *says; } texts[] = {
		{ "{\"a\":1,\"b\":2,\"a\":3}", "line 1: a is there twice" },
		{ "{\"a\":1,\"\\u0061\":1}", "line 1: \\u0061 is there twice" },
		{ "{\"p\":{\"q\":[0,[{},\n{\"r\":1,\n\"r\":1}]]}}", "line 3: p.q[1][1].r is there twice" },
		{ "{\"\":1,\"\":1}", "line 1:  is there twice" },
		{ "{\"\342\200\256\":1,\"\342\200\256\":1}", "line 1: ??? is there twice" },
		{ "{\"a\\u0000b\":1}", "line 1: a\\u0000b has a NUL character in its name: remove it" },
		{ "{} {", "line 1: something follows the end" },
		{ "[1,]", "line 1: a value should be here" },
		{ "{\"a\":}", "line 1: a value should be here" },
		{ "{\"a\":1,}", "line 1: a name in double quotes should be here" },
		{ "{'a':1}", "line 1: a name in double quotes should be here" },
		{ "{\"a\" 1}", "line 1: a colon should be here" },
		{ "{\"a\":1 \"b\":2}", "line 1: a comma or a closing bracket should be here" },
		{ "[1 2]", "line 1: a comma or a closing bracket should be here" },
		{ "[\"a\"b]", "line 1: a comma or a closing bracket should be here" },
		{ "[1}", "line 1: a comma or a closing bracket should be here" },
		{ "[\"a", "line 1: a string does not end" },
		{ "[\"a\nb\"]", "line 1: a string does not end" },
		{ "[\"a\\", "line 1: a string does not end" },
		{ "[\"\\x\"]", "line 1: invalid string sequence" },
		{ "[\"\\u12\"]", "line 1: invalid string sequence" },
		{ "[\"\377\"]", "line 1: invalid utf-8 string" },
		{ "[NULL]", "line 1: this is not a JSON value" },
		{ "[True]", "line 1: this is not a JSON value" },
		{ "[01]", "line 1: this is not a JSON value" },
		{ "[5.]", "line 1: this is not a JSON value" },
		{ "[1x]", "line 1: this is not a JSON value" },
		{ "/* */ {}", "line 1: this is not a JSON value" },
	};
	struct json_object *config;

	each_row(row, texts) {
		assert_int_equal(json_file_parse(row->text,
						 strlen(row->text), &config,
						 why), -EINVAL);
		assert_null(config);
		if (strncmp(why, row->says, strlen(row->says)) != 0 || strchr(why, '\n'))
			fail_msg("%s: says %s", row->text, why);
	}
	/* A NUL ends nothing. */
	assert_int_equal(json_file_parse("{}\0 ", 4, &config, why), -EINVAL);
	assert_string_equal(why, "line 1: something follows the end");
}

static void assert_flags(const char *config, const char *flags)
{
	struct json_object *root = json_tokener_parse(config), *value;

	assert_int_equal(json_pointer_get(root, "/linux/seccomp/flags", &value), 0);
	assert_string_equal(json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN), flags);
	json_object_put(root);
}

TEST("a flag is added once to the flags that are there")
{
	static const struct { const char *text, *flags; } texts[] = {
		{ "{\"linux\":{}}", "[\"" PROFILE_FLAG "\"]" },
		{ ALLOW(""), "[\"" PROFILE_FLAG "\"]" },
		{ ALLOW(",\"flags\":null"), "[\"" PROFILE_FLAG "\"]" },
		{ ALLOW(",\"flags\":[ ]"), "[\"" PROFILE_FLAG "\"]" },
		{ ALLOW(",\"flags\":[\"A\", \"B\"]"),
		  "[\"A\",\"B\",\"" PROFILE_FLAG "\"]" },
		{ ALLOW(",\"flags\":[\"" PROFILE_FLAG "\",\"B\"]"),
		  "[\"" PROFILE_FLAG "\",\"B\"]" },
	};
	char *edited;

	each_row(row, texts) {
		assert_int_equal(merge(row->text, &want_flag, &edited), PROFILE_ADDED);
		assert_flags(edited, row->flags);
		check_edited(row->text, edited, &want_flag);
		free(edited);
	}
}

/* A bundle may go to a runtime that knows the flag, and then to another. */
TEST("the flag is added for one runtime, and removed for another")
{
	char *without, *with, *again;

	merge(ALLOW(",\"flags\":[\"A\"]"), &want, &without);
	assert_int_equal(merge(without, &want_flag, &with), PROFILE_ADDED);
	assert_flags(with, "[\"A\",\"" PROFILE_FLAG "\"]");
	assert_int_equal(merge(with, &want, &again), PROFILE_ADDED);
	assert_string_equal(again, without);
	free(without);
	free(with);
	free(again);
}

TEST("a text that ends early is refused, and a wrong byte does no harm")
{
	static const char text[] = ERRNO(CALLS(CALL(IOCTL "," OTHER, "ALLOW",
		ARGS(ARG(0, 1, 0, "EQ")) ",\"x\":[true,false,null,-1.5E+7,\"\\n\\u12aF\"]")));
	/* JSON that means something here, and JSON that means nothing. */
	static const char bytes[] = "\"\\{}[],: \n\t019-+.eEabntfu/'\0\1\177\200\303\377";
	char copy[sizeof(text)], *edited, *again;
	size_t i, j;

	for (i = 0; i < sizeof(text) - 1; i++) {
		/* Exactly as long, so that a sanitizer sees reading on. */
		char *part = strndup(text, i);

		assert_int_equal(merge_part(part, i, &want, &edited), -EINVAL);
		free(part);
		for (j = 0; j < sizeof(bytes) - 1; j++) {
			memcpy(copy, text, sizeof(text));
			copy[i] = bytes[j];
			if (merge_part(copy, sizeof(text) - 1, &want, &edited) == PROFILE_ADDED)
				assert_int_equal(merge(edited, &want, &again), PROFILE_PRESENT);
			free(edited);
		}
	}
}

TEST("JSON is read up to 128 levels deep")
{
	size_t len = 1 << 20;
	char *deep = malloc(len + 1);
	struct json_object *config;

	memset(deep, '[', len);
	deep[len] = '\0';
	assert_int_equal(json_file_parse(deep, len, &config, why), -EINVAL);
	assert_string_equal(why, "line 1: nested too deeply: 128 levels are read");
	memset(deep + 128, ']', 128);
	deep[256] = '\0';
	assert_int_equal(json_file_parse(deep, 256, &config, why), 0);
	assert_int_equal(json_object_put(config), 1);
	free(deep);
}

TEST("the conditions on other requests match all but the driver's two")
{
	struct profile_match others[OTHER_REQUESTS];
	unsigned int number, size, i, hits;
	u64 request;

	profile_match_others(others);
	for (number = 0; number < 256; number++)
		for (size = 0; size < 16384; size += size < 80 ? 1 : size / 2) {
			struct profile_match is = { ~0ull, 0xc0004600 | size << 16 | number };

			request = is.value;
			for (hits = i = 0; i < OTHER_REQUESTS; i++)
				hits += profile_match_overlaps(&others[i], &is);
			assert_int_equal(hits != 0, request != 0xc020462a && request != 0xc01046d3);
		}
}

static char *read_file(const char *path)
{
	static char text[1 << 16];
	FILE *in = fopen(path, "re");

	assert_non_null(in);
	text[fread(text, 1, sizeof(text) - 1, in)] = '\0';
	fclose(in);
	return text;
}

/* By a runtime that says nothing of itself; none of the files has a process. */
static int edit_config(const char *path)
{
	const struct oci_runtime runtime = {
		.name = "mpu-runtime", .command = "create", .config = path, .path = "/bin/false",
	};

	return oci_runtime_create(&runtime, NULL, want.listener, why);
}

static void write_file(const char *path, const char *text)
{
	tree_write("./", path, text, strlen(text));
}

/* Editing the file has this result, and leaves it the same. */
static void assert_same_file(const char *path, int result, const char *says)
{
	struct stat before, after;

	why[0] = '\0';
	stat(path, &before);
	assert_int_equal(edit_config(path), result);
	assert_memory_equal(why, says, strlen(says));
	stat(path, &after);
	assert_int_equal(before.st_ino, after.st_ino);
	assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
}

static void assert_refused(int result, const char *says)
{
	assert_int_equal(edit_config("config.json"), result);
	assert_string_equal(why, says);
}

TEST("a file is replaced with its owner and mode, or stays as it is")
{
	char dir[] = "/tmp/oci_test.XXXXXX";
	struct stat before, after;

	assert_non_null(mkdtemp(dir));
	assert_int_equal(chdir(dir), 0);
	write_file("real.json", ALLOW(""));
	chmod("real.json", 0640);
	if (!geteuid())
		assert_int_equal(chown("real.json", 12, 34), 0);
	assert_int_equal(link("real.json", "config.json"), 0);
	assert_int_equal(edit_config("config.json"), PROFILE_ADDED);
	stat("real.json", &before);
	stat("config.json", &after);
	assert_int_not_equal(before.st_ino, after.st_ino);
	assert_int_equal(before.st_mode, after.st_mode);
	assert_int_equal(before.st_uid, after.st_uid);
	assert_int_equal(before.st_gid, after.st_gid);
	assert_string_equal(read_file("real.json"), ALLOW(""));
	check_edited(ALLOW(""), read_file("config.json"), &want);

	/* A file that needs no edit, or gets none, is the same. */
	assert_same_file("config.json", 0, "");
	write_file("closed.json", ERRNO(""));
	assert_same_file("closed.json", PROFILE_CLOSED, "closed.json: its profile lets no call");
	write_file("closed.json", "{\"a\":1,\"a\":1}");
	assert_same_file("closed.json", -EINVAL, "closed.json: line 1: a is there twice");
	unlink("closed.json");

	/* A link stays: who reads the file behind it reads what the runtime does. */
	unlink("config.json");
	assert_int_equal(symlink("real.json", "config.json"), 0);
	assert_int_equal(edit_config("config.json"), PROFILE_ADDED);
	check_edited(ALLOW(""), read_file("real.json"), &want);
	lstat("config.json", &after);
	assert_true(S_ISLNK(after.st_mode));

	/* Hostile ones. */
	unlink("config.json");
	assert_refused(-ENOENT, "cannot read config.json: No such file or directory");
	assert_int_equal(mkfifo("config.json", 0600), 0);
	assert_refused(-EINVAL, "cannot read config.json: it is not a regular file");
	unlink("config.json");
	write_file("config.json", "");
	assert_int_equal(truncate("config.json", 1ll << 40), 0);
	assert_refused(-EFBIG, "cannot read config.json: it is larger than 16 MiB");
	unlink("config.json");
	unlink("real.json");
	/* Nothing else was left there. */
	assert_int_equal(rmdir(dir), 0);
}
