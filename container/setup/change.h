/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Changing a file that somebody else keeps, so that it can be changed back: what it
 * said before, and what we made of it, is kept in a record.
 */
#ifndef MPU_CONTAINER_SETUP_CHANGE_H
#define MPU_CONTAINER_SETUP_CHANGE_H

#include <limits.h>
#include <stdbool.h>

#include "container/setup/notation.h"
#include "lib/strv.h"
#include "lib/text_file.h"

/* The folder of records, and its parent; neither exists without a record. */
#define STATE_FOLDER	"/var/lib/mpu"
#define CHANGE_FOLDER	STATE_FOLDER "/configure"

/**
 * struct change - a file, and what it is to say
 * @path:	of the file; a link is followed
 * @before:	what it says
 * @after:	what it is to say, to be edited
 */
struct change {
	char path[PATH_MAX];
	struct text_file before;
	char *after;
};

/**
 * change_open() - read a file that is to be changed; it need not be there
 * @path:	below the root of host_set_root()
 *
 * Return: 0, or negative errno and a sentence in @why. Either way change_close() is
 * to follow.
 */
int change_open(struct change *change, const char *path, char why[WHY_SIZE]);

/** change_is_empty() - is it to say what it says? */
bool change_is_empty(const struct change *change);

/**
 * change_make() - write the record, then the file
 * @notation:	of the file
 *
 * Return: as change_open(); the file is as it was if it fails.
 */
int change_make(const struct change *change, const struct notation *notation,
		char why[WHY_SIZE]);

enum change_undone { CHANGE_NONE, CHANGE_UNDONE, CHANGE_TAKEN_OUT };

/**
 * change_undo() - have the file say what it said before the first change
 * @notation:	of the file
 *
 * Where somebody else has changed it since, our keys are taken out, and the rest stays.
 *
 * Return: CHANGE_NONE: there was no change; CHANGE_UNDONE: every byte is as it was;
 * CHANGE_TAKEN_OUT; or as change_open(): it cannot be read, and is left alone.
 */
int change_undo(const char *path, const struct notation *notation, char why[WHY_SIZE]);

/** change_list() - add the paths of all files of which there are records. Return: 0 or -ENOMEM */
int change_list(struct strv *paths);

void change_close(struct change *change);

#endif /* MPU_CONTAINER_SETUP_CHANGE_H */
