// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs of device cgroups: what they answer, by a small interpreter; and, where
 * this machine lets them be loaded, in a cgroup of its own.
 */
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "container/rootfs/internal.h"
#include "tests/unit/unit.h"

#define CHAR	BPF_DEVCG_DEV_CHAR
#define BLOCK	BPF_DEVCG_DEV_BLOCK
#define R	BPF_DEVCG_ACC_READ
#define W	BPF_DEVCG_ACC_WRITE
#define M	BPF_DEVCG_ACC_MKNOD

#define MOVE(dst, value) { .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = (dst), .imm = (value) }
#define EXIT		{ .code = BPF_JMP | BPF_EXIT }
#define CALL(function)	{ .code = BPF_JMP | BPF_CALL, .imm = (function) }
#define JUMP(offset)	{ .code = BPF_JMP | BPF_JA, .off = (offset) }
#define WIDE(source)	{ .code = BPF_LD | BPF_IMM | BPF_DW, .src_reg = (source) }

static char why[WHY_SIZE];

/* The instructions that programs of ours have, and no others. */
static int answer(const struct program *program, int type, int access,
		  uint32_t major, uint32_t minor)
{
	const uint32_t context[] = { (uint32_t)(access << 16 | type), major, minor };
	uint64_t reg[11] = { 0 };
	size_t at;

	for (at = 0; at < program->n; at++) {
		const struct bpf_insn *insn = &program->insn[at];
		uint64_t *dst = &reg[insn->dst_reg];

		switch (insn->code) {
		case BPF_LDX | BPF_MEM | BPF_W:
			assert_int_equal(insn->src_reg, BPF_REG_1);
			*dst = context[insn->off / 4];
			break;
		case BPF_ALU | BPF_MOV | BPF_X:
			*dst = (uint32_t)reg[insn->src_reg];
			break;
		case BPF_ALU | BPF_AND | BPF_K:
			*dst = (uint32_t)*dst & (uint32_t)insn->imm;
			break;
		case BPF_ALU | BPF_RSH | BPF_K:
			*dst = (uint32_t)*dst >> insn->imm;
			break;
		case BPF_ALU64 | BPF_MOV | BPF_K:
			*dst = (uint64_t)insn->imm;
			break;
		case BPF_JMP | BPF_JNE | BPF_K:
			at += *dst != (uint64_t)insn->imm ? (size_t)insn->off : 0;
			break;
		case BPF_JMP | BPF_JEQ | BPF_K:
			at += *dst == (uint64_t)insn->imm ? (size_t)insn->off : 0;
			break;
		case BPF_JMP | BPF_EXIT:
			return (int)reg[0];
		default:
			fail_msg("instruction %#x", insn->code);
		}
	}
	fail_msg("no end");
	return -1;
}

/* A program that answers 7. */
static void make(struct program *program)
{
	static const struct bpf_insn seven[] = { MOVE(0, 7), EXIT };

	*program = (struct program){ malloc(sizeof(seven)), COUNT(seven) };
	assert_non_null(program->insn);
	memcpy(program->insn, seven, sizeof(seven));
}

TEST("a program that could not be loaded again is not taken")
{
	static const struct {
		struct bpf_insn insn[3];
		size_t n;
		bool sane;
	} cases[] = {
		{ { MOVE(0, 1), EXIT }, 2, true },
		{ { WIDE(0), { 0 }, EXIT }, 3, true },
		{ { JUMP(0), MOVE(0, 1), EXIT }, 3, true },
		{ { { 0 }, { 0 } }, 2, false },			/* blanked */
		{ { { 0 } }, 0, false },
		{ { MOVE(11, 1), EXIT }, 2, false },		/* blinded */
		{ { WIDE(1), { 0 }, EXIT }, 3, false },		/* a map */
		{ { CALL(5), EXIT }, 2, false },
		{ { MOVE(0, 1), JUMP(-2) }, 2, false },		/* no end */
		{ { JUMP(2), MOVE(0, 1), EXIT }, 3, false },
		{ { JUMP(-2), MOVE(0, 1), EXIT }, 3, false },
		{ { MOVE(0, 1), WIDE(0), EXIT }, 3, false },
	};

	each_row(row, cases) {
		struct program program = { (struct bpf_insn *)row->insn, row->n };

		if (program_is_sane(&program) != row->sane)
			fail_msg("case %zu", row - cases);
	}
}

