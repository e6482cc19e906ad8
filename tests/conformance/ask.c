// SPDX-License-Identifier: GPL-2.0-only
/*
 * GPU processes and their questions: see suite.h.
 */
#include <linux/userfaultfd.h>
#include <sys/syscall.h>

#include "nvidia/internal.h"
#include "sim/interface.h"
#include "tests/conformance/suite.h"

/* Numbers of controls of the table that are asked in a way of their own. */
#define RCERR_RPT	0x00000607
#define GPUACCT_SET	0x00000b01
#define GPUACCT_RECORD	0x00000b03
#define GPUACCT_LIST	0x00000b04
#define GPUACCT_RECORD_V2	0x00000b06
#define GET_PIDS_OLD	0x00800202
#define NVENC_V1	0x2080016e
#define GET_PIDS	0x2080018d
#define SAMPLES_V1	0x20802083
#define SAMPLES_V2	0x20802096
#define SAMPLES_GSS	0x2080a083
#define HWPM_RESERVE	0x90cc0101

/* Each actor has one client; a forked child has its parent's. */
static struct rm client;
static struct rm_gpu gpu = { .fd = -1 };
static u32 profiler;

struct rm *gpu_client(void)
{
	return &client;
}

struct rm_gpu *gpu_board(void)
{
	return &gpu;
}

/* --- clients --- */

int bare_client_open(void)
{
	return rm_open(&client, "/dev", &way_ops);
}

void bare_client_close(void)
{
	rm_close(&client);
}

int bare_client_ask(u32 path, u32 cmd, void *params, u32 size)
{
	void *moved = entry_path_alloc(path, size);
	int ret;

	if (!moved)
		return -ENOMEM;
	memcpy(moved, params, size);
	entry_path_take(path);
	ret = rm_control(&client, 0, cmd, moved, size);
	entry_path_take(ENTRY_PLAIN);
	memcpy(params, moved, size);
	entry_path_free(path, moved);
	return ret;
}

/* --- GPU processes --- */

int gpu_open(void *unused)
{
	struct rm_gpu all[RM_GPUS];
	u32 count = 0;
	int ret;

	ret = rm_open(&client, "/dev", &way_ops);
	if (ret)
		return ret;
	ret = rm_list_gpus(&client, all, &count);
	if (!ret && !count)
		ret = -ENODEV;
	if (ret)
		return ret;
	gpu = all[0];
	ret = rm_attach(&client, &gpu);
	/* The profiler's object is made early: forked children share the handles there are. */
	return ret ? ret : rm_alloc(&client, gpu.subdevice, GF100_PROFILER, NULL, &profiler);
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
	return ret ? ret : rm_alloc(&client, object, load->class, NULL, &object);
}

int gpu_start(void *arg)
{
	/* NVA0BC_ALLOC_PARAMETERS, NVA0BD_ALLOC_PARAMETERS: 1920 x 1080 */
	u32 encoder[5] = { 0, 1920, 1080 }, capture[5] = { 0, 1, 0, 1920, 1080 };
	struct load *load = arg;
	u32 object;
	int ret = gpu_open(NULL);

	if (!ret)
		ret = rm_control(&client, 0, SIM_CTRL_UTIL, load->util, sizeof(load->util));
	if (!ret)
		ret = start_channel(load);
	if (!ret && load->mib)
		ret = rm_allocate_memory(&client, &gpu, (u64)load->mib << 20, &object);
	if (!ret && load->encoder)
		ret = rm_alloc(&client, gpu.subdevice, NVENC_SW_SESSION, encoder, &object);
	if (!ret && load->capture)
		ret = rm_alloc(&client, gpu.subdevice, NVFBC_SW_SESSION, capture, &object);
	return ret;
}

int gpu_stop(void *unused)
{
	profiler = 0;
	rm_detach(&client, &gpu);
	rm_close(&client);
	return 0;
}

int gpu_reserve(void *unused)
{
	return rm_control(&client, profiler, HWPM_RESERVE, NULL, 0);
}

int gpu_channel_error(void *unused)
{
	return rm_control(&client, 0, SIM_CTRL_RCERR, NULL, 0);
}

int gpu_pattern(void *pattern)
{
	return rm_control(&client, gpu.subdevice, SIM_CTRL_PATTERN, pattern, sizeof(u32));
}

int gpu_sleep(void *ms)
{
	int ret;

	/* Wrapped, mpu.ko follows it to its end: it does not know what is inside. */
	if (engine_on(ON_MODULE))
		entry_path_take(ENTRY_XFER);
	ret = rm_control(&client, 0, SIM_CTRL_SLEEP, ms, sizeof(u32));
	entry_path_take(ENTRY_PLAIN);
	return ret;
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
	return rm_control(&keeper, 0, GPUACCT_SET, (u32[3]) { kept[0].id, 0, 0 }, 3 * sizeof(u32));
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
	case GPUACCT_RECORD_V2:
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

	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &reg)) {
		err = -errno;
		if (fd >= 0)
			close(fd);
		return err;
	}
	return fd;
}

static void *fill_late_page(void *arg)
{
	struct late_page *page = arg;
	struct uffd_msg msg;
	struct uffdio_copy copy = {
		.dst = (uintptr_t)page->at,
		.src = (uintptr_t)page->content,
		.len = host_page_size(),
	};
	u32 i;

	if (read(page->fd, &msg, sizeof(msg)) != sizeof(msg))
		return NULL;
	for (i = 0; i < 2; i++)
		if (page->word[i])
			*page->word[i] = page->value[i];
	ioctl(page->fd, UFFDIO_COPY, &copy);
	return NULL;
}

int late_page_open(struct late_page *page)
{
	page->fd = pages_watch(page->at, host_page_size());
	if (page->fd < 0)
		return page->fd;
	pthread_create(&page->thread, NULL, fill_late_page, page);
	return 0;
}

void late_page_close(struct late_page *page)
{
	close(page->fd);
	pthread_join(page->thread, NULL);
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
	entry_path_take(q->path);
	ret = rm_control(&client, object, q->cmd ? q->cmd : row->cmd, params,
			 q->size ? q->size : row->size);
	entry_path_take(ENTRY_PLAIN);
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
	struct guarded params;

	if (!guarded_alloc(&params, q->path, row->size, q->place == PLACE_ODD ? 3 : 0))
		return -ENOMEM;
	question_compose(q, q->sent, array);
	memcpy(params.at, q->sent, row->size);
	q->ret = issue(q, params.at);
	memcpy(q->params, params.at, row->size);
	q->spoilt = !guarded_holds(&params);
	guarded_free(&params);
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
	struct guarded array;
	int ret;

	if (size > sizeof(q->array) || !guarded_alloc(&array, q->path, size, 0))
		return -ENOMEM;
	/* Untouched pages are zeros: so is, then, what lies before the first of them. */
	memset(array.at, q->place == PLACE_NEW ? 0 : FILL, size);
	q->spoilt = false;
	ret = q->place == PLACE_NEW ? forget_pages(array.at, size) : 0;
	if (!ret && q->place < PLACE_PAGE_END)
		ret = ask_in_heap(q, array.at);
	else if (!ret)
		ret = ask_at_edge(q, array.at);
	memcpy(q->array, array.at, size);
	q->spoilt |= !guarded_holds(&array);
	guarded_free(&array);
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
	return mpu_get32(question_array(q), row_pid_offset(&mpu_rows[q->row], i, f));
}

u64 question_time(const struct question *q, u32 i)
{
	const struct mpu_row *row = &mpu_rows[q->row];

	return mpu_get64(question_array(q), row->base + i * row->stride + row->time);
}
