// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of the RM client (nvidia/rm.c, nvidia/processes.c): a made-up driver
 * behind rm_ops, which answers as each driver generation does, or is hostile.
 */
#include <sys/ioctl.h>

#include "core/controls.h"
#include "core/nvrm.h"
#include "core/row.h"
#include "nvidia/internal.h"
#include "tests/unit/unit.h"

#define GPU_IS_LOST		0x0f
#define INVALID_ARGUMENT	0x1f
#define INVALID_PARAM_STRUCT	0x3a
#define NOT_SUPPORTED		0x56
#define INSUFFICIENT		0x1b
#define CTL			100
#define NODE			101
#define ROOT			0xc1d00001u

/*
 * A driver generation: the controls that it knows, and what goes wrong in it.
 */
static struct generation {
	const char *version;
	bool query;		/* version command '2' is understood */
	bool root_by_pointer;	/* 390 */
	bool status_at_28;	/* offset in RM_ALLOC, from 535 */
	u32 card;		/* bytes of one nv_ioctl_card_info_t */
	u32 probed;		/* paramsSize of GET_PROBED_IDS */
	u32 name;		/* paramsSize of GET_NAME_STRING */
	u32 classes;		/* paramsSize of CLASSLIST_V2, 0: by pointer */
	u32 pids_cmd, info_cmd, info_size, samples_cmd, samples_size;
	u32 wrong_size;		/* the status of a control with another size */
	int open_errno;		/* open() of the control node */
	int node_errno;		/* open() of a GPU's node */
	u32 refuse_cmd;		/* the answer of this control ... */
	u32 refuse_status;
	u32 lie_count;		/* counts and lengths say this, if not 0 */
	bool unterminated;	/* texts fill their room */
	int interrupts;		/* EINTR before each ioctl */
} driver;

static int opened, closed, allocated, freed, asked;

#define LISTS	.pids_cmd = 0x2080018d, .info_cmd = 0x2080018e
#define OLD	.samples_cmd = 0x20802083, .samples_size = 24, .wrong_size = INVALID_PARAM_STRUCT
#define NEW	.query = true, .status_at_28 = true, LISTS, .info_size = 14408, \
		.samples_cmd = 0x20802096, .wrong_size = INVALID_ARGUMENT, .card = 72

static const struct generation generations[] = {
	{ .version = "390.157", .root_by_pointer = true, .card = 80, .probed = 128, .name = 132,
	  .pids_cmd = 0x00800202, .info_cmd = 0x00800203, .info_size = 8008, OLD },
	{ .version = "470.256.02", .card = 72, .probed = 256, .name = 132, LISTS,
	  .info_size = 9608, OLD },
	{ .version = "550.163.01", .probed = 256, .name = 132, .classes = 700,
	  .samples_size = 50704, NEW },
	{ .version = "580.159.04", .probed = 384, .name = 132, .classes = 804,
	  .samples_size = 55888, NEW },
	{ .version = "595.45.04", .probed = 384, .name = 68, .classes = 804,
	  .samples_size = 55888, NEW },
};
static const struct generation *const d470 = &generations[1], *const d580 = &generations[3];

/* The client of most tests, and its one GPU. */
static struct rm rm;
static struct rm_gpu gpu;

static int fake_open(const char *path, int flags)
{
	if (!strcmp(path, "/x/nvidiactl")) {
		errno = driver.open_errno;
		opened += !errno;
		return errno ? -1 : CTL;
	}
	assert_string_equal(path, "/x/nvidia3");
	errno = driver.node_errno;
	opened += !errno;
	return errno ? -1 : NODE;
}

static int fake_close(int fd)
{
	assert_true(fd == CTL || fd == NODE);
	closed++;
	return 0;
}

static u32 count(u32 honest)
{
	return driver.lie_count ? driver.lie_count : honest;
}

static void put_text(u8 *to, const char *text, u32 room)
{
	if (driver.unterminated)
		memset(to, 'A', room);
	else
		memcpy(to, text, strlen(text) + 1);
}

