// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random controls of a container through engine notify (engines/notify/call.c), in front
 * of the simulated RM, driver after driver: nothing that the container can read holds a
 * number of the host or a kernel address afterwards, unless the container had it already.
 *
 *	notify_fuzz [CONTROLS [SEED]]
 */
#include <linux/ioctl.h>

#include "core/nvrm.h"
#include "core/table.h"
#include "engines/notify/internal.h"
#include "lib/clock.h"
#include "nvidia/internal.h"
#include "sim/interface.h"
#include "tests/unit/sim/fixture.h"
#include "tests/unit/unit.h"

/* Numbers of the host: nothing else is from here to there. */
#define HOST_FROM	3000000u
#define HOST_TO		3000100u

/* The namespaces of processes; the last is the worker, which has no GPU work. */
enum { HOST, A1, A2, B1, NESTED, WORKER, PEOPLE };
static struct person people[PEOPLE];

static struct slot slot;
static struct call_memory memory;
static struct caller caller;

/* The container's memory: the block, params, and arrays that they point at. */
#define ROOM	0x20000
static _Alignas(8) u8 block[64], params[ROOM], array[2 * CALL_ARRAY_MAX], before[ROOM];

static const struct {
	u32 flavour;
	const char *version;
} drivers[] = {
	{ SIM_PROPRIETARY, "390.157" }, { SIM_PROPRIETARY, "470.256.02" },
	{ SIM_OPEN, "515.43.04" }, { SIM_OPEN, "535.104.12" },
	{ SIM_OPEN, "535.288.01" }, { SIM_PROPRIETARY, "550.163.01" },
	{ SIM_OPEN, "560.35.03" }, { SIM_OPEN, "565.77" },
	{ SIM_OPEN, "570.133.07" }, { SIM_OPEN, "570.144" },
	{ SIM_OPEN, "580.142" }, { SIM_OPEN, "595.45.04" },
};

/* Rows that this driver has answered: they are asked more often. */
static bool lives[MPU_ROWS];

static const char *version;
static enum flavour flavour;
static u64 seed = 1, continued, refused, answered, leaks;

static u32 any(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (u32)(seed >> 16);
}

static u32 below(u32 n)
{
	return any() % n;
}

/* --- what caller.c, pidns.c, driver.c and clock.c have for the product --- */

static bool inside(u64 address, size_t size, const u8 *room, size_t length)
{
	u64 from = (uintptr_t)room;

	return address >= from && address - from <= length && size <= length - (address - from);
}

static bool is_there(u64 address, size_t size)
{
	return inside(address, size, block, sizeof(block)) ||
	       inside(address, size, params, sizeof(params)) ||
	       inside(address, size, array, sizeof(array));
}

int caller_read(u32 tid, u64 address, void *to, size_t size)
{
	if (!is_there(address, size))
		return -EFAULT;
	memcpy(to, (void *)(uintptr_t)address, size);
	return 0;
}

int caller_write(const struct caller *who, u64 address, const void *from, size_t size)
{
	if (!is_there(address, size))
		return -EFAULT;
	memcpy((void *)(uintptr_t)address, from, size);
	return 0;
}

int caller_open(struct caller *who, const struct seccomp_notif *request)
{
	return 0;
}

void caller_close(struct caller *who)
{
}

bool caller_waits(struct caller *who)
{
	return true;
}

/* nvidia_ioctl(): the escape of an XFER is in its block. */
static int ask(struct person *who, unsigned int request, void *arg)
{
	const struct nv_xfer *xfer = arg;
	u32 nr = _IOC_NR(request), size = _IOC_SIZE(request);

	if (nr == NV_ESC_XFER) {
		nr = xfer->nr;
		size = xfer->size;
		arg = (void *)(uintptr_t)xfer->ptr;
	}
	self = who;
	return sim_escape(fixture, &people[A1].file, nr, arg, size) ? -EINVAL : 0;
}

int caller_ioctl(struct caller *who, unsigned int request, void *arg)
{
	return ask(&people[WORKER], request, arg);
}

u32 driver_read_branch(const char *module)
{
	return driver_branch(version);
}

void driver_read(struct driver *driver, const char *module)
{
	*driver = (struct driver){ .branch = driver_branch(version),
				   .flavour = flavour };
	snprintf(driver->version, sizeof(driver->version), "%s", version);
}

u32 driver_branch(const char *text)
{
	return (u32)strtoul(text, NULL, 10);
}

u64 clock_ns(void)
{
	return 1;
}

u32 pidns_local(struct pidns *ns, u32 global)
{
	u32 i;

	for (i = 0; i < PEOPLE; i++)
		if (people[i].tgid.in[NS_INIT] == global || people[i].tid.in[NS_INIT] == global)
			return people[i].tgid.in[NS_A];
	return 0;
}

