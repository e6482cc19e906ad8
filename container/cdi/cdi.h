/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CDI documents: devices of one kind, and the edits that give them to a container. They
 * are made of the driver, read from JSON or YAML, looked up by names of devices, checked,
 * and their hooks carried out. All strings in the structs are of the caller, unless a
 * function frees the struct.
 */
#ifndef MPU_CONTAINER_CDI_CDI_H
#define MPU_CONTAINER_CDI_CDI_H

#include <json-c/json.h>
#include <stdbool.h>

#include "container/plan/plan.h"
#include "container/request/request.h"
#include "lib/strv.h"
#include "lib/why.h"
#include "nvidia/nvidia.h"

/*
 * Functions that return int: 0, or negative errno and a sentence in @why, unless it is
 * said otherwise.
 */

/* --- documents --- */

/**
 * struct cdi_document - a document
 * @kind:	"nvidia.com/gpu"
 * @annotations: "NAME=VALUE" of the document; its devices' own are not kept
 * @devices:	names: "0", "GPU-...", "all"
 * @edits:	those with a device are for it, the others for any of them. A document of
 *		another program may leave parts of a node to the node on the host, and they
 *		are 0; an owner that it leaves to the container's process is -1
 */
struct cdi_document {
	char *kind;
	struct strv annotations;
	struct strv devices;
	struct edits edits;
};

/**
 * cdi_document_read() - read a file of JSON or YAML, whatever its name is
 *
 * Refuses what those refuse who read it after us: an unknown member or version, a bad
 * name, a device without edits, or more than its version has.
 */
int cdi_document_read(struct cdi_document *document, const char *path, char why[WHY_SIZE]);

/**
 * cdi_document_render() - say it in JSON, of the lowest version that has all of it
 * @root:	receives it, the caller's to put
 *
 * Its edits must be of kinds that CDI has. Numbers of nodes are left out: they may be
 * others when the module is loaded again, and readers of the document look at the node.
 */
int cdi_document_render(const struct cdi_document *document, struct json_object **root,
			char why[WHY_SIZE]);

void cdi_document_free(struct cdi_document *document);

/**
 * cdi_transform_root() - put @to where paths of a document begin with @from
 * @container:	in paths of the container, and not of the host
 *
 * Changes nodes, mounts, programs of hooks and their arguments that are paths. A driver
 * container writes "/run/nvidia/driver" where the host has another folder.
 */
int cdi_transform_root(struct json_object *root, const char *from, const char *to,
		       bool container, char why[WHY_SIZE]);

/* --- hooks: programs that a document has a container's runtime run --- */

/* Listed in the order in which they are to run. */
#define CDI_HOOKS(X) \
	X(CHMOD, "chmod") \
	X(SYMLINKS, "create-symlinks") \
	X(COMPAT, "enable-cuda-compat") \
	X(LDCACHE, "update-ldcache") \
	X(PARAMS, "disable-device-node-modification") \
	X(PROFILE, "update-application-profile") \
	X(MEMORY, "apply-cuda-memory-limits")

enum cdi_hook_index {
#define X(name, text) CDI_HOOK_INDEX_##name,
	CDI_HOOKS(X)
#undef X
	CDI_HOOK_COUNT
};

enum cdi_hook {
#define X(name, text) CDI_HOOK_##name = 1 << CDI_HOOK_INDEX_##name,
	CDI_HOOKS(X)
#undef X
	CDI_HOOK_ALL = (1 << CDI_HOOK_COUNT) - 1,
	/*
	 * The hooks that are written if nothing else is asked for: they make a document
	 * work in an image that is laid out otherwise than the host. Without links, a
	 * library is mounted under each of its names.
	 */
	CDI_HOOK_DEFAULT = CDI_HOOK_ALL & ~(CDI_HOOK_CHMOD | CDI_HOOK_SYMLINKS),
};