static u32 probed_ids(u8 *p, u32 size)
{
	if (size != driver.probed)
		return driver.wrong_size;
	memset(p, 0xff, size);
	mpu_put32(p, 4, 0x600);		/* a hole before it is no GPU */
	return 0;
}

static u32 classes(u8 *p, u32 size, bool by_pointer)
{
	static const u32 some[] = { 0x0080, 0xcb97, 0xcbc0 };

	if (by_pointer != !driver.classes)
		return NOT_SUPPORTED;
	if (!by_pointer && size != driver.classes)
		return driver.wrong_size;
	if (by_pointer && mpu_get64(p, 8))
		memcpy((void *)(uintptr_t)mpu_get64(p, 8), some, sizeof(some));
	if (!by_pointer)
		memcpy(p + 4, some, sizeof(some));
	mpu_put32(p, 0, count(3));
	return 0;
}

/*
 * PIDs 1000, 1001, ... for compute, 5 of them unless the driver lies; 1003 and 7
 * for graphics; no MPS.
 */
static u32 pids(u8 *p, u32 size)
{
	u32 i;

	if (size != 3812)
		return driver.wrong_size;
	assert_int_equal(mpu_get32(p, 0), 0);
	if (mpu_get32(p, 4) == RM_CLASS_MPS)
		return NOT_SUPPORTED;
	if (mpu_get32(p, 4) == 0xcb97) {
		mpu_put32(p, 12, 1003);
		mpu_put32(p, 16, 7);
		mpu_put32(p, 8, 2);
		return 0;
	}
	assert_int_equal(mpu_get32(p, 4), 0xcbc0);
	for (i = 0; i < 950; i++)
		mpu_put32(p, 12 + 4 * i, 1000 + i);
	mpu_put32(p, 8, count(5));
	return 0;
}

static u32 pid_info(u8 *p, u32 size)
{
	u32 stride = (size - 8) / 200, i;

	if (size != driver.info_size)
		return driver.wrong_size;
	assert_in_range(mpu_get32(p, 0), 1, 200);
	for (i = 0; i < mpu_get32(p, 0); i++) {
		u8 *e = p + 8 + i * stride;
		u32 pid = mpu_get32(e, 0);

		assert_int_equal(mpu_get32(e, 4), 0);
		mpu_put32(e, 8, pid == 1004 ? 0x1f : 0);
		mpu_put64(e, 16, (u64)pid << 20);
		mpu_put64(e, 24, 7);
		mpu_put64(e, 32, 0xdead);	/* duped: not ours */
		if (stride >= 48)
			mpu_put32(e, stride - 4, 9);
	}
	return 0;
}

#define SECOND	1000000000ull
#define SAMPLED	(100 * SECOND)

static u32 samples(u8 *p, u32 size)
{
	u32 cap = size == 24 ? 100 : 72;
	u32 stride = size == 24 ? 472 : (driver.samples_size - 16) / cap;
	u32 step = stride == 776 ? 128 : 116;
	u8 *at = p + 16;
	u32 i;

	if (size != driver.samples_size)
		return driver.wrong_size;
	assert_int_equal(p[0], 2);
	assert_int_equal(mpu_get32(p, 4), cap * stride);
	if (size == 24)
		at = (u8 *)(uintptr_t)mpu_get64(p, 16);
	memset(at, driver.lie_count ? 1 : 0xff, cap * stride);
	for (i = 0; !driver.lie_count && i < cap; i++)
		mpu_put64(at, i * stride, 0);	/* there is no such sample yet */
	mpu_put64(at, 0, SAMPLED);
	mpu_put32(at, 8 + step, 4200);		/* SM of the first sample */
	mpu_put32(at, 8 + step + 8, 1001);
	if (stride == 776)
		mpu_put64(at, 8 + step + 8 + 112, 0xffff888000000000);
	/* The ring goes on with an older one. The newest is nobody's. */
	mpu_put64(at, stride, SAMPLED - 2 * SECOND);
	mpu_put32(at, stride + 8 + step, 9900);
	mpu_put32(at, stride + 8 + step + 8, 1001);
	mpu_put64(at, 2 * stride, SAMPLED + SECOND);
	return 0;
}

