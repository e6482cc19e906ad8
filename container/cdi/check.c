// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks CDI documents: what they name and is not there, and what is there and they do not
 * name. A document's driver version stands in its annotation, if it has one, and in the names
 * of the driver's libraries, whoever wrote it.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "container/cdi/internal.h"
#include "lib/trust.h"

/* The node of a GPU instance or a compute instance, by its minor number. */
#define CAPS_NODE	"/dev/nvidia-caps/nvidia-cap%u"

#define ADVICE	"write it anew with 'mpu cdi generate --output %s'"

/* "580.159.04" of ".../libcuda.so.580.159.04"; NULL: it is no such library. */
static const char *version_of(const char *path)
{
	static const char *const parts[] = { "/libcuda.so.", "/libnvidia-ml.so." };
	const char *slash = strrchr(path, '/');
	size_t i;

	for (i = 0; slash && i < sizeof(parts) / sizeof(*parts); i++) {
		const char *version = slash + strlen(parts[i]);

		if (!strncmp(slash, parts[i], strlen(parts[i])) && strchr(version, '.'))
			return version;
	}
	return NULL;
}

/* The driver that a document is for; NULL: it does not say. */
static const char *driver_of(const struct cdi_document *document)
{
	static const char annotation[] = CDI_DRIVER_ANNOTATION "=";
	const char *version = NULL;
	size_t i;

	for (i = 0; i < document->annotations.n; i++)
		if (!strncmp(document->annotations.word[i], annotation, strlen(annotation)))
			return document->annotations.word[i] + strlen(annotation);
	for (i = 0; i < document->edits.n && !version; i++)
		if (document->edits.edit[i].kind == EDIT_MOUNT)
			version = version_of(document->edits.edit[i].source);
	return version;
}

/* Returns whether an edit's file of the host exists; true for edits without a file. */
static bool is_there(const struct edit *edit)
{
	struct stat st;

	if (edit->kind == EDIT_MOUNT ? !cdi_is_bind(edit) : edit->kind == EDIT_HOOK ?
	    !strcmp(edit->stage, "startContainer") : edit->kind != EDIT_NODE)
		return true;
	return !stat(edit->kind == EDIT_HOOK ? edit->path : edit->source, &st) &&
	       (edit->kind != EDIT_NODE || !(S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)));
}

static void check_sources(const struct cdi_file *file, enum edit_kind kind,
			  const char *what, struct strv *findings)
{
	const struct edits *edits = &file->document.edits;
	struct strv missing = { 0 };
	size_t i;

	for (i = 0; i < edits->n; i++) {
		const struct edit *edit = &edits->edit[i];
		const char *source = kind == EDIT_HOOK ? edit->path : edit->source;

		if (edit->kind == kind && !is_there(edit))
			strv_add_once(&missing, source);
	}
	if (missing.n > 1)
		strv_add_format(findings, "%s: %zu %ss are not there, %s among them: " ADVICE,
				file->path, missing.n, what, missing.word[0], file->path);
	else if (missing.n)
		strv_add_format(findings, "%s: the %s %s is not there: " ADVICE,
				file->path, what, missing.word[0], file->path);
	strv_free(&missing);
}

/*
 * A dynamic program that is run without variables of its own loads what the image's
 * LD_PRELOAD names (CVE-2025-23266).
 */
static void check_hooks(const struct cdi_file *file, struct strv *findings)
{
	const struct edits *edits = &file->document.edits;
	char why[WHY_SIZE];
	size_t i;

	for (i = 0; i < edits->n; i++) {
		const struct edit *edit = &edits->edit[i];

		if (edit->kind != EDIT_HOOK || !strcmp(edit->stage, "startContainer"))
			continue;
		if (trust_path(edit->path, why))
			strv_add_format(findings, "%s: the hook that it names is not run as root: %s",
					file->path, why);
		else if (!edit->env.n)
			strv_add_format(findings, "%s: the hook %s has no variables of its own, so that runc gives it those of the image, on the host and as root: " ADVICE,
					file->path, edit->path, file->path);
		else
			continue;
		break;
	}
}

/*
 * Returns whether a document is to have all GPUs of the machine, by the names that it has
 * for them: one that is made for a claim of Kubernetes has the GPUs of that alone.
 */
