// SPDX-License-Identifier: GPL-2.0-only
/*
 * Looking CDI devices up in the documents of a machine.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "container/cdi/internal.h"
#include "container/request/request.h"
#include "lib/host.h"
#include "lib/text_file.h"
#include "lib/trust.h"
#include "lib/xalloc.h"

static const char *const default_folders[] = { "/etc/cdi", "/var/run/cdi" };

static int is_document(const struct dirent *entry)
{
	const char *suffix = strrchr(entry->d_name, '.');

	return suffix && (!strcmp(suffix, ".json") || !strcmp(suffix, ".yaml")) &&
	       entry->d_type != DT_DIR;
}

/* Return: valid until the next call. */
static struct cdi_file *add(struct cdi_registry *registry, const char *path, unsigned int priority)
{
	struct cdi_file file = { .path = xstrdup(path), .priority = priority };

	registry->files = xreallocarray(registry->files, registry->n + 1, sizeof(file));
	registry->files[registry->n] = file;
	return &registry->files[registry->n++];
}

static void add_file(struct cdi_registry *registry, const char *path, unsigned int priority)
{
	struct cdi_file *file = add(registry, path, priority);
	char why[WHY_SIZE], reason[WHY_SIZE];
	int ret = trust_path(path, reason);

	if (ret)
		why_fail(why, ret, "%s is not followed by root: %s", path, reason);
	else
		ret = cdi_document_read(&file->document, path, why);
	if (ret)
		file->wrong = xstrdup(why);
}

/* Takes one that cannot be read for a broken file: engines find what the other folders have. */
static void read_folder(struct cdi_registry *registry, const char *folder, unsigned int priority)
{
	struct dirent **entry = NULL;
	char below[PATH_MAX], path[PATH_MAX];
	int i, n, ret = host_path(below, sizeof(below), "%s", folder);

	n = ret ? -1 : scandir(below, &entry, is_document, alphasort);
	if (n < 0 && (ret || errno != ENOENT)) {
		ret = ret ?: -errno;
		add(registry, folder, priority)->wrong =
			xasprintf("cannot read the folder %s: %s", folder, strerror(-ret));
	}
	for (i = 0; i < n; i++) {
		int len = snprintf(path, sizeof(path), "%s/%s", below, entry[i]->d_name);

		if (len < (int)sizeof(path))
			add_file(registry, path, priority);
		free(entry[i]);
	}
	free(entry);
}

void cdi_registry_read(struct cdi_registry *registry, const struct strv *folders)
{
	size_t i, n = folders ? folders->n : sizeof(default_folders) / sizeof(*default_folders);

	*registry = (struct cdi_registry){ 0 };
	for (i = 0; i < n; i++)
		read_folder(registry, folders ? folders->word[i] : default_folders[i],
			    (unsigned int)i);
}

static bool has_device(const struct cdi_file *file, const char *name)
{
	size_t len = file->wrong ? 0 : strlen(file->document.kind);

	return len && !strncmp(name, file->document.kind, len) &&
	       name[len] == '=' &&
	       strv_have(&file->document.devices, name + len + 1);
}

/* @twice: receives another file of its priority that has it, too, or NULL: it is nobody's then. */
static const struct cdi_file *find_file(const struct cdi_registry *registry, const char *name,
					const struct cdi_file **twice)
{
	const struct cdi_file *found = NULL;
	size_t i;

	*twice = NULL;
	for (i = 0; i < registry->n; i++) {
		const struct cdi_file *file = &registry->files[i];

		if (*twice || !has_device(file, name))
			continue;
		*twice = found && found->priority == file->priority ? found : NULL;
		found = file;
	}
	return found;
}

void cdi_registry_names(const struct cdi_registry *registry, struct strv *names,
			struct strv *conflicts)
{
	struct strv all = { 0 };
	const struct cdi_file *twice;
	size_t i, j;

	for (i = 0; i < registry->n; i++) {
		const struct cdi_file *file = &registry->files[i];

		for (j = 0; !file->wrong && j < file->document.devices.n; j++)
			strv_add_format(&all, "%s=%s", file->document.kind,
					file->document.devices.word[j]);
	}
	strv_sort_once(&all);
	for (i = 0; i < all.n; i++) {
		find_file(registry, all.word[i], &twice);
		if (!twice)
			strv_add(names, all.word[i]);
		else if (conflicts)
			strv_add(conflicts, all.word[i]);
	}
	strv_free(&all);
}