/* 80 GiB, of which the driver keeps one, and 5 MiB are taken. */
static u32 memory(u8 *p, u32 size)
{
	u8 *pairs = (u8 *)(uintptr_t)mpu_get64(p, 8);
	u32 i;

	assert_int_equal(size, 16);
	assert_int_equal(mpu_get32(p, 0), 3);
	for (i = 0; i < 3; i++) {
		u32 index = mpu_get32(pairs, 8 * i);

		mpu_put32(pairs, 8 * i + 4, index == 0x08 ? 80 << 20 : index == 0x09 ? 79 << 20 :
			  index == 0x16 ? count((79 << 20) - (5 << 10)) : 0);
	}
	return 0;
}

static u32 accounting_pids(u8 *p, u32 size)
{
	assert_int_equal(size, 16012);
	assert_int_equal(mpu_get32(p, 0), 0x600);
	mpu_put32(p, 8, 77);
	mpu_put32(p, 12, 78);
	mpu_put32(p, 16008, count(2));
	return 0;
}

static u32 accounting_record(u8 *p, u32 size)
{
	assert_int_equal(size, 48);
	assert_int_equal(mpu_get32(p, 4), 77);
	mpu_put32(p, 12, 50);
	mpu_put32(p, 16, 25);
	mpu_put64(p, 24, 1 << 20);
	mpu_put64(p, 32, 10);
	mpu_put64(p, 40, 20);
	return 0;
}

static u32 control(const struct nv_control *c)
{
	u8 *p = (u8 *)(uintptr_t)c->params;

	assert_int_equal(c->client, ROOT);
	asked++;
	if (c->cmd == driver.refuse_cmd)
		return driver.refuse_status;
	if (c->cmd == driver.pids_cmd)
		return pids(p, c->size);
	if (c->cmd == driver.info_cmd)
		return pid_info(p, c->size);
	if (c->cmd == driver.samples_cmd)
		return samples(p, c->size);
	switch (c->cmd) {
	case 0x214:
		return probed_ids(p, c->size);
	case 0x215:
		assert_int_equal(mpu_get32(p, 0), 0x600);
		return 0;
	case 0x216:
		return 0;
	case 0x202:
		mpu_put32(p, 8, 4);
		mpu_put32(p, 12, 1);
		return 0;
	case 0x20801301:
		return memory(p, c->size);
	case 0xb02:
		mpu_put32(p, 8, 0);
		return 0;
	case 0xb03:
		return accounting_record(p, c->size);
	case 0xb04:
		return accounting_pids(p, c->size);
	case 0x00800201:
		return classes(p, c->size, true);
	case 0x00800292:
		return classes(p, c->size, false);
	case 0x20800110:
		if (c->size != driver.name)
			return driver.wrong_size;
		put_text(p + 4, "Test GPU", c->size - 4);
		return 0;
	case 0x2080014a:
		put_text(p + 12, "GPU-0", 256);
		return 0;
	default:
		return NOT_SUPPORTED;
	}
}

static void rm_alloc_call(u8 *p)
{
	u32 class = mpu_get32(p, 12);
	u64 params = mpu_get64(p, 16);
	u32 status = 0;

	if (class == 0 && driver.root_by_pointer && !params)
		status = 0x3d;
	else if (class == 0 && driver.root_by_pointer)
		mpu_put32((void *)(uintptr_t)params, 0, ROOT);
	else if (class == 0)
		mpu_put32(p, 8, ROOT);
	else if (class == 0x80)
		assert_int_equal(mpu_get32((void *)(uintptr_t)params, 0), 4);
	else if (class == 0x2080)
		assert_int_equal(mpu_get32((void *)(uintptr_t)params, 0), 1);
	else if (class == 0x40)
		assert_int_equal(mpu_get64((void *)(uintptr_t)params, 64), 4096);
	if (class && driver.refuse_cmd == class)
		status = driver.refuse_status;
	allocated += !status;
	mpu_put32(p, driver.status_at_28 ? 28 : 24, status);
}

