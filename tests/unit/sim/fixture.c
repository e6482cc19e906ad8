// SPDX-License-Identifier: GPL-2.0-only
/*
 * Answers the simulated RM's questions to an operating system from a table.
 */
#include "sim/gpu.h"
#include "tests/unit/sim/fixture.h"
#include "tests/unit/unit.h"

struct sim *fixture;
struct person *self;
bool root;
const void *bad_page;
u32 slept_ms;
bool slept_locked;

static int locked;
static u32 now;

/* --- os-interface.c --- */

static bool faults(const void *address, u32 n)
{
	uintptr_t bad = (uintptr_t)bad_page, from = (uintptr_t)address;

	return bad_page && from < bad + 4096 && from + n > bad;
}

u32 os_memcpy_from_user(void *to, const void *from, u32 n)
{
	if (faults(from, n))
		return NV_ERR_INVALID_ADDRESS;
	memcpy(to, from, n);
	return NV_OK;
}

u32 os_memcpy_to_user(void *to, const void *from, u32 n)
{
	if (faults(to, n))
		return NV_ERR_INVALID_ADDRESS;
	memcpy(to, from, n);
	return NV_OK;
}

u32 os_alloc_mem(void **address, u64 size)
{
	*address = calloc(1, size);
	return *address ? NV_OK : NV_ERR_NO_MEMORY;
}

void os_free_mem(void *address)
{
	free(address);
}

u32 os_get_current_process(void)
{
	return self->tgid.in[NS_INIT];
}

bool os_is_administrator(void)
{
	return root;
}

u32 os_get_current_time(u32 *sec, u32 *usec)
{
	*sec = 1800000000u + ++now;	/* never the same twice */
	*usec = 0;
	return NV_OK;
}

u32 os_delay(u32 ms)
{
	slept_ms = ms;
	slept_locked = locked;
	return NV_OK;
}

void *os_get_pid_info(void)
{
	struct number *number = &self->tid;

	if (fixture->config.flavour == SIM_PROPRIETARY)
		return NULL;
	assert_true(fixture->regime >= MPU_R1);
	if (fixture->regime >= MPU_R4)
		number = &self->tgid;
	number->refs++;
	return number;
}

void os_put_pid_info(void *pid_info)
{
	struct number *number = pid_info;

	assert_true(number->refs > 0);
	number->refs--;
}

u32 os_find_ns_pid(void *pid_info, u32 *ns_pid)
{
	struct number *number = pid_info;

	assert_int_not_equal(fixture->config.flavour, SIM_PROPRIETARY);
	assert_true(number->refs > 0);
	*ns_pid = number->in[self->ns];
	return *ns_pid ? NV_OK : NV_ERR_OBJECT_NOT_FOUND;
}

bool os_is_init_ns(void)
{
	return fixture->config.flavour == SIM_PROPRIETARY || self->ns == NS_INIT;
}

void os_acquire_rm(struct sim *sim)
{
	assert_ptr_equal(sim, fixture);
	assert_int_equal(locked++, 0);
}

void os_release_rm(struct sim *sim)
{
	assert_ptr_equal(sim, fixture);
	assert_int_equal(--locked, 0);
}

void *os_page(u32 gpu)
{
	static _Alignas(8) u8 page[SIM_GPUS][4096];

	return page[gpu];
}

bool os_give_page(int fd, u32 page)
{
	return false;
}

/* --- the fixture --- */

void fixture_open(u32 flavour, const char *version, u32 gpus)
{
	struct sim_config config = { .flavour = flavour, .gpus = gpus };

	assert_true(sim_parse_version(&config, version));
	config.accounting = 1;
	fixture = calloc(1, sizeof(*fixture));
	assert_non_null(fixture);
	root = false;
	bad_page = NULL;
	sim_init(fixture, &config);
}

void fixture_close(void)
{
	u32 i;

	for (i = 0; i < SIM_GPUS; i++)
		assert_int_equal(fixture->gpu[i].used_bytes, 0);
	assert_int_equal(fixture->clients_end, 0);
	free(fixture);
	fixture = NULL;
}

/* --- requests --- */

static void escape(struct person *p, u32 nr, void *block, u32 size)
{
	self = p;
	assert_int_equal(sim_escape(fixture, &p->file, nr, block, size), 0);
	assert_int_equal(locked, 0);
}

u32 alloc_params[16];

u32 rm_new_client(struct person *p)
{
	u32 block[8] = { 0 };

	if (!p->file.id)
		sim_open(fixture, &p->file, NV_MINOR_CTL);
	escape(p, NV_ESC_RM_ALLOC, block, sizeof(block));
	if (!(block[6] | block[7]))
		p->client = block[2];
	return block[6] | block[7];
}

u32 rm_new(struct person *p, u32 parent, u32 class, void *params, u32 *handle)
{
	u32 block[8] = { p->client, parent, 0, class };

	mpu_put64(block, 16, (uintptr_t)params);
	escape(p, NV_ESC_RM_ALLOC, block, sizeof(block));
	*handle = block[2];
	return block[6] | block[7];
}

u32 rm_free_object(struct person *p, u32 handle)
{
	u32 block[4] = { p->client, 0, handle, 0 };

	escape(p, NV_ESC_RM_FREE, block, sizeof(block));
	return block[3];
}

u32 rm_ask(struct person *p, u32 object, u32 cmd, void *params, u32 size)
{
	struct nv_control arg = {
		.client = p->client,
		.object = object ? object : p->client,
		.cmd = cmd,
		.params = (uintptr_t)params,
		.size = size,
		.status = 0xdead,
	};

	escape(p, NV_ESC_RM_CONTROL, &arg, sizeof(arg));
	assert_int_equal(arg.params, (uintptr_t)params);
	return arg.status;
}

void person_use(struct person *p, u32 gpu, u64 bytes)
{
	u32 instance[16] = { gpu };
	u64 memory[16] = { 0 };
	u32 compute = sim_board_of(fixture)->compute;
	u32 channel, unused;

	memory[8] = bytes;
	assert_int_equal(rm_new_client(p), NV_OK);
	assert_int_equal(rm_new(p, p->client, NV01_DEVICE_0, instance, &p->device), NV_OK);
	assert_int_equal(rm_new(p, p->device, NV20_SUBDEVICE_0, NULL, &p->subdevice), NV_OK);
	assert_int_equal(rm_new(p, p->device, 0xc36f, NULL, &channel), NV_OK);
	assert_int_equal(rm_new(p, channel, compute, NULL, &unused), NV_OK);
	assert_int_equal(rm_new(p, p->device, NV01_MEMORY_LOCAL_USER, memory, &unused), NV_OK);
}

void person_leave(struct person *p)
{
	self = p;
	if (p->file.id)
		sim_close(fixture, &p->file);
	p->file.id = 0;
	assert_int_equal(p->tgid.refs + p->tid.refs, 0);
}