TEST("rules are put before a program, which decides about the rest")
{
	struct device_rules rules = { NULL, 0 };
	struct program program;

	device_rules_add(&rules, 195, 0);
	device_rules_add(&rules, 195, 255);
	device_rules_add(&rules, 195, 0);
	assert_int_equal(rules.n, 2);
	make(&program);
	assert_int_equal(program_prepend(&program, &rules), 0);
	assert_true(program_is_sane(&program));
	assert_int_equal(answer(&program, CHAR, R | W, 195, 0), 1);
	assert_int_equal(answer(&program, CHAR, R, 195, 255), 1);
	assert_int_equal(answer(&program, CHAR, 0, 195, 0), 1);
	/* The rest is asked of what was there. */
	assert_int_equal(answer(&program, CHAR, R | M, 195, 0), 7);
	assert_int_equal(answer(&program, CHAR, R, 195, 1), 7);
	assert_int_equal(answer(&program, CHAR, R, 194, 0), 7);
	assert_int_equal(answer(&program, BLOCK, R, 195, 0), 7);
	assert_int_equal(program_prepend(&program, &rules), -EALREADY);
	rules.n = 0;
	program_free(&program);
	make(&program);
	assert_int_equal(program_prepend(&program, &rules), 0);
	assert_int_equal(answer(&program, CHAR, R, 195, 0), 7);
	program_free(&program);
	free(rules.rule);
}

TEST("4096 rules can be put before a program, and no more")
{
	struct device_rules rules = { NULL, 0 };
	struct program program;
	uint32_t i;

	for (i = 0; i < 4096; i++)
		device_rules_add(&rules, 241, i);
	make(&program);
	assert_int_equal(program_prepend(&program, &rules), 0);
	assert_int_equal(answer(&program, CHAR, R, 241, 4095), 1);
	assert_int_equal(answer(&program, CHAR, R, 241, 4096), 7);
	assert_int_equal(answer(&program, BLOCK, R, 241, 0), 7);
	device_rules_add(&rules, 241, 4096);
	assert_int_equal(program_prepend(&program, &rules), -E2BIG);
	program_free(&program);
	free(rules.rule);
}

/* The rules as docker writes them. */
#define CONFIG "[{\"allow\":false,\"access\":\"rwm\"}," \
	"{\"allow\":true,\"type\":\"c\",\"major\":10,\"minor\":229,\"access\":\"rw\"}," \
	"{\"allow\":true,\"type\":\"b\",\"major\":8,\"access\":\"r\"}," \
	"{\"allow\":true,\"type\":\"c\",\"major\":226,\"minor\":-1,\"access\":\"rwm\"}," \
	"{\"allow\":false,\"type\":\"c\",\"major\":226,\"minor\":7,\"access\":\"w\"}]"

static struct program generate(const char *text)
{
	struct json_object *config = json_tokener_parse(text);
	struct program program;

	assert_int_equal(program_generate(&program, config, why), 0);
	json_object_put(config);
	return program;
}

TEST("a generated program allows what the configuration allows")
{
	struct program program = generate(CONFIG);

	assert_true(program_is_sane(&program));
	assert_int_equal(answer(&program, CHAR, R | W, 10, 229), 1);
	assert_int_equal(answer(&program, CHAR, R, 10, 228), 0);
	assert_int_equal(answer(&program, BLOCK, R, 8, 3), 1);
	assert_int_equal(answer(&program, BLOCK, R | W, 8, 3), 0);
	assert_int_equal(answer(&program, CHAR, R, 8, 3), 0);
	assert_int_equal(answer(&program, CHAR, R | W, 226, 128), 1);
	/* The last rule that is about it. */
	assert_int_equal(answer(&program, CHAR, R, 226, 7), 1);
	assert_int_equal(answer(&program, CHAR, R | W, 226, 7), 0);
	/* The devices that every container may use. */
	assert_int_equal(answer(&program, CHAR, R | W, 1, 3), 1);
	assert_int_equal(answer(&program, CHAR, R | W, 136, 12), 1);
	assert_int_equal(answer(&program, CHAR, M, 195, 0), 1);
	assert_int_equal(answer(&program, BLOCK, M, 8, 0), 1);
	assert_int_equal(answer(&program, CHAR, R, 195, 0), 0);
	assert_int_equal(answer(&program, CHAR, R | M, 195, 0), 0);
	program_free(&program);
	/* Nothing stands behind a rule about everything: the kernel would refuse it. */
	program = generate("[{\"type\":\"c\"},{\"allow\":true}]");
	assert_int_equal(answer(&program, CHAR, R | W, 195, 0), 1);
	assert_int_equal(program.insn[program.n - 2].imm, 1);
	program_free(&program);
	program = generate("[]");
	assert_int_equal(answer(&program, CHAR, R | W, 195, 0), 0);
	program_free(&program);
}