static void card_info(u8 *p, u32 size)
{
	u32 off = driver.card;	/* the second slot; the first is empty */

	assert_int_equal(size % 8, 0);
	p[off] = 1;
	mpu_put32(p, off + 4, 1);
	p[off + 8] = 0x17;
	p[off + 9] = 2;
	mpu_put32(p, off + (driver.card == 80 ? 20 : 16), 0x600);
	mpu_put32(p, off + (driver.card == 80 ? 64 : 56), 3);
}

static int check_version(u8 *p)
{
	if (mpu_get32(p, 0) == '2' && !driver.query)
		return 0;	/* "override": nothing is checked, or told */
	if (driver.unterminated)
		memset(p + 8, '5', 64);
	else
		memcpy(p + 8, driver.version, strlen(driver.version) + 1);
	if (mpu_get32(p, 0) == '2')
		return 0;
	errno = EINVAL;
	return -1;
}

static int fake_ioctl(int fd, unsigned long request, void *arg)
{
	static int interrupted;

	if (interrupted++ < driver.interrupts) {
		errno = EINTR;
		return -1;
	}
	interrupted = 0;
	assert_int_equal(_IOC_TYPE(request), 'F');
	switch (_IOC_NR(request)) {
	case NV_ESC_RM_CONTROL:
		assert_int_equal(fd, CTL);
		((struct nv_control *)arg)->status = control(arg);
		return 0;
	case NV_ESC_RM_ALLOC:
		assert_int_equal(_IOC_SIZE(request), 32);
		rm_alloc_call(arg);
		return 0;
	case NV_ESC_RM_FREE:
		freed++;
		return 0;
	case NV_ESC_CARD_INFO:
		card_info(arg, _IOC_SIZE(request));
		return 0;
	case NV_ESC_CHECK_VERSION:
		return check_version(arg);
	case NV_ESC_REGISTER_FD:
		assert_int_equal(fd, NODE);
		assert_int_equal(*(int *)arg, CTL);
		return 0;
	default:
		errno = EINVAL;
		return -1;
	}
}

static const struct rm_ops fake_ops = { fake_open, fake_ioctl, fake_close };

static void use(const struct generation *d)
{
	driver = *d;
	opened = closed = allocated = freed = asked = 0;
}

/* Makes a client with its one GPU attached. */
static void attach(void)
{
	struct rm_gpu all[RM_GPUS];
	u32 n;

	assert_int_equal(rm_open(&rm, "/x", &fake_ops), 0);
	assert_int_equal(rm_list_gpus(&rm, all, &n), 0);
	assert_int_equal(n, 1);
	gpu = all[0];
	assert_int_equal(rm_attach(&rm, &gpu), 0);
}

/* Checks that everything that was opened and allocated is closed and freed. */
static void detach(void)
{
	rm_detach(&rm, &gpu);
	rm_detach(&rm, &gpu);
	rm_close(&rm);
	assert_int_equal(opened, 2);
	assert_int_equal(closed, 2);
	assert_int_equal(freed, 2);	/* the device, and the client */
}