/** cdi_hook_find() - enum cdi_hook by its name; "all": all; 0: there is none */
unsigned int cdi_hook_find(const char *name);

/**
 * cdi_hook_add() - add a hook to a list, as NVIDIA's documents have it
 * @path:	of nvidia-cdi-hook, or of nvidia-ctk
 * @arguments:	of CDI_HOOK_SYMLINKS "TARGET::LINK", of CDI_HOOK_CHMOD paths: without any
 *		of these it is not added. For others, as they are
 */
void cdi_hook_add(struct edits *edits, enum cdi_hook hook, const char *path,
		  const struct strv *arguments);

/* The hook of our documents, which does in one process the work of all that it names. */
#define CDI_HOOK_RUN		"run-hooks"
#define CDI_HOOK_RUN_MEMORY	"--hook=apply-cuda-memory-limits"

#define CDI_MAX_GPUS	64

/** cdi_config_gpus() - the minor numbers of the GPUs that config.json has nodes of */
size_t cdi_config_gpus(struct json_object *config, uint32_t minors[CDI_MAX_GPUS]);

/**
 * struct cdi_hook_call - a call of a hook
 * @hook:	neither CDI_HOOK_CHMOD nor CDI_HOOK_MEMORY
 * @any:	it is for the GPUs of any device: links to nodes that the container has not
 *		are left out
 * @root:	of the container, as its own mount namespace has it: O_PATH
 * @config:	its config.json
 * @links:	of CDI_HOOK_SYMLINKS: "TARGET::LINK"
 * @folders:	of CDI_HOOK_LDCACHE
 * @compat:	of CDI_HOOK_COMPAT: where to look; NULL: COMPAT_FOLDER
 * @driver, @cuda: of CDI_HOOK_COMPAT: this machine's versions; NULL: not known
 */
struct cdi_hook_call {
	enum cdi_hook hook;
	bool any;
	int root;
	struct json_object *config;
	const struct strv *links;
	const struct strv *folders;
	const char *compat, *driver, *cuda;
};

/**
 * cdi_hook_edits() - do as a hook, by edits that rootfs_configure() carries out
 * @edits:	its lacks receive sentences, where the container is to start without
 */
int cdi_hook_edits(struct edits *edits, const struct cdi_hook_call *call, char why[WHY_SIZE]);

/**
 * cdi_replace_hooks() - put edits for the hooks of a list that are this program
 * @places:	of a container that is not there yet
 * @limits:	its memory of GPUs is to be limited
 *
 * Each hook is a process at every start, and finds out what is known here. They stay where
 * they do what edits cannot: limit memory, make links, see an image without an ld.so.cache.
 */
void cdi_replace_hooks(struct edits *edits, struct places *places, bool limits);

/* --- making documents --- */

/* Modes of documents: name, and the class that each has if none is named. */
#define CDI_MODES(X) \
	X(GPU, "gpu", "gpu") \
	X(GDS, "gds", "gds") \
	X(MOFED, "mofed", "mofed") \
	X(GDRCOPY, "gdrcopy", "gdrcopy") \
	X(NVSWITCH, "nvswitch", "nvswitch") \
	X(IMEX, "imex", "imex-channel") \
	X(MANAGEMENT, "management", "gpu")

enum cdi_mode {
#define X(name, text, class) CDI_MODE_##name,
	CDI_MODES(X)
#undef X
	CDI_MODE_COUNT
};

/** cdi_mode_find() - by its name, in any case; CDI_MODE_COUNT: there is none */
enum cdi_mode cdi_mode_find(const char *name);

/* The ways to name GPUs and MIG devices. */
enum cdi_naming {
	CDI_NAMING_INDEX = 1,		/* "0", "0:1" */
	CDI_NAMING_UUID = 2,		/* "GPU-...", "MIG-..." where it is known */
	CDI_NAMING_TYPE_INDEX = 4,	/* "gpu0", "mig0:1" */
};

