// SPDX-License-Identifier: GPL-2.0-only
/*
 * fakegsp.ko stands in for what the resource manager (RM) in the open nvidia.ko
 * needs of a GPU that is not there: the hardware, and the firmware (GSP) that it
 * hands half of its work to. Functions of nvidia.ko are taken over while it runs;
 * not a line of it is changed, and what becomes of PIDs is its own doing.
 *
 *	insmod fakegsp.ko	before nvidia.ko, which may come and go then
 *
 * The firmware is the simulated RM: a real one is an RM of its own, too, told by
 * the driver which clients and objects there are. What needs the hardware to be
 * made (memory, channels) exists there alone; RM asks for it where it counts
 * what a process has. It also takes the controls that exist for tests only
 * (sim/sim.h), so that tests of the simulated driver run with this one.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "board/gsp.h"
#include "board/machine.h"
#include "board/takeover.h"
#include "core/controls.h"
#include "sim/control.h"
#include "sim/objects.h"

static struct sim *gsp;

/* --- who there is --- */

static struct sim_client *client_of(u32 handle)
{
	u32 i;

	for (i = 0; i < gsp->clients_end; i++)
		if (gsp->client[i].file && gsp->client[i].handle == handle)
			return &gsp->client[i];
	return NULL;
}

/* A client shows when it allocates something, which it does itself. */
static struct sim_client *client_met(u32 handle)
{
	static const struct sim_file file = { .id = 1 };
	struct sim_client *client = client_of(handle);

	if (!client) {
		client = sim_client_new(gsp, &file);
		if (client)
			client->handle = handle;
	}
	return client;
}

/* rmapiControlCacheFreeClientEntry(hClient): the client is gone. */
static enum todo forget_client(struct pt_regs *regs)
{
	struct sim_client *client;

	os_acquire_rm(gsp);
	client = client_of((u32)ARG1(regs));
	if (client)
		sim_client_free(gsp, client);
	os_release_rm(gsp);
	return RUN;
}

/* --- objects --- */

/* NVOS21_PARAMETERS, 535 and later */
struct nv_alloc {
	u32 client;
	u32 parent;
	u32 object;
	u32 class;
	u64 params;
	u32 params_size;
	u32 status;
};

/* RM has encoder and capture sessions since 550. */
static bool rm_has_sessions;

/* Are objects of this class made in the firmware only? */
static bool is_hardware(u32 class)
{
	switch (class) {
	case NV01_MEMORY_LOCAL_USER:
		return true;
	case NVENC_SW_SESSION:
	case NVFBC_SW_SESSION:
		return !rm_has_sessions;
	}
	return class > 0xff && (class & 0xff) == 0x6f;	/* a channel */
}

static u32 tell_object(const struct nv_alloc *arg, u64 bytes)
{
	struct sim_object want = {
		.handle = arg->object, .parent = arg->parent,
		.class = arg->class, .bytes = bytes,
	};
	struct sim_client *client;
	u32 status = NV_ERR_INSUFFICIENT_RESOURCES, index;

	os_acquire_rm(gsp);
	client = client_met(arg->client);
	if (client)
		status = sim_object_new(gsp, client, &want, 0, &index);
	os_release_rm(gsp);
	return status;
}

/* Nv04AllocWithSecInfo(pArgs, ...) */
static enum todo on_alloc(struct pt_regs *regs)
{
	struct nv_alloc *arg = (void *)ARG1(regs);

	if (arg->class == NV01_ROOT || arg->class == NV01_ROOT_CLIENT)
		return RUN;
	if (is_hardware(arg->class))
		return JUMP;
	tell_object(arg, 0);
	/*
	 * A compute object needs a channel. Another that RM looks for in the
	 * same way, and anybody can make, takes its place: see find_compute().
	 */
	if (arg->class > 0xff && (arg->class & 0xff) == 0xc0) {
		arg->class = MPS_COMPUTE;
		arg->parent = arg->client;
	}
	return RUN;
}

