// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of one call, against a caller and a driver made up here: whose memory is read
 * and written when, what is continued, what the driver is asked and what the caller is
 * told.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/ioctl.h>

#include "core/nvrm.h"
#include "engines/notify/internal.h"
#include "nvidia/nvidia.h"
#include "lib/clock.h"
#include "tests/unit/unit.h"

#define REQUEST		_IOWR('F', NV_ESC_RM_CONTROL, struct nv_control)
#define REQUEST_XFER	_IOWR('F', NV_ESC_XFER, struct nv_xfer)

#define GET_PIDS	0x2080018d
#define GET_PID_INFO	0x2080018e
#define NVENC_V1	0x2080016e
#define PERF_V1		0x2080a083
#define RCERR		0x00000607
#define RECORD		0x00000b03

/* The caller's memory starts at this address, and is all there is. */
#define BASE		0x10000
#define BLOCK		(BASE + 0x100)
#define PARAMS		(BASE + 0x1000)
#define TABLE		(BASE + 0x8000)

/* --- what caller.c, pidns.c and clock.c have for the product --- */

/* The one process of the namespace; everybody else is a stranger. */
#define LOCAL		7
#define GLOBAL		7007
#define BEGAN		1000
#define STRANGER	9009

static struct {
	u8 memory[0x20000];
	u32 read_only;		/* nothing may be written from this offset on */
	int open;		/* result of open() */
	bool gone;		/* no longer waits when it is to be written */
	u64 now;
	int driver;		/* result of ioctl() */
	u32 status;
	u32 answer[4];		/* numbers the driver gives */
	u32 answers;
	u64 began;		/* of the record it gives */
	bool leaves_out;	/* the count of its list, the time of its record */
	bool issued, is_open;
	u32 asked;		/* first number of the question */
	u64 params, block;	/* addresses the driver was given */
	unsigned int reads_of_block, writes;
} fixture;

static struct slot slot;
static struct call_memory memory;
static struct caller caller;
static struct call_context context;

static u8 *at(u64 address)
{
	return fixture.memory + (address - BASE);
}

static bool inside(u64 address, size_t size)
{
	return address >= BASE && address - BASE <= sizeof(fixture.memory) &&
	       size <= sizeof(fixture.memory) - (address - BASE);
}

int caller_read(u32 tid, u64 address, void *to, size_t size)
{
	assert_int_equal(tid, 42);
	if (!inside(address, size))
		return -EFAULT;
	fixture.reads_of_block += address == BLOCK;
	memcpy(to, at(address), size);
	return 0;
}

int caller_write(const struct caller *who, u64 address, const void *from, size_t size)
{
	(void)who;
	assert_true(fixture.is_open);
	if (!inside(address, size) || address - BASE + size > fixture.read_only)
		return -EFAULT;
	fixture.writes++;
	memcpy(at(address), from, size);
	return 0;
}

int caller_open(struct caller *who, const struct seccomp_notif *request)
{
	(void)who;
	(void)request;
	fixture.is_open = !fixture.open;
	return fixture.open;
}

void caller_close(struct caller *who)
{
	(void)who;
	assert_true(fixture.is_open);
	fixture.is_open = false;
}

static void fill(u8 *params, const struct nv_control *control)
{
	u32 i;

	switch (control->cmd) {
	case GET_PIDS:
		if (!fixture.leaves_out)
			mpu_put32(params, 8, fixture.answers);
		for (i = 0; i < fixture.answers; i++)
			mpu_put32(params, 12 + 4 * i, fixture.answer[i]);
		break;
	case GET_PID_INFO:
		fixture.asked = mpu_get32(params, 8);
		mpu_put64(params, 8 + 24, 1234);
		break;
	case RECORD:
		fixture.asked = mpu_get32(params, 4);
		mpu_put32(params, 12, 99);
		if (!fixture.leaves_out)
			mpu_put64(params, 32, fixture.began);
		break;
	case NVENC_V1:
	case PERF_V1:
		fixture.params = mpu_get64(params, control->cmd == PERF_V1 ? 16 : 8);
		if (control->cmd == NVENC_V1)
			mpu_put32(params, 0, fixture.answers);
		for (i = 0; fixture.params && i < fixture.answers; i++)
			mpu_put32((u8 *)(uintptr_t)fixture.params, control->cmd == PERF_V1 ? 16 +
				  704 * i : 32 * i, fixture.answer[i]);
		break;
	}
}