TEST("wrong rules of a configuration are refused")
{
	static const char *const texts[] = {
		"{}", "null", "[7]", "[{\"allow\":\"yes\"}]", "[{\"type\":\"x\"}]",
		"[{\"access\":\"rwx\"}]", "[{\"major\":\"1\"}]", "[{\"major\":-2}]",
		"[{\"minor\":4294967296}]", "[{\"major\":1.5}]",
	};
	struct json_object *config;
	struct program program;

	each_row(row, texts) {
		config = json_tokener_parse(*row);
		if (program_generate(&program, config, why) != -EINVAL)
			fail_msg("%s", *row);
		assert_non_null(strstr(why, "linux.resources.devices"));
		assert_null(program.insn);
		json_object_put(config);
	}
}

/* --- In a cgroup ---------------------------------------------------------- */

struct group {
	char path[PATH_MAX + 32];
	char name[32];
	int fd;
};

static int call(int command, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, command, attr, sizeof(*attr));
}

static int load(const struct bpf_insn *insn, size_t n)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_CGROUP_DEVICE;
	attr.insns = (uintptr_t)insn;
	attr.insn_cnt = (uint32_t)n;
	attr.license = (uintptr_t)"GPL";
	return call(BPF_PROG_LOAD, &attr);
}

static void attach(int group, const struct bpf_insn *insn, size_t n, uint32_t flags)
{
	union bpf_attr attr;
	int fd = load(insn, n);

	assert_true(fd >= 0);
	memset(&attr, 0, sizeof(attr));
	attr.target_fd = (uint32_t)group;
	attr.attach_bpf_fd = (uint32_t)fd;
	attr.attach_type = BPF_CGROUP_DEVICE;
	attr.attach_flags = flags;
	assert_int_equal(call(BPF_PROG_ATTACH, &attr), 0);
	close(fd);
}

/* Finds the mount of cgroup v2; false: there is none that this test may use. */
static bool find_mount(char path[PATH_MAX])
{
	FILE *file = fopen("/proc/self/mounts", "re");
	char line[2 * PATH_MAX], type[64];
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file))
		found = sscanf(line, "%*s %4095s %63s", path, type) == 2 &&
			!strcmp(type, "cgroup2");
	if (file)
		fclose(file);
	return found;
}

static const struct bpf_insn no[] = { MOVE(0, 0), EXIT };
/* Cannot be shown so that it can be loaded again. */
static const struct bpf_insn opaque[] = { CALL(BPF_FUNC_ktime_get_ns), MOVE(0, 0), EXIT };

/* The group of a test; NULL where this kernel or user cannot have one. */
static struct group *group;

