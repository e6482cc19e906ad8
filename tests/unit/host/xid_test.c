// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of host/xid.c: the kernel's log, as it grows, and where it may not be read.
 */
#include "host/internal.h"
#include "tests/unit/host/fixture.h"
#include "tests/unit/unit.h"

TEST_EACH(make_host, drop_host)

static void check_last(const struct xid_log *log, u32 bus, u32 xid)
{
	const struct rm_gpu gpu = { .bus = (u8)bus };
	struct gpu_state state = { 0 };

	xid_log_take(log, &gpu, &state);
	assert_true(gpu_state_has(&state, GPU_XID));
	assert_int_equal(state.value[GPU_XID], xid);
	assert_int_equal(gpu_state_has(&state, GPU_XID_TIME), !!xid);
}

#define LOG \
	"6,1,100,-;Linux version\n" \
	"4,2,5000000,-;NVRM: Xid (PCI:0000:41:00): 31, pid=7, name=python, Ch 1\n" \
	" SUBSYSTEM=pci\n" \
	"4,3,6000000,-;NVRM: Xid (PCI:0000:41:00): 79, GPU has fallen off the bus.\n" \
	"4,4,6000000,-;text, and ;NVRM: Xid (PCI:0000:42:00): no number\n" \
	"12,4,6000000,-;NVRM: Xid (PCI:0000:42:00): 48, written by a program\n" \
	"3,4,6000000,-;tmpfs: Unknown parameter ';NVRM: Xid (PCI:0000:42:00): 79'\n" \
	"3,4,6000000,-;NVRM: Xid (PCI:0000:41:00): 0, none\n" \
	"4,4,6000000,-;NVRM: Xid (PCI:0000:43:00 GPU-I:05): 94, Contained\n" \
	"4,4,6000000,-;NVRM: Xid (PCI:0000:44:00 GPU-I:05 GPU-CI:01): 31, pid=7\n" \
	"4,5,7000000,c"

TEST("each GPU has the last Xid of the kernel's log, as it grows")
{
	static struct xid_log log;

	add_text("/dev/kmsg", LOG);
	xid_log_open(&log);
	xid_log_read(&log);
	check_last(&log, 0x41, 79);
	check_last(&log, 0x42, 0);
	check_last(&log, 0x43, 94);
	check_last(&log, 0x44, 31);
	add_text("/dev/kmsg", LOG ";NVRM: Xid (PCI:0000:42:00): 13, pid=9\n");
	xid_log_read(&log);
	check_last(&log, 0x41, 79);
	check_last(&log, 0x42, 13);
	xid_log_close(&log);
}

TEST("a line that is too long is given up, and what follows is read")
{
	static const char end[] = "\n4,2,5000000,-;NVRM: Xid (PCI:0000:41:00): 31, pid=7\n";
	static char text[40000];
	static struct xid_log log;

	memset(text, 'x', sizeof(text));
	memcpy(text + sizeof(text) - sizeof(end), end, sizeof(end));
	add_text("/dev/kmsg", text);
	xid_log_open(&log);
	xid_log_read(&log);
	check_last(&log, 0x41, 31);
	xid_log_close(&log);
}

TEST("no Xid is known if the log cannot be read")
{
	static struct xid_log log;
	const struct rm_gpu gpu = { 0 };
	struct gpu_state state = { 0 };

	xid_log_open(&log);
	xid_log_read(&log);
	xid_log_take(&log, &gpu, &state);
	assert_int_equal(state.known, 0);
	xid_log_close(&log);
}