static void alloc_hardware(struct nv_alloc *arg)
{
	u64 bytes = 0;

	arg->status = NV_OK;
	/* NV_MEMORY_ALLOCATION_PARAMS.size */
	if (arg->class == NV01_MEMORY_LOCAL_USER)
		arg->status = nvidia_copy_in(&bytes, (void *)(unsigned long) (arg->params + 64), 8);
	if (!arg->status)
		arg->status = tell_object(arg, bytes);
}

/* --- controls --- */

/* Pointers into the caller's memory mean nothing to the firmware. */
static bool has_pointer(u32 cmd)
{
	u32 i;

	for (i = 0; i < MPU_ROWS; i++)
		if (mpu_rows[i].cmd == cmd && mpu_rows[i].ptr != MPU_NO_OFFSET)
			return true;
	return false;
}

/*
 * rpcRmApiControl_GSP(pRmApi, hClient, hObject, cmd, pParams, paramsSize): a
 * control on its way to the firmware. What it does not know, it grants.
 */
static u32 answer_control(void *rm, u32 handle, u32 object, u32 cmd, void *params, u32 size)
{
	struct sim_call call = {
		.gpu = &gsp->gpu[0], .cmd = cmd, .size = size, .params = params,
	};
	u32 status = NV_ERR_NOT_SUPPORTED;

	if (has_pointer(cmd))
		return NV_ERR_NOT_SUPPORTED;
	os_acquire_rm(gsp);
	call.client = client_of(handle);
	if (call.client)
		status = sim_samples_control(gsp, &call);
	if (call.client && status == NV_ERR_NOT_SUPPORTED)
		status = sim_sessions_control(gsp, &call);
	os_release_rm(gsp);
	return status == NV_ERR_NOT_SUPPORTED ? NV_OK : status;
}

/* Nv04ControlWithSecInfo(pArgs, ...): is it one that exists for tests? */
static enum todo on_control(struct pt_regs *regs)
{
	const struct nv_control *arg = (void *)ARG1(regs);

	return arg->cmd >> 16 == SIM_CTRL_ECHO >> 16 ? JUMP : RUN;
}

static u32 test_control(const struct nv_control *arg)
{
	void *user = (void *)(unsigned long)arg->params;
	struct sim_call call = {
		.gpu = &gsp->gpu[0], .cmd = arg->cmd, .size = arg->size,
	};
	u32 status = NV_OK;

	/* 1 MiB, as RM */
	if (!arg->size != !arg->params || arg->size > 1 << 20)
		return NV_ERR_INVALID_ARGUMENT;
	if (arg->size && os_alloc_mem(&call.params, arg->size))
		return NV_ERR_NO_MEMORY;
	if (arg->size)
		status = nvidia_copy_in(call.params, user, arg->size);
	if (!status) {
		os_acquire_rm(gsp);
		call.client = client_met(arg->client);
		status = call.client ? sim_testing_control(gsp, &call) : NV_ERR_INVALID_CLIENT;
		os_release_rm(gsp);
	}
	if (!status && arg->size)
		status = nvidia_copy_out(user, call.params, arg->size);
	os_free_mem(call.params);
	return status;
}

static void answer_test(struct nv_control *arg)
{
	arg->status = test_control(arg);
}

/*
 * serverControlApiCopyOut(pServer, pRmCtrlParams, pCookie, status): a control was
 * carried out, its params are about to be copied to the caller. pRmCtrlParams
 * begins with hClient.
 */
static enum todo fail_control(struct pt_regs *regs)
{
	struct sim_client *client;

	os_acquire_rm(gsp);
	client = client_of(*(u32 *)ARG2(regs));
	if (client && client->fail) {
		ARG4(regs) = client->fail;
		client->fail = NV_OK;
	}
	os_release_rm(gsp);
	return RUN;
}

/* --- what a process has --- */

/*
 * gpuGetProcWithObject(pGpu, elementID, internalClassId, ...): who has a compute
 * object has an MPS_COMPUTE here, and so nobody is a client of the MPS server.
 * The numbers are from the generated g_mps_api_nvoc.h and
 * g_kernel_hostvgpudeviceapi_nvoc.h; the same in all releases.
 */
#define CLASSID_MPS_API		0x22ce42
#define CLASSID_VGPU_DEVICE	0xb12d7d