static int make_group(void)
{
	static struct group made;
	char mount[PATH_MAX];
	int fd = load(no, COUNT(no));

	group = NULL;
	if (fd < 0 || !find_mount(mount))
		return 0;
	close(fd);
	snprintf(made.name, sizeof(made.name), "/mpu-test-%d", getpid());
	snprintf(made.path, sizeof(made.path), "%s%s", mount, made.name);
	if (mkdir(made.path, 0755))
		return 0;
	made.fd = open(made.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	group = &made;
	return made.fd < 0;
}

static int remove_group(void)
{
	if (!group)
		return 0;
	close(group->fd);
	return rmdir(group->path);
}

/* Returns what open() of a node says to a process in the group: 0 or an errno. */
static int try_open(const struct group *group, const char *node)
{
	char path[PATH_MAX + 48], pid[16];
	int fd, status, len;
	pid_t child = fork();

	if (!child) {
		snprintf(path, sizeof(path), "%s/cgroup.procs", group->path);
		len = snprintf(pid, sizeof(pid), "%d", getpid());
		fd = open(path, O_WRONLY | O_CLOEXEC);
		if (fd < 0 || write(fd, pid, (size_t)len) != len)
			_exit(255);
		_exit(open(node, O_RDONLY | O_CLOEXEC) < 0 ? errno : 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WEXITSTATUS(status);
}

static const struct device_rules zero_rule = {
	&(struct device_rule){ 1, 5 }, 1
};

static void check_allowed(const struct group *group)
{
	assert_int_equal(try_open(group, "/dev/zero"), 0);
	assert_int_equal(try_open(group, "/dev/random"), EPERM);
}

TEST_WITH("a group without a program stays without one", make_group, remove_group)
{
	if (!group)
		skip();
	assert_int_equal(cgroup_bpf_allow(group->fd, &zero_rule, NULL, why), 0);
	assert_int_equal(try_open(group, "/dev/random"), 0);
}

TEST_WITH("a rule is added once to every program of a group", make_group, remove_group)
{
	if (!group)
		skip();
	attach(group->fd, no, COUNT(no), BPF_F_ALLOW_MULTI);
	assert_int_equal(try_open(group, "/dev/zero"), EPERM);
	assert_int_equal(cgroup_bpf_allow(group->fd, &zero_rule, NULL, why), 0);
	check_allowed(group);
	/* Once more changes nothing; and all of several programs are changed. */
	assert_int_equal(cgroup_bpf_allow(group->fd, &zero_rule, NULL, why), 0);
	attach(group->fd, no, COUNT(no), BPF_F_ALLOW_MULTI);
	assert_int_equal(try_open(group, "/dev/zero"), EPERM);
	assert_int_equal(cgroup_bpf_allow(group->fd, &zero_rule, NULL, why), 0);
	check_allowed(group);
}

TEST_WITH("a rule is added to a program that allows no others, too", make_group, remove_group)
{
	if (!group)
		skip();
	attach(group->fd, no, COUNT(no), 0);
	assert_int_equal(cgroup_bpf_allow(group->fd, &zero_rule, NULL, why), 0);
	check_allowed(group);
}

TEST_WITH("a program that cannot be read is replaced by a generated one", make_group, remove_group)
{
	struct json_object *config;

	if (!group)
		skip();
	config = json_tokener_parse(CONFIG);
	attach(group->fd, no, COUNT(no), BPF_F_ALLOW_MULTI);
	attach(group->fd, opaque, COUNT(opaque), BPF_F_ALLOW_MULTI);
	assert_int_equal(cgroup_bpf_allow(group->fd, &zero_rule, NULL, why), -EOPNOTSUPP);
	assert_non_null(strstr(why, "no-cgroups = true"));
	assert_int_equal(try_open(group, "/dev/zero"), EPERM);
	assert_int_equal(cgroup_bpf_allow(group->fd, &zero_rule, config, why), 0);
	json_object_put(config);
	assert_int_equal(try_open(group, "/dev/zero"), 0);
	/* The first program decides; what was generated allows it every container. */
	assert_int_equal(try_open(group, "/dev/random"), EPERM);
}

/* Writes 7 into @name for a process whose "cgroup" in /proc says this; NULL: allows devices. */
static int change(const char *lines, const char *name)
{
	char folder[] = "/tmp/mpu-test.XXXXXX";
	int fd, file, ret;

	assert_non_null(mkdtemp(folder));
	fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	file = openat(fd, "cgroup", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(write(file, lines, strlen(lines)), strlen(lines));
	close(file);
	ret = name ? cgroup_write(fd, name, "7", why) : cgroup_allow(fd, &zero_rule, NULL, why);
	unlinkat(fd, "cgroup", 0);
	close(fd);
	rmdir(folder);
	return ret;
}

TEST_WITH("a process's group is found, also beside cgroup v1", make_group, remove_group)
{
	char lines[256];
	int fd;

	if (!group)
		skip();
	/* Beside a hierarchy of v1 that has the devices. */
	snprintf(lines, sizeof(lines), "2:devices:/\n0::%s\n", group->name);
	assert_int_equal(change(lines, "cgroup.max.depth"), 0);
	fd = openat(group->fd, "cgroup.max.depth", O_RDONLY | O_CLOEXEC);
	assert_int_equal(read(fd, why, 2), 2);
	close(fd);
	assert_memory_equal(why, "7\n", 2);
	assert_true(change(lines, "dmem.none") < 0);
	assert_non_null(strstr(why, "has to have that controller"));
	attach(group->fd, no, COUNT(no), BPF_F_ALLOW_MULTI);
	snprintf(lines, sizeof(lines), "9:name=systemd:/\n2:cpu,devicesX:/\n0::%s\n", group->name);
	assert_int_equal(change(lines, NULL), 0);
	check_allowed(group);
}

/*
 * A group whose parent gives it no controller, as crun leaves it; beside a hierarchy of v1
 * that has the controller there is none to be had.
 */
TEST_WITH("a group gets a controller if its parent can have it", make_group, remove_group)
{
	char lines[256], path[PATH_MAX + 64], text[256] = "";
	int fd, ret;

	if (!group)
		skip();
	fd = openat(group->fd, "../cgroup.controllers", O_RDONLY | O_CLOEXEC);
	assert_true(read(fd, text, sizeof(text) - 1) >= 0);
	close(fd);
	snprintf(path, sizeof(path), "%s/below", group->path);
	assert_int_equal(mkdir(path, 0755), 0);
	snprintf(lines, sizeof(lines), "0::%s/below\n", group->name);
	ret = change(lines, "pids.max");
	fd = openat(group->fd, "below/pids.max", O_RDONLY | O_CLOEXEC);
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(!ret, strstr(text, "pids") != NULL);
	assert_int_equal(fd >= 0, !ret);
	if (fd >= 0)
		close(fd);
}

TEST("a process without a usable group is an error")
{
	static const char *const lines[] = {
		"", "garbage\n", "1:cpu:/\n", "0::/../other\n",
		"0::/mpu-no-such-group\n",
	};

	each_row(row, lines) {
		why[0] = '\0';
		if (change(*row, NULL) >= 0)
			fail_msg("%s", *row);
		assert_non_null(strstr(why, "failed to add device rules: "));
	}
}
