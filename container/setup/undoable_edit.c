// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changing files of others. A record is written before the file, so
 * that whatever interrupts us can be undone; where its "after" is not what the file
 * says, others have changed the file, too, and our keys alone are taken out of it.
 */
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "container/setup/internal.h"
#include "lib/dirtree.h"
#include "lib/host.h"
#include "lib/json.h"
#include "lib/json_file.h"
#include "lib/xalloc.h"

/* Finds the file that a path leads to, or would lead to. @named: receives it below the root */
static int resolve(const char *path, char named[PATH_MAX], char real[PATH_MAX], char why[WHY_SIZE])
{
	char root[PATH_MAX], top[PATH_MAX];
	int ret;

	if (host_path(named, PATH_MAX, "%s", path) || host_path(root, sizeof(root), "%s", ""))
		return why_fail(why, -ENAMETOOLONG, "%s: the path is too long", path);
	ret = text_file_find(named, real, why);
	/* Another system's link "/x" leads to this one's /x. */
	if (!ret && host_is_other() && !text_file_find(root, top, why) &&
	    (strncmp(real, top, strlen(top)) != 0 || real[strlen(top)] != '/'))
		ret = why_fail(why, -EXDEV, "%s leads to %s, outside of MPU_ROOT: run this by 'chroot %s'",
			       named, real, root);
	return ret;
}

/* Each file has a record of its own: its path, as an engine names it, with - for /. */
static int record_path(char record[PATH_MAX], const char *path, char why[WHY_SIZE])
{
	char name[PATH_MAX], *at;

	snprintf(name, sizeof(name), "%s", path + strspn(path, "/"));
	for (at = name; *at; at++)
		if (*at == '/')
			*at = '-';
	if (strlen(name) > NAME_MAX - strlen(".json.mpu-XXXXXX") ||
	    host_path(record, PATH_MAX, CHANGE_FOLDER "/%s.json", name))
		return why_fail(why, -ENAMETOOLONG, "%s: the path is too long for a record of its changes",
				path);
	return 0;
}

/* Finds the outermost folder of a file that is not there, "". */
static void find_missing(const char *path, char folder[PATH_MAX])
{
	char up[PATH_MAX];

	*folder = '\0';
	snprintf(up, sizeof(up), "%s", path);
	while (access(dirname(up), F_OK))
		strcpy(folder, up);
}

/* Remove the folders of a path that are empty, up to and with @outermost. */
static void remove_folders(const char *path, const char *outermost)
{
	char folder[PATH_MAX], *slash;

	snprintf(folder, sizeof(folder), "%s", path);
	for (slash = strrchr(folder, '/'); *outermost && slash; slash = strrchr(folder, '/')) {
		*slash = '\0';
		if (strlen(folder) < strlen(outermost) || (rmdir(folder) && errno != ENOENT))
			return;
	}
}

bool undoable_edit_is_empty(const struct undoable_edit *change)
{
	return !strcmp(change->before.text, change->after);
}

/**
 * struct record - what is known of the changes of a file
 * @path:	of the record
 * @document:	its root is NULL: nothing was changed
 * @before:	what the file said; NULL: it was not there
 * @found:	what it said when this was written; NULL in a record of an older mpu
 * @after:	what we made of it
 * @folder:	outermost folder that we made for it, ""
 * @ours:	to be written: as of struct undoable_edit
 */
struct record {
	char path[PATH_MAX];
	const struct strv *ours;
	struct json_file document;
	const char *before, *found, *after, *folder;
};

/* Finds the record of a file that was changed by another name, which a link is now, or was. */
static int find_record(char record[PATH_MAX], char named[PATH_MAX], const char *real,
		       char why[WHY_SIZE])
{
	char other[PATH_MAX], leads[PATH_MAX], reason[WHY_SIZE];
	struct strv files = { 0 };
	int ret = record_path(record, named, why);
	size_t i;

	if (!ret && access(record, F_OK))
		undoable_edit_list(&files);
	for (i = 0; i < files.n; i++) {
		if (resolve(files.word[i], other, leads, reason) || strcmp(leads, real) != 0)
			continue;
		strcpy(named, other);
		ret = record_path(record, named, why);
		break;
	}
	strv_free(&files);
	return ret;
}

