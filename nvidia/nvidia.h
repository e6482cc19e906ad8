/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The NVIDIA driver, as user space sees it: without any library of NVIDIA's.
 */
#ifndef MPU_NVIDIA_NVIDIA_H
#define MPU_NVIDIA_NVIDIA_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/env.h"
#include "core/regimes.h"
#include "lib/strv.h"
#include "lib/why.h"

/* Classes of what the driver can do: NVIDIA_DRIVER_CAPABILITIES. In the order of their names. */
#define CAPABILITIES(X) \
	X(COMPAT32, "compat32") \
	X(COMPUTE, "compute") \
	X(DISPLAY, "display") \
	X(GRAPHICS, "graphics") \
	X(NGX, "ngx") \
	X(UTILITY, "utility") \
	X(VIDEO, "video")

enum capability_bit {
#define X(name, text) CAPABILITY_BIT_##name,
	CAPABILITIES(X)
#undef X
	CAPABILITY_COUNT
};

enum capability {
#define X(name, text) CAPABILITY_##name = 1 << CAPABILITY_BIT_##name,
	CAPABILITIES(X)
#undef X
	CAPABILITY_ALL = (1 << CAPABILITY_COUNT) - 1,
	CAPABILITY_DEFAULT = CAPABILITY_COMPUTE | CAPABILITY_UTILITY,
};

/* Names by enum capability_bit. */
extern const char *const capability_names[CAPABILITY_COUNT];

/** capability_find() - enum capability by its name; "all": all; 0: there is none */
unsigned int capability_find(const char *name);

/**
 * struct driver_root - what stands before the paths of the driver's files: nothing on this
 * machine's own tree, or a folder that a driver container fills ("/run/nvidia/driver")
 * @fd:		the folder: O_PATH; @name: in_root_name() of it
 * @files:	before those of libraries, programs, firmware and sockets
 * @dev:	before /dev: @files if there is a /dev/nvidiactl below it, else ""
 * @proc:	before /proc and /sys: @files if there is a /proc/driver/nvidia
 *		below it, else ""
 */
struct driver_root {
	int fd;
	char name[PATH_MAX];
	char files[PATH_MAX];
	char dev[PATH_MAX];
	char proc[PATH_MAX];
};

/**
 * driver_root_open() - find out
 * @path:	"" or "/" for this machine's own tree
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int driver_root_open(struct driver_root *root, const char *path, char why[WHY_SIZE]);

void driver_root_close(struct driver_root *root);

/* The name of its module, unless somebody has renamed it. */
#define DRIVER_MODULE	"nvidia"

#define DRIVER_ENTRIES	2

#define DRIVER_VERSION	64	/* room for a version */

enum flavour { FLAVOUR_UNKNOWN, FLAVOUR_OPEN, FLAVOUR_PROPRIETARY };

/* Names of enum flavour; NULL: unknown. */
extern const char *const flavour_names[];

/**
 * struct driver - a driver
 * @module:	name of its module, "" if there is none
 * @version:	"580.159.04", "" if it is not known
 * @branch:	580, 0 if it is not known
 * @flavour:	which of NVIDIA's two it is
 * @entry:	functions behind its file operations, for native callers first;
 *		NULL: fewer; set by driver_find() alone
 */
struct driver {
	char module[64];
	char version[DRIVER_VERSION];
	u32 branch;
	enum flavour flavour;
	const char *entry[DRIVER_ENTRIES];
};

/** driver_branch() - 580 of "580.159.04"; 0 if no number stands there */
u32 driver_branch(const char *version);

/**
 * driver_read_branch() - the branch of the driver that is loaded, and no more
 *
 * A driver may be exchanged at any time. One file is read, as a rule.
 */
u32 driver_read_branch(const char *module);

/** driver_read() - what the driver says of itself; @module: DRIVER_MODULE as a rule */
void driver_read(struct driver *driver, const char *module);

/** driver_find() - look for it in /proc/kallsyms: its functions decide, not its name */
void driver_find(struct driver *driver);

/**
 * driver_shares_processes() - does the page that all clients of a GPU share tell of them?
 *
 * From branch 590 on it has their utilisation, if one of them asks for it, unless the
 * driver was loaded with what DRIVER_SHARE_NOTHING says.
 */
bool driver_shares_processes(const struct driver *driver);

/* A sentence, without its full stop, that says what to do about that. */
#define DRIVER_SHARE_NOTHING \
	"put the line  options nvidia NVreg_RegistryDwords=\"RMDebugRusdPolling=1\"  into /etc/modprobe.d/mpu.conf (other keys behind a semicolon), and load the driver again or reboot; nvidia-smi shows what it did before"