static bool lists_gpus(const struct cdi_document *document)
{
	unsigned int minor;
	size_t i;

	for (i = 0; i < document->edits.n; i++) {
		const struct edit *edit = &document->edits.edit[i];
		const char *name = edit->device;

		if (edit->kind == EDIT_NODE && name &&
		    sscanf(edit->path, "/dev/nvidia%u", &minor) == 1 &&
		    (!strcmp(name, "all") || !name[strspn(name, "0123456789:")] ||
		     !strncasecmp(name, "gpu", 3) || !strncasecmp(name, "mig", 3)))
			return true;
	}
	return false;
}

/* Names, and nodes of "all" and of all other devices, that documents of a kind have together. */
struct kind {
	struct strv names, of_all, of_others;
};

static void read_kind(const struct cdi_registry *registry, const char *kind, struct kind *found)
{
	size_t i, j;

	for (i = 0; i < registry->n; i++) {
		const struct cdi_document *document = &registry->files[i].document;

		if (registry->files[i].wrong || strcmp(document->kind, kind) != 0)
			continue;
		for (j = 0; j < document->edits.n; j++) {
			const struct edit *edit = &document->edits.edit[j];
			bool of_all = edit->device && !strcmp(edit->device, "all");

			if (edit->kind == EDIT_NODE && !of_all)
				strv_add(&found->of_others, edit->path);
			if (edit->kind == EDIT_NODE && (of_all || !edit->device))
				strv_add(&found->of_all, edit->path);
		}
		strv_add_all(&found->names, &document->devices);
	}
}

static bool lacks(const struct kind *found, const char *node)
{
	bool has_all = strv_have(&found->names, "all");

	return (has_all && !strv_have(&found->of_all, node)) ||
	       (found->names.n > has_all && !strv_have(&found->of_others, node));
}

/* Returns whether a node is one of a GPU or a MIG device that the driver does not have. */
static bool is_gone(const struct devices *devices, const char *node)
{
	unsigned int gpu = UINT_MAX, cap = UINT_MAX;
	size_t i, j;

	if (sscanf(node, CAPS_NODE, &cap) != 1 && sscanf(node, "/dev/nvidia%u", &gpu) != 1)
		return false;
	for (i = 0; i < devices->n_gpus; i++) {
		if (devices->gpus[i].minor == gpu)
			return false;
		for (j = 0; j < devices->gpus[i].n_migs; j++)
			if (devices->gpus[i].migs[j].gpu_cap == cap ||
			    devices->gpus[i].migs[j].compute_cap == cap)
				return false;
	}
	return true;
}

/* Nodes stay in /dev when their devices are gone. */
static void check_gone(const struct cdi_file *file, const struct devices *devices,
		       struct strv *findings)
{
	size_t i;

	for (i = 0; i < file->document.edits.n; i++) {
		const struct edit *edit = &file->document.edits.edit[i];

		if (edit->kind != EDIT_NODE || !edit->device || !strcmp(edit->device, "all") ||
		    !is_gone(devices, edit->path))
			continue;
		strv_add_format(findings, "%s: its device %s is a %s that is gone: " ADVICE,
				file->path, edit->device,
				strstr(edit->path, "-cap") ? "MIG device" : "GPU", file->path);
		break;
	}
}

/* Has a GPU's name another's node? A boot may find GPUs, and number nodes, in another order. */
static bool has_anothers(const struct edits *edits, const struct gpu *gpu, const char *index,
			 const char *node)
{
	size_t i;

	for (i = 0; i < edits->n; i++) {
		const struct edit *edit = &edits->edit[i];
		unsigned int minor;

		if (edit->kind == EDIT_NODE && edit->device && strcmp(edit->path, node) &&
		    (!strcmp(edit->device, gpu->uuid) || !strcmp(edit->device, index)) &&
		    sscanf(edit->path, "/dev/nvidia%u", &minor) == 1)
			return true;
	}
	return false;
}

/*
 * Says which GPUs and MIG devices documents lack. They are known by their nodes: whoever
 * asks for the UUIDs of MIG devices opens GPUs.
 */
