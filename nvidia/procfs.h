/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses the driver's files in /proc: text in, facts out. Whatever the text is, nothing
 * here fails but by not finding what it looks for.
 */
#ifndef MPU_NVIDIA_PROCFS_H
#define MPU_NVIDIA_PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GPU_UUID	64	/* room for "GPU-" or "MIG-" and a UUID */
#define GPU_MODEL	96	/* room for "NVIDIA H200" */

#define PROCFS_LINE	256	/* room for a line */
#define PROCFS_NAME	64	/* room for a word of a line */

/* Numbers of IMEX channels are below this, in nvidia-container-cli, too. */
#define IMEX_CHANNELS	1048576

/**
 * procfs_line() - the next line of a text
 * @text:	moves behind it
 * @line:	receives it, without its newline; "" if it is too long
 *
 * Return: false: there is none.
 */
bool procfs_line(const char **text, char line[PROCFS_LINE]);

/**
 * procfs_value() - what stands behind "KEY:" in a text of such lines
 * @value:	receives it, without the blanks around it; "" if there is none
 *
 * Return: is there such a line?
 */
bool procfs_value(const char *text, const char *key, char *value, size_t size);

/**
 * procfs_number() - as procfs_value(), where it is a decimal number
 *
 * Return: is there one? If not, @number stays as it is.
 */
bool procfs_number(const char *text, const char *key, uint32_t *number);

/**
 * procfs_suffix() - the decimal number behind a prefix: 7 of "gi7"
 *
 * Return: is that all of @name?
 */
bool procfs_suffix(const char *name, const char *prefix, uint32_t *number);

/**
 * struct pci_address - where on which PCI bus
 */
struct pci_address {
	uint32_t domain;
	uint8_t bus, slot, function;
};

/**
 * procfs_address() - read the name of a GPU's folder: "0000:3b:00.0"
 *
 * The domain has at least four digits; NVML writes eight of them.
 *
 * Return: is it one? Then @address is set.
 */
bool procfs_address(const char *name, struct pci_address *address);

/**
 * struct gpu_information - what a GPU's "information" says
 * @minor:	number of its node in /dev
 * @uuid:	"" if it is not known: it is once the GPU was opened
 * @model:	"" if it does not say
 */
struct gpu_information {
	uint32_t minor;
	char uuid[GPU_UUID];
	char model[GPU_MODEL];
};

/**
 * procfs_gpu() - read a GPU's "information"
 *
 * Return: can the GPU be used? Not if it is excluded, or has no minor number.
 */
bool procfs_gpu(const char *text, struct gpu_information *information);

/**
 * struct majors - major numbers of the driver's nodes; 0: there are none
 *
 * By /proc/devices: all but nvidia's own (195) are given out when a module is
 * loaded.
 */
struct majors {
	uint32_t nvidia, uvm, caps, imex, nvswitch;
};

/**
 * procfs_major() - read a line of /proc/devices: "195 nvidia"
 *
 * Return: is it one? Then both are set.
 */
bool procfs_major(const char *line, char name[PROCFS_NAME], uint32_t *major);

/**
 * procfs_majors() - read /proc/devices
 *
 * Return: is there any device of NVIDIA's?
 */
bool procfs_majors(const char *devices, struct majors *majors);

enum cap_kind { CAP_CONFIG, CAP_MONITOR, CAP_GPU_INSTANCE, CAP_COMPUTE_INSTANCE };

/**
 * struct cap - a right that the driver gives to whoever has opened its node in
 * /dev/nvidia-caps
 * @gpu:	minor number of a GPU, for both kinds of instances
 */
struct cap {
	enum cap_kind kind;
	uint32_t gpu, gpu_instance, compute_instance;
};

/**
 * procfs_cap() - read a line of /proc/driver/nvidia-caps/mig-minors:
 * "gpu0/gi1/ci0/access 13"
 *
 * Return: is it one? Then both are set.
 */
bool procfs_cap(const char *line, struct cap *cap, uint32_t *minor);

/**
 * procfs_cap_find() - look a minor number up in /proc/driver/nvidia-caps/mig-minors
 *
 * Return: is it there?
 */
bool procfs_cap_find(const char *mig_minors, const struct cap *cap,
		     uint32_t *minor);

/**
 * procfs_cap_path() - where a capability has its file:
 * "/proc/driver/nvidia/capabilities/gpu0/mig/gi1/ci0/access"
 */
void procfs_cap_path(const struct cap *cap, char path[128]);

/**
 * procfs_imex_channel() - read the number of an IMEX channel: "7", or as its node
 * is called, "channel7"
 *
 * Return: 0; -EINVAL: it is no number; -ERANGE: no channel can have it.
 */
int procfs_imex_channel(const char *text, uint32_t *channel);

#endif /* MPU_NVIDIA_PROCFS_H */