/** driver_is_there() - is a module there, ready or not? "" is not */
bool driver_is_there(const char *module);

/** driver_is_used() - does anything but other modules hold its module? */
bool driver_is_used(const char *module);

/**
 * modules_load() - load those of nvidia, nvidia-uvm and nvidia-modeset that are not
 * @root:	of the driver, as of driver_root_open(), whose modprobe does it
 * @problems:	receives a sentence for each that cannot be loaded: a container may
 *		do without it
 *
 * Does nothing in a user namespace, where nobody may load modules. The parts of
 * a struct driver_root depend on the driver being loaded: call this before
 * driver_root_open().
 */
void modules_load(const char *root, struct strv *problems);

/*
 * A small client of NVIDIA's resource manager (RM): the ioctl interface of
 * /dev/nvidiactl without libnvidia-ml, for drivers 390 to 595.
 *
 * Everything here returns 0, a negative errno (the ioctl or the system
 * failed), or a positive RM status (RM was asked and said no). No driver
 * version is looked at: where a layout differs by version the client tries the
 * known ones, and RM refuses all but its own (resControlLookup_IMPL compares
 * paramsSize exactly).
 */

/* NV0000_CTRL_GPU_MAX_PROBED_GPUS, and slots of NV_ESC_CARD_INFO. */
#define RM_GPUS		32
#define RM_PIDS		4000	/* longest list of any control: accounting */
#define RM_CLASSES	256
#define RM_SAMPLES	600	/* 100 samples of 6 engines at most */

/*
 * Seconds of samples. The driver keeps those of the last 14, one each 200 ms (H200, 580).
 * All of them together are late: of two processes that are as busy, the one that had begun
 * 3 seconds before had 13 % of the GPU, and the other 81 %.
 */
#define RM_SAMPLES_NEW	3
#define RM_SAMPLES_ALL	60

/* Engines of a utilisation sample, in RM's order. */
enum rm_engine {
	RM_ENGINE_MEMORY, RM_ENGINE_SM, RM_ENGINE_ENCODER, RM_ENGINE_DECODER,
	RM_ENGINE_JPEG, RM_ENGINE_OFA, RM_ENGINES,
};

/* Names for users: "memory", "sm" ... */
extern const char *const rm_engine_names[RM_ENGINES];

/* The GPU instance and compute instance of a process on no MIG device. */
#define RM_NO_INSTANCE	0xffffffffu

struct mpu_row;

/* How the client reaches the driver, as the C library would. Tests put their own here. */
struct rm_ops {
	int (*open)(const char *path, int flags);
	int (*ioctl)(int fd, unsigned long request, void *arg);
	int (*close)(int fd);
};

/* A client of RM; the fields are the library's own. */
struct rm {
	const struct rm_ops *ops;
	char dev[128];
	int fd;
	u32 client;
	u32 handles;
	const struct mpu_row *answered;
};

/* A GPU as RM lists it. Name, UUID and handles are there from rm_attach() on. */
struct rm_gpu {
	u32 id;			/* gpuId */
	int minor;		/* of its node, -1 if the driver did not say */
	u32 domain;
	u8 bus;
	u8 slot;
	int fd;			/* its node while it is attached, else -1 */
	u32 device;
	u32 subdevice;
	char name[65];
	char uuid[65];		/* "GPU-...", "" if it has none */
};

/**
 * rm_open() - open the control node and allocate a client
 * @rm:		uninitialised; rm_close() is due only after success
 * @dev:	folder of the device nodes, "/dev"
 * @ops:	NULL: the C library's
 *
 * Never creates a node and never loads a driver. -ENOENT, -ENXIO or -ENODEV:
 * there is none.
 */
int rm_open(struct rm *rm, const char *dev, const struct rm_ops *ops);

/** rm_error_text() - what a return value of this library means. Return: @text */
const char *rm_error_text(int ret, char *text, size_t size);

/** rm_close() - free the client and everything under it */
void rm_close(struct rm *rm);

/**
 * rm_read_version() - the driver's version, "580.159.04"
 *
 * Drivers before 530 answer only to a mismatch, which they log
 * (RmPerformVersionCheck): prefer /sys/module/nvidia/version where readable.
 */
int rm_read_version(struct rm *rm, char *version, size_t size);

/** rm_control() - NV_ESC_RM_CONTROL; @object: 0 stands for the client itself */
int rm_control(struct rm *rm, u32 object, u32 cmd, void *params, u32 size);

/** rm_alloc() - NV_ESC_RM_ALLOC; @parent: 0: the client; RM knows the size of @params */
int rm_alloc(struct rm *rm, u32 parent, u32 class, void *params, u32 *object);