int caller_ioctl(struct caller *who, unsigned int request, void *arg)
{
	struct nv_control *control = arg;

	(void)who;
	assert_true(fixture.is_open);
	assert_false(fixture.issued);
	fixture.issued = true;
	if (_IOC_NR(request) == NV_ESC_XFER) {
		struct nv_xfer *xfer = arg;

		assert_int_equal(xfer->nr, NV_ESC_RM_CONTROL);
		assert_int_equal(xfer->size, sizeof(*control));
		control = (void *)(uintptr_t)xfer->ptr;
	}
	/* Our own copies, nothing of the caller's. */
	assert_ptr_equal((void *)(uintptr_t)control->params, memory.params);
	if (fixture.driver < 0)
		return fixture.driver;
	control->status = fixture.status;
	if (!fixture.status)
		fill(memory.params, control);
	return 0;
}

bool caller_waits(struct caller *who)
{
	(void)who;
	return !fixture.gone;
}

u32 driver_read_branch(const char *module)
{
	(void)module;
	return 550;
}

void driver_read(struct driver *driver, const char *module)
{
	(void)module;
	*driver = (struct driver){ .version = "550.163.01", .branch = 550 };
}

u32 pidns_local(struct pidns *ns, u32 global)
{
	assert_ptr_equal(ns, &caller.ns);
	return global == GLOBAL ? LOCAL : 0;
}

u32 pidns_global(struct pidns *ns, u32 local)
{
	assert_ptr_equal(ns, &caller.ns);
	return local == LOCAL ? GLOBAL : 0;
}

u64 clock_ns(void)
{
	return fixture.now;
}

bool pidns_lived(struct pidns *ns, u32 local, u32 global, u64 when)
{
	assert_ptr_equal(ns, &caller.ns);
	return local == LOCAL && global == GLOBAL && when >= BEGAN;
}

static int fresh(void)
{
	memset(&fixture, 0, sizeof(fixture));
	memset(&slot, 0, sizeof(slot));
	memset(&memory, 0x5a, CALL_SCRATCH);	/* of the call before */
	memset(memory.kept, 0, sizeof(memory.kept));
	fixture.read_only = sizeof(fixture.memory);
	context = (struct call_context){ .slot = &slot, .memory = &memory,
		.caller = &caller };
	return 0;
}

TEST_EACH(fresh, NULL)

static struct nv_control *block(u32 cmd, u32 size)
{
	struct nv_control *control = (void *)at(BLOCK);

	*control = (struct nv_control){ .client = 1, .object = 2, .cmd = cmd,
		.params = PARAMS, .size = size, .status = 0xbad };
	return control;
}

static struct seccomp_notif_resp handle(unsigned int request, u64 arg)
{
	struct seccomp_notif notif = { .id = 1, .pid = 42 };
	struct seccomp_notif_resp response = { .id = 1, .val = 99 };

	notif.data.args[0] = 3;
	notif.data.args[1] = request;
	notif.data.args[2] = arg;
	call_handle(&context, &notif, &response);
	assert_int_equal(response.id, 1);
	assert_int_equal(response.val, 0);
	assert_false(fixture.is_open);
	return response;
}

static void continues(unsigned int request, u64 arg)
{
	struct seccomp_notif_resp response = handle(request, arg);

	assert_int_equal(response.flags, SECCOMP_USER_NOTIF_FLAG_CONTINUE);
	assert_int_equal(response.error, 0);
	assert_false(fixture.issued);
	assert_int_equal(fixture.writes, 0);
}

static void returns(int error)
{
	struct seccomp_notif_resp response = handle(REQUEST, BLOCK);

	assert_int_equal(response.flags, 0);
	assert_int_equal(response.error, error);
}

static u64 counted(u32 cmd, enum mpu_counter counter)
{
	u32 i;

	for (i = 0; i < MPU_ROWS; i++)
		if (mpu_rows[i].cmd == cmd)
			return slot.count[mpu_rows[i].control][counter];
	return 0;
}

static void answer(u32 a, u32 b, u32 c)
{
	fixture.answer[0] = a;
	fixture.answer[1] = b;
	fixture.answer[2] = c;
	fixture.answers = 3;
}

