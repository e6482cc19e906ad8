// SPDX-License-Identifier: GPL-2.0-only
/*
 * The device cgroup of cgroup v2: programs in the kernel, all of which must say yes. Rules
 * can be added to what is there only by replacing each program.
 *
 * bpf(2) itself, not libbpf: mpu is built without that, too.
 */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "container/rootfs/internal.h"
#include "lib/xalloc.h"

/* The kernel's limit for one cgroup (BPF_CGROUP_MAX_PROGS). */
#define PROGRAMS	64

#define ADVICE	"set no-cgroups = true in config.toml and have the engine allow the devices, or let mpu-runtime write them into config.json"

struct attached {
	uint32_t id[PROGRAMS];
	uint32_t n;
	uint32_t flags;
};

static int call(int command, union bpf_attr *attr)
{
	long ret = syscall(SYS_bpf, command, attr, sizeof(*attr));

	return ret < 0 ? -errno : (int)ret;
}

static int query(int folder, struct attached *attached)
{
	union bpf_attr attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	attr.query.target_fd = (uint32_t)folder;
	attr.query.attach_type = BPF_CGROUP_DEVICE;
	attr.query.prog_ids = (uintptr_t)attached->id;
	attr.query.prog_cnt = PROGRAMS;
	ret = call(BPF_PROG_QUERY, &attr);
	attached->n = attr.query.prog_cnt;
	attached->flags = attr.query.attach_flags;
	return ret;
}

static int open_program(uint32_t id)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_id = id;
	return call(BPF_PROG_GET_FD_BY_ID, &attr);
}

static int read_info(int fd, struct bpf_prog_info *info)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = (uint32_t)fd;
	attr.info.info_len = sizeof(*info);
	attr.info.info = (uintptr_t)info;
	return call(BPF_OBJ_GET_INFO_BY_FD, &attr);
}

/* The instructions as the kernel shows them, which need not be those it runs. */
static int dump(int fd, struct program *program)
{
	struct bpf_prog_info info;
	uint32_t size;
	int ret;

	*program = (struct program){ NULL, 0 };
	memset(&info, 0, sizeof(info));
	ret = read_info(fd, &info);
	size = info.xlated_prog_len;
	if (ret)
		return ret;
	if (size > PROGRAM_MAX * sizeof(*program->insn))
		return -E2BIG;
	program->insn = xcalloc(size / sizeof(*program->insn) + 1, sizeof(*program->insn));
	memset(&info, 0, sizeof(info));
	info.xlated_prog_insns = (uintptr_t)program->insn;
	info.xlated_prog_len = size;
	ret = read_info(fd, &info);
	/* 0: not for us to see (constant blinding). */
	if (!ret && info.xlated_prog_insns && info.xlated_prog_len <= size)
		program->n = info.xlated_prog_len / sizeof(*program->insn);
	if (ret)
		program_free(program);
	return ret;
}

static int load(const struct program *program)
{
	static const char license[] = "GPL";
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_CGROUP_DEVICE;
	attr.insns = (uintptr_t)program->insn;
	attr.insn_cnt = (uint32_t)program->n;
	attr.license = (uintptr_t)license;
	memcpy(attr.prog_name, "mpu_devices", sizeof("mpu_devices"));
	return call(BPF_PROG_LOAD, &attr);
}

/* A single one (attached without BPF_F_ALLOW_MULTI) is replaced by attaching another so. */
static int replace(int folder, int old, int new, uint32_t flags)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.target_fd = (uint32_t)folder;
	attr.attach_bpf_fd = (uint32_t)new;
	attr.attach_type = BPF_CGROUP_DEVICE;
	attr.attach_flags = flags & (BPF_F_ALLOW_MULTI | BPF_F_ALLOW_OVERRIDE);
	if (flags & BPF_F_ALLOW_MULTI) {
		attr.attach_flags |= BPF_F_REPLACE;
		attr.replace_bpf_fd = (uint32_t)old;
	}
	return call(BPF_PROG_ATTACH, &attr);
}

