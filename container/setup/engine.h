/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Container engines, and what their configuration says of runtimes.
 */
#ifndef MPU_CONTAINER_SETUP_ENGINE_H
#define MPU_CONTAINER_SETUP_ENGINE_H

#include <limits.h>
#include <stdbool.h>

#include "container/setup/notation.h"
#include "lib/strv.h"
#include "lib/why.h"

/**
 * struct setup_runtime - a runtime that an engine is to know
 * @name:	by which containers ask for it: "nvidia"
 * @path:	of its program
 * @is_default:	containers that ask for none get it, too
 * @cdi:	the engine is to take CDI devices
 */
struct setup_runtime {
	const char *name;
	const char *path;
	bool is_default;
	bool cdi;
};

enum setup_cdi { SETUP_CDI_DEFAULT, SETUP_CDI_OFF, SETUP_CDI_ON };

/**
 * struct setup_found - what a configuration says
 * @names, @paths: of its runtimes, at the same index
 * @standard:	name of the default one, to be freed; NULL: it names none
 * @cdi:	SETUP_CDI_DEFAULT: it does not say
 */
struct setup_found {
	struct strv names, paths;
	char *standard;
	enum setup_cdi cdi;
};

/**
 * struct setup_base - what is in force beside a file
 * @files:	what the files that the engine reads say together, without that one
 * @asked:	what the engine itself says; NULL: it cannot be asked
 */
struct setup_base {
	struct json_object *files, *asked;
};

/**
 * struct setup_place - where an engine is told of a runtime
 * @own:	the file that we write
 * @import:	what the main file has to import, too, so that @own is read; ""
 */
struct setup_place {
	char own[PATH_MAX], import[PATH_MAX];
};

/**
 * struct setup_engine - an engine
 * @file:	its configuration, of which we edit this part
 * @reload:	what makes it know one more runtime, or default
 * @restart:	what makes it read all else, and forget a runtime
 * @notation:	of its files
 * @ask:	command that prints what is in force, as a file of the engine says it;
 *		"FILE" in it is its main file; NULL: there is none
 * @asked:	@ask, in words
 * @asks_files:	it reads the files for that; else an engine that runs answers with what
 *		it has read when it was started
 * @files:	adds the files that an engine reads, in that order. @main: of which one is
 *		this. NULL: it reads that alone. Return: 0 or negative errno
 * @locate:	finds what to write. @drop_in: the file that is to be, NULL. NULL: that
 *		file, or the main one. Return: 0 or negative errno
 * @import:	edits the text of a main file so that it imports @pattern. Return: as @edit
 * @replaces:	does this file, where it has a member of a table of this name, replace the
 *		whole of what was read before of that member? NULL: it replaces keys
 * @edit:	edits a text so that the engine knows a runtime; everything else that
 *		the text says stays. Return: 0, or negative errno and a sentence in
 *		@why; then the text may be edited half
 * @find:	what a configuration says; @found is empty. Return: 0, or negative
 *		errno and a sentence in @why
 */
struct setup_engine {
	const char *name;
	const char *file;
	const char *reload, *restart;
	const struct notation *notation;
	const char *const *ask;
	const char *asked;
	bool asks_files;
	int (*files)(const char *main, struct strv *files);
	int (*locate)(const char *main, const char *drop_in, struct setup_place *place);
	int (*import)(char **text, const char *pattern, char why[WHY_SIZE]);
	bool (*replaces)(struct json_object *file, const char *table);
	int (*edit)(char **text, const struct setup_runtime *runtime,
		    const struct setup_base *base, char why[WHY_SIZE]);
	int (*find)(struct json_object *root, struct setup_found *found,
		    char why[WHY_SIZE]);
};

extern const struct setup_engine setup_docker, setup_containerd, setup_crio,
	setup_podman;

/* All of them; ends with NULL. */
extern const struct setup_engine *const setup_engines[];

/** setup_engine_find() - by its name; NULL: there is none */
const struct setup_engine *setup_engine_find(const char *name);

/**
 * setup_files() - add the paths of the files that an engine reads, in that order: what a
 * later one says counts
 * @main:	its main file, or one of a folder of them, as setup_engine.file
 *
 * Return: 0 or negative errno.
 */
int setup_files(const struct setup_engine *engine, const char *main, struct strv *files);

/** setup_locate() - as setup_engine.locate */
int setup_locate(const struct setup_engine *engine, const char *main, const char *drop_in,
		 struct setup_place *place);

/** setup_find() - what a text says; setup_found_free() is to follow in any case */
int setup_find(const struct setup_engine *engine, const char *text,
	       struct setup_found *found, char why[WHY_SIZE]);

void setup_found_free(struct setup_found *found);

#endif /* MPU_CONTAINER_SETUP_ENGINE_H */