TEST("a call that is no PID control continues")
{
	block(0x0201, 128);
	continues(REQUEST, BLOCK);
	block(GET_PIDS, 3812);
	continues(_IOWR('T', 0x2a, char[44]), BLOCK);	/* TCGETS2 */
	continues(_IOC(3u, 'F', NV_ESC_RM_CONTROL, 31), BLOCK);
	continues(_IOC(3u, 'F', NV_ESC_RM_CONTROL, 33), BLOCK);
	continues(_IOC(3u, 'F', NV_ESC_XFER, 17), BLOCK);
}

static void returns_at(unsigned int request, u64 arg, int error)
{
	struct seccomp_notif_resp response = handle(request, arg);

	assert_int_equal(response.flags, 0);
	assert_int_equal(response.error, error);
	assert_false(fixture.issued);
	assert_int_equal(fixture.writes, 0);
}

/* The driver may be able to read it: memory of which only we see nothing. */
TEST("a call whose arguments cannot be read is refused")
{
	struct nv_xfer *xfer = (void *)at(BASE);
	_Atomic u64 *unreadable = &slot.count[NOTIFY_UNKNOWN][MPU_UNREADABLE];

	returns_at(REQUEST, 0, -EFAULT);
	returns_at(REQUEST, BASE + sizeof(fixture.memory) - 31, -EFAULT);
	returns_at(REQUEST, UINT64_MAX - 3, -EFAULT);
	returns_at(REQUEST_XFER, 0, -EFAULT);
	*xfer = (struct nv_xfer){ NV_ESC_RM_CONTROL, 32, 8 };
	returns_at(REQUEST_XFER, BASE, -EFAULT);
	assert_int_equal(*unreadable, 5);
	fixture.open = 1;			/* of another device */
	continues(REQUEST, 0);
	assert_int_equal(*unreadable, 5);
	fixture.open = -ENOMEM;
	returns_at(REQUEST, 0, -ENOMEM);
	assert_int_equal(slot.count[NOTIFY_UNKNOWN][MPU_IMPOSSIBLE], 1);
}

/* Only a driver newer than the table takes such a size. */
TEST("a PID control of unknown size is refused, unless it may pass")
{
	struct nv_control *control = block(GET_PIDS, 3816);

	returns(0);
	assert_false(fixture.issued);
	assert_int_equal(control->status, NV_ERR_INSUFFICIENT_PERMISSIONS);
	assert_int_equal(counted(GET_PIDS, MPU_ODD_SIZE), 1);
	control->status = 0xbad;
	context.pass_unknown = true;
	fixture.writes = 0;
	continues(REQUEST, BLOCK);
	assert_int_equal(control->status, 0xbad);
	assert_int_equal(counted(GET_PIDS, MPU_ODD_SIZE), 2);
}

TEST("the argument block of a call is read once")
{
	block(GET_PIDS, 3812);
	answer(GLOBAL, STRANGER, 0);
	returns(0);
	assert_int_equal(fixture.reads_of_block, 1);
}

TEST("a list holds the visible process alone, by its local PID")
{
	struct nv_control *control = block(GET_PIDS, 3812);

	mpu_put32(at(PARAMS), 4, 0x2080);
	answer(STRANGER, GLOBAL, STRANGER);
	returns(0);
	assert_int_equal(control->status, NV_OK);
	assert_int_equal(control->params, PARAMS);
	assert_int_equal(mpu_get32(at(PARAMS), 4), 0x2080);
	assert_int_equal(mpu_get32(at(PARAMS), 8), 1);
	assert_int_equal(mpu_get32(at(PARAMS), 12), LOCAL);
	assert_int_equal(mpu_get32(at(PARAMS), 16), 0);
	assert_int_equal(counted(GET_PIDS, MPU_TRANSLATED), 1);
	assert_int_equal(counted(GET_PIDS, MPU_SEEN), 3);
	assert_int_equal(counted(GET_PIDS, MPU_HIDDEN), 2);
}

