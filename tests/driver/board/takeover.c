// SPDX-License-Identifier: GPL-2.0-only
/*
 * Taking functions over by kprobes: see takeover.h.
 */
#include <linux/kallsyms.h>
#include <linux/string.h>

#include "board/machine.h"
#include "takeover.h"

static bool is_called_by(struct pt_regs *regs, const char *caller)
{
	char where[KSYM_SYMBOL_LEN];

	sprint_symbol_no_offset(where, where_it_returns(regs));
	return !strncmp(where, caller, strlen(caller));
}

static int on_call(struct kprobe *probe, struct pt_regs *regs)
{
	struct takeover *t = container_of(probe, struct takeover, probe);
	enum todo todo = t->instead ? JUMP : SKIP;

	if (t->caller && !is_called_by(regs, t->caller))
		return 0;
	if (t->decide)
		todo = t->decide(regs);
	switch (todo) {
	case RUN:
		return 0;
	case JUMP:
		instruction_pointer_set(regs, (unsigned long)t->instead);
		return 1;
	case SKIP:
		return_at_once(regs, t->value);
		break;
	}
	return 1;
}

/*
 * A post-handler keeps the kernel from making a jump of the probe; a jump could
 * not skip the function.
 */
static void after_call(struct kprobe *probe, struct pt_regs *regs, unsigned long flags)
{
}

void take_over(struct takeover *list, size_t n)
{
	struct takeover *t;
	int err;

	for (t = list; t < list + n; t++) {
		snprintf(t->symbol, sizeof(t->symbol), "nvidia:%s", t->name);
		memset(&t->probe, 0, sizeof(t->probe));
		t->probe.symbol_name = t->symbol;
		t->probe.pre_handler = on_call;
		t->probe.post_handler = after_call;
		err = register_kprobe(&t->probe);
		t->on = !err;
		if (err)
			pr_info("fakegsp: %s: %d\n", t->symbol, err);
	}
}

void let_go(struct takeover *list, size_t n)
{
	struct takeover *t;

	for (t = list; t < list + n; t++) {
		if (t->on)
			unregister_kprobe(&t->probe);
		t->on = false;
	}
}

void *nvidia_symbol(const char *name)
{
	char symbol[64];
	struct kprobe probe = { .symbol_name = symbol };

	snprintf(symbol, sizeof(symbol), "nvidia:%s", name);
	if (register_kprobe(&probe))
		return NULL;
	unregister_kprobe(&probe);
	return probe.addr;
}