u32 pidns_global(struct pidns *ns, u32 local)
{
	u32 i;

	for (i = 0; local && i < PEOPLE; i++)
		if (people[i].tgid.in[NS_A] == local)
			return people[i].tgid.in[NS_INIT];
	return 0;
}

bool pidns_lived(struct pidns *ns, u32 local, u32 global, u64 when)
{
	return when && local && pidns_global(ns, local) == global;
}

/* --- a container, and others beside it --- */

static void settle(u32 who, enum ns ns, u32 local)
{
	static const u32 percent[SIM_ENGINES] = { 10, 20, 30, 40, 50, 60 };
	u32 encoder[5] = { 0, 1920, 1080 }, capture[5] = { 0, 1, 0, 1920, 1080 };
	struct person *p = &people[who];
	u32 object, util[SIM_ENGINES];

	*p = (struct person){ .ns = ns };
	p->tgid.in[NS_INIT] = HOST_FROM + 2 * who;
	p->tgid.in[ns] = ns == NS_INIT ? p->tgid.in[NS_INIT] : local;
	if (ns == NS_NESTED)
		p->tgid.in[NS_A] = 9;
	p->tid = p->tgid;
	if (who == A2) {	/* another thread than the main one */
		p->tid.in[NS_INIT]++;
		p->tid.in[NS_A]++;
	}
	if (who == WORKER)
		return;
	person_use(p, 0, (u64)(who + 1) << 20);
	memcpy(util, percent, sizeof(util));
	rm_ask(p, 0, SIM_CTRL_UTIL, util, sizeof(util));
	rm_ask(p, 0, SIM_CTRL_RCERR, NULL, 0);
	rm_new(p, p->subdevice, NVENC_SW_SESSION, encoder, &object);
	rm_new(p, p->subdevice, NVFBC_SW_SESSION, capture, &object);
}

static void open_fixture(u32 i)
{
	u32 profiler;

	version = drivers[i].version;
	flavour = drivers[i].flavour == SIM_OPEN ? FLAVOUR_OPEN : FLAVOUR_PROPRIETARY;
	memset(lives, 0, sizeof(lives));
	fixture_open(drivers[i].flavour, version, 1);
	settle(HOST, NS_INIT, 0);
	settle(A1, NS_A, 5);
	settle(A2, NS_A, 7);
	settle(B1, NS_B, 5);
	settle(NESTED, NS_NESTED, 3);
	settle(WORKER, NS_INIT, 0);
	rm_new(&people[A1], people[A1].subdevice, GF100_PROFILER, NULL, &profiler);
	rm_new(&people[B1], people[B1].subdevice, GF100_PROFILER, NULL, &profiler);
	rm_ask(&people[B1], profiler, 0x90cc0101, NULL, 0);
}

static void close_fixture(void)
{
	u32 i;

	for (i = 0; i < PEOPLE; i++)
		person_leave(&people[i]);
	fixture_close();
}

/* --- one control --- */

/* @guesses: may it be one of the host's? */
static u32 any_number(bool guesses)
{
	switch (below(8)) {
	case 0: return 5;
	case 1: return 7;
	case 2: return guesses ? HOST_FROM + below(2 * PEOPLE) : 1;
	case 3: return below(16);
	case 4: return 0xffffffff;
	case 5: return any();
	}
	return 0;
}

static u32 any_row(void)
{
	u32 row = below(MPU_ROWS), tries = 8;

	while (tries-- && !lives[row])
		row = below(MPU_ROWS);
	return row;
}