/* Returns what the driver says of its one GPU and of the processes there, in lines. */
static const char *say_all(void)
{
	static char text[4096];
	static u32 pid[RM_PIDS];
	static struct rm_sample sample[RM_SAMPLES];
	FILE *out = fmemopen(text, sizeof(text), "w");
	struct rm_process process[5];
	char version[80];
	u32 class[RM_CLASSES];
	u32 i, n;

	assert_int_equal(rm_read_version(&rm, version, sizeof(version)), 0);
	fprintf(out, "%s: %s %s, %x, /dev/nvidia%d, %x:%x:%x\n", version, gpu.name, gpu.uuid, gpu.id,
		gpu.minor, gpu.domain, gpu.bus, gpu.slot);
	assert_int_equal(rm_list_classes(&rm, &gpu, class, &n), 0);
	for (i = 0; i < n; i++)
		fprintf(out, "class %x%s%s\n", class[i], rm_class_is_compute(class[i]) ?
			" computes" : "", rm_class_is_graphics(class[i]) ? " draws" : "");
	assert_int_equal(rm_list_pids(&rm, &gpu, 0xcbc0, pid, &n), 0);
	assert_int_equal(n, 5);
	for (i = 0; i < n; i++)
		process[i] = (struct rm_process){ .pid = pid[i] };
	assert_int_equal(rm_read_memory(&rm, &gpu, process, n), 0);
	for (i = 0; i < n; i++)
		fprintf(out, "%u: %llu MiB and %llu, status %x, instance %d\n", process[i].pid,
			(unsigned long long)process[i].bytes >> 20,
			(unsigned long long)process[i].bytes & 0xfffff, process[i].status,
			(int)process[i].gpu_instance);
	assert_int_equal(rm_list_samples(&rm, &gpu, RM_SAMPLES_ALL, sample, &n), 0);
	fprintf(out, "%u samples, ", n);
	assert_int_equal(rm_list_samples(&rm, &gpu, RM_SAMPLES_NEW, sample, &n), 0);
	fprintf(out, "%u new: %llu s, engine %u, %u %u, pointer %d\n", n,
		(unsigned long long)(sample[0].time_ns / SECOND), sample[0].engine, sample[0].pid,
		sample[0].util, sample[0].pointer != 0);
	fclose(out);
	return text;
}

TEST("every generation of the driver is asked in its own layouts")
{
	char wanted[4096];
	u32 i;
	int n;

	each_row(d, generations) {
		use(d);
		attach();
		n = sprintf(wanted, "%s: Test GPU GPU-0, 600, /dev/nvidia3, 1:17:2\nclass 80\nclass cb97 draws\nclass cbc0 computes\n",
			    d->version);
		for (i = 1000; i < 1005; i++)
			n += sprintf(wanted + n, "%u: %u MiB and 7, status %s, instance %d\n", i, i,
				     i == 1004 ? "1f" : "0", d->info_size > 8008 ? 9 : -1);
		sprintf(wanted + n, "2 samples, 1 new: 100 s, engine %u, 1001 4200, pointer %d\n",
			RM_ENGINE_SM, d->samples_size == 55888);
		assert_string_equal(say_all(), wanted);
		detach();
	}
}

TEST("the accounting list and its records are read")
{
	static u32 pid[RM_PIDS];
	struct rm_account account = { .pid = 77 };
	bool on = false;
	u32 n;

	use(d580);
	attach();
	assert_int_equal(rm_accounting_is_on(&rm, &gpu, &on), 0);
	assert_true(on);
	assert_int_equal(rm_list_accounted(&rm, &gpu, pid, &n), 0);
	assert_int_equal(n, 2);
	assert_int_equal(pid[1], 78);
	assert_int_equal(rm_read_account(&rm, &gpu, &account), 0);
	assert_int_equal(account.end_us, 20);
	detach();
}

TEST("memory of more processes than a call holds is read in batches")
{
	static struct rm_process process[450];
	u32 i;

	use(d580);
	attach();
	for (i = 0; i < 450; i++)
		process[i].pid = 2000 + i;
	asked = 0;
	assert_int_equal(rm_read_memory(&rm, &gpu, process, 450), 0);
	assert_int_equal(asked, 3);
	for (i = 0; i < 450; i++)
		assert_int_equal(process[i].bytes, ((u64)(2000 + i) << 20) + 7);
	asked = 0;
	assert_int_equal(rm_read_memory(&rm, &gpu, process, 0), 0);
	assert_int_equal(asked, 0);
	detach();
}