TEST("a record of an earlier process with the same PID is not found")
{
	struct nv_control *control;

	control = block(RECORD, 48);
	mpu_put32(at(PARAMS), 4, LOCAL);
	fixture.began = BEGAN;
	returns(0);
	assert_int_equal(fixture.asked, GLOBAL);
	assert_int_equal(control->status, NV_OK);
	assert_int_equal(mpu_get32(at(PARAMS), 4), LOCAL);
	assert_int_equal(mpu_get32(at(PARAMS), 12), 99);

	fresh();
	control = block(RECORD, 48);
	mpu_put32(at(PARAMS), 4, LOCAL);
	fixture.began = BEGAN - 1;
	returns(0);
	assert_int_equal(fixture.asked, GLOBAL);
	assert_int_equal(control->status, NV_ERR_OBJECT_NOT_FOUND);
	assert_int_equal(mpu_get32(at(PARAMS), 4), LOCAL);
	assert_int_equal(mpu_get32(at(PARAMS), 12), 0);
	assert_int_equal(mpu_get64(at(PARAMS), 32), 0);
	assert_int_equal(fixture.writes, 1);	/* the block alone */
	assert_int_equal(counted(RECORD, MPU_HIDDEN), 1);
}

/* The caller fills the gap: a count of none or of all, the time of today. */
TEST("what the driver leaves out of its answer hides nobody's PID and no record")
{
	struct nv_control *control;
	u32 said;

	for (said = 0; said < 3; said++) {
		fresh();
		control = block(GET_PIDS, 3812);
		memset(at(PARAMS), 0x77, 3812);
		mpu_put32(at(PARAMS), 8, said);
		answer(GLOBAL, STRANGER, STRANGER);
		fixture.leaves_out = true;
		returns(0);
		assert_int_equal(control->status, NV_ERR_NOT_SUPPORTED);
		assert_int_equal(mpu_get32(at(PARAMS), 16), 0x77777777);
		assert_int_equal(counted(GET_PIDS, MPU_IMPOSSIBLE), 1);
	}
	/* Nobody is there: so many as the caller said. */
	fresh();
	control = block(GET_PIDS, 3812);
	memset(at(PARAMS), 0x77, 3812);
	mpu_put32(at(PARAMS), 8, 1);
	fixture.leaves_out = true;
	returns(0);
	assert_int_equal(control->status, NV_OK);
	assert_int_equal(mpu_get32(at(PARAMS), 8), 0);
	assert_int_equal(mpu_get32(at(PARAMS), 16), 0x77777777);

	fresh();
	control = block(RECORD, 48);
	mpu_put32(at(PARAMS), 4, LOCAL);
	mpu_put64(at(PARAMS), 32, BEGAN);
	fixture.leaves_out = true;
	returns(0);
	assert_int_equal(control->status, NV_ERR_OBJECT_NOT_FOUND);
	assert_int_equal(mpu_get32(at(PARAMS), 12), 0);
}

TEST("a control inside XFER is translated, and other calls continue")
{
	struct nv_xfer *xfer = (void *)at(BASE);

	block(GET_PIDS, 3812);
	answer(GLOBAL, STRANGER, STRANGER);
	*xfer = (struct nv_xfer){ NV_ESC_RM_ALLOC, 32, BLOCK };
	continues(REQUEST_XFER, BASE);
	*xfer = (struct nv_xfer){ NV_ESC_RM_CONTROL, 31, BLOCK };
	continues(REQUEST_XFER, BASE);
	*xfer = (struct nv_xfer){ NV_ESC_RM_CONTROL, 32, BLOCK };
	assert_int_equal(handle(REQUEST_XFER, BASE).flags, 0);
	assert_int_equal(mpu_get32(at(PARAMS), 8), 1);
	assert_int_equal(mpu_get32(at(PARAMS), 12), LOCAL);
	assert_int_equal(xfer->ptr, BLOCK);
}

TEST("the driver is asked about the global PID of a visible process")
{
	block(GET_PID_INFO, 14408);
	mpu_put32(at(PARAMS), 0, 1);
	mpu_put32(at(PARAMS), 8, LOCAL);
	returns(0);
	assert_int_equal(fixture.asked, GLOBAL);
	assert_int_equal(mpu_get32(at(PARAMS), 8), LOCAL);
	assert_int_equal(mpu_get64(at(PARAMS), 32), 1234);
	fixture.issued = false;
	mpu_put32(at(PARAMS), 8, STRANGER);
	returns(0);
	assert_int_not_equal(fixture.asked, STRANGER);
	assert_int_equal(mpu_get32(at(PARAMS), 8), STRANGER);
}