/** rm_free() - NV_ESC_RM_FREE, what hangs below @object included */
int rm_free(struct rm *rm, u32 parent, u32 object);

/** rm_list_gpus() - list the GPUs, in PCI order; @gpu has room for RM_GPUS */
int rm_list_gpus(struct rm *rm, struct rm_gpu *gpu, u32 *count);

#define RM_ADDRESS	24	/* room for a PCI address */

/** rm_format_address() - "0000:17:00.0" */
void rm_format_address(char *text, size_t size, const struct rm_gpu *gpu);

/**
 * rm_attach() - open a GPU: its node, device and subdevice objects, its name
 *
 * -ENOENT, -EPERM, -EACCES: this container or user was not given the node.
 */
int rm_attach(struct rm *rm, struct rm_gpu *gpu);

/** rm_allocate_memory() - take memory as a CUDA process would; its parent is @gpu->device */
int rm_allocate_memory(struct rm *rm, const struct rm_gpu *gpu, u64 bytes, u32 *memory);

/** rm_list_classes() - object classes the GPU supports; @class has room for RM_CLASSES */
int rm_list_classes(struct rm *rm, const struct rm_gpu *gpu, u32 *class, u32 *count);

/* Is a class from rm_list_classes() one of compute, or one of 3D? */
bool rm_class_is_compute(u32 class);
bool rm_class_is_graphics(u32 class);

/*
 * How a GPU is: temperature, power, clocks, its link, its errors.
 *
 * There are two sources. The page that a driver from 545 on shares with all clients of a
 * GPU (class 0x00de, cl00de.h), which its firmware fills with what any of them has asked
 * for: open drivers, and proprietary ones with firmware or, from 565 on, a GPU of GA102 or
 * newer. And controls whose params are in public headers. All else is not known:
 * there are other controls that say it, in layouts that NVIDIA keeps to itself.
 */

/* Values that are known of a GPU. */
enum gpu_value {
	GPU_TEMPERATURE,		/* degrees Celsius */
	GPU_MEMORY_TEMPERATURE,
	GPU_POWER,			/* mW, the driver's average where it has one */
	GPU_POWER_LIMIT,		/* mW, the one that is enforced */
	GPU_FAN,			/* turns a minute, the first that turns */
	GPU_SM_CLOCK,			/* MHz */
	GPU_MEMORY_CLOCK,
	GPU_PSTATE,			/* 0 is P0, the fastest */
	GPU_THROTTLE,			/* set of enum gpu_throttle */
	GPU_PCIE_GENERATION,		/* as the link is now */
	GPU_PCIE_WIDTH,
	GPU_PCIE_GENERATION_MAX,	/* of the GPU's side */
	GPU_PCIE_WIDTH_MAX,
	GPU_PCIE_SENT,			/* bytes a second */
	GPU_PCIE_RECEIVED,
	GPU_PCIE_REPLAYS,		/* since the last reset, up to 65535 */
	GPU_NVLINK_SENT,		/* flits of 16 bytes, of all links, since the last reset */
	GPU_NVLINK_RECEIVED,
	GPU_NVLINK_CRC_ERRORS,		/* these three of all links, too */
	GPU_NVLINK_REPLAYS,
	GPU_NVLINK_RECOVERIES,
	GPU_MEMORY_RESERVED,		/* KiB that no client can have */
	GPU_ENERGY,			/* mJ since the driver was loaded */
	GPU_ECC,			/* 1: on */
	GPU_ECC_CORRECTED,		/* errors ever, of all memories */
	GPU_ECC_UNCORRECTED,
	GPU_ROWS_CORRECTABLE,		/* rows replaced after such errors */
	GPU_ROWS_UNCORRECTABLE,
	GPU_ROWS_PENDING,		/* 1: the next reset replaces some */
	GPU_ROWS_FAILED,		/* 1: no row was left to replace one */
	GPU_RETIRED_PAGES,		/* before there were rows: up to Turing */
	GPU_MIG,			/* 1: on */
	GPU_MPS_CLIENTS,		/* processes that use it by an MPS server */
	GPU_XID,			/* these two host/xid.c knows */
	GPU_XID_TIME,			/* seconds since 1970 */
	GPU_VALUES,
};