/* Return: 0, or negative errno and a sentence; -EALREADY: it allows them all. */
static int make_program(int old, const struct device_rules *rules, struct json_object *config,
			struct program *program, char why[WHY_SIZE])
{
	int ret = dump(old, program);

	if (ret || !program_is_sane(program)) {
		program_free(program);
		if (!config)
			return why_fail(why, -EOPNOTSUPP,
					"failed to add device rules: the kernel does not show the cgroup's program (bpf_jit_harden?): " ADVICE);
		ret = program_generate(program, config, why);
		if (ret)
			return ret;
	}
	ret = program_prepend(program, rules);
	return ret && ret != -EALREADY ? why_fail(why, ret, "failed to add device rules: %s",
						  strerror(-ret)) : ret;
}

/* Return: a descriptor of the new one; -EALREADY; or as make_program(). */
static int load_program(int old, const struct device_rules *rules,
			struct json_object *config, char why[WHY_SIZE])
{
	struct program program = { NULL, 0 };
	int ret = make_program(old, rules, config, &program, why);

	if (!ret) {
		ret = load(&program);
		if (ret < 0)
			why_fail(why, ret,
				 "failed to add device rules: the kernel takes no program for the cgroup: %s: " ADVICE,
				 strerror(-ret));
	}
	program_free(&program);
	return ret;
}

/* Programs to be replaced, and by what; -1: none, it may stay. */
struct exchange {
	int old[PROGRAMS], new[PROGRAMS];
	uint32_t n;
};

static int prepare(struct exchange *exchange, const struct attached *attached,
		   const struct device_rules *rules, struct json_object *config, char why[WHY_SIZE])
{
	uint32_t i;
	int fd;

	for (i = 0; i < attached->n; i++) {
		fd = open_program(attached->id[i]);
		if (fd < 0)
			return why_fail(why, fd,
					"failed to add device rules: program %u of the cgroup: %s: " ADVICE,
					attached->id[i], strerror(-fd));
		exchange->old[exchange->n] = fd;
		exchange->new[exchange->n++] = -1;
		fd = load_program(fd, rules, config, why);
		if (fd < 0 && fd != -EALREADY)
			return fd;
		exchange->new[exchange->n - 1] = fd < 0 ? -1 : fd;
	}
	return 0;
}

static int carry_out(const struct exchange *exchange, int folder, uint32_t flags,
		     char why[WHY_SIZE])
{
	const int *old = exchange->old, *new = exchange->new;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < exchange->n; i++) {
		if (new[i] < 0)
			continue;
		ret = replace(folder, old[i], new[i], flags);
		if (ret)
			break;
	}
	if (i == exchange->n)
		return 0;
	why_fail(why, ret,
		 "failed to add device rules: the kernel does not replace a program of the cgroup: %s: " ADVICE,
		 strerror(-ret));
	while (i--)
		if (new[i] >= 0)
			replace(folder, new[i], old[i], flags);
	return ret;
}

/* Replaces all programs or none; if one cannot be read it is made again from @config. */
int cgroup_bpf_allow(int folder, const struct device_rules *rules,
		     struct json_object *config, char why[WHY_SIZE])
{
	struct exchange exchange = { .n = 0 };
	struct attached attached;
	int ret = query(folder, &attached);

	if (ret)
		return why_fail(why, ret,
				"failed to add device rules: programs of the cgroup: %s: " ADVICE,
				strerror(-ret));
	/* None: everything is allowed, and a program could only refuse. */
	if (!attached.n || !rules->n)
		return 0;
	ret = prepare(&exchange, &attached, rules, config, why);
	if (!ret)
		ret = carry_out(&exchange, folder, attached.flags, why);
	while (exchange.n--) {
		close(exchange.old[exchange.n]);
		if (exchange.new[exchange.n] >= 0)
			close(exchange.new[exchange.n]);
	}
	return ret;
}