TEST("an error of the driver is passed on, and nothing else is written")
{
	struct nv_control *control = block(GET_PIDS, 3812);

	memset(at(PARAMS), 0x77, 3812);
	fixture.status = 0x56;
	returns(0);
	assert_int_equal(control->status, 0x56);
	assert_int_equal(mpu_get32(at(PARAMS), 8), 0x77777777);
	assert_int_equal(counted(GET_PIDS, MPU_REFUSED), 1);
	fixture.issued = false;
	fixture.status = 0;
	fixture.driver = -EIO;
	returns(-EIO);
	assert_int_equal(mpu_get32(at(PARAMS), 8), 0x77777777);
	assert_int_equal(counted(GET_PIDS, MPU_REFUSED), 2);
}

TEST("params that cannot be read or written are an error")
{
	struct nv_control *control = block(GET_PIDS, 3812);

	/* Params that cannot be read: the driver is not left alone with them. */
	control->params = BASE + sizeof(fixture.memory) - 3811;
	returns(0);
	assert_false(fixture.issued);
	assert_int_equal(control->status, NV_ERR_INVALID_ADDRESS);
	assert_int_equal(counted(GET_PIDS, MPU_UNREADABLE), 1);
	assert_int_equal(counted(GET_PIDS, MPU_FAULT), 0);
	/* Params that cannot be written: as the driver says it. */
	block(GET_PIDS, 3812);
	fixture.read_only = PARAMS - BASE;
	answer(GLOBAL, GLOBAL, GLOBAL);
	returns(0);
	assert_int_equal(control->status, NV_ERR_INVALID_ADDRESS);
	assert_int_equal(mpu_get32(at(PARAMS), 8), 0);
	assert_int_equal(counted(GET_PIDS, MPU_FAULT), 1);
	/* Nor the block. */
	fixture.issued = false;
	fixture.read_only = 0;
	returns(-EFAULT);
}

TEST("nothing is written to a caller that has left the call")
{
	block(GET_PIDS, 3812);
	answer(GLOBAL, GLOBAL, GLOBAL);
	fixture.gone = true;
	handle(REQUEST, BLOCK);
	assert_int_equal(fixture.writes, 0);
}

/* The same call again, by @gone: whether a signal takes it out again. */
static void again(bool gone, bool asks)
{
	fixture.gone = gone;
	fixture.issued = false;
	handle(REQUEST, BLOCK);
	assert_int_equal(fixture.issued, asks);
}

static void put_question(u32 pid)
{
	block(GET_PID_INFO, 14408);
	mpu_put32(at(PARAMS), 0, 1);
	mpu_put32(at(PARAMS), 8, pid);
}

TEST("a call that signals interrupt gets its answer when repeated")
{
	put_question(LOCAL);
	again(true, true);
	again(true, false);
	assert_int_equal(fixture.writes, 0);
	assert_int_equal(counted(GET_PID_INFO, MPU_TRANSLATED), 0);
	again(false, false);
	assert_int_equal(mpu_get64(at(PARAMS), 32), 1234);
	assert_int_equal(mpu_get32(at(PARAMS), 8), LOCAL);
	assert_int_equal(counted(GET_PID_INFO, MPU_TRANSLATED), 1);
	/* Once. */
	put_question(LOCAL);
	again(false, true);
	/* For a second, however often it is asked for. */
	put_question(LOCAL);
	again(true, true);
	fixture.now += 600000000;
	again(true, false);
	fixture.now += 600000000;
	again(true, true);
	/* For that question alone. */
	put_question(STRANGER);
	again(true, true);
	mpu_put32(at(PARAMS), 2000, 1);
	again(false, true);
}

TEST("a call to another device continues; a failed check refuses it")
{
	block(GET_PIDS, 3812);
	fixture.open = 1;			/* another device, the host's namespace */
	continues(REQUEST, BLOCK);
	assert_int_equal(counted(GET_PIDS, MPU_IMPOSSIBLE), 0);
	/* Neither what a caller can bring about lets it through, nor a lack. */
	fixture.open = -ENOMEM;
	returns(-ENOMEM);
	fixture.open = -EXDEV;
	returns(-EPERM);
	assert_false(fixture.issued);
	assert_int_equal(counted(GET_PIDS, MPU_IMPOSSIBLE), 2);
	/* The caller was killed: nobody is answered. */
	fixture.gone = true;
	handle(REQUEST, BLOCK);
	assert_int_equal(counted(GET_PIDS, MPU_IMPOSSIBLE), 2);
}