/* Why clocks are lower than they could be: RUSD_CLK_THROTTLE_REASON_*. */
enum gpu_throttle {
	GPU_THROTTLE_IDLE, GPU_THROTTLE_APPLICATION_CLOCKS, GPU_THROTTLE_SW_POWER_CAP,
	GPU_THROTTLE_HW_SLOWDOWN, GPU_THROTTLE_SYNC_BOOST, GPU_THROTTLE_SW_THERMAL,
	GPU_THROTTLE_HW_THERMAL, GPU_THROTTLE_HW_POWER_BRAKE, GPU_THROTTLE_DISPLAY_CLOCKS,
	GPU_THROTTLE_BOARD_LIMIT, GPU_THROTTLE_RELIABILITY, GPU_THROTTLES,
};

/* Their names, as nvidia-smi's query calls them: "sw_power_cap" ... */
extern const char *const gpu_throttle_names[GPU_THROTTLES];

/* The state of a GPU. */
struct gpu_state {
	u64 known;		/* set of enum gpu_value (1 << value) */
	u64 value[GPU_VALUES];	/* those of them */
};

static inline bool gpu_state_has(const struct gpu_state *state, enum gpu_value value)
{
	return state->known >> value & 1;
}

static inline void gpu_state_take(struct gpu_state *state, enum gpu_value value, u64 n)
{
	state->known |= 1ull << value;
	state->value[value] = n;
}

/* Uses of a GPU by a process: a set of these. */
enum gpu_use { GPU_COMPUTE = 1, GPU_GRAPHICS = 2, GPU_MPS = 4 };

/* A process on a GPU. */
struct gpu_process {
	/*
	 * As the driver names it to this process: its global PID on the host; in a container
	 * its local PID where an engine translates.
	 */
	u32 pid;
	unsigned int use;		/* set of enum gpu_use, never empty */
	bool has_memory;		/* the driver said how much */
	u64 memory;			/* bytes of the GPU, private and shared */
	u32 gpu_instance, compute_instance;	/* of MIG, RM_NO_INSTANCE if none */
	/* Hundredths of a percent, on average over the seconds of the driver's samples. */
	u32 utilisation[RM_ENGINES];
};

/* A GPU, and who uses it, as far as it was asked for and answered. */
struct gpu_processes {
	struct rm_gpu gpu;		/* detached */
	bool attached;			/* its name and its UUID could be asked for */
	int error;			/* why @process is empty, as rm_open() returns it */
	bool has_memory;
	/*
	 * Bytes, as nvidia-smi has them: what the driver takes for clients (contexts) is used,
	 * what it keeps from its start on is not.
	 */
	u64 memory_total, memory_used;
	bool has_utilisation;		/* the driver keeps samples */
	/* Hundredths of a percent, of processes that have ended since, too. */
	u32 utilisation[RM_ENGINES];
	struct gpu_state state;
	u32 count;			/* at most RM_PIDS */
	struct gpu_process *process;	/* by PID */
};

/* All GPUs that this process may open, in PCI order. */
struct process_list {
	u32 count;
	struct gpu_processes gpu[RM_GPUS];
};

/**
 * processes_read() - ask the driver who uses the GPUs
 * @list:	uninitialised; processes_free() is due only after success
 * @seconds:	of utilisation, and ask for the memory of the GPU, too; 0: do not
 * @branch:	of the driver: ask how the GPUs are, too, which takes as long as
 *		gpu_state_wait() says; 0: do not
 *
 * A GPU that this process was not given (RM lists all, a container may open some)
 * is left out; one that refuses its list has an error.
 *
 * Return: 0, or as rm_list_gpus(): the GPUs could not be listed.
 */
int processes_read(struct rm *rm, struct process_list *list, unsigned int seconds, u32 branch);

void processes_free(struct process_list *list);

/* The step at which a measurement ended. */
enum calibrate_step {
	CALIBRATE_NAMESPACE,	/* no PID namespace could be made */
	CALIBRATE_DRIVER,	/* no client of the driver */
	CALIBRATE_GPU,		/* no GPU that may be used */
	CALIBRATE_LIST,		/* the list of processes was refused */
	CALIBRATE_MEMORY,	/* no memory on the GPU, so no input to test */
	CALIBRATE_DONE,
};

/* Numbers by which the driver may know the insider: sets of these. */
#define AS_TGID		0x1	/* number of its process, in its own namespace */
#define AS_TID		0x2	/* number of its thread, in its own namespace */
#define AS_GLOBAL	0x4	/* number of its process, in the namespace around it */

/* The answer of one control. */
struct observation {
	bool answered;
	u8 control;		/* index in mpu_control_names[] */
	u8 found_as;		/* set of AS_*: by which numbers the insider was found */
};

/*
 * All that was seen, by two processes that each have a client and memory of their own: an
 * *insider*, alone in a PID namespace, and an *outsider* in the namespace around it.
 */