/**
 * struct cdi_recipe - what document to make
 * @installation: its devices may be woken, to find UUIDs out
 * @vendor, @class: NULL: "nvidia.com", and what the mode has
 * @naming:	of enum cdi_naming
 * @devices:	those alone; of CDI_MODE_GPU as NVIDIA_VISIBLE_DEVICES has them, of
 *		CDI_MODE_IMEX channels; NULL: all
 * @no_all:	without the device "all"
 * @capabilities: enum capability
 * @library:	folder of libraries in containers; NULL: as containers that are like this
 *		machine have them
 * @settings:	see struct plan_inputs
 * @annotate:	say the driver's version in an annotation, which needs CDI 0.6.0
 * @hooks:	enum cdi_hook: those to write
 * @hook_path:	of the program that they are; NULL: /usr/bin/nvidia-cdi-hook
 */
struct cdi_recipe {
	struct installation *installation;
	enum cdi_mode mode;
	const char *vendor, *class;
	unsigned int naming;
	const struct strv *devices;
	bool no_all;
	unsigned int capabilities;
	const char *library;
	const struct settings *settings;
	bool annotate;
	unsigned int hooks;
	const char *hook_path;
};

/**
 * cdi_generate() - make a document; equal input gives an equal one
 *
 * Return: as all; -ENODEV: there is nothing to make it of.
 */
int cdi_generate(struct cdi_document *document, const struct cdi_recipe *recipe,
		 char why[WHY_SIZE]);

/**
 * cdi_generate_edits() - the edits of all devices of a recipe, for one container and
 * without a document
 *
 * Return: as cdi_generate().
 */
int cdi_generate_edits(struct edits *edits, const struct cdi_recipe *recipe, char why[WHY_SIZE]);

/* --- the documents of a machine --- */

/**
 * struct cdi_file - a file of a registry
 * @priority:	of its folder: a higher one hides devices of a lower one
 * @wrong:	why it does not count, NULL: it does
 */
struct cdi_file {
	char *path;
	unsigned int priority;
	char *wrong;
	struct cdi_document document;
};

/**
 * struct cdi_registry - files by priority, within it by name
 */
struct cdi_registry {
	struct cdi_file *files;
	size_t n;
};

/**
 * cdi_registry_read() - read all documents
 * @folders:	the last of them has the highest priority; NULL: /etc/cdi and
 *		/var/run/cdi. A missing folder counts as empty
 *
 * A file that is broken, or a folder, is so alone: it has its sentence, and the others count.
 */
void cdi_registry_read(struct cdi_registry *registry, const struct strv *folders);

/**
 * cdi_registry_names() - names of all devices, qualified and sorted, each once
 * @conflicts:	receives those that two files of one priority have, which no name leads
 *		to; NULL: not wanted
 */
void cdi_registry_names(const struct cdi_registry *registry, struct strv *names,
			struct strv *conflicts);

/**
 * cdi_check() - find what is wrong with all documents of a registry
 * @host:	of installation_read_some()
 * @findings:	receives a sentence each: a file that no program takes, a driver that is
 *		another one by now, files and nodes that are not there, GPUs and nodes that
 *		are there and that it lacks, devices that two files have
 */
void cdi_check(const struct cdi_registry *registry, const struct installation *host,
	       struct strv *findings);

void cdi_registry_free(struct cdi_registry *registry);

/**
 * cdi_registry_edits() - the edits that some devices stand for on this machine
 * @names:	qualified
 * @edits:	receives them: of each document first those for any device, then those of
 *		the devices in their order. Nodes are complete. Their rule names the
 *		device, their input the file
 *
 * Fails where a name leads nowhere, or to something that is not on this machine.
 */
int cdi_registry_edits(const struct cdi_registry *registry, const struct strv *names,
		       struct edits *edits, char why[WHY_SIZE]);

#endif /* MPU_CONTAINER_CDI_CDI_H */
