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

#include "lib/caps.h"
#include "lib/host.h"
#include "resident.h"

/*
 * bpf_probe_write_user(0, stack, 8) is the one thing that lockdown refuses. Not
 * @write: the same program without it.
 */
static int load(bool write)
{
	const struct bpf_insn program[] = {
		{ .code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_10,
		  .off = -8 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_1 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = BPF_REG_2,
		  .src_reg = BPF_REG_10 },
		{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = BPF_REG_2,
		  .imm = -8 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_3,
		  .imm = 8 },
		{ .code = BPF_JMP | BPF_CALL,
		  .imm = write ? BPF_FUNC_probe_write_user :
				 BPF_FUNC_ktime_get_ns },
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

static void say(char why[RESIDENT_WHY], const char *text)
{
	snprintf(why, RESIDENT_WHY, "%s", text);
}

int resident_possible(char why[RESIDENT_WHY], char todo[RESIDENT_WHY])
{
	int err;

	if (!host_exists("/sys/kernel/btf/vmlinux")) {
		say(why, "this kernel does not describe its types (BTF)");
		say(todo, "boot Linux 5.10 or later, built with CONFIG_DEBUG_INFO_BTF; those of the distributions are");
		return -ENOENT;
	}
	err = host_is_other() ? 0 : load(true);
	if (!err)
		return 0;
	if (!load(false) && !caps_has(CAP_SYS_ADMIN)) {
		say(why, "BPF programs that write to a caller's memory may not be loaded without CAP_SYS_ADMIN");
		say(todo, "run it as root on the host, outside of any container");
	} else if (!load(false)) {
		say(why, "this kernel is locked down: its BPF programs may not write to a caller's memory");
		say(todo, "use engine notify, or a signed mpu.ko");
	} else if (err == -EPERM) {
		say(why, "BPF programs may not be loaded from here");
		say(todo, "run it as root on the host, outside of any container");
	} else {
		say(why, "this kernel has no BPF for probes");
		say(todo, "boot a kernel built with CONFIG_BPF_SYSCALL and CONFIG_BPF_EVENTS; those of the distributions are");
	}
	return err;
}
