// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs of device cgroups: one that is in force gets more rules in front, and where that
 * cannot be read, one is made from config.json. Their context is struct bpf_cgroup_dev_ctx of
 * linux/bpf.h.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "container/rootfs/internal.h"
#include "lib/json_file.h"
#include "lib/xalloc.h"

#define INSN(op, dst, src, offset, value) \
	((struct bpf_insn){ .code = (op), .dst_reg = (dst), .src_reg = (src), \
			    .off = (offset), .imm = (value) })
#define LOAD(dst, field) \
	INSN(BPF_LDX | BPF_MEM | BPF_W, dst, BPF_REG_1, \
	     offsetof(struct bpf_cgroup_dev_ctx, field), 0)
#define COPY(dst, src)		INSN(BPF_ALU | BPF_MOV | BPF_X, dst, src, 0, 0)
#define AND(dst, value)		INSN(BPF_ALU | BPF_AND | BPF_K, dst, 0, 0, value)
#define SHIFT(dst, value)	INSN(BPF_ALU | BPF_RSH | BPF_K, dst, 0, 0, value)
#define UNLESS(dst, value, skip) \
	INSN(BPF_JMP | BPF_JNE | BPF_K, dst, 0, skip, (int)(value))
#define WHEN(dst, value, skip) \
	INSN(BPF_JMP | BPF_JEQ | BPF_K, dst, 0, skip, (int)(value))
#define SAY(value)		INSN(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, value)
#define END			INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

/* A program that follows loads them by itself. */
#define TYPE	BPF_REG_2
#define ACCESS	BPF_REG_3
#define MAJOR	BPF_REG_4
#define MINOR	BPF_REG_5

#define READ_WRITE	(BPF_DEVCG_ACC_READ | BPF_DEVCG_ACC_WRITE)
#define ANY_ACCESS	(READ_WRITE | BPF_DEVCG_ACC_MKNOD)

/* Jumps over all rules are 16 bits wide. */
#define RULES_MAX	4096

static int append(struct program *program, const struct bpf_insn *insn, size_t n)
{
	if (program->n + n > PROGRAM_MAX)
		return -E2BIG;
	program->insn = xreallocarray(program->insn, program->n + n, sizeof(*insn));
	memcpy(program->insn + program->n, insn, n * sizeof(*insn));
	program->n += n;
	return 0;
}

#define APPEND(program, ...) \
	append(program, (const struct bpf_insn[]){ __VA_ARGS__ }, \
	       sizeof((const struct bpf_insn[]){ __VA_ARGS__ }) / \
	       sizeof(struct bpf_insn))

static int append_load_request(struct program *program)
{
	return APPEND(program, LOAD(TYPE, access_type), COPY(ACCESS, TYPE), AND(TYPE, 0xffff),
		      SHIFT(ACCESS, 16), LOAD(MAJOR, major), LOAD(MINOR, minor));
}

static bool is_known(const struct bpf_insn *insn)
{
	unsigned int class = BPF_CLASS(insn->code), op = BPF_OP(insn->code);

	if (insn->dst_reg > BPF_REG_10 || insn->src_reg > BPF_REG_10)
		return false;
	switch (class) {
	case BPF_ALU:
	case BPF_ALU64:
		return op <= BPF_END;
	case BPF_LDX:
	case BPF_ST:
	case BPF_STX:
		return BPF_MODE(insn->code) == BPF_MEM;
	case BPF_LD:	/* 64 bits; with a source, a map */
		return insn->code == (BPF_LD | BPF_IMM | BPF_DW) && !insn->src_reg;
	default:	/* jumps */
		return op != BPF_CALL && op <= BPF_JSLE;
	}
}

static bool is_jump(const struct bpf_insn *insn)
{
	return (BPF_CLASS(insn->code) == BPF_JMP ||
		BPF_CLASS(insn->code) == BPF_JMP32) && BPF_OP(insn->code) != BPF_EXIT;
}

/*
 * Returns whether instructions that the kernel has shown can be loaded again: not if they were
 * blanked or blinded (bpf_jit_harden), or name maps or functions, whose numbers mean nothing
 * in a program to be loaded.
 */
