// SPDX-License-Identifier: GPL-2.0-only
/*
 * GPU processes and their questions: see ask.h.
 */
#include <errno.h>
#include <linux/userfaultfd.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <fcntl.h>

#include "core/nvrm.h"
#include "sim/interface.h"
#include "tests/conformance/ask.h"
#include "tests/conformance/compat.h"
#include "tests/conformance/host.h"

#define GUARD 64

/* Numbers of controls of the table that are asked in a way of their own. */
#define RCERR_RPT	0x00000607
#define GPUACCT_SET	0x00000b01
#define GPUACCT_RECORD	0x00000b03
#define GPUACCT_LIST	0x00000b04
#define GET_PIDS_OLD	0x00800202
#define NVENC_V1	0x2080016e
#define GET_PIDS	0x2080018d
#define SAMPLES_V1	0x20802083
#define SAMPLES_V2	0x20802096
#define SAMPLES_GSS	0x2080a083
#define HWPM_RESERVE	0x90cc0101

/* One client per actor; a forked child has its parent's. */
static struct rm client;
static struct rm_gpu gpu = { .fd = -1 };
static u32 profiler;
static enum way current_way;

struct rm *gpu_client(void)
{
	return &client;
}

struct rm_gpu *gpu_board(void)
{
	return &gpu;
}

/* --- ways --- */

/* ioctl(2) of a 32-bit program: arguments below 4 GiB. */
static int compat_ioctl(int fd, u32 request, void *low)
{
	long ret = compat_call(COMPAT_IOCTL, fd, (long)request, low);

	if (ret >= 0)
		return (int)ret;
	errno = (int)-ret;
	return -1;
}

/* ioctl(2) takes the low halves of these two registers; filters see all of them. */
#define HIGH	0x5a5a5a5a00000000ul

static int way_ioctl(int fd, unsigned long request, void *arg)
{
	u32 size = _IOC_SIZE(request), nr = _IOC_NR(request);
	bool xfer = current_way == WAY_XFER || current_way == WAY_COMPAT_XFER;
	struct nv_xfer *wrap;
	u8 *low;
	int ret, err;

	if (current_way == WAY_PLAIN)
		return ioctl(fd, request, arg);
	if (current_way == WAY_BITS)
		return ioctl(fd, _IOC(_IOC_NONE, 'z', nr, size), arg);
	if (current_way == WAY_HALVES)
		return (int)syscall(SYS_ioctl, HIGH | fd, HIGH | request, arg);
	low = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | COMPAT_MEMORY, -1, 0);
	if (low == MAP_FAILED || size > 2048)
		return -1;
	wrap = (struct nv_xfer *)(low + 3072);
	*wrap = (struct nv_xfer){ nr, size, (uintptr_t)low };
	memcpy(low, arg, size);
	if (xfer)
		request = _IOWR('F', NV_ESC_XFER, struct nv_xfer);
	if (current_way == WAY_XFER)
		ret = ioctl(fd, request, wrap);
	else
		ret = compat_ioctl(fd, request, xfer ? (void *)wrap : low);
	err = errno;
	memcpy(arg, low, size);
	munmap(low, 4096);
	errno = err;
	return ret;
}

static int way_open(const char *path, int flags)
{
	return open(path, flags);
}

static const struct rm_ops ops = { way_open, way_ioctl, close };

/* Tried in a child: it may be a fault. */
int way_works(void *arg)
{
	int status = 0;
	pid_t pid;

	if (*(u32 *)arg < WAY_COMPAT)
		return 0;
	if (!COMPAT_IOCTL)
		return -ENOSYS;
	pid = fork();
	if (pid < 0)
		return -errno;
	if (!pid)
		_exit(compat_call(COMPAT_GETPID, 0, 0, NULL) < 0);
	/* An actor's children are reaped for it: then there is no status. */
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status ? -ENOSYS : 0;
}

/* --- clients --- */

int client_open(void)
{
	return rm_open(&client, "/dev", &ops);
}

void client_close(void)
{
	rm_close(&client);
}