static enum todo find_compute(struct pt_regs *regs)
{
	if (ARG2(regs) > 0xff && (ARG2(regs) & 0xff) == 0xc0)
		ARG3(regs) = CLASSID_MPS_API;
	else if (ARG2(regs) == MPS_COMPUTE)
		ARG3(regs) = CLASSID_VGPU_DEVICE;
	return RUN;
}

/*
 * gpuFindClientInfoWithPidIterator(pGpu, pid, subPid, internalClassId, pData, ..)
 * looks for the clients of a process, and goes through the memory of each by
 * serverutilRefIter(hClient, ..), which returns an iterator: none. *pData begins with the amounts
 * of private and of shared memory, zeroed; the latter is where CUDA has its own.
 * All under RM's API lock.
 */
static u64 *amounts;

static enum todo find_memory(struct pt_regs *regs)
{
	amounts = (u64 *)ARG5(regs);
	return RUN;
}

static enum todo add_up_memory(struct pt_regs *regs)
{
	struct sim_client *client;

	os_acquire_rm(gsp);
	client = client_of((u32)ARG1_OF_STRUCT(regs));
	if (client)
		amounts[1] += sim_client_bytes(gsp, client, 0);
	os_release_rm(gsp);
	return RUN;
}

/*
 * gpuacctAddProcEntry(pDataStore, pEntry, isLive): who has a device is as good as
 * who has a channel. pEntry begins with the PID and the kind of process.
 */
#define PROC_TYPE_GPU	1

static enum todo account(struct pt_regs *regs)
{
	((u32 *)ARG2(regs))[1] = PROC_TYPE_GPU;
	return RUN;
}

/* --- errors of channels --- */

/* RmRcDiag_RECORD (rmcd.h), the same in all releases */
struct nv_error {
	u16 index;
	u32 time;
	u16 type;
	u32 flags;
	u16 count;
	u32 owner;
	u32 pid;
	u32 data[200][4];
};

#define ERROR_WHOLE	(0x1 | 0x2 | 0x8)	/* first, last, data valid */

/* The first argument of most functions about a GPU. */
static void *nvidia_gpu;
static u32 (*nvidia_errors)(void *journal, u16 *start, u16 *end, u32 owner, u32 pid);
static void *(*nvidia_add_error)(void *gpu, void *journal, struct nv_error *error);

static enum todo remember_gpu(struct pt_regs *regs)
{
	nvidia_gpu = (void *)ARG1(regs);
	return SKIP;
}

/*
 * rcdbGetRcDiagRecBoundaries(pJournal, pStart, pEnd, owner, processId): RM is
 * asked for errors. Those that the firmware has had since are reported first.
 */
static enum todo on_errors(struct pt_regs *regs)
{
	return gsp->errors && nvidia_gpu ? JUMP : RUN;
}

static u32 report_errors(void *journal, u16 *start, u16 *end, u32 owner, u32 pid)
{
	static struct nv_error error;	/* called under RM's API lock */

	while (gsp->errors) {
		gsp->errors--;
		error.flags = ERROR_WHOLE;
		error.owner = 1;
		error.pid = gsp->error[gsp->errors].pid;
		nvidia_add_error(nvidia_gpu, journal, &error);
	}
	return nvidia_errors(journal, start, end, owner, pid);
}

/* --- all of it --- */

