// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks CDI documents. A document's driver version stands in its annotation, if it has
 * one, and in the names of the driver's libraries, whoever wrote it.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "container/cdi/internal.h"
#include "lib/trust.h"

#define ADVICE	"write it anew with 'mpu cdi generate --output %s'"

/* "580.159.04" of ".../libcuda.so.580.159.04"; NULL: it is no such library. */
static const char *version_of(const char *path)
{
	static const char *const parts[] = { "/libcuda.so.", "/libnvidia-ml.so." };
	const char *slash = strrchr(path, '/');
	size_t i;

	for (i = 0; slash && i < sizeof(parts) / sizeof(*parts); i++) {
		const char *version = slash + strlen(parts[i]);

		if (!strncmp(slash, parts[i], strlen(parts[i])) &&
		    strchr(version, '.'))
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
		if (!strncmp(document->annotations.word[i], annotation,
			     strlen(annotation)))
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

	if (edit->kind == EDIT_MOUNT && edit->text && *edit->text &&
	    strcmp(edit->text, "bind") != 0)
		return true;
	if (edit->kind != EDIT_MOUNT && edit->kind != EDIT_NODE &&
	    edit->kind != EDIT_HOOK)
		return true;
	if (edit->kind == EDIT_HOOK && !strcmp(edit->stage, "startContainer"))
		return true;
	return !stat(edit->kind == EDIT_HOOK ? edit->path : edit->source, &st);
}

/* Makes one finding of all files of a kind that are missing. */
static void check_sources(const struct cdi_file *file, enum edit_kind kind,
			  const char *what, struct strv *findings)
{
	const struct edits *edits = &file->document.edits;
	struct strv missing = { 0 };
	size_t i;

	for (i = 0; i < edits->n; i++) {
		const struct edit *edit = &edits->edit[i];
		const char *source = kind == EDIT_HOOK ? edit->path : edit->source;

		if (edit->kind == kind && !is_there(edit) &&
		    !strv_have(&missing, source))
			strv_add(&missing, source);
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

static void check_file(const struct cdi_file *file, const char *version,
		       struct strv *findings)
{
	const char *own = driver_of(&file->document);

	if (own && version && strcmp(own, version) != 0)
		strv_add_format(findings, "%s: it is for driver %s, and %s is loaded: " ADVICE,
				file->path, own, version, file->path);
	check_sources(file, EDIT_MOUNT, "file", findings);
	check_sources(file, EDIT_NODE, "device node", findings);
	check_sources(file, EDIT_HOOK, "hook program", findings);
	check_hooks(file, findings);
}

void cdi_check(const struct cdi_registry *registry, const char *version,
	       struct strv *findings)
{
	struct strv names = { 0 }, conflicts = { 0 };
	size_t i;

	for (i = 0; i < registry->n; i++) {
		if (registry->files[i].wrong)
			strv_add(findings, registry->files[i].wrong);
		else
			check_file(&registry->files[i], version, findings);
	}
	cdi_registry_names(registry, &names, &conflicts);
	for (i = 0; i < conflicts.n; i++)
		strv_add_format(findings, "%s: two files of one folder have this device, so no program finds it: remove one of them",
				conflicts.word[i]);
	strv_free(&names);
	strv_free(&conflicts);
}
