/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Changing a file that somebody else keeps, so that it can be changed back: what it
 * said before, and what we made of it, is kept in a record.
 */
#ifndef MPU_CONTAINER_SETUP_UNDOABLE_EDIT_H
#define MPU_CONTAINER_SETUP_UNDOABLE_EDIT_H

#include <limits.h>
#include <stdbool.h>

#include "container/setup/notation.h"
#include "lib/strv.h"
#include "lib/text_file.h"

/* The folder of records, and its parent; neither exists without a record. */
#define STATE_FOLDER	"/var/lib/mpu"
#define CHANGE_FOLDER	STATE_FOLDER "/configure"

/**
 * struct undoable_edit - a file, and what it is to say
 * @path:	of the file; a link is followed
 * @before:	what it says
 * @after:	what it is to say, to be edited
 */
struct undoable_edit {
	char path[PATH_MAX];
	struct text_file before;
	char *after;
};

/**
 * undoable_edit_open() - read a file that is to be changed; it need not be there
 * @path:	below the root of host_set_root()
 *
 * Return: 0, or negative errno and a sentence in @why. Either way undoable_edit_close() is
 * to follow.
 */
int undoable_edit_open(struct undoable_edit *change, const char *path, char why[WHY_SIZE]);

/** undoable_edit_is_empty() - is it to say what it says? */
bool undoable_edit_is_empty(const struct undoable_edit *change);

/**
 * undoable_edit_make() - write the record, then the file
 * @notation:	of the file
 *
 * Return: as undoable_edit_open(); the file is as it was if it fails.
 */
int undoable_edit_make(const struct undoable_edit *change, const struct notation *notation,
		       char why[WHY_SIZE]);

enum undone { UNDO_NONE, UNDO_DONE, UNDO_TAKEN_OUT };

/**
 * undoable_edit_undo() - have the file say what it said before the first change
 * @notation:	of the file
 *
 * Where somebody else has changed it since, our keys are taken out, and the rest stays.
 *
 * Return: UNDO_NONE: there was no change; UNDO_DONE: every byte is as it was;
 * UNDO_TAKEN_OUT; or as undoable_edit_open(): it cannot be read, and is left alone.
 */
int undoable_edit_undo(const char *path, const struct notation *notation, char why[WHY_SIZE]);

/** undoable_edit_list() - add the paths of files that have records. Return: 0 or -ENOMEM */
int undoable_edit_list(struct strv *paths);

void undoable_edit_close(struct undoable_edit *change);

#endif /* MPU_CONTAINER_SETUP_UNDOABLE_EDIT_H */