static int complete(struct edit *edit, const char *path, char why[WHY_SIZE])
{
	char reason[WHY_SIZE];
	struct stat st;
	int ret;

	if (edit->kind == EDIT_NODE) {
		ret = cdi_complete_node(edit);
		return ret ? why_fail(why, ret, "%s: the device node %s: %s: load the driver's modules, or write the document anew with 'mpu cdi generate'",
				      path, edit->source, strerror(-ret)) : 0;
	}
	if (edit->kind == EDIT_HOOK && strcmp(edit->stage, "startContainer") != 0 &&
	    trust_path(edit->path, reason))
		return why_fail(why, -EPERM, "%s: the hook that it names is not run as root: %s",
				path, reason);
	if (edit->kind == EDIT_MOUNT && !cdi_is_bind(edit))
		return why_fail(why, -EOPNOTSUPP, "%s: mounts of type %s are not made here: leave the device to an engine that reads CDI itself",
				path, edit->text);
	if (edit->kind == EDIT_MOUNT && stat(edit->source, &st))
		return why_fail(why, -errno, "%s: %s: %s: if the driver was updated, write the document anew with 'mpu cdi generate'",
				path, edit->source, strerror(errno));
	return 0;
}

/* Edits of a file for one device; NULL: for any. @name: what asks for them. */
static int add_edits(const struct cdi_file *file, const char *device,
		     const char *name, struct edits *edits, char why[WHY_SIZE])
{
	const struct edits *all = &file->document.edits;
	struct edit whole;
	size_t i;
	int ret;

	for (i = 0; i < all->n; i++) {
		whole = all->edit[i];	/* the document owns its strings */
		if (!cdi_is_for(&whole, device))
			continue;
		ret = complete(&whole, file->path, why);
		if (ret)
			return ret;
		whole.rule = xasprintf("CDI device %s", name);
		whole.input = file->path;
		edits_add_copy(edits, &whole, NULL);
		free(whole.rule);
	}
	return 0;
}

/* Returns whether a file that is no valid document may have a device, by its text. */
static bool mentions(const struct cdi_file *file, const char *name)
{
	const char *equal = strchr(name, '=');
	char *kind = xstrndup(name, (size_t)(equal - name)), reason[WHY_SIZE];
	struct text_file text;
	bool found = !text_file_read(file->path, &text, reason) && text.is_there &&
		     strstr(text.text, kind) && strstr(text.text, equal + 1);

	text_file_free(&text);
	free(kind);
	return found;
}

static int fail_to_find(const struct cdi_registry *registry, const char *name,
			const struct cdi_file *one, const struct cdi_file *other,
			char why[WHY_SIZE])
{
	size_t i, len;
	int likely;

	if (other)
		return why_fail(why, -EINVAL, "unresolvable CDI devices %s: %s and %s both have it: remove one of them",
				name, other->path, one->path);
	why_fail(why, -ENOENT, "unresolvable CDI devices %s: no valid document has it; not valid is",
		 name);
	len = strlen(why);
	for (likely = 1; likely >= 0; likely--)
		for (i = 0; i < registry->n; i++)
			if (registry->files[i].wrong &&
			    mentions(&registry->files[i], name) == likely)
				snprintf(why + strlen(why), WHY_SIZE - strlen(why), "%s %s",
					 why[len] ? ";" : "", registry->files[i].wrong);
	if (why[len])
		return -ENOENT;
	return why_fail(why, -ENOENT, "unresolvable CDI devices %s: no document has it: see 'mpu cdi list', or write one with 'mpu cdi generate --output FILE'",
			name);
}

int cdi_registry_edits(const struct cdi_registry *registry, const struct strv *names,
		       struct edits *edits, char why[WHY_SIZE])
{
	bool *used = xcalloc(registry->n + 1, sizeof(*used));
	const struct cdi_file *file, *twice;
	int ret = 0;
	size_t i;

	for (i = 0; i < names->n && !ret; i++) {
		const char *name = names->word[i];
		const char *device;

		file = find_file(registry, name, &twice);
		if (!file || twice) {
			ret = fail_to_find(registry, name, file, twice, why);
			break;
		}
		device = name + strlen(file->document.kind) + 1;
		if (!used[file - registry->files])
			ret = add_edits(file, NULL, name, edits, why);
		used[file - registry->files] = true;
		if (!ret)
			ret = add_edits(file, device, name, edits, why);
	}
	free(used);
	return ret;
}

void cdi_registry_free(struct cdi_registry *registry)
{
	size_t i;

	for (i = 0; i < registry->n; i++) {
		free(registry->files[i].path);
		free(registry->files[i].wrong);
		cdi_document_free(&registry->files[i].document);
	}
	free(registry->files);
	*registry = (struct cdi_registry){ 0 };
}
