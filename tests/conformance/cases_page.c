// SPDX-License-Identifier: GPL-2.0-only
/*
 * The page that a driver from 590 on shares with all clients of a GPU: it holds samples
 * of utilisation by PIDs of the host, if only one of them has asked for that. And events
 * that come with a PID of the host.
 */
#include "core/page.h"
#include "nvidia/internal.h"
#include "sim/interface.h"
#include "tests/conformance/suite.h"

/* The page has clocks and temperatures, too: NV00DE_RUSD_POLL_*. */
#define POLL_ALL	0xffull

/**
 * struct page - the page of the first GPU
 * @cmd:	by which control to ask for @mask, 0: by the allocation
 * @at:		as it was when it was mapped
 */
struct page {
	u32 cmd;
	u32 path;
	u64 mask;
	u8 at[4096];
};

/* Asks for what @mask says. Return: 0, negative errno, RM status. */
static int ask_page(void *arg)
{
	struct page *page = arg;
	u64 mask = page->cmd ? 0 : page->mask;
	u32 object;
	int ret;

	ret = rm_alloc(gpu_client(), gpu_board()->subdevice, RM_USER_SHARED_DATA, &mask, &object);
	if (ret || !page->cmd)
		return ret;
	mask = page->mask;
	entry_path_take(page->path);
	ret = rm_control(gpu_client(), page->cmd == NV_CTRL_REQUEST_DATA_POLL ? object :
			 gpu_board()->subdevice, page->cmd, &mask, sizeof(mask));
	entry_path_take(ENTRY_PLAIN);
	return ret;
}

struct late_alloc {
	u64 mask;
	u32 class;
};

/*
 * Asks by an allocation whose class is another one until the driver has begun to read it:
 * client and parent lie in a page that comes late. Return: as ask_page().
 */
static int allocate_late(void *wanted)
{
	struct late_alloc *want = wanted;
	static struct late_page late;
	struct {
		struct nv_alloc_head head;
		u32 status[2];		/* where it is depends on the driver's version */
	} *arg, block = { .head = {
		.client = gpu_client()->client, .parent = gpu_board()->subdevice,
		.object = 0xcafe, .class = RM_CLASS_SUBDEVICE, .params = (uintptr_t)&want->mask } };
	u32 page = host_page_size(), status;
	u8 *map = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int ret;

	arg = (void *)(map + page - 8);
	late = (struct late_page){ .at = map, .word = { &arg->head.class },
				   .value = { want->class } };
	if (want->class == NV01_ROOT)
		block.head = (struct nv_alloc_head){ .class = RM_CLASS_SUBDEVICE };
	memcpy(late.content + page - 8, &block, 8);
	ret = late_page_open(&late);
	if (ret)
		return ret;
	memcpy(map + page, (u8 *)&block + 8, sizeof(block) - 8);
	ret = ioctl(gpu_client()->fd, _IOWR('F', NV_ESC_RM_ALLOC, block), arg) ? -errno : 0;
	late_page_close(&late);
	status = arg->status[0] | arg->status[1];
	munmap(map, 2 * page);
	return ret ? ret : (int)status;
}

/* nv_ioctl_nvos33_parameters_with_fd */
struct nv_map {
	u32 client, device, memory, pad;
	u64 offset, length, address;
	u32 status, flags;
	int fd;
	u32 pad2;
};

static int read_page(void *arg)
{
	struct rm *rm = gpu_client();
	struct page *page = arg;
	struct nv_map map = { .client = rm->client, .fd = rm->fd };
	u64 mask = 0;
	void *at;
	int ret;

	ret = rm_alloc(rm, gpu_board()->subdevice, RM_USER_SHARED_DATA, &mask, &map.memory);
	if (ret)
		return ret;
	if (ioctl(rm->fd, _IOWR('F', NV_ESC_RM_MAP_MEMORY, map), &map))
		return -errno;
	if (map.status)
		return (int)map.status;
	at = mmap(NULL, sizeof(page->at), PROT_READ, MAP_SHARED, rm->fd, 0);
	if (at == MAP_FAILED)
		return -errno;
	memcpy(page->at, at, sizeof(page->at));
	munmap(at, sizeof(page->at));
	return 0;
}

/* A page has no own processes for anybody: each PID in it is one of the host's. */
static void names_nobody(struct actor *seer)
{
	static struct page page;
	u32 i, e, pid;

	check(!actor_do(seer, read_page, &page, sizeof(page)), "the page cannot be read");
	for (i = 0; i < SIM_PAGE_COUNT; i++)
		for (e = 0; e < SIM_ENGINES; e++) {
			pid = mpu_get32(page.at, SIM_PAGE_SAMPLES + i * SIM_PAGE_SAMPLE + 8 +
					e * SIM_PAGE_ENGINE + SIM_PAGE_PID);
			check(!pid || pid == 0xffffffff, "sample %u of the page names %u", i, pid);
		}
}

/* One process asks for all there is in the page, and @seer reads it. */
static void ask_and_read(struct actor *asker, struct actor *seer, const u32 *cmds, u32 n, u32 paths)
{
	static struct page page;
	u32 i;
	int ret;

	memset(&page, 0, sizeof(page));
	page.cmd = NV_CTRL_GPU_RUSD_SET_FEATURES;
	ret = actor_do(asker, ask_page, &page, sizeof(page));
	if (ret == NV_ERR_INVALID_CLASS || ret == NV_ERR_NOT_SUPPORTED) {
		case_skip("drivers before 590 have no processes in it");
		return;
	}
	page.cmd = 0;
	ret = actor_do(asker, ask_page, &page, sizeof(page));
	check(!ret, "no page: 0x%x", ret);
	for (i = 0; i < n * paths && !case_failed(); i++) {
		page.cmd = cmds[i % n];
		page.path = i / n ? ENTRY_XFER : ENTRY_PLAIN;
		page.mask = POLL_ALL;
		ret = actor_do(asker, ask_page, &page, sizeof(page));
		/* Nobody is refused: libcuda does not start then. */
		check(!ret, "asked by 0x%x: 0x%x", page.cmd, ret);
		names_nobody(seer);
	}
}