/* The sanitizers notice access beyond them. */
TEST("counts and texts that are too long stay within the buffers")
{
	static const u32 lies[] = { 951, 4001, 0x7fffffff, 0xffffffff };
	static struct rm_sample sample[RM_SAMPLES];

	each_row(d, generations)
		each_row(row, lies) {
			u32 *pid = malloc(RM_PIDS * sizeof(*pid));
			u32 *class = malloc(RM_CLASSES * sizeof(*class));
			char version[65];
			u32 n = 0;

			use(d);
			driver.lie_count = *row;
			driver.unterminated = true;
			attach();
			assert_int_equal(strlen(gpu.name), 64);
			assert_int_equal(strlen(gpu.uuid), 64);
			assert_int_equal(rm_read_version(&rm, version, sizeof(version)), 0);
			assert_int_equal(strlen(version), 64);
			if (!rm_list_classes(&rm, &gpu, class, &n))
				assert_int_equal(n, driver.classes / 4 - 1);
			assert_int_equal(rm_list_pids(&rm, &gpu, 0xcbc0, pid, &n), 0);
			assert_int_equal(n, 950);
			assert_int_equal(rm_list_samples(&rm, &gpu, RM_SAMPLES_ALL, sample, &n), 0);
			assert_in_range(n, 1, RM_SAMPLES);
			assert_int_equal(rm_list_accounted(&rm, &gpu, pid, &n), 0);
			assert_in_range(n, *row < 4000 ? *row : 4000, 4000);
			detach();
			free(class);
			free(pid);
		}
}

TEST("errors of the driver are returned, and no other layout is tried")
{
	static u32 pid[RM_PIDS];
	struct rm_gpu all[RM_GPUS];
	char text[64];
	u32 n;

	use(d580);
	driver.open_errno = ENOENT;
	assert_int_equal(rm_open(&rm, "/x", &fake_ops), -ENOENT);
	assert_int_equal(closed, 0);

	/*
	 * If the driver refuses the question itself, no other layout is tried.
	 */
	use(d580);
	attach();
	driver.refuse_cmd = driver.pids_cmd;
	driver.refuse_status = INSUFFICIENT;
	asked = 0;
	assert_int_equal(rm_list_pids(&rm, &gpu, 0xcbc0, pid, &n), INSUFFICIENT);
	assert_int_equal(asked, 1);
	assert_string_equal(rm_error_text(INSUFFICIENT, text, sizeof(text)), "RM status 0x1b");
	assert_string_equal(rm_error_text(GPU_IS_LOST, text, sizeof(text)), "GPU is lost");
	assert_non_null(strstr(rm_error_text(-EIO, text, sizeof(text)), "GPU is lost"));
	assert_string_equal(rm_error_text(-ENOENT, text, sizeof(text)),
			    "No such file or directory");
	detach();

	/*
	 * A GPU without a device node here, or whose objects the driver
	 * refuses.
	 */
	use(d580);
	assert_int_equal(rm_open(&rm, "/x", &fake_ops), 0);
	assert_int_equal(rm_list_gpus(&rm, all, &n), 0);
	driver.node_errno = EPERM;
	assert_int_equal(rm_attach(&rm, all), -EPERM);
	driver.node_errno = 0;
	driver.refuse_cmd = 0x2080;
	driver.refuse_status = INSUFFICIENT;
	assert_int_equal(rm_attach(&rm, all), INSUFFICIENT);
	assert_int_equal(all[0].device, 0);
	assert_int_equal(closed, 1);
	all[0].minor = -1;
	assert_int_equal(rm_attach(&rm, all), -ENODEV);
	rm_close(&rm);
}

TEST("memory can be allocated, and a refusal is returned")
{
	u32 memory = 0;

	use(d470);
	driver.interrupts = 2;
	attach();
	assert_int_equal(rm_allocate_memory(&rm, &gpu, 4096, &memory), 0);
	assert_int_not_equal(memory, 0);
	assert_int_not_equal(memory, gpu.device);
	assert_int_not_equal(memory, gpu.subdevice);
	assert_int_equal(allocated, 4);
	driver.refuse_cmd = 0x40;
	driver.refuse_status = 0x51;
	assert_int_equal(rm_allocate_memory(&rm, &gpu, 4096, &memory), 0x51);
	detach();
}