int client_ask(u32 way, u32 cmd, void *params, u32 size)
{
	int ret;

	current_way = way;
	ret = rm_control(&client, 0, cmd, params, size);
	current_way = WAY_PLAIN;
	return ret;
}

/* --- GPU processes --- */

/* The profiler's object is made early: forked children share the handles there are. */
static int open_profiler(void)
{
	return rm_alloc(&client, gpu.subdevice, GF100_PROFILER, NULL,
			&profiler);
}

int gpu_open(void *unused)
{
	struct rm_gpu all[RM_GPUS];
	u32 count = 0;
	int ret;

	(void)unused;
	ret = rm_open(&client, "/dev", &ops);
	if (ret)
		return ret;
	ret = rm_list_gpus(&client, all, &count);
	if (!ret && !count)
		ret = -ENODEV;
	if (ret)
		return ret;
	gpu = all[0];
	ret = rm_attach(&client, &gpu);
	return ret ? ret : open_profiler();
}

static int start_channel(struct load *load)
{
	u32 classes[RM_CLASSES], count, i, channel = 0, object;
	int ret = rm_list_classes(&client, &gpu, classes, &count);

	if (ret)
		return ret;
	load->class = 0;
	for (i = 0; i < count; i++) {
		if ((classes[i] & 0xff) == 0x6f)
			channel = classes[i];
		if (rm_class_is_compute(classes[i]))
			load->class = classes[i];
	}
	if (!load->class)
		return -ENODEV;
	/* A board may keep its channel class to itself: any 0x..6f will do. */
	if (!channel)
		channel = (load->class & 0xff00) | 0x6f;
	ret = rm_alloc(&client, gpu.device, channel, NULL, &object);
	return ret ? ret : rm_alloc(&client, object, load->class, NULL,
				    &object);
}

int gpu_start(void *arg)
{
	/* NVA0BC_ALLOC_PARAMETERS, NVA0BD_ALLOC_PARAMETERS: 1920 x 1080 */
	u32 encoder[5] = { 0, 1920, 1080 }, capture[5] = { 0, 1, 0, 1920, 1080 };
	struct load *load = arg;
	u32 object;
	int ret = gpu_open(NULL);

	if (!ret)
		ret = rm_control(&client, 0, SIM_CTRL_UTIL, load->util,
				 sizeof(load->util));
	if (!ret)
		ret = start_channel(load);
	if (!ret && load->mib)
		ret = rm_allocate_memory(&client, &gpu, (u64)load->mib << 20,
					 &object);
	if (!ret && load->encoder)
		ret = rm_alloc(&client, gpu.subdevice, NVENC_SW_SESSION,
			       encoder, &object);
	if (!ret && load->capture)
		ret = rm_alloc(&client, gpu.subdevice, NVFBC_SW_SESSION,
			       capture, &object);
	return ret;
}

int gpu_stop(void *unused)
{
	(void)unused;
	profiler = 0;
	rm_detach(&client, &gpu);
	rm_close(&client);
	return 0;
}

int gpu_reserve(void *unused)
{
	(void)unused;
	return rm_control(&client, profiler, HWPM_RESERVE, NULL, 0);
}

int gpu_channel_error(void *unused)
{
	(void)unused;
	return rm_control(&client, 0, SIM_CTRL_RCERR, NULL, 0);
}

int gpu_pattern(void *pattern)
{
	return rm_control(&client, gpu.subdevice, SIM_CTRL_PATTERN, pattern,
			  sizeof(u32));
}

int gpu_sleep(void *ms)
{
	return rm_control(&client, 0, SIM_CTRL_SLEEP, ms, sizeof(u32));
}

/*
 * Whoever turns it on keeps the GPU: a real driver forgets about accounting when
 * the last user of the GPU has gone.
 */
