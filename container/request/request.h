/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A container's request: read from its variables, mounts and annotations, within the
 * settings of the machine; and the devices of this machine that it stands for.
 */
#ifndef MPU_CONTAINER_REQUEST_H
#define MPU_CONTAINER_REQUEST_H

#include <json-c/json.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "container/image/image.h"
#include "lib/strv.h"
#include "lib/why.h"
#include "nvidia/nvidia.h"

/*
 * /etc/nvidia-container-runtime/config.toml: what the operator of a machine has set for
 * the containers on it.
 */

/* A variable that names the file. */
#define SETTINGS_VARIABLE "NVIDIA_CTK_CONFIG_FILE_PATH"

/**
 * struct settings - the file's keys, each by the key's own name and section
 * @supported:	enum capability: supported-driver-capabilities
 * @cli.ldconfig: as settings_ldconfig() makes it
 * @runtime.log_level: one that settings_level() knows
 * @runtime.jit_no_groups, @runtime.jit_no_sockets, @runtime.jit_no_compat: what all keys
 *		about that come to: a container's process is not to be in the groups that own
 *		device nodes, nor to have the sockets of the driver's daemons; newer CUDA
 *		libraries of its image are not taken
 * @without_effect: what the file sets that changes nothing, for a warning
 */
struct settings {
	bool disable_require;
	struct strv swarm_resources;
	bool accept_env_unprivileged;
	bool accept_volume_mounts;
	unsigned int supported;
	struct {
		char *root, *path, *debug, *ldcache, *user, *ldconfig;
		struct strv environment;
		bool load_kmods, no_pivot, no_cgroups;
	} cli;
	struct {
		char *debug, *log_level, *mode;
		struct strv runtimes;
		char *cdi_default_kind;
		struct strv cdi_annotation_prefixes, cdi_spec_dirs;
		struct strv jit_feature_flags, jit_disable_hooks;
		bool jit_no_groups, jit_no_sockets, jit_no_compat;
		char *legacy_cuda_compat_mode;
	} runtime;
	struct {
		char *path;
		bool skip_mode_detection;
	} hook;
	struct {
		char *path;
	} ctk;
	struct {
		bool allow_cuda_compat_libs_from_container;
		bool allow_ldconfig_from_container;
		bool allow_unknown_oci_spec_fields;
		bool disable_cuda_compat_lib_hook;
		bool disable_imex_channel_creation;
		bool ignore_imex_channel_requests;
		bool no_additional_gids_for_device_nodes;
	} features;
	struct strv without_effect;
};

#define SETTINGS_LEVEL "info"

/** settings_level() - how grave a level of the log is, from 0; -1: there is none such */
int settings_level(const char *name);

/**
 * enum settings_reader - who reads them: a hook's environment may be that of an
 * image, which must not name the file
 */
enum settings_reader { SETTINGS_RUNTIME, SETTINGS_HOOK };

/**
 * settings_path() - where the file is: below XDG_CONFIG_HOME, if it is there, or in /etc
 * @named:	where it was said to be; NULL: it was not
 * @required:	receives whether it must be there
 *
 * Return: 0 or -ENAMETOOLONG.
 */
int settings_path(char path[PATH_MAX], const char *named,
		  enum settings_reader reader, bool *required);

/**
 * settings_read() - read the file that settings_path() names
 *
 * Return: 0, or negative errno and a sentence in @why; settings_free() is to follow.
 */
int settings_read(struct settings *settings, const char *named,
		  enum settings_reader reader, char why[WHY_SIZE]);

/**
 * settings_parse() - likewise, a text
 * @text:	terminated, at @text[@len]; "" gives what is so by default
 */
int settings_parse(struct settings *settings, const char *text, size_t len, char why[WHY_SIZE]);

/**
 * settings_value() - what a key is to be set to, as it is written in a command
 * @text:	strings of an array have colons or commas between them; NULL: true
 * @value:	receives it, the caller's to put
 *
 * Return: 0, or -EINVAL and a sentence in @why: there is no such key, or
 * it cannot have that value.
 */