/* @named, @real: as of resolve(); its document.root is to be put in any case. */
static int record_read(struct record *record, const char *named, const char *real,
		       char why[WHY_SIZE])
{
	char path[PATH_MAX];
	struct json_object *root;
	int ret;

	*record = (struct record){ 0 };
	strcpy(path, named);
	ret = find_record(record->path, path, real, why);
	if (ret || access(record->path, F_OK))
		return ret;
	ret = json_file_read(record->path, &record->document, why);
	root = record->document.root;
	record->before = member_text(root, "before");
	record->found = member_text(root, "found");
	record->after = member_text(root, "after");
	record->folder = member_text(root, "folder");
	if (!ret && (!record->after || !record->folder ||
		     strcmp(path, member_text(root, "file") ?: "") != 0))
		ret = why_fail(why, -EINVAL, "%s is not a record of changes to %s: remove it",
			       record->path, path);
	return ret;
}

/* An edit that was killed has its record, and a file that is still as the one before made it. */
static void record_match(struct record *record, const char *text)
{
	if (record->found && !strcmp(record->found, text))
		record->after = record->found;
}

int undoable_edit_open(struct undoable_edit *change, const char *path, char why[WHY_SIZE])
{
	struct record record;
	int ret;

	*change = (struct undoable_edit){ 0 };
	ret = resolve(path, change->named, change->path, why) ?:
	      text_file_read(change->path, &change->before, why);
	if (ret)
		return ret;
	change->after = xstrdup(change->before.text);
	ret = record_read(&record, change->named, change->path, why);
	record_match(&record, change->before.text);
	if (!ret && record.after) {
		change->was = xstrdup(record.before ?: "");
		change->made = xstrdup(record.after);
		array_add_words(member_get(record.document.root, "ours"), &change->ours);
	}
	json_object_put(record.document.root);
	return ret;
}

static int record_write(const struct record *record, const char *path, char why[WHY_SIZE])
{
	const struct stat mode = { .st_mode = 0600, .st_uid = geteuid(),
				   .st_gid = getegid() };
	struct json_object *root = json_object_new_object();
	int ret;

	member_add_text(root, "file", path);
	member_add_text(root, "folder", record->folder);
	member_add_text(root, "before", record->before);
	member_add_text(root, "found", record->found);
	member_add_text(root, "after", record->after);
	json_object_object_add(root, "ours", array_of_words(record->ours));
	ret = dirtree_make(record->path, why);
	if (!ret)
		ret = text_file_write(record->path, json_file_text(root), &mode, why);
	json_object_put(root);
	return ret;
}

/* Takes our keys out of a text that others have changed, too: they must never count as theirs. */
static int take_out(const struct record *record, const char *path, const struct notation *notation,
		    char **text, char why[WHY_SIZE])
{
	char reason[WHY_SIZE];
	int ret = notation_take_out(notation, record->before, record->after, text, false, reason);

	return ret ? why_fail(why, ret, "%s was changed by somebody else since, and what mpu wrote cannot be taken out of it: %s; what it said before is in %s",
			      path, reason, record->path) : 0;
}

/* Removes records that were never finished, and their folder if no other is in it. */
static void sweep_records(void)
{
	char inside[PATH_MAX], folder[PATH_MAX];

	if (host_path(inside, sizeof(inside), CHANGE_FOLDER "/") ||
	    host_path(folder, sizeof(folder), STATE_FOLDER))
		return;
	text_file_sweep(inside);
	remove_folders(inside, folder);
}

static int remove_record(const struct record *record, char why[WHY_SIZE])
{
	/* Another undo may have been faster. */
	if (unlink(record->path) && errno != ENOENT)
		return why_fail(why, -errno, "cannot remove %s: %s", record->path, strerror(errno));
	sweep_records();
	return 0;
}

