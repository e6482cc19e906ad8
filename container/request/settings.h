/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /etc/nvidia-container-runtime/config.toml: what the operator of a machine has
 * set for the containers on it.
 */
#ifndef MPU_CONTAINER_REQUEST_SETTINGS_H
#define MPU_CONTAINER_REQUEST_SETTINGS_H

#include <json-c/json.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "lib/strv.h"
#include "lib/why.h"

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
 * Return: 0, or negative errno and a sentence in @why. Either way
 * settings_free() is to follow.
 */
int settings_read(struct settings *settings, const char *named,
		  enum settings_reader reader, char why[WHY_SIZE]);

/**
 * settings_parse() - read a text
 * @text:	terminated, at @text[@len]; "" gives what is so by default
 *
 * Return: as settings_read().
 */
int settings_parse(struct settings *settings, const char *text, size_t len,
		   char why[WHY_SIZE]);

/**
 * settings_value() - what a key is to be set to, as it is written in a command
 * @text:	strings of an array have colons or commas between them; NULL: true
 * @value:	receives it, the caller's to put
 *
 * Return: 0, or -EINVAL or -ENOMEM and a sentence in @why: there is no such key, or
 * it cannot have that value.
 */
int settings_value(const char *key, const char *text, struct json_object **value,
		   char why[WHY_SIZE]);

/**
 * settings_preset() - a file that says what is so by default
 *
 * Return: its text, the caller's to free; NULL: no memory.
 */
char *settings_preset(void);

/**
 * settings_warn() - what is set and changes nothing, as a sentence
 *
 * Return: a string to free, or NULL: there is nothing to say.
 */
char *settings_warn(const struct settings *settings);

/**
 * settings_ldconfig() - the program that a value of "ldconfig" stands for
 * @root:	before the path of a program of the machine: "" for its own tree
 * @program:	receives it: "@/sbin/ldconfig.real" where there is one, which
 *		Debian's /sbin/ldconfig once was a script around
 *
 * Return: 0 or -ENAMETOOLONG.
 */
int settings_ldconfig(const char *value, const char *root,
		      char program[PATH_MAX]);

/**
 * settings_check_ldconfig() - may "ldconfig" have this value?
 * @from_container: a program of the container's may be run
 *
 * Return: 0, or -EINVAL and a sentence in @why.
 */
int settings_check_ldconfig(const char *value, bool from_container,
			    char why[WHY_SIZE]);

/**
 * settings_user() - the user of nvidia-container-cli where none is set
 * @os_release:	the file that says which distribution this is
 */
const char *settings_user(const char *os_release);

void settings_free(struct settings *settings);

#endif /* MPU_CONTAINER_REQUEST_SETTINGS_H */
