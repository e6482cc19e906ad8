// SPDX-License-Identifier: GPL-2.0-only
/*
 * Edits of a container's config.json: read once, edited, written once.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container/inject.h"
#include "container/oci/apply.h"
#include "container/oci/hooks.h"
#include "container/oci/mount_points.h"
#include "container/resolve.h"

static int fail_memory(char why[WHY_SIZE])
{
	return why_fail(why, -ENOMEM, "no memory for the edits");
}

static int add_notes(struct injection *injection, const struct strv *notes)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < notes->n && !ret; i++)
		ret = strv_add(&injection->notes, notes->word[i]);
	return ret;
}

/* An engine's "--gpus" has put the hook there, of which nothing is left to do. */
static int replace_hook(struct json_object *config, const struct edits *edits,
			const char *bundle, const char *root, char why[WHY_SIZE])
{
	int ret = oci_hooks_remove_nvidia(config, why);

	return ret ? ret : oci_inject(config, edits, bundle, root, why);
}

/* NVIDIA's own, unless an engine's "--gpus" has put it there; other edits as they are. */
static int add_hook(struct json_object *config, const struct edits *edits,
		    const char *bundle, const char *root, char why[WHY_SIZE])
{
	const struct edits others = { .edit = edits->edit + 1, .n = edits->n - 1 };
	int ret = oci_hooks_add_nvidia(config, edits->edit, why);

	return ret || !others.n ? ret : oci_inject(config, &others, bundle, root, why);
}

/* Does the configuration say something else now? Return: enum oci_result. */
static int make_edits(struct json_object *config,
		      struct injection *injection, const char *root,
		      const struct gpus *gpus, char why[WHY_SIZE])
{
	const char *text = json_file_text(config);
	char *before = text ? strdup(text) : NULL;
	int ret;

	if (!before)
		return fail_memory(why);
	ret = gpus->mode == MODE_LEGACY ?
	      add_hook(config, &gpus->edits, injection->bundle, root, why) :
	      replace_hook(config, &gpus->edits, injection->bundle, root, why);
	if (!ret) {
		text = json_file_text(config);
		ret = !text ? fail_memory(why) :
		      strcmp(text, before) ? OCI_ADDED : OCI_PRESENT;
	}
	free(before);
	return ret;
}

/*
 * Without the record the mount points stay, which is no reason for a container to fail.
 */
static int record_mount_points(struct json_object *config,
			       struct injection *injection,
			       const char *root, const struct gpus *gpus)
{
	char why[WHY_SIZE];

	/* The hook of mode legacy knows them. */
	if (gpus->mode == MODE_LEGACY ||
	    !oci_mount_points_record(injection->bundle, root, config,
				     &gpus->edits, why))
		return 0;
	return strv_add(&injection->notes, why);
}

static int give_gpus(struct json_object *config,
		     struct injection *injection, const char *root,
		     const struct gpus *gpus, char why[WHY_SIZE])
{
	const char *source = gpus->request.source;
	int ret = make_edits(config, injection, root, gpus, why);

	if (ret < 0)
		return ret;
	if (record_mount_points(config, injection, root, gpus))
		return fail_memory(why);
	if (asprintf(&injection->done, "%s: %s, %zu edit%s", source ? source : "",
		     mode_names[gpus->mode], gpus->edits.n,
		     gpus->edits.n == 1 ? "" : "s") < 0)
		injection->done = NULL;
	return add_notes(injection, &gpus->edits.lacks) ? fail_memory(why) : ret;
}

/* Edits @config for GPUs, if its process asks for some. Return: enum oci_result. */
static int add_gpus(struct json_object *config, struct injection *injection,
		    char why[WHY_SIZE])
{
	struct container container;
	struct json_object *process;
	struct gpus gpus = { 0 };
	int ret = json_file_member(config, "", "process", json_type_object,
				   &process, why);

	/* A container without a process asks for nothing. */
	if (ret || !process)
		return ret ? ret : OCI_PRESENT;
	ret = container_read(&container, config, injection->bundle, why);
	if (!ret)
		ret = gpus_plan(&gpus, &container, injection->settings,
				injection->mode, why);
	if (!ret && add_notes(injection, &gpus.request.warnings))
		ret = fail_memory(why);
	if (!ret)
		ret = gpus.request.is_gpu ?
		      give_gpus(config, injection, container.root, &gpus,
				why) : OCI_PRESENT;
	gpus_free(&gpus);
	container_free(&container);
	return ret;
}

/* Adds GPUs and supervision. @edited: set if that changed @config. Return: as inject(). */
static int edit(struct json_object *config, struct injection *injection,
		const struct oci_supervision *supervision, bool *edited,
		char why[WHY_SIZE])
{
	int ret = injection ? add_gpus(config, injection, why) : OCI_PRESENT;

	*edited = ret == OCI_ADDED;
	if (ret < 0 || !supervision)
		return ret;
	ret = oci_seccomp_add(config, supervision, why);
	*edited |= ret == OCI_ADDED;
	return ret == OCI_PRESENT && *edited ? OCI_ADDED : ret;
}

int inject(const char *path, struct injection *injection,
	   const struct oci_supervision *supervision, char why[WHY_SIZE])
{
	char reason[WHY_SIZE];
	struct json_file spec;
	bool edited;
	int ret, written;

	ret = json_file_read(path, &spec, why);
	if (ret)
		return ret;
	ret = edit(spec.root, injection, supervision, &edited, reason);
	if (ret != OCI_ADDED && ret != OCI_PRESENT)
		why_fail(why, ret, "%s: %s", path, reason);
	written = ret >= 0 && edited ? json_file_write(path, &spec, reason) : 0;
	if (written)
		ret = why_fail(why, written, "%s", reason);
	json_object_put(spec.root);
	return ret;
}

void injection_free(struct injection *injection)
{
	strv_free(&injection->notes);
	free(injection->done);
	injection->done = NULL;
}
