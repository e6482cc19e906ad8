/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file of text that somebody else keeps, as a whole: read, and replaced at once or
 * not at all, wherever it may be replaced.
 */
#ifndef MPU_LIB_TEXT_FILE_H
#define MPU_LIB_TEXT_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "lib/why.h"

/**
 * struct text_file - what a file says
 * @text:	terminated; "" if there is no file
 * @stat:	mode and owner, which it keeps; or those of a new one
 */
struct text_file {
	char *text;
	bool is_there;
	struct stat stat;
};

/**
 * text_file_read() - read one; that there is none is no error
 *
 * Return: 0, or negative errno and a sentence in @why: it is no regular file, or
 * larger than 16 MiB, or has a NUL in it. Either way text_file_free() is to follow.
 */
int text_file_read(const char *path, struct text_file *file, char why[WHY_SIZE]);

/**
 * text_file_find() - the file that a path leads to by links, be it there or not
 * @real:	receives its path, the same, however @path is spelled
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int text_file_find(const char *path, char real[PATH_MAX], char why[WHY_SIZE]);

/**
 * text_file_write() - have a file say something else
 * @path:	links are followed, and stay
 * @stat:	mode and owner
 *
 * It is replaced, so that readers have one or the other; its extended attributes, ACLs
 * among them, go over. Where its folder, its owner, one of these or a mount does not let
 * it be replaced, it is written in its place, if it may be.
 *
 * Return: 0, or negative errno and a sentence in @why; then the file is as it was,
 * unless its disk failed while it was written in its place.
 */
int text_file_write(const char *path, const char *text, const struct stat *stat,
		    char why[WHY_SIZE]);

/** text_file_write_fast() - likewise, without waiting for the disk: for a container's bundle */
int text_file_write_fast(const char *path, const char *text,
			 const struct stat *stat, char why[WHY_SIZE]);

/**
 * text_file_append() - open a log, which is made if it is not there
 *
 * Links are not followed where others than root may have made them. A FIFO is not waited for.
 *
 * Return: a descriptor, or negative errno; -ELOOP, -EMLINK: there is such a link.
 */
int text_file_append(const char *path);

/**
 * text_file_sweep() - remove what killed writers left beside a file, as each write does
 * @path:	of the file; ending with a slash: of all files of a folder
 */
void text_file_sweep(const char *path);

void text_file_free(struct text_file *file);

#endif /* MPU_LIB_TEXT_FILE_H */