/* Mostly a control of the table in its own size; else something near it, or anything. */
static void compose(struct nv_control *control)
{
	const struct mpu_row *row = &mpu_rows[any_row()];
	bool guesses = !below(4);
	u32 i, n = below(40);

	control->cmd = row->cmd;
	control->size = row->size;
	if (!below(8))
		control->size = below(4) ? row->size + below(65) - 32 : below(ROOM);
	if (!below(8))
		control->cmd ^= 1u << below(32);
	else if (!below(16))
		control->cmd = any();
	else if (!below(16))
		control->cmd = below(2) ? NV_CTRL_REQUEST_DATA_POLL : NV_CTRL_GPU_RUSD_SET_FEATURES;
	if (control->size > ROOM)
		control->size = ROOM;
	memset(params, 0, ROOM);
	for (i = 0; i < n && control->size >= 4; i++)
		mpu_put32(params, below(256) * 4 % (control->size - 3), any_number(guesses));
	if (row->count != MPU_NO_OFFSET && below(4))
		mpu_put32(params, row->count, 1 + below(row->cap));
	if (row->ptr != MPU_NO_OFFSET && below(8)) {
		mpu_put64(params, row->ptr, (uintptr_t)array + below(16) * 4096);
		if (row->bytes != MPU_NO_OFFSET)
			mpu_put32(params, row->bytes, row->stride * (1 + below(row->cap)));
	} else if (row->ptr != MPU_NO_OFFSET) {
		mpu_put64(params, row->ptr, 0);	/* the simulated kernel has no faults */
	}
	control->client = people[A1].client;
	control->object = below(8) ? people[A1].subdevice : below(2) ?
			  people[A1].client : people[A1].device;
	if (control->cmd >> 16 == NV01_ROOT)
		control->object = control->client;
	else if (control->cmd >> 16 == NV01_DEVICE_0)
		control->object = people[A1].device;
	else if (control->cmd >> 16 == GF100_PROFILER)
		control->object = people[A1].subdevice + 1 + below(8);
	control->params = control->size ? (uintptr_t)params : 0;
}

/* An element that moves up in a list takes along what the driver did not write in it. */
static bool had_it(u32 word, u32 size)
{
	u32 i;

	for (i = 0; i + 4 <= size; i += 4)
		if (mpu_get32(before, i) == word)
			return true;
	return false;
}

static void look_for_leaks(const struct nv_control *control, const u8 *now, u32 size)
{
	u64 address;
	u32 i, word;

	for (i = 0; i + 4 <= size; i += 4) {
		word = mpu_get32(now, i);
		address = i + 8 <= size ? mpu_get64(now, i) : 0;
		if ((word < HOST_FROM || word >= HOST_TO || had_it(word, control->size)) &&
		    (address < (uintptr_t)people || address >= (uintptr_t)(people + PEOPLE)))
			continue;
		leaks++;
		printf("%s: 0x%08x, %u bytes: %u at %u\n", version, control->cmd,
		       control->size, word, i);
		return;
	}
}

static void ask_once(struct call_context *context)
{
	struct nv_control *control = (void *)block;
	struct nv_xfer *wrap = (void *)(block + sizeof(*control));
	struct seccomp_notif request = { .pid = 42 };
	struct seccomp_notif_resp response;
	struct nv_control was;

	compose(control);
	was = *control;
	memcpy(before, params, ROOM);
	*wrap = (struct nv_xfer){ NV_ESC_RM_CONTROL, sizeof(*control), (uintptr_t)control };
	request.data.args[1] = _IOWR('F', NV_ESC_RM_CONTROL, struct nv_control);
	request.data.args[2] = (uintptr_t)control;
	if (!below(8)) {
		request.data.args[1] = _IOWR('F', NV_ESC_XFER, struct nv_xfer);
		request.data.args[2] = (uintptr_t)wrap;
	}
	call_handle(context, &request, &response);
	if (response.flags & SECCOMP_USER_NOTIF_FLAG_CONTINUE) {
		continued++;
		ask(&people[A1], (unsigned int)request.data.args[1],
		    (void *)(uintptr_t)request.data.args[2]);
	} else if (response.error || control->status) {
		refused++;
	} else {
		answered++;
		lives[mpu_row_index(mpu_row_sized(mpu_row_of(was.cmd), was.size))] = true;
	}
	look_for_leaks(&was, params, was.size);
	if (was.size >= 24 && is_there(mpu_get64(params, 8), 0x4000))
		look_for_leaks(&was, (u8 *)(uintptr_t)mpu_get64(params, 8), 0x4000);
	if (was.size >= 24 && is_there(mpu_get64(params, 16), 0x10000))
		look_for_leaks(&was, (u8 *)(uintptr_t)mpu_get64(params, 16), 0x10000);
}

int main(int argc, char **argv)
{
	u64 controls = argc > 1 ? strtoull(argv[1], NULL, 10) : 12000;
	u32 n = sizeof(drivers) / sizeof(drivers[0]), i;
	struct call_context context = {
		.slot = &slot, .memory = &memory, .caller = &caller,
	};
	u64 done;

	seed = argc > 2 ? strtoull(argv[2], NULL, 10) | 1 : 1;
	for (i = 0; i < n; i++) {
		open_fixture(i);
		for (done = 0; done < controls / n + 1; done++)
			ask_once(&context);
		close_fixture();
	}
	printf("%llu controls: %llu answered, %llu refused, %llu continued; %llu leaks\n",
	       (unsigned long long)(answered + refused + continued),
	       (unsigned long long)answered, (unsigned long long)refused,
	       (unsigned long long)continued, (unsigned long long)leaks);
	return leaks || !answered;
}