struct observations {
	struct observation list;	/* GET_PIDS */
	u32 others;			/* numbers in it that are not the insider's */
	bool lists_outsider;		/* one of these is the outsider's */
	struct observation input;	/* GET_PID_INFO, by whose numbers it was found */
	bool finds_outsider;		/* found by its global number */
	struct observation samples;
	bool pointers;			/* samples have room for a kernel address (pOsPidInfo) */
	u32 others_with_pointer;	/* samples of others that hold one */
	u32 others_without_pointer;
	struct observation accounts;	/* answered: accounting is on */
	u32 accounted;			/* numbers in it that are not the insider's */
	bool accounted_outside;		/* the outsider saw one that is alive */
	/*
	 * The kernel has os_is_init_ns(): 1, 0, or -1: not known, or samples were answered:
	 * then it tells nothing new.
	 */
	int has_symbol;
};

/* The PIDs of one control: enum mpu_pid_space. */
struct control_pid_space {
	u8 pid_space;		/* engines go by this one */
	bool measured;		/* it was; else it was inferred from the rest */
	u8 looked_up;		/* by the driver's version; not known: as pid_space */
};

/* A measurement, and what follows from it. */
struct calibration {
	enum calibrate_step step;	/* how far it came */
	int error;			/* why not further, as rm_open() returns it */
	struct driver driver;
	struct observations seen;
	/* Controls (1 << index) that the driver has in the newest layout, or in another. */
	u32 taken;
	u32 changed;
	enum mpu_regime looked_up;	/* by the driver's version; MPU_REGIMES: not known */
	u32 possible;			/* regimes that do so (1 << enum mpu_regime) */
	bool tid;			/* the list of processes holds numbers of threads */
	struct control_pid_space control[MPU_CONTROLS];
};

/*
 * Calibration: whose PIDs the driver uses. A process in a PID namespace of
 * its own uses a GPU and looks for itself, and for one outside; what that does
 * not tell is inferred from what it does, and from the driver's version.
 */

/* How long a measurement may take, in seconds; then its processes are killed. */
#define CALIBRATE_PATIENCE	60

/**
 * calibrate_run() - make the measurement; takes 2 x 2 MiB of a GPU for a moment
 * @dev:	folder of the device nodes
 * @begin:	called before the process in the new namespace issues its first
 *		ioctl, with its tgid in our namespace; or NULL
 * @arg:	for @begin
 *
 * Two processes are made, and are gone on return. It takes a minute at most,
 * if the driver hangs.
 *
 * Return: 0, or negative errno if the processes could not be run or died.
 */
int calibrate_run(struct calibration *calibration, const char *dev,
		  void (*begin)(pid_t tgid, void *arg), void *arg);

/** infer_pid_space() - from @driver and @seen what follows: @looked_up and below */
void infer_pid_space(struct calibration *calibration);

/** infer_regime_by_version() - MPU_REGIMES if it is not known */
enum mpu_regime infer_regime_by_version(const struct driver *driver);

/**
 * infer_is_translated() - does a container see its own processes, by its own
 * numbers, and no others?
 *
 * The measurement was made through an engine. Return: 1 yes, 0 no, -1 there was
 * nothing to see.
 */
int infer_is_translated(const struct calibration *calibration);

/** infer_contradicts_version() - does the driver do what its version does not? */
bool infer_contradicts_version(const struct calibration *calibration);

#define GPU_UUID	64	/* room for "GPU-" or "MIG-" and a UUID */
#define GPU_MODEL	96	/* room for "NVIDIA H200" */

/**
 * struct majors - major numbers of the driver's nodes; 0: there are none
 *
 * By /proc/devices: all but nvidia's own (195) are given out when a module is
 * loaded.
 */
struct majors {
	uint32_t nvidia, uvm, caps, imex, nvswitch;
};

/*
 * The GPUs of this machine, and what stands for them in /dev: from procfs alone.
 * No GPU is opened, which takes seconds each where no daemon keeps them ready.
 */

/* Advice where a MIG device was asked for by a UUID that none has. */
#define MIG_UUID_ADVICE \
	"nvidia-smi -L lists the UUIDs of MIG devices; the numbers of GPU and MIG device, as 0:1, name one, too"

/* Minor numbers of the nodes whose major number is 195 (nvidia-frontend). */
#define MINOR_CONTROL	255	/* /dev/nvidiactl */
#define MINOR_MODESET	254

/* A MIG device. Numbers of instances are as procfs has them, those of nodes are minors. */
struct mig {
	uint32_t gpu_instance, compute_instance;
	uint32_t gpu_cap, compute_cap;	/* their nodes in /dev/nvidia-caps */
	char uuid[GPU_UUID];		/* "" until uuids_find(): procfs does not have it */
};