/* Only the process itself could ask, and would be told the host's number. */
TEST("a control about the caller's own errors is refused")
{
	struct nv_control *control = block(RCERR, 2436);

	memset(at(PARAMS), 0x77, 2436);
	returns(0);
	assert_false(fixture.issued);
	assert_int_equal(control->status, NV_ERR_NOT_SUPPORTED);
	assert_int_equal(mpu_get32(at(PARAMS), 32), 0x77777777);
	assert_int_equal(counted(RCERR, MPU_OWN), 1);
}

TEST("a table behind a pointer is translated in a copy of ours")
{
	struct nv_control *control = block(NVENC_V1, 16);

	memset(at(TABLE), 0x77, 512 * 32);
	mpu_put32(at(PARAMS), 0, 512);
	mpu_put64(at(PARAMS), 8, TABLE);
	answer(STRANGER, GLOBAL, STRANGER);
	returns(0);
	assert_int_equal(fixture.params, (uintptr_t)memory.array);
	assert_int_equal(mpu_get32(at(PARAMS), 0), 1);
	assert_int_equal(mpu_get64(at(PARAMS), 8), TABLE);
	assert_int_equal(mpu_get32(at(TABLE), 0), LOCAL);
	assert_int_equal(mpu_get32(at(TABLE), 32), 0);
	/* Everything behind what the driver wrote is as it was. */
	assert_int_equal(mpu_get32(at(TABLE), 3 * 32), 0x77777777);
	/* No table: the question for the count. */
	fixture.issued = false;
	mpu_put32(at(PARAMS), 0, 0);
	mpu_put64(at(PARAMS), 8, 0);
	returns(0);
	assert_int_equal(fixture.params, 0);
	/* More than the driver takes, in its own words. */
	fixture.issued = false;
	mpu_put32(at(PARAMS), 0, CALL_ARRAY_MAX / 32 + 1);
	mpu_put64(at(PARAMS), 8, TABLE);
	returns(0);
	assert_int_equal(control->status, NV_ERR_INVALID_ARGUMENT);
	mpu_put32(at(PARAMS), 0, 0xffffffff);
	returns(0);
	assert_int_equal(control->status, NV_ERR_INVALID_ARGUMENT);
	assert_false(fixture.issued);
}

/* The size of the buffer is in bytes, and the element the driver's. */
TEST("samples behind a pointer are translated, and hidden ones blanked")
{
	block(PERF_V1, 24);
	memset(at(TABLE), 0x77, 0x2000);
	mpu_put32(at(PARAMS), 4, 2 * 704);
	mpu_put64(at(PARAMS), 16, TABLE);
	answer(GLOBAL, STRANGER, 0);
	fixture.answers = 2;
	returns(0);
	assert_int_equal(mpu_get32(at(TABLE), 16), LOCAL);
	assert_int_equal(mpu_get32(at(TABLE), 704 + 16), LOCAL);
	assert_int_equal(mpu_get32(at(TABLE), 704 + 8), 0);	/* idle */
	assert_int_equal(mpu_get32(at(TABLE), 2 * 704), 0x77777777);
	assert_int_equal(mpu_get64(at(PARAMS), 16), TABLE);
}

TEST("random arguments cause no crash, and no write out of place")
{
	u32 seed = 1, i, n;

	for (n = 0; n < 20000; n++) {
		const struct mpu_row *row = &mpu_rows[n % MPU_ROWS];

		fresh();
		for (i = 0; i < sizeof(fixture.memory); i += 512) {
			seed = seed * 1103515245 + 12345;
			mpu_put32(fixture.memory, i, seed);
		}
		block(row->cmd, row->size);
		for (i = 0; i < 24; i += 4) {
			seed = seed * 1103515245 + 12345;
			mpu_put32(at(PARAMS), i, seed >> (seed & 31));
		}
		if (row->ptr != MPU_NO_OFFSET && seed & 64)
			mpu_put64(at(PARAMS), row->ptr, TABLE);
		if (row->cmd == NVENC_V1 || row->cmd == PERF_V1)
			fixture.answers = 0;
		handle(REQUEST, BLOCK);
	}
}
