// SPDX-License-Identifier: GPL-2.0-only
/*
 * Engine bpf on kernels that lack a helper, which are made up: what it says.
 */
#include <fcntl.h>

#include <bpf/bpf.h>
#include <linux/bpf.h>

#include "engines/bpf/internal.h"
#include "tests/unit/unit.h"

static int lacking;	/* the helper that there is not */
bool __wrap_host_exists(const char *fmt, ...);
bool __wrap_host_exists(const char *fmt, ...)
{
	return true;
}

bool __wrap_kprobe_event_possible(void);
bool __wrap_kprobe_event_possible(void)
{
	return true;
}

int __wrap_bpf_prog_load(enum bpf_prog_type type, const char *name, const char *license,
			 const struct bpf_insn *insns, size_t count,
			 const struct bpf_prog_load_opts *opts);
int __wrap_bpf_prog_load(enum bpf_prog_type type, const char *name, const char *license,
			 const struct bpf_insn *insns, size_t count,
			 const struct bpf_prog_load_opts *opts)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (insns[i].code == (BPF_JMP | BPF_CALL) && insns[i].imm == lacking) {
			errno = EINVAL;
			return -1;
		}
	}
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

TEST("a needed helper that the kernel lacks is reported")
{
	static const struct {
		int lacking;
		const char *says;
	} cases[] = {
		{ BPF_FUNC_unspec, NULL },
		{ BPF_FUNC_probe_read_user, "no bpf_probe_read_user" },
		{ BPF_FUNC_probe_write_user, "may not" },
		{ BPF_FUNC_ktime_get_ns, NULL },
	};
	char why[WHY_SIZE], todo[WHY_SIZE];

	each_row(row, cases) {
		lacking = row->lacking;
		if (!row->says) {
			assert_int_equal(features_check(why, todo), 0);
			continue;
		}
		assert_true(features_check(why, todo) < 0);
		assert_non_null(strstr(why, row->says));
	}
}