/* A GPU that is not excluded. */
struct gpu {
	char address[24];	/* its folder in /proc/driver/nvidia/gpus: "0000:3b:00.0" */
	uint32_t domain;	/* the same as numbers */
	uint8_t bus, slot, function;
	uint32_t minor;		/* of its node in /dev: not always its index */
	char uuid[GPU_UUID];	/* "" if not known: procfs has it once the GPU was opened */
	char model[GPU_MODEL];
	struct mig *migs;	/* by GPU instance and compute instance */
	size_t n_migs;
};

/* All devices, GPUs by ascending address, which is the order of NVML's indices. */
struct devices {
	struct gpu *gpus;
	size_t n_gpus;
	struct majors majors;
	uint32_t mig_config, mig_monitor;	/* minors in /dev/nvidia-caps; 0: none */
	uint32_t *imex;				/* channels that have a node */
	size_t n_imex;
};

/**
 * devices_read() - read all of it
 *
 * Return: 0, or negative errno and a sentence in @why; -ENODEV: the driver is
 * not loaded.
 */
int devices_read(struct devices *devices, const struct driver_root *root, char why[WHY_SIZE]);

/**
 * devices_find_imex() - which IMEX channel a text means: "7", or as its node is
 * called, "channel7"
 *
 * Return: 0; -EINVAL: none can be called that; -ENOENT: there is no node of it,
 * and @channel is set; with a sentence in @why.
 */
int devices_find_imex(const struct devices *devices, const char *text,
		      uint32_t *channel, char why[WHY_SIZE]);

void devices_free(struct devices *devices);

/**
 * uuids_find() - find out UUIDs that are not known: of GPUs that nobody has opened yet, and
 * of MIG devices
 *
 * Opens each GPU without one for a moment, and each that has such a MIG device, with
 * the nodes of its capabilities: to be called only where a UUID that was asked for is
 * not among those that are known. A UUID that cannot be asked for, or is not answered, stays
 * unknown.
 */
void uuids_find(struct devices *devices, const struct driver_root *root);

struct chosen_gpu {
	const struct gpu *gpu;
	bool whole;		/* chosen itself; else needed for MIG devices of it */
};

struct chosen_mig {
	const struct gpu *gpu;
	const struct mig *mig;
};

/* Devices, in the order in which they were asked for. */
struct selection {
	struct chosen_gpu *gpus;
	size_t n_gpus;
	struct chosen_mig *migs;
	size_t n_migs;
	bool all;		/* every device was asked for */
	bool config, monitor;	/* MIG devices may be configured, or monitored */
	uint32_t *imex;
	size_t n_imex;
};

/*
 * The driver's device nodes in /dev. The driver does not make them, and devtmpfs does not
 * know them.
 */

/* In the order in which they are visited. The first four are not of one device. */
enum node_kind {
	NODE_CONTROL, NODE_UVM, NODE_UVM_TOOLS, NODE_MODESET, NODE_GPU,
	NODE_MIG_CONFIG, NODE_MIG_MONITOR, NODE_MIG, NODE_IMEX, NODE_OTHER,
};

/* A node of the driver. */
struct driver_node {
	enum node_kind kind;
	char path[64];		/* "/dev/nvidia-caps/nvidia-cap1" */
	char proc[128];		/* of one in nvidia-caps: the file in /proc that tells of it */
	uint32_t major, minor;
	const struct gpu *gpu;	/* of NODE_GPU and NODE_MIG, by nodes_visit() */
	const struct mig *mig;	/* of NODE_MIG: it has two nodes */
	bool whole;		/* as in struct chosen_gpu */
};

typedef void node_visit(const struct driver_node *node, void *arg);

/**
 * nodes_visit() - visit the nodes that the driver has, whether /dev has them or not
 * @selection:	only those of these devices, and those that all share; NULL: all
 *
 * A selection that may configure or monitor MIG devices has all of its GPUs'.
 * /dev/nvidia-modeset is visited where its module is not loaded, too.
 */
void nodes_visit(const struct devices *devices, const struct selection *selection,
		 node_visit *visit, void *arg);

/**
 * nodes_visit_present() - visit the nodes by NVIDIA's names that are in /dev, in the order of
 * names: NODE_GPU and NODE_OTHER
 */
void nodes_visit_present(const struct driver_root *root, node_visit *visit, void *arg);