bool program_is_sane(const struct program *program)
{
	const struct bpf_insn *insn = program->insn;
	size_t i, n = program->n;

	if (!n || insn[n - 1].code != (BPF_JMP | BPF_EXIT))
		return false;
	for (i = 0; i < n; i++) {
		if (!is_known(&insn[i]))
			return false;
		if (is_jump(&insn[i]) &&
		    ((long)i + 1 + insn[i].off < 0 || (long)i + 1 + insn[i].off >= (long)n))
			return false;
		/* Skips the second half of the instruction. */
		if (BPF_CLASS(insn[i].code) == BPF_LD && insn[++i].code)
			return false;
	}
	return true;
}

static int append_rules(struct program *program, const struct device_rules *rules)
{
	int ret = rules->n > RULES_MAX ? -E2BIG : append_load_request(program);
	short skip = (short)(4 * rules->n);
	size_t i;

	if (!ret)
		ret = APPEND(program, UNLESS(TYPE, BPF_DEVCG_DEV_CHAR, skip + 2),
			     AND(ACCESS, ~READ_WRITE), UNLESS(ACCESS, 0, skip));
	for (i = 0; i < rules->n && !ret; i++)
		ret = APPEND(program, UNLESS(MAJOR, rules->rule[i].major, 3),
			     UNLESS(MINOR, rules->rule[i].minor, 2), SAY(1), END);
	return ret;
}

/* Puts rules in front. -EALREADY: they stand there already; -E2BIG. */
int program_prepend(struct program *program, const struct device_rules *rules)
{
	struct program whole = { NULL, 0 };
	int ret = append_rules(&whole, rules);

	if (!ret && program->n >= whole.n &&
	    !memcmp(program->insn, whole.insn, whole.n * sizeof(*whole.insn)))
		ret = -EALREADY;
	if (!ret)
		ret = append(&whole, program->insn, program->n);
	if (ret) {
		program_free(&whole);
		return ret;
	}
	program_free(program);
	*program = whole;
	return 0;
}

/* An entry of linux.resources.devices. */
struct entry {
	bool allow;
	int type, access;	/* BPF_DEVCG_DEV_...; 0: any */
	int64_t major, minor;	/* -1: any */
};

#define CHAR(major, minor, access) \
	{ true, BPF_DEVCG_DEV_CHAR, access, major, minor }

/*
 * The devices that runc and crun allow every container, whatever config.json says: to
 * make nodes, null, zero, full, tty, random, urandom, console, ptmx and terminals.
 */
static const struct entry defaults[] = {
	CHAR(-1, -1, BPF_DEVCG_ACC_MKNOD),
	{ true, BPF_DEVCG_DEV_BLOCK, BPF_DEVCG_ACC_MKNOD, -1, -1 },
	CHAR(1, 3, ANY_ACCESS), CHAR(1, 5, ANY_ACCESS), CHAR(1, 7, ANY_ACCESS),
	CHAR(1, 8, ANY_ACCESS), CHAR(1, 9, ANY_ACCESS), CHAR(5, 0, ANY_ACCESS),
	CHAR(5, 1, ANY_ACCESS), CHAR(5, 2, ANY_ACCESS), CHAR(136, -1, ANY_ACCESS),
};

static int read_number(struct json_object *object, const char *name, int64_t *number)
{
	struct json_object *value = NULL;

	*number = -1;
	if (!json_object_object_get_ex(object, name, &value) || !value)
		return 0;
	if (!json_object_is_type(value, json_type_int))
		return -EINVAL;
	*number = json_object_get_int64(value);
	return *number < -1 || *number > UINT_MAX ? -EINVAL : 0;
}

static int read_access(const char *text, int *access)
{
	*access = (strchr(text, 'r') ? BPF_DEVCG_ACC_READ : 0) |
		  (strchr(text, 'w') ? BPF_DEVCG_ACC_WRITE : 0) |
		  (strchr(text, 'm') ? BPF_DEVCG_ACC_MKNOD : 0);
	return text[strspn(text, "rwm")] ? -EINVAL : 0;
}