static void check_devices(const struct cdi_registry *registry, const struct cdi_file *file,
			  const struct devices *devices, struct strv *findings)
{
	struct kind found = { 0 };
	bool by_uuid = false, by_index = false;
	char node[64], index[32];
	const char *name;
	size_t i, j;

	read_kind(registry, file->document.kind, &found);
	for (i = 0; i < found.names.n; i++) {
		by_uuid |= !strncmp(found.names.word[i], "GPU-", 4);
		by_index |= !found.names.word[i][strspn(found.names.word[i], "0123456789")];
	}
	for (i = 0; i < devices->n_gpus; i++) {
		const struct gpu *gpu = &devices->gpus[i];

		snprintf(node, sizeof(node), "/dev/nvidia%u", gpu->minor);
		snprintf(index, sizeof(index), "%zu", i);
		name = by_uuid && *gpu->uuid && !strv_have(&found.names, gpu->uuid) ? gpu->uuid :
		       by_index && !strv_have(&found.names, index) ? index : NULL;
		if (lacks(&found, node))
			strv_add_format(findings, "%s: it lacks GPU %zu, %s: " ADVICE,
					file->path, i, node, file->path);
		else if (name && !gpu->n_migs)
			strv_add_format(findings, "%s: it lacks GPU %zu by its name, %s: " ADVICE,
					file->path, i, name, file->path);
		else if (has_anothers(&file->document.edits, gpu, index, node))
			strv_add_format(findings, "%s: it has another GPU for GPU %zu, %s: " ADVICE,
					file->path, i, node, file->path);
		for (j = 0; j < gpu->n_migs; j++) {
			snprintf(node, sizeof(node), CAPS_NODE, gpu->migs[j].compute_cap);
			if (lacks(&found, node))
				strv_add_format(findings, "%s: it lacks MIG device %zu:%zu, %s: " ADVICE,
						file->path, i, j, node, file->path);
		}
	}
	strv_free(&found.of_all);
	strv_free(&found.of_others);
	strv_free(&found.names);
	check_gone(file, devices, findings);
}

/* Says that a document has CUDA's library, and not the node without which it does not start. */
static void check_uvm(const struct cdi_file *file, const struct devices *devices,
		      struct strv *findings)
{
	const struct edits *edits = &file->document.edits;
	bool library = false, node = false;
	size_t i;

	for (i = 0; i < edits->n; i++) {
		const struct edit *edit = &edits->edit[i];

		library |= edit->kind == EDIT_MOUNT && strstr(edit->path, "/libcuda.so.");
		node |= edit->kind == EDIT_NODE && !strcmp(edit->path, "/dev/nvidia-uvm");
	}
	if (library && !node)
		strv_add_format(findings, "%s: it lacks /dev/nvidia-uvm, so that CUDA does not start: %s" ADVICE,
				file->path, devices->majors.uvm ? "" :
				"load the module with 'modprobe nvidia-uvm', then ", file->path);
}

static void check_file(const struct cdi_registry *registry, const struct cdi_file *file,
		       const struct installation *host, struct strv *findings)
{
	const char *own = driver_of(&file->document);

	if (own && *host->version && strcmp(own, host->version) != 0)
		strv_add_format(findings, "%s: it is for driver %s, and %s is loaded: " ADVICE,
				file->path, own, host->version, file->path);
	if (host->devices.majors.nvidia && lists_gpus(&file->document)) {
		check_devices(registry, file, &host->devices, findings);
		check_uvm(file, &host->devices, findings);
	}
	check_sources(file, EDIT_MOUNT, "file", findings);
	check_sources(file, EDIT_NODE, "device node", findings);
	check_sources(file, EDIT_HOOK, "hook program", findings);
	check_hooks(file, findings);
}

void cdi_check(const struct cdi_registry *registry, const struct installation *host,
	       struct strv *findings)
{
	struct strv names = { 0 }, conflicts = { 0 };
	size_t i;

	for (i = 0; i < registry->n; i++) {
		if (registry->files[i].wrong)
			strv_add(findings, registry->files[i].wrong);
		else
			check_file(registry, &registry->files[i], host, findings);
	}
	cdi_registry_names(registry, &names, &conflicts);
	for (i = 0; i < conflicts.n; i++)
		strv_add_format(findings, "%s: two files of one folder have this device, so no program finds it: remove one of them",
				conflicts.word[i]);
	strv_free(&names);
	strv_free(&conflicts);
}