/**
 * nodes_make() - make the nodes that are missing or have another number
 * @selection:	as of nodes_visit()
 * @problems:	receives a sentence for each that cannot be made; below: or that is wrong
 *
 * Owner and mode are those that the driver's params and capabilities say, which
 * may also say that nobody is to make nodes. A node that is right is left as it
 * is.
 */
void nodes_make(const struct devices *devices, const struct driver_root *root,
		const struct selection *selection, struct strv *problems);

/** nodes_check() - look which are missing, have another number, or are left from another GPU */
void nodes_check(const struct devices *devices, const struct driver_root *root,
		 struct strv *problems);

/**
 * nodes_link() - make /dev/char/MAJOR:MINOR, by which systemd looks a node up whose
 * number is in a device cgroup's rule; without it, "systemctl daemon-reload" takes
 * the GPUs of running containers away
 */
void nodes_link(const struct devices *devices, const struct driver_root *root,
		struct strv *problems);

/** nodes_link_present() - likewise, to each node that is there */
void nodes_link_present(const struct driver_root *root, struct strv *problems);

/** nodes_check_links() - look which nodes have no such link */
void nodes_check_links(const struct devices *devices, const struct driver_root *root,
		       struct strv *problems);

/** gpu_database_cuda() - the CUDA version of a driver branch: "13.0" of 580; NULL: not known */
const char *gpu_database_cuda(uint32_t branch);

/** gpu_database_brand() - the brand of a model: "GeForce"; NULL: not known */
const char *gpu_database_brand(const char *model);

/** gpu_database_read_arch() - likewise, of a GPU of this machine */
const char *gpu_database_read_arch(const struct driver_root *root, const struct gpu *gpu);

enum driver_file_kind {
	DRIVER_LIBRARY,		/* of the architecture that this program is for */
	DRIVER_LIBRARY32,	/* of the 32-bit one beside it */
	DRIVER_PROGRAM,
	DRIVER_SOCKET,		/* or a folder of sockets (MPS) */
	DRIVER_FIRMWARE,
	DRIVER_DATA,		/* configuration that libraries read */
};

/*
 * ld.so.cache of glibc: which library file stands for which name. Read out of
 * bytes that may be anything, and written anew with other entries.
 *
 * The format is that of glibc 2.2 and later ("glibc-ld.so.cache1.1"), alone or
 * behind the older one ("ld.so-1.7.0"), which is skipped.
 */

/* More than any real one: that of a machine with 20000 libraries. */
#define LDCACHE_SIZE_MAX	(4 << 20)

/*
 * Flags of an entry: that it is an ELF library of libc 6, and for which
 * architecture (FLAG_... of glibc's sysdeps/generic/ldconfig.h).
 */
enum ldcache_flags {
	LDCACHE_LIBC6	= 0x0003,
	LDCACHE_I386	= LDCACHE_LIBC6,
	LDCACHE_X86_64	= LDCACHE_LIBC6 | 0x0300,
	LDCACHE_ARMHF	= LDCACHE_LIBC6 | 0x0900,
	LDCACHE_AARCH64	= LDCACHE_LIBC6 | 0x0a00,
};

/* The architecture of this program, and the 32-bit one beside it. */
#if defined(__x86_64__)
#define LDCACHE_NATIVE		LDCACHE_X86_64
#define LDCACHE_NATIVE32	LDCACHE_I386
#elif defined(__aarch64__)
#define LDCACHE_NATIVE		LDCACHE_AARCH64
#define LDCACHE_NATIVE32	LDCACHE_ARMHF
#else
#error "which flags have libraries of this machine?"
#endif

struct ldcache {
	const unsigned char *file;
	size_t file_size;
	const unsigned char *base;	/* strings of the format that is read count from here */
	size_t size;
	uint32_t n;			/* entries */
	size_t hwcaps;			/* offset of its list of glibc-hwcaps folders */
	uint32_t n_hwcaps;
};

/* A library: what programs look for ("libcuda.so.1"), and where it is. */
struct ldcache_entry {
	const char *key, *path;
	uint32_t flags, system;		/* oldest kernel; 0 from glibc 2.36 on */
	uint64_t hwcap;			/* the CPU must have these */
};

/**
 * ldcache_open() - have a look at a cache
 * @bytes:	its file, which @cache goes on to point into; any alignment
 *
 * Return: 0, or -EINVAL: it is none, or cut short, or of the other byte order.
 */
int ldcache_open(struct ldcache *cache, const void *bytes, size_t size);