int gpu_accounting_on(void *unused)
{
	static struct rm keeper;
	struct rm_gpu kept[RM_GPUS];
	u32 count = 0;
	bool on = false;
	int ret = rm_open(&keeper, "/dev", NULL);

	(void)unused;
	if (!ret)
		ret = rm_list_gpus(&keeper, kept, &count);
	if (!ret && !count)
		ret = -ENODEV;
	if (!ret)
		ret = rm_attach(&keeper, &kept[0]);
	if (!ret)
		ret = rm_accounting_is_on(&keeper, &kept[0], &on);
	if (ret)
		return ret;
	if (on) {
		rm_close(&keeper);
		return 0;
	}
	return rm_control(&keeper, 0, GPUACCT_SET,
			  (u32[3]) { kept[0].id, 0, 0 }, 3 * sizeof(u32));
}

/* --- questions --- */

u32 gpu_object(u32 cmd)
{
	switch (cmd >> 16) {
	case 0x2080:
		return gpu.subdevice;
	case 0x0080:
		return gpu.device;
	case 0x90cc:
		return profiler;
	}
	return 0;
}

u32 row_pid_offset(const struct mpu_row *row, u32 i, u32 f)
{
	return row->base + i * row->stride + row->pid + f * row->step;
}

static u32 array_size(const struct mpu_row *row)
{
	return (u32)row->cap * row->stride;
}

void question_compose(const struct question *q, u8 *params, void *array)
{
	const struct mpu_row *row = &mpu_rows[q->row];
	u32 i;

	memset(params, 0, row->size);
	if (row->cap > 1 && row->ptr == MPU_NO_OFFSET)
		memset(params + row->base, FILL, array_size(row));
	if (row->ptr != MPU_NO_OFFSET)
		mpu_put64(params, row->ptr, (uintptr_t)array);
	switch (row->cmd) {
	case GET_PIDS_OLD:
	case GET_PIDS:
		mpu_put32(params, 4, q->class ? q->class : RM_CLASS_SUBDEVICE);
		break;
	case SAMPLES_V1:
	case SAMPLES_V2:
	case SAMPLES_GSS:
		params[0] = 2;		/* PERFMON_UTIL */
		mpu_put32(params, 4, array_size(row));
		break;
	case GPUACCT_RECORD:
	case GPUACCT_LIST:
		mpu_put32(params, 0, gpu.id);
		break;
	case RCERR_RPT:
		mpu_put32(params, 28, 0xffffffff);	/* any owner */
		break;
	default:
		/* Sessions: room for all; PID_INFO says so below. */
		if (row->count != MPU_NO_OFFSET && row->count == 0)
			mpu_put32(params, row->count, row->cap);
	}
	if (row->dir == MPU_IN) {
		if (row->count != MPU_NO_OFFSET)
			mpu_put32(params, row->count, q->count);
		for (i = 0; i < q->count && i < row->cap; i++) {
			u32 off = row_pid_offset(row, i, 0);

			mpu_put32(params, off, q->pids[i]);
			if (row->cap > 1)
				mpu_put32(params, off + 4, 0);	/* memory */
		}
	}
	if (q->lie)
		mpu_put32(params, row->count, q->said);
}

struct nv_control question_block(const struct question *q, const u8 *params)
{
	const struct mpu_row *row = &mpu_rows[q->row];
	u32 object = gpu_object(row->cmd);

	return (struct nv_control){
		.client = client.client,
		.object = object ? object : client.client,
		.cmd = row->cmd,
		.params = (uintptr_t)params,
		.size = row->size,
	};
}

int pages_watch(u8 *from, size_t size)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register reg = {
		.range = { (uintptr_t)from, size },
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC), err;

	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) ||
	    ioctl(fd, UFFDIO_REGISTER, &reg)) {
		err = -errno;
		if (fd >= 0)
			close(fd);
		return err;
	}
	return fd;
}

static bool guards_hold(const u8 *p, u32 size)
{
	u32 i;

	for (i = 0; i < GUARD; i++)
		if (p[i] != 0xc3 || p[GUARD + size + i] != 0xc3)
			return false;
	return true;
}

static u8 *guarded(u32 size, u32 skew, void **owner)
{
	u8 *p = malloc(size + 2 * GUARD + skew);

	*owner = p;
	if (!p)
		return NULL;
	memset(p, 0xc3, size + 2 * GUARD + skew);
	return p + skew + GUARD;
}

