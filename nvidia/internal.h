/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the files of nvidia/ alone.
 */
#ifndef MPU_NVIDIA_INTERNAL_H
#define MPU_NVIDIA_INTERNAL_H

#include "abi/page.h"
#include "nvidia/nvidia.h"

/* driver.c */
bool driver_find_version(char version[DRIVER_VERSION], const char *text);

/* Two "classes" that rm_list_pids() takes and that are no class of channels. */
#define RM_CLASS_SUBDEVICE	0x2080	/* every process that uses the GPU */
#define RM_CLASS_MPS		0x900e	/* clients of the MPS server */

/* A question of rm_read_memory(), and its answer. */
struct rm_process {
	u32 pid;		/* in: whom to ask about; out: the number that came back */
	u32 status;		/* of RM */
	u64 bytes;		/* private and shared owned, as nvidia-smi adds it up */
	u32 compute_instance;	/* RM_NO_INSTANCE if none */
	u32 gpu_instance;
};

/* A process on an engine at one time. */
struct rm_sample {
	u64 time_ns;		/* since 1970 */
	u32 engine;		/* enum rm_engine */
	u32 pid;		/* 0xffffffff: nobody */
	u32 util;		/* in hundredths of a percent */
	u64 pointer;		/* pOsPidInfo (570 and later), else 0 */
};

struct rm_account {
	u32 pid;
	u64 end_us;
};

#define RM_UUID		41	/* room for "MIG-", a UUID and its end */

/* A MIG device, and descriptors of its nodes: who has these may use it. */
struct rm_mig {
	u32 gpu_instance, compute_instance;
	int gpu_cap, compute_cap;
};

/* rm.c */
int rm_open_node(struct rm *rm, const char *name);
void rm_detach(struct rm *rm, struct rm_gpu *gpu);
int rm_read_mig_uuid(struct rm *rm, const struct rm_gpu *gpu,
		     const struct rm_mig *mig, char uuid[RM_UUID]);
/* NV2080_CTRL_FB_INFO_INDEX_*, in KiB */
#define FB_TOTAL_RAM_SIZE	0x08
#define FB_HEAP_SIZE		0x09
#define FB_HEAP_FREE		0x16

int rm_read_total(struct rm *rm, const struct rm_gpu *gpu, u64 *total, u64 *used);

/* rm_process.c */
int rm_list_pids(struct rm *rm, const struct rm_gpu *gpu, u32 class, u32 *pid, u32 *count);
int rm_read_memory(struct rm *rm, const struct rm_gpu *gpu, struct rm_process *process, u32 count);
int rm_list_samples(struct rm *rm, const struct rm_gpu *gpu, unsigned int seconds,
		    struct rm_sample *sample, u32 *count);
const struct mpu_row *rm_answered_row(const struct rm *rm);
int rm_accounting_is_on(struct rm *rm, const struct rm_gpu *gpu, bool *on);
int rm_list_accounted(struct rm *rm, const struct rm_gpu *gpu, u32 *pid, u32 *count);
int rm_read_account(struct rm *rm, const struct rm_gpu *gpu, struct rm_account *account);
void rm_probe_layouts(struct rm *rm, const struct rm_gpu *gpu, u32 *taken, u32 *changed);

/* A question that is under way about an attached GPU; the fields are the library's own. */
struct gpu_question {
	const struct rm_gpu *gpu;
	const struct mpu_page_layout *layout;
	const u8 *page;
	int fd;
	u32 branch, object;
	u64 before[MPU_PAGE_PARTS];
};

/* state.c */
bool gpu_state_read_page(struct gpu_state *state, const struct mpu_page_layout *layout,
			 const u8 *page, const u64 before[MPU_PAGE_PARTS]);
void gpu_state_take_energy(struct gpu_state *state, const void *params);
void gpu_state_ask(struct rm *rm, const struct rm_gpu *gpu, u32 branch,
		   struct gpu_question *question);
void gpu_state_wait(struct rm *rm, struct gpu_question *question, struct gpu_state *state, u32 n);
void gpu_state_end(struct rm *rm, struct gpu_question *question);

#define REGIMES_ALL	((1u << MPU_REGIMES) - 1)

#define PROCFS_LINE	256	/* room for a line */
#define PROCFS_NAME	64	/* room for a word of a line */

