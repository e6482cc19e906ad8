// SPDX-License-Identifier: GPL-2.0-only
/*
 * Could engine bpf run here? The kernel is asked, not its version.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <linux/capability.h>

#include "engines/bpf/internal.h"
#include "lib/caps.h"
#include "lib/host.h"

/*
 * Loads a program that calls a helper with eight bytes of its stack and the address 0:
 * bpf_probe_write_user(), which lockdown refuses, has the address first, others last.
 *
 * libbpf_probe_bpf_helper() gives a wrong answer. Linux 6.18, locked down, refuses
 * the program with "program of this type cannot use helper"; libbpf 1.1.2 looks for
 * "unknown func" and takes the helper for allowed (measured). So it does where no
 * program may be loaded at all: EPERM comes without a message.
 */
static int load_program(int helper)
{
	bool first = helper == BPF_FUNC_probe_write_user;
	int address = first ? BPF_REG_1 : BPF_REG_3;
	int stack = first ? BPF_REG_2 : BPF_REG_1;
	const struct bpf_insn program[] = {
		{ .code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_10,
		  .off = -8 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = address },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = stack,
		  .src_reg = BPF_REG_10 },
		{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = stack,
		  .imm = -8 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = stack + 1,
		  .imm = 8 },
		{ .code = BPF_JMP | BPF_CALL, .imm = helper },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	int fd = bpf_prog_load(BPF_PROG_TYPE_KPROBE, "mpu_doctor", "GPL",
			       program, sizeof(program) / sizeof(program[0]),
			       NULL);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/* Return: 0, or negative errno with a sentence in @why and one in @todo. */
int features_check(char why[WHY_SIZE], char todo[WHY_SIZE])
{
	int err;

	if (!host_exists("/sys/kernel/btf/vmlinux")) {
		why_fail(why, 0, "this kernel does not describe its types (BTF)");
		why_fail(todo, 0, "boot Linux 5.10 or later, built with CONFIG_DEBUG_INFO_BTF; those of the distributions are");
		return -ENOENT;
	}
	if (!kprobe_event_possible()) {
		why_fail(why, 0, "this kernel has no kprobe events");
		why_fail(todo, 0, "boot a kernel built with CONFIG_KPROBE_EVENTS; those of the distributions are");
		return -ENOENT;
	}
	if (host_is_other())
		return 0;
	if (!load_program(BPF_FUNC_ktime_get_ns) && load_program(BPF_FUNC_probe_read_user)) {
		why_fail(why, 0, "this kernel has no bpf_probe_read_user (Linux 5.5)");
		why_fail(todo, 0, "boot Linux 5.10 or later");
		return -EOPNOTSUPP;
	}
	err = load_program(BPF_FUNC_probe_write_user);
	if (!err)
		return 0;
	if (!load_program(BPF_FUNC_ktime_get_ns) && !caps_has(CAP_SYS_ADMIN)) {
		why_fail(why, 0, "BPF programs that write to a caller's memory may not be loaded without CAP_SYS_ADMIN");
		why_fail(todo, 0, "run it as root on the host, outside of any container");
	} else if (!load_program(BPF_FUNC_ktime_get_ns)) {
		why_fail(why, 0, "this kernel is locked down: its BPF programs may not write to a caller's memory");
		why_fail(todo, 0, "use engine notify, or a signed mpu.ko");
	} else if (err == -EPERM) {
		why_fail(why, 0, "BPF programs may not be loaded from here");
		why_fail(todo, 0, "run it as root on the host, outside of any container");
	} else {
		why_fail(why, 0, "this kernel has no BPF for probes");
		why_fail(todo, 0, "boot a kernel built with CONFIG_BPF_SYSCALL and CONFIG_BPF_EVENTS; those of the distributions are");
	}
	return err;
}