static int read_type(const char *text, int *type)
{
	if (!strcmp(text, "a"))
		*type = 0;
	else if (!strcmp(text, "c") || !strcmp(text, "u"))
		*type = BPF_DEVCG_DEV_CHAR;
	else if (!strcmp(text, "b"))
		*type = BPF_DEVCG_DEV_BLOCK;
	else
		return -EINVAL;
	return 0;
}

static int read_entry(struct json_object *object, struct entry *entry, char why[WHY_SIZE])
{
	struct json_object *allow, *type, *access;
	int ret;

	if (json_file_member(object, "", "allow", json_type_boolean, &allow, why) ||
	    json_file_member(object, "", "type", json_type_string, &type, why) ||
	    json_file_member(object, "", "access", json_type_string, &access, why))
		return -EINVAL;
	entry->allow = allow && json_object_get_boolean(allow);
	ret = read_type(type ? json_object_get_string(type) : "a", &entry->type);
	if (!ret)
		ret = read_access(access ? json_object_get_string(access) : "rwm", &entry->access);
	if (!ret)
		ret = read_number(object, "major", &entry->major);
	return ret ?: read_number(object, "minor", &entry->minor);
}

/* The kernel refuses to load instructions behind it, which nothing reaches. */
static bool is_total(const struct entry *entry)
{
	return !entry->type && entry->access == ANY_ACCESS && entry->major < 0 && entry->minor < 0;
}

/* Allows a use that matches the entry, refuses one of which a part does; else the next decides. */
static int append_entry(struct program *program, const struct entry *entry)
{
	size_t start = program->n, i;
	int ret = 0;

	if (entry->type)
		ret = APPEND(program, UNLESS(TYPE, entry->type, 0));
	if (!ret && entry->access != ANY_ACCESS) {
		ret = APPEND(program, COPY(TYPE, ACCESS));
		if (!ret && entry->allow)
			ret = APPEND(program, AND(TYPE, ~entry->access), UNLESS(TYPE, 0, 0));
		else if (!ret)
			ret = APPEND(program, AND(TYPE, entry->access), WHEN(TYPE, 0, 0));
	}
	if (!ret && entry->major >= 0)
		ret = APPEND(program, UNLESS(MAJOR, entry->major, 0));
	if (!ret && entry->minor >= 0)
		ret = APPEND(program, UNLESS(MINOR, entry->minor, 0));
	if (!ret)
		ret = APPEND(program, SAY(entry->allow), END);
	if (ret || is_total(entry))
		return ret;
	for (i = start; i < program->n; i++)
		if (is_jump(&program->insn[i]))
			program->insn[i].off = (short)(program->n - i - 1);
	/* The access was worked out where the type is. */
	return APPEND(program, LOAD(TYPE, access_type), AND(TYPE, 0xffff));
}

static int generate(struct program *program, struct json_object *config, char why[WHY_SIZE])
{
	size_t i = json_object_array_length(config), at;
	struct entry entry = { .type = -1 };
	int ret = append_load_request(program);

	for (at = 0; at < sizeof(defaults) / sizeof(*defaults) && !ret; at++)
		ret = append_entry(program, &defaults[at]);
	while (i-- && !ret && !is_total(&entry)) {
		struct json_object *object = json_object_array_get_idx(config, i);

		if (!json_object_is_type(object, json_type_object) ||
		    read_entry(object, &entry, why))
			return why_fail(why, -EINVAL,
					"linux.resources.devices[%zu] of config.json is no rule",
					i);
		ret = append_entry(program, &entry);
	}
	if (!ret && !is_total(&entry))
		ret = APPEND(program, SAY(0), END);
	return ret ? why_fail(why, ret, "a program for the device cgroup: %s", strerror(-ret)) : 0;
}

/*
 * Makes a program of linux.resources.devices: the last rule that is about a use decides it. A
 * use that none is about is refused, except what every container may.
 */
int program_generate(struct program *program, struct json_object *config, char why[WHY_SIZE])
{
	int ret;

	*program = (struct program){ NULL, 0 };
	if (!json_object_is_type(config, json_type_array))
		return why_fail(why, -EINVAL, "linux.resources.devices of config.json is no list");
	ret = generate(program, config, why);
	if (ret)
		program_free(program);
	return ret;
}

void program_free(struct program *program)
{
	free(program->insn);
	*program = (struct program){ NULL, 0 };
}