static struct takeover taken[] = {
	/*
	 * The firmware is not booted; what is asked of it and is no control
	 * succeeds.
	 */
	{ "kgspInitRm_IMPL", .decide = remember_gpu },
	{ "kgspUnloadRm_IMPL" },
	{ "_issueRpcAndWait" },
	{ "_issueRpcAsync" },
	{ "_issueRpcLarge" },
	{ "rpcRmApiControl_GSP", .instead = answer_control },
	/*
	 * No engine of the GPU has a state to bring up, and each stays in the
	 * list of classes.
	 */
	{ "gpuGetEngstateNoShare_IMPL" },
	{ "gpuDeleteEngineOnPreInit_IMPL" },
	{ "gpuDeleteClassFromClassDBByEngTag_IMPL" },
	{ "gpuCheckEngineTable_IMPL", .value = true },
	{ "kfifoStateInitLocked_IMPL" },
	{ "kfifoStateLoad_IMPL" },
	{ "kfifoStatePostLoad_GM107" },
	{ "kfifoStatePreUnload_GM107" },
	{ "kfifoStateUnload_IMPL" },
	{ "kfifoStateDestroy_IMPL" },
	/* Interrupts, the video BIOS, the source of the UUID, and others. */
	{ "osVerifySystemEnvironment" },
	{ "RmInitX86EmuState" },
	{ "gpuGenGidData_FWCLIENT" },
	{ "kfifoGetUserdBar1MapInfo_GM107", .value = NV_ERR_NOT_SUPPORTED },
	{ "krcWatchdogInit_IMPL", .value = NV_ERR_NOT_SUPPORTED },
	/* There is no heap whose size could be asked for. */
	{ "subdeviceCtrlCmdFbGetInfoV2_IMPL", .value = NV_ERR_NOT_SUPPORTED },
	/* Clients, objects, controls. */
	{ "rmapiControlCacheFreeClientEntry", .decide = forget_client },
	{ "Nv04AllocWithSecInfo", .decide = on_alloc, .instead = alloc_hardware },
	{ "Nv04ControlWithSecInfo", .decide = on_control, .instead = answer_test },
	{ "serverControlApiCopyOut", .decide = fail_control },
	/* Lists of what a process has. */
	{ "gpuGetProcWithObject_IMPL", .decide = find_compute },
	{ "gpuFindClientInfoWithPidIterator_IMPL", .decide = find_memory },
	{ "serverutilRefIter", .decide = add_up_memory,
	  .caller = "gpuFindClientInfoWithPidIterator_IMPL" },
	{ "gpuacctAddProcEntry", .decide = account },
	{ "rcdbGetRcDiagRecBoundaries_IMPL", .decide = on_errors,
	  .instead = report_errors },
};

/* The firmware has the version of the driver. */
static void driver_comes(const struct module *driver)
{
	struct sim_config config = { .flavour = SIM_OPEN, .gpus = 1 };

	nvidia_copy_in = nvidia_symbol("os_memcpy_from_user");
	nvidia_copy_out = nvidia_symbol("os_memcpy_to_user");
	nvidia_errors = nvidia_symbol("rcdbGetRcDiagRecBoundaries_IMPL");
	nvidia_add_error = nvidia_symbol("rcdbAddRcDiagRec_IMPL");
	rm_has_sessions = nvidia_symbol("nvencsessionConstruct_IMPL");
	if (!nvidia_copy_in || !nvidia_copy_out || !nvidia_errors || !nvidia_add_error ||
	    !sim_parse_version(&config, driver->version)) {
		pr_err("fakegsp: this is no NVIDIA driver\n");
		return;
	}
	nvidia_gpu = NULL;
	memset(gsp, 0, sizeof(*gsp));
	sim_init(gsp, &config);
	take_over(taken, ARRAY_SIZE(taken));
}

static int on_module(struct notifier_block *block, unsigned long state, void *data)
{
	struct module *module = data;

	if (strcmp(module->name, "nvidia"))
		return NOTIFY_DONE;
	if (state == MODULE_STATE_COMING)
		driver_comes(module);
	else if (state == MODULE_STATE_GOING)
		let_go(taken, ARRAY_SIZE(taken));
	return NOTIFY_DONE;
}

static struct notifier_block modules = { .notifier_call = on_module };

static int __init fakegsp_init(void)
{
	int err;

	gsp = vzalloc(sizeof(*gsp));
	if (!gsp)
		return -ENOMEM;
	err = register_module_notifier(&modules);
	if (err)
		vfree(gsp);
	return err;
}

static void __exit fakegsp_exit(void)
{
	unregister_module_notifier(&modules);
	let_go(taken, ARRAY_SIZE(taken));
	vfree(gsp);
}

module_init(fakegsp_init);
module_exit(fakegsp_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Hardware and firmware for an open NVIDIA driver without a GPU");