int settings_value(const char *key, const char *text, struct json_object **value,
		   char why[WHY_SIZE]);

/** settings_preset() - a file that says what is so by default. Return: its text, to free */
char *settings_preset(void);

/** settings_warn() - Return: a sentence on what is set and changes nothing, to free; or NULL */
char *settings_warn(const struct settings *settings);

void settings_free(struct settings *settings);

/* Modes: who gives a container its GPUs, and when; named as in config.toml. */
#define MODES(X) \
	X(NATIVE, "native")	/* all of it edited before the container exists */ \
	X(LEGACY, "legacy")	/* a prestart hook, and nvidia-container-cli */ \
	X(CDI, "cdi")		/* from CDI documents */ \
	X(JIT_CDI, "jit-cdi")	/* from a CDI document made on demand */

enum mode {
#define X(name, text) MODE_##name,
	MODES(X)
#undef X
	MODE_COUNT
};

/* NVIDIA's toolkit has one more, "csv". */
#define MODE_CSV_REFUSED \
	"mode \"csv\" in [nvidia-container-runtime] of config.toml is for the lists of files of a Tegra, and is not done here: install NVIDIA's toolkit on a Tegra, and elsewhere set mode to auto"

extern const char *const mode_names[MODE_COUNT];

/** mode_find() - by name. Return: MODE_COUNT: there is none of it. */
enum mode mode_find(const char *name);

/**
 * mode_resolve() - what a setting stands for
 * @setting:	"auto"; any other is its own answer
 * @is_cdi:	every device was asked for by a name of CDI, and one was
 * @standard:	where names do not decide: "native"
 */
const char *mode_resolve(const char *setting, bool is_cdi, const char *standard);

#define GPU_MEMORY_REQUEST	"NVIDIA_GPU_MEMORY_REQUEST"
#define GPU_MEMORY_LIMIT	"NVIDIA_GPU_MEMORY_LIMIT"
#define GPU_MEMORY_ALL		UINT64_MAX

/**
 * struct gpu_memory - memory of each of its GPUs, in bytes
 * @asked:	the container has a limit or a request
 * @min:	what it is to be left while others want memory, too
 * @max:	what it may have; GPU_MEMORY_ALL: no limit
 */
struct gpu_memory {
	bool asked;
	uint64_t min, max;
};

/**
 * gpu_memory_read() - read both variables, in MiB; a limit without a request is both
 *
 * Return: 0, or -EINVAL and a sentence in @why.
 */
int gpu_memory_read(struct gpu_memory *memory, const char *request, const char *limit,
		    char why[WHY_SIZE]);

/**
 * struct request - what is asked for
 * @devices:	names of devices in their order: "all", "0", "GPU-...",
 *		"nvidia.com/gpu=0". From variables: each once. From mounts and annotations:
 *		as they are written
 * @is_gpu:	it asks for the driver; with no device, it gets that alone
 * @capabilities: enum capability
 * @requirements: expressions of the requirement language, all of which must hold
 * @mig_config, @mig_monitor: "all", NULL: not asked for
 * @imex:	channels, as they are written
 * @gated:	variables that ask for a part of the driver each: "NVIDIA_GDS"
 * @memory:	how much of each GPU
 * @source, @capabilities_source: what has asked, for `explain`:
 *		"NVIDIA_VISIBLE_DEVICES=0,1"
 * @warnings:	sentences: what was asked for and is not given
 */
struct request {
	struct strv devices;
	bool is_gpu;
	unsigned int capabilities;
	struct strv requirements;
	char *mig_config, *mig_monitor;
	struct strv imex;
	struct strv gated;
	struct gpu_memory memory;
	char *source, *capabilities_source;
	struct strv warnings;
};

/**
 * enum request_annotations - do the devices count that annotations name?
 * @ANNOTATIONS_OF_CDI: yes, if all of them are names of CDI: mode "auto" is "cdi" then
 */