static const u32 poll = NV_CTRL_REQUEST_DATA_POLL, allocation;
static const u32 by_root[] = { NV_CTRL_REQUEST_DATA_POLL, 0, NV_CTRL_GPU_RUSD_SET_FEATURES };

#define ASKED_FOR(name, ...) IN_SMALL("page: " name, NEVER, 0) { ask_and_read(__VA_ARGS__); }

ASKED_FOR("a container asks for processes", s->d, s->a, &poll, 1, 2)
ASKED_FOR("a container allocates it with processes", s->d, s->a, &allocation, 1, 1)
ASKED_FOR("the host asks for processes", s->host, s->a, by_root, 3, 2)

/* Checks that a container gets the page without what it asked for, or is refused. */
IN_SMALL("page: a container allocates it where it seemed to ask for another class", NEVER, 0)
{
	struct late_alloc want = { POLL_ALL, RM_USER_SHARED_DATA };
	int ret;

	ask_and_read(s->d, s->a, &allocation, 1, 1);
	ret = actor_do(s->d, allocate_late, &want, sizeof(want));
	check(ret >= 0, "no such call: %s", strerror(-ret));
	names_nobody(s->a);
}

/* A client whose process mpu.ko has not noted is refused. */
IN_SMALL("page: a client is allocated where it seemed to be another class", MAYBE, ON_MODULE)
{
	struct late_alloc want = { 0, NV01_ROOT };
	struct actor *const who[] = { s->d, s->host };
	u32 i;
	int ret;

	for (i = 0; i < 2; i++) {
		ret = actor_do(who[i], allocate_late, &want, sizeof(want));
		check(ret > 0, "%d gets one: %d", who[i]->pid, ret);
	}
}

/* The kprobe of mpu.ko is not to wait for a container there. */
ALONE("page: the host asks before any container", MAYBE, ON_MODULE)
{
	struct actor *host;

	if (!engine_must_stop() || !engine_must_start())
		return;
	host = actor_new(NULL, SAME_NAMESPACE, NULL, 0);
	if (!case_failed() && scenario_start_work(host, NULL))
		ask_and_read(host, host, by_root, 3, 2);
}

struct wish {
	u32 event;	/* 0: a limit of memory, on the GPU */
	u32 path;
};

static int ask_event(void *arg)
{
	const struct wish *wish = arg;
	u8 *params = entry_path_alloc(wish->path, SIM_LIMITS_PARAMS);
	int ret;

	memset(params, 0, SIM_LIMITS_PARAMS);
	entry_path_take(wish->path);
	if (wish->event) {
		mpu_put32(params, 0, wish->event);
		mpu_put32(params, 4, 2);	/* ..SET_NOTIFICATION_ACTION_REPEAT */
		ret = rm_control(gpu_client(), gpu_board()->subdevice,
				 NV_CTRL_EVENT_SET_NOTIFICATION, params, SIM_EVENT_PARAMS);
	} else {
		mpu_put32(params, 0, -1);	/* the caller's group */
		mpu_put32(params, 4, gpu_board()->id);
		ret = rm_control(gpu_client(), gpu_client()->client,
				 NV_CTRL_MEMACCT_SET_LIMITS, params, SIM_LIMITS_PARAMS);
	}
	entry_path_take(ENTRY_PLAIN);
	entry_path_free(wish->path, params);
	return ret;
}

/* Events of a GPU: those before the two, and the first that no driver has. */
IN_SMALL("page: a container asks for events with PIDs", NEVER, 0)
{
	u32 i;
	int ret;

	for (i = 0; i < 8 && !case_failed(); i++) {
		struct wish wish = { MPU_EVENT_ABOVE - 1 + i % 4,
				     i / 4 ? ENTRY_XFER : ENTRY_PLAIN };

		ret = actor_do(s->host, ask_event, &wish, sizeof(wish));
		/* NVIDIA's own asks first whether the caller has allocated an event. */
		if (!i && (ret == NV_ERR_INVALID_ARGUMENT || driver_is_real())) {
			case_skip("drivers before 615 have no such events");
			return;
		}
		check(ret == (i % 4 < 3 ? NV_OK : NV_ERR_INVALID_ARGUMENT),
		      "the host asks for event %u: 0x%x", wish.event, ret);
		ret = actor_do(s->a, ask_event, &wish, sizeof(wish));
		check(ret == (i % 4 ? NV_ERR_INVALID_ARGUMENT : NV_OK),
		      "a container asks for event %u: 0x%x", wish.event, ret);
	}
}

/* A container may not lift the limit that it has, in whatever form it asks. */
IN_SMALL("page: a container sets a limit of memory", NEVER, 0)
{
	u32 path;
	int ret;

	for (path = 0; path < ENTRY_PATHS && !case_failed(); path++) {
		struct wish wish = { 0, path };

		if (!actor_has_entry_path(s->a, path))
			continue;
		ret = actor_do(s->host, ask_event, &wish, sizeof(wish));
		if (ret == NV_ERR_NOT_SUPPORTED) {
			case_skip("drivers before 610 have no such limits");
			return;
		}
		check(ret == NV_OK, "the host sets a limit: 0x%x", ret);
		ret = actor_do(s->a, ask_event, &wish, sizeof(wish));
		check(ret == NV_ERR_OBJECT_NOT_FOUND, "a container sets a limit, form %u: 0x%x",
		      path, ret);
	}
}