/**
 * ldcache_merge() - write a cache that has other entries, too
 * @cache:	what it had; NULL: nothing
 * @added:	in place of those of the same key and flags; those with a NULL path
 *		are removed alone
 * @out:	receives the file, as ldconfig of glibc 2.33 and later writes it
 * @room:	of @out
 *
 * The entries stay in the order in which the loader's binary search expects
 * them. Entries that ldcache_entry() cannot read are left out.
 *
 * Return: size of the file, or -E2BIG: @room is too small.
 */
long ldcache_merge(const struct ldcache *cache,
		   const struct ldcache_entry *added, size_t n, void *out,
		   size_t room);

/**
 * struct driver_file - a file
 * @path:	below the driver's root, no link in it:
 *		"/usr/lib/x86_64-linux-gnu/libcuda.so.580.159.04"
 * @place:	where it belongs in a container: a path below the folder of
 *		libraries or of programs ("libcuda.so.580.159.04", "nvidia-smi",
 *		"vdpau/libvdpau_nvidia.so.580.159.04"), or from the root on
 *		("/run/nvidia-persistenced/socket")
 * @soname:	of a library: what programs look for, in the same folder; NULL: it
 *		has none
 * @link:	one more name that programs look for, in the same folder
 *		("libcuda.so"); NULL: there is none
 * @target:	what that link says: "libcuda.so.1"
 * @devel:	of a library: the name that programs are linked with, where this machine has a
 *		link of that name ("libnvcuvid.so"); NULL: it has none
 * @part:	name in the table of what belongs to which capability: "libcuda"
 * @capabilities: enum capability: those that take it; 0: every container. For a
 *		DRIVER_LIBRARY32 those that take it where compat32 is, too
 * @shared:	of a folder of sockets: everybody may write what it is in, so that its path
 *		may lead elsewhere by the next look; and nobody has named it
 */
struct driver_file {
	enum driver_file_kind kind;
	char *path;
	char *place;
	char *soname;
	char *link, *target;
	const char *part;
	unsigned int capabilities;
	bool shared;
	char *devel;
};

/* Files, by kind, and within it in the table's order. */
struct driver_files {
	struct driver_file *file;
	size_t n;
	struct strv missing;	/* sentences: parts looked for in vain, and where */
};

/* By enum driver_file_kind: "32-bit library". */
extern const char *const driver_file_kinds[];

/* Files that a container may be to do without, whatever its capabilities: a set of these. */
enum driver_without {
	WITHOUT_SOCKETS = 1, WITHOUT_PERSISTENCED = 2, WITHOUT_FABRICMANAGER = 4,
	WITHOUT_FIRMWARE = 8,
};

/** driver_file_is_wanted() - does a container of these capabilities take it? */
bool driver_file_is_wanted(const struct driver_file *file, unsigned int capabilities,
			   unsigned int without);

void driver_files_free(struct driver_files *files);

/*
 * Reads the note in a libcuda: its version of CUDA, and which drivers it works with.
 * From 580 on, at the latest, a driver's own has it, too.
 */

#define LIBCUDA_BRANCHES	64

struct libcuda_note {
	int found;			/* it says something; no bool: see sandbox_parse() */
	char cuda[32];			/* "12.9"; "": it does not say */
	uint32_t branches[LIBCUDA_BRANCHES];	/* of drivers that it works with */
	size_t n;
};

/**
 * libcuda_note_parse() - read it out of an ELF file: a sandbox_parser
 * @result:	struct libcuda_note
 *
 * Return: 0; a file without a note, or with one that cannot be understood, is
 * none with a note.
 */
int libcuda_note_parse(const void *bytes, size_t size, const void *arg, void *result);

/* All of the driver that a container can be given, as it is on this machine, read once. */
struct installation {
	struct driver_root root;
	char version[DRIVER_VERSION];
	char cuda[32];			/* "13.0"; "": not known */
	struct devices devices;
	struct driver_files files;	/* those that were asked for */
};

/**
 * installation_read() - read all of it
 * @root:	as of driver_root_open()
 * @capabilities, @ldcache: as of driver_files_find()
 *
 * Return: 0, or negative errno and a sentence in @why; -ENODEV: no driver is
 * loaded; -EOPNOTSUPP: on WSL none ever is.
 */
int installation_read(struct installation *installation, const char *root,
		      unsigned int capabilities, const char *ldcache,
		      char why[WHY_SIZE]);

/**
 * installation_read_some() - read what there is of versions and devices, and no files: the
 * driver need not be loaded
 * @root:	as of driver_root_open()
 *
 * Return: 0, or negative errno and a sentence in @why: there is no such root.
 */
int installation_read_some(struct installation *installation, const char *root, char why[WHY_SIZE]);

void installation_free(struct installation *installation);

#endif /* MPU_NVIDIA_NVIDIA_H */
