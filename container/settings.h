/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /etc/nvidia-container-runtime/config.toml: what the operator of a machine has
 * set for the containers on it.
 */
#ifndef MPU_CONTAINER_SETTINGS_H
#define MPU_CONTAINER_SETTINGS_H

#include <stdbool.h>

#include "lib/why.h"
#include "lib/words.h"

/**
 * struct settings - the file's keys, each by the key's own name and section
 * @supported:	enum capability: supported-driver-capabilities
 * @unknown:	keys of the file that nothing here knows, for a warning
 */
struct settings {
	bool disable_require;
	struct words swarm_resources;
	bool accept_env_unprivileged;
	bool accept_volume_mounts;
	unsigned int supported;
	struct {
		char *root, *path, *debug, *ldcache, *user, *ldconfig;
		struct words environment;
		bool load_kmods, no_pivot, no_cgroups;
	} cli;
	struct {
		char *debug, *log_level, *mode;
		struct words runtimes;
		char *csv_mount_spec_path, *csv_compat_container_root;
		char *cdi_default_kind;
		struct words cdi_annotation_prefixes, cdi_spec_dirs;
		struct words jit_feature_flags, jit_disable_hooks;
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
	struct words unknown;
};

/**
 * settings_read() - read a file
 * @path:	NULL: where it is by default, which need not be there
 *
 * Return: 0, or negative errno and a sentence in @why. Either way
 * settings_free() is to follow.
 */
int settings_read(struct settings *settings, const char *path,
		  char why[WHY_SIZE]);

void settings_free(struct settings *settings);

#endif /* MPU_CONTAINER_SETTINGS_H */
