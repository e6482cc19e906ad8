// SPDX-License-Identifier: GPL-2.0-only
/*
 * opaque FOLDER: refuse every device to a cgroup (v2), by a program that the kernel
 * does not show so that it can be loaded again: it calls a function.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct bpf_insn refuse[] = {
	{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_ktime_get_ns },
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
	{ .code = BPF_JMP | BPF_EXIT },
};

static int load(void)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_CGROUP_DEVICE;
	attr.insns = (uintptr_t)refuse;
	attr.insn_cnt = sizeof(refuse) / sizeof(*refuse);
	attr.license = (uintptr_t)"GPL";
	return (int)syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
}

int main(int argc, char **argv)
{
	union bpf_attr attr;
	int group, program;

	if (argc != 2)
		return 2;
	group = open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	program = load();
	memset(&attr, 0, sizeof(attr));
	attr.target_fd = (uint32_t)group;
	attr.attach_bpf_fd = (uint32_t)program;
	attr.attach_type = BPF_CGROUP_DEVICE;
	attr.attach_flags = BPF_F_ALLOW_MULTI;
	if (group < 0 || program < 0 || syscall(SYS_bpf, BPF_PROG_ATTACH, &attr, sizeof(attr))) {
		fprintf(stderr, "opaque: %s: %s\n", argv[1], strerror(errno));
		return 1;
	}
	return 0;
}