enum request_annotations { ANNOTATIONS_IGNORED, ANNOTATIONS_COUNT, ANNOTATIONS_OF_CDI };

/**
 * request_read() - find out which devices a container asks for
 *
 * Return: 0, or negative errno and a sentence in @why. Either way request_free()
 * is to follow.
 */
int request_read(struct request *request, const struct container *container,
		 const struct settings *settings, enum request_annotations annotations,
		 char why[WHY_SIZE]);

/**
 * request_read_details() - and what of the driver it asks for, on which conditions:
 * capabilities, requirements, MIG
 *
 * Where CDI's documents say what belongs to a device, none of it counts.
 *
 * Return: 0, or negative errno and a sentence in @why: it asks for what it may
 * not have.
 */
int request_read_details(struct request *request,
			 const struct container *container,
			 const struct settings *settings, char why[WHY_SIZE]);

/** request_is_jit() - is a name of REQUEST_JIT_KIND, which takes no document? */
bool request_is_jit(const char *name);

/** request_names_cdi() - are there devices, and all of them by CDI's names? */
bool request_names_cdi(const struct strv *devices);

void request_free(struct request *request);

/* The kind of devices that are not in any file, but made as they are asked for. */
#define REQUEST_JIT_KIND "runtime.nvidia.com/gpu"

/**
 * request_name_devices() - the devices by CDI's names, each once
 * @kind:	of those that have none: "nvidia.com/gpu"
 * @names:	receives them
 *
 * Return: 0, or -EINVAL and a sentence in @why: some are of
 * REQUEST_JIT_KIND and some are not.
 */
int request_name_devices(const struct request *request, const char *kind,
			 struct strv *names, char why[WHY_SIZE]);

/**
 * struct wanted - what to select, as it was written
 * @mig_config, @mig_monitor: NULL: none
 * @imex_made:	channels that have no node yet will be given one
 * @in_parts:	of all devices, a GPU that has MIG devices is there as these alone
 */
struct wanted {
	const struct strv *devices;
	const char *mig_config, *mig_monitor;
	const struct strv *imex;
	bool imex_made;
	bool in_parts;
};

/**
 * selection_make() - find the devices
 * @root:	to find out UUIDs that procfs does not have; NULL: do not
 *
 * Return: 0, or -EINVAL and a sentence in @why, which begins with
 * nvidia-container-cli's class of it: "device error: 7: unknown device".
 */
int selection_make(struct selection *selection, struct devices *devices,
		   const struct driver_root *root, const struct wanted *wanted,
		   char why[WHY_SIZE]);

void selection_free(struct selection *selection);

/**
 * requirement_check_all() - do all expressions of the requirement language hold, for each
 * GPU that is selected? Images bring them in NVIDIA_REQUIRE_...: "cuda>=12.4
 * brand=tesla,driver>=535".
 *
 * Return: 0; -ENOTSUP: one does not; -EINVAL: it is not an expression; with a sentence in
 * @why: "requirement error: unsatisfied condition: cuda>=12.4".
 */
int requirement_check_all(const struct strv *expressions,
			  const struct installation *installation,
			  const struct selection *selection, char why[WHY_SIZE]);

/*
 * Names of CDI: "nvidia.com/gpu=0" is a vendor, a class and a device; vendor and class
 * together are a kind.
 */

/* Is it a vendor's or a class's, a device's name in some version of CDI? */
bool cdi_word_is_valid(const char *word, size_t len);
bool cdi_device_is_valid(const char *device);

/** cdi_kind_is_valid() - "vendor/class" */
bool cdi_kind_is_valid(const char *kind);

/** cdi_annotation_is_valid() - "name" or "domain/name", as Kubernetes has them */
bool cdi_annotation_is_valid(const char *annotation);

/**
 * cdi_name_split() - take a qualified name apart
 * @kind_len:	receives the length of "vendor/class", with which @name begins
 *
 * Return: the device, or NULL: it is no qualified name.
 */
const char *cdi_name_split(const char *name, size_t *kind_len);

#endif /* MPU_CONTAINER_REQUEST_H */