static int issue(const struct question *q, u8 *params)
{
	const struct mpu_row *row = &mpu_rows[q->row];
	u32 fail = q->fail, object = gpu_object(row->cmd);
	int ret;

	if (fail) {
		ret = rm_control(&client, 0, SIM_CTRL_FAIL, &fail, 4);
		if (ret)
			return ret;
	}
	current_way = q->way;
	ret = rm_control(&client, object, row->cmd, params,
			 q->size ? q->size : row->size);
	current_way = WAY_PLAIN;
	return ret;
}

/* Params whose end is the end of what can be reached, or nearly so. */
static int ask_at_edge(struct question *q, void *array)
{
	const struct mpu_row *row = &mpu_rows[q->row];
	u32 page = host_page_size(), room = (row->size + page - 1) / page * page;
	u32 tear = q->place == PLACE_TORN ? 4 : 0;
	u8 *map = mmap(NULL, room + page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	u8 *params = map + room - row->size + tear;

	if (map == MAP_FAILED)
		return -errno;
	question_compose(q, q->sent, array);
	memcpy(params, q->sent, row->size);
	mprotect(map + room, page, PROT_NONE);
	if (q->place == PLACE_READ_ONLY)
		mprotect(map, room, PROT_READ);
	q->ret = issue(q, params);
	memset(q->params, 0, row->size);
	memcpy(q->params, params, row->size - tear);
	munmap(map, room + page);
	return 0;
}

static int ask_in_heap(struct question *q, void *array)
{
	const struct mpu_row *row = &mpu_rows[q->row];
	void *owner;
	u8 *params = guarded(row->size, q->place == PLACE_ODD ? 3 : 0, &owner);

	if (!params)
		return -ENOMEM;
	question_compose(q, q->sent, array);
	memcpy(params, q->sent, row->size);
	q->ret = issue(q, params);
	memcpy(q->params, params, row->size);
	q->spoilt = !guards_hold(params - GUARD, row->size);
	free(owner);
	return 0;
}

/* Take whole pages away again, as they are in large memory that malloc() gives. */
static int forget_pages(u8 *p, u32 size)
{
	uintptr_t page = host_page_size(), from = ((uintptr_t)p + page - 1) & -page;
	uintptr_t end = ((uintptr_t)p + size) & -page;

	if (from >= end)
		return 0;
	return madvise((void *)from, end - from, MADV_DONTNEED) ? -errno : 0;
}

int gpu_ask(void *arg)
{
	struct question *q = arg;
	const struct mpu_row *row = &mpu_rows[q->row];
	u32 size = row->ptr == MPU_NO_OFFSET ? 0 : array_size(row);
	void *owner;
	u8 *array = guarded(size, 0, &owner);
	int ret;

	if (!array || size > sizeof(q->array))
		return -ENOMEM;
	memset(array, FILL, size);
	q->spoilt = false;
	ret = q->place == PLACE_NEW ? forget_pages(array, size) : 0;
	if (!ret && q->place < PLACE_PAGE_END)
		ret = ask_in_heap(q, array);
	else if (!ret)
		ret = ask_at_edge(q, array);
	memcpy(q->array, array, size);
	q->spoilt |= !guards_hold(array - GUARD, size);
	free(owner);
	return ret;
}

u32 question_count(const struct question *q)
{
	const struct mpu_row *row = &mpu_rows[q->row];
	u32 n = row->cap;

	if (row->count != MPU_NO_OFFSET)
		n = mpu_get32(q->params, row->count);
	return n < row->cap ? n : row->cap;
}

const u8 *question_array(const struct question *q)
{
	return mpu_rows[q->row].ptr == MPU_NO_OFFSET ? q->params : q->array;
}

u32 question_pid(const struct question *q, u32 i, u32 f)
{
	return mpu_get32(question_array(q),
			 row_pid_offset(&mpu_rows[q->row], i, f));
}

u64 question_time(const struct question *q, u32 i)
{
	const struct mpu_row *row = &mpu_rows[q->row];

	return mpu_get64(question_array(q),
			 row->base + i * row->stride + row->time);
}