TEST("each process has one entry for all it does, in order of PIDs")
{
	static const struct {
		u32 pid;
		unsigned int use;
	} want[] = {
		{ 7, GPU_GRAPHICS }, { 1000, GPU_COMPUTE },
		{ 1001, GPU_COMPUTE }, { 1002, GPU_COMPUTE },
		{ 1003, GPU_COMPUTE | GPU_GRAPHICS }, { 1004, GPU_COMPUTE },
	};
	struct process_list list;
	size_t i;

	each_row(d, generations) {
		const struct gpu_processes *on = &list.gpu[0];

		use(d);
		assert_int_equal(rm_open(&rm, "/x", &fake_ops), 0);
		assert_int_equal(processes_read(&rm, &list, RM_SAMPLES_NEW, 0), 0);
		assert_int_equal(list.count, 1);
		assert_int_equal(on->gpu.minor, 3);
		assert_true(on->attached && on->has_utilisation && on->has_memory);
		assert_int_equal(on->memory_total, 80ull << 30);
		assert_int_equal(on->memory_used, 5 << 20);
		assert_int_equal(on->utilisation[RM_ENGINE_SM], 4200);
		assert_int_equal(on->error, 0);
		assert_int_equal(on->count, 6);
		for (i = 0; i < 6; i++) {
			const struct gpu_process *one = &on->process[i];

			assert_int_equal(one->pid, want[i].pid);
			assert_int_equal(one->use, want[i].use);
			assert_int_equal(one->has_memory, one->pid != 1004);
			assert_int_equal(one->memory, one->pid == 1004 ? 0 :
					 ((u64)one->pid << 20) + 7);
			assert_int_equal(one->utilisation[RM_ENGINE_SM],
					 one->pid == 1001 ? 4200 : 0);
			assert_int_equal(one->gpu_instance, driver.info_size > 8008 ?
					 9 : 0xffffffff);
		}
		processes_free(&list);
		assert_int_equal(list.count, 0);
		rm_close(&rm);
		assert_int_equal(opened, closed);
	}
}

TEST("a GPU without a node is left out, and one that refuses says why")
{
	struct process_list list;

	use(d580);
	assert_int_equal(rm_open(&rm, "/x", &fake_ops), 0);
	driver.node_errno = EPERM;
	assert_int_equal(processes_read(&rm, &list, 0, 0), 0);
	assert_int_equal(list.count, 0);
	driver.node_errno = EIO;
	assert_int_equal(processes_read(&rm, &list, 0, 0), 0);
	assert_int_equal(list.count, 1);
	assert_false(list.gpu[0].attached);
	assert_int_equal(list.gpu[0].error, -EIO);
	processes_free(&list);
	driver.node_errno = 0;
	driver.refuse_cmd = driver.info_cmd;
	driver.refuse_status = INSUFFICIENT;
	assert_int_equal(processes_read(&rm, &list, RM_SAMPLES_NEW, 0), 0);
	assert_true(list.gpu[0].attached);
	assert_int_equal(list.gpu[0].error, INSUFFICIENT);
	assert_int_equal(list.gpu[0].count, 0);
	processes_free(&list);
	driver.refuse_cmd = driver.samples_cmd;
	assert_int_equal(processes_read(&rm, &list, RM_SAMPLES_NEW, 0), 0);
	assert_int_equal(list.gpu[0].error, 0);
	assert_false(list.gpu[0].has_utilisation);
	processes_free(&list);
	rm_close(&rm);
	assert_int_equal(opened, closed);
}

/* The sanitizers notice access beyond it. */
TEST("counts that are too large stay within the list")
{
	struct process_list list;

	each_row(d, generations) {
		use(d);
		assert_int_equal(rm_open(&rm, "/x", &fake_ops), 0);
		driver.lie_count = 0xffffffff;
		assert_int_equal(processes_read(&rm, &list, RM_SAMPLES_NEW, 0), 0);
		assert_true(list.gpu[0].error ? !list.gpu[0].count :
			    list.gpu[0].count && list.gpu[0].count <= RM_PIDS);
		assert_false(list.gpu[0].has_memory);	/* more free than there is */
		processes_free(&list);
		rm_close(&rm);
	}
}