int undoable_edit_make(const struct undoable_edit *change, const struct notation *notation,
		       char why[WHY_SIZE])
{
	char made[PATH_MAX], reason[WHY_SIZE], *before = NULL;
	struct record record, next;
	int ret = record_read(&record, change->named, change->path, why);

	record_match(&record, change->before.text);
	next = record;
	find_missing(change->path, made);
	if (!ret && (!record.after || strcmp(record.after, change->before.text) != 0)) {
		before = xstrdup(change->before.text);
		if (record.after && change->before.is_there)
			ret = take_out(&record, change->path, notation, &before, why);
		next.before = change->before.is_there ? before : NULL;
		/* An edit that was killed may have made them. */
		next.folder = record.after && *record.folder ? record.folder : made;
	}
	next.found = change->before.text;
	next.after = change->after;
	next.ours = &change->ours;
	if (!ret)
		ret = record_write(&next, member_text(record.document.root, "file") ?:
				   change->named, why);
	if (!ret) {
		ret = dirtree_make(change->path, why) ?:
		      text_file_write(change->path, change->after, &change->before.stat, why);
		if (ret && !record.after) {	/* there is nothing to undo */
			remove_folders(change->path, made);
			remove_record(&next, reason);
		}
	}
	free(before);
	json_object_put(record.document.root);
	return ret;
}

/* Writes @text into the file; NULL: removes it, and what a killed undo has left of its folders. */
static int put_back(const struct record *record, const char *path, const char *text,
		    const struct text_file *file, char why[WHY_SIZE])
{
	if (text)
		return text_file_write(path, text, &file->stat, why);
	if (unlink(path) && errno != ENOENT)
		return why_fail(why, -errno, "cannot remove %s: %s", path, strerror(errno));
	remove_folders(path, record->folder);
	return 0;
}

/* Has nothing but comments been left of a file that was not there? */
static bool is_empty(const struct notation *notation, const char *text)
{
	struct json_object *root = NULL;
	char why[WHY_SIZE];
	bool empty = !notation->parse(text, &root, why) && !json_object_object_length(root);

	json_object_put(root);
	return empty;
}

/* Return: as undoable_edit_undo(). */
static int undo(struct record *record, const char *path,
		const struct notation *notation, char why[WHY_SIZE])
{
	struct text_file file;
	int ret = text_file_read(path, &file, why), done = UNDO_DONE;

	text_file_sweep(path);	/* of a write that was killed */
	if (!ret)
		record_match(record, file.text);
	if (!ret && !file.is_there && record->before) {
		done = UNDO_TAKEN_OUT;
	} else if (!ret && (!file.is_there || !strcmp(file.text, record->after))) {
		ret = put_back(record, path, record->before, &file, why);
	} else if (!ret && (!record->before || strcmp(file.text, record->before) != 0)) {
		done = UNDO_TAKEN_OUT;
		ret = take_out(record, path, notation, &file.text, why) ?:
		      put_back(record, path, record->before || !is_empty(notation, file.text) ?
			       file.text : NULL, &file, why);
	}
	text_file_free(&file);
	if (!ret)
		ret = remove_record(record, why);
	return ret ? ret : done;
}

int undoable_edit_undo(const char *path, const struct notation *notation, char why[WHY_SIZE])
{
	struct record record;
	char named[PATH_MAX], real[PATH_MAX];
	int ret = resolve(path, named, real, why);

	if (ret)	/* a link to itself leads to no file that we could have changed */
		return ret == -ELOOP ? UNDO_NONE : ret;
	ret = record_read(&record, named, real, why);
	if (!ret && record.document.root)
		ret = undo(&record, real, notation, why);
	else
		sweep_records();
	json_object_put(record.document.root);
	return ret;
}

void undoable_edit_list(struct strv *paths)
{
	DIR *folder = host_opendir(CHANGE_FOLDER);
	struct json_file document;
	char path[PATH_MAX], root[PATH_MAX], why[WHY_SIZE];
	const struct dirent *entry;
	const char *file;
	size_t len;

	sweep_records();
	if (!folder)
		return;
	len = host_path(root, sizeof(root), "%s", "") ? 0 : strlen(root);
	while ((entry = readdir(folder))) {
		document = (struct json_file){ 0 };
		if (entry->d_name[0] == '.' ||
		    host_path(path, sizeof(path), CHANGE_FOLDER "/%s", entry->d_name) ||
		    json_file_read(path, &document, why))
			continue;
		file = member_text(document.root, "file");
		if (file)
			strv_add(paths, file + (strncmp(file, root, len) ? 0 : len));
		json_object_put(document.root);
	}
	closedir(folder);
}

void undoable_edit_close(struct undoable_edit *change)
{
	text_file_free(&change->before);
	free(change->after);
	free(change->was);
	free(change->made);
	strv_free(&change->ours);
	*change = (struct undoable_edit){ 0 };
}