/* Numbers of IMEX channels are below this, in nvidia-container-cli, too. */
#define IMEX_CHANNELS	1048576

enum cap_kind { CAP_CONFIG, CAP_MONITOR, CAP_GPU_INSTANCE, CAP_COMPUTE_INSTANCE };

/* A right that the driver gives to whoever has opened its node in /dev/nvidia-caps. */
struct cap {
	enum cap_kind kind;
	uint32_t gpu;		/* minor number */
	uint32_t gpu_instance, compute_instance;
};

/* procfs.c */
bool procfs_line(const char **text, char line[PROCFS_LINE]);
bool procfs_number(const char *text, const char *key, uint32_t *number);
bool procfs_suffix(const char *name, const char *prefix, uint32_t *number);
bool procfs_address(const char *name, struct gpu *gpu);
bool procfs_gpu(const char *text, struct gpu *gpu);
bool procfs_major(const char *line, char name[PROCFS_NAME], uint32_t *major);
bool procfs_majors(const char *devices, struct majors *majors);
bool procfs_cap(const char *line, struct cap *cap, uint32_t *minor);
bool procfs_cap_find(const char *mig_minors, const struct cap *cap, uint32_t *minor);
void procfs_cap_path(const struct cap *cap, char path[128]);
int procfs_imex_channel(const char *text, uint32_t *channel);

/* devices.c */
void devices_wake(struct devices *devices, const struct driver_root *root);

/* nodes.c */
bool node_is_gpu(const char *name, mode_t mode);

/* gpu_database.c */
const char *gpu_database_arch(uint16_t device);

/* Checks of a library. */
enum part_check {
	PART_ANY,
	PART_TLS,	/* must be for threads as glibc has them since 2.3.99 */
	PART_GLVND,	/* NVIDIA's library behind the loaders of GLVND */
	PART_DIRECT,	/* NVIDIA's own libGL, of drivers that have no PART_GLVND */
};

/* A part of the driver: its file is called NAME SUFFIX VERSION. */
struct part {
	enum driver_file_kind kind;
	const char *name;	/* of a socket: its path; of data it may be a pattern */
	const char *suffix;
	bool versioned;
	const char *folder;	/* of a library: below one of libraries; of data: an image's */
	const char *is;		/* of a library that a link stands for: where that leads to */
	/* Folders of data; without a slash in front they are below each folder of libraries. */
	const char *const *data;
	const char *variable;	/* of a socket: it has the path if that is another */
	const char *link;	/* one more name in a container, beside it */
	const char *target;	/* its text; NULL: name of the file */
	enum part_check check;
	unsigned int capabilities;	/* those that take it */
};

/* NixOS's data is in a folder that images do not look into. */
#define NIX_DATA	"/run/opengl-driver/share"

/* Parts by kind; a NULL name ends them. Libraries are those of 32 bits, too. */
extern const struct part parts[];

/* Any other file with the driver's version: newer drivers have more. */
extern const struct part part_other;

/* Firmware of the GPU's own processor: "gsp_ga10x.bin". */
extern const struct part part_firmware;

/* driver_parts.c */
bool part_is_for(const struct part *part, unsigned int capabilities);
bool part_file(const struct part *part, const char *version, char name[PATH_MAX]);
const struct part *part_find(const char *name);

/* ldcache.c */
bool ldcache_entry(const struct ldcache *cache, uint32_t i, struct ldcache_entry *entry);

/* A search for libraries: what only other @capabilities take is not looked for. */
struct library_search {
	const struct driver_root *root;
	const char *version;
	unsigned int capabilities;
	const struct ldcache *cache;	/* without entries if the root has none */
	struct driver_files *files;	/* receives them */
};

/* libraries.c */
void libraries_find(const struct library_search *search);

/* files.c */
void driver_files_add(struct driver_files *files, enum driver_file_kind kind,
		      const struct part *part, const char *path, const char *place,
		      const char *soname);
void driver_files_lack(struct driver_files *files, enum driver_file_kind kind,
		       const struct part *part, const char *version,
		       const char *const *places);
int driver_files_find(struct driver_files *files, const struct driver_root *root,
		      const char *version, unsigned int capabilities,
		      const char *ldcache, char why[WHY_SIZE]);

/* libcuda.c */
void libcuda_read(struct libcuda_note *note, const struct driver_root *root, const char *path);

#endif /* MPU_NVIDIA_INTERNAL_H */
