/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Container engines, and what their configuration says of runtimes: found in all the files
 * that count, asked of the engine itself, changed, and changed back.
 */
#ifndef MPU_CONTAINER_SETUP_SETUP_H
#define MPU_CONTAINER_SETUP_SETUP_H

#include <json-c/json.h>
#include <limits.h>
#include <stdbool.h>

#include "lib/strv.h"
#include "lib/text_file.h"
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
 * @is_off:	it turns off the part of the engine that this is for
 * @is_lost:	its default is none of its runtimes
 */
struct setup_found {
	struct strv names, paths;
	char *standard;
	enum setup_cdi cdi;
	bool is_off, is_lost;
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

/* TOML and JSON. */
struct notation;
extern const struct notation notation_toml, notation_json;

/** notation_put() - as notation.set, with a value that is taken over */
int notation_put(const struct notation *notation, char **text, const char *const *path,
		 struct json_object *value, char why[WHY_SIZE]);

/**
 * struct setup_engine - an engine
 * @file:	its configuration, of which we edit this part
 * @reload:	what makes it know one more runtime, or default
 * @restart:	what makes it read all else, and forget a runtime
 * @notation:	of its files
 * @ask:	command that prints what is in force, as a file of the engine says it, by
 *		an engine that runs; NULL: there is none
 * @ask_files:	the same of what the files say by now; "FILE" in it is the main file, and
 *		without that it reads the engine's own; NULL: there is none
 * @asked:	@ask, in words
 * @files:	adds the files that an engine reads, in that order. @main: of which one is
 *		this. NULL: it reads that alone
 * @locate:	finds what to write. @drop_in: the file that is to be, NULL. NULL: that
 *		file, or the main one. Return: 0 or -ENAMETOOLONG
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
	const char *const *ask_files;
	const char *asked;
	void (*files)(const char *main, struct strv *files);
	int (*locate)(const char *main, const char *drop_in, struct setup_place *place);
	int (*import)(char **text, const char *pattern, char why[WHY_SIZE]);
	bool (*replaces)(struct json_object *file, const char *table);
	int (*edit)(char **text, const struct setup_runtime *runtime,
		    const struct setup_base *base, char why[WHY_SIZE]);
	int (*find)(struct json_object *root, struct setup_found *found, char why[WHY_SIZE]);
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
 */
void setup_files(const struct setup_engine *engine, const char *main, struct strv *files);

/** setup_locate() - as setup_engine.locate */
int setup_locate(const struct setup_engine *engine, const char *main, const char *drop_in,
		 struct setup_place *place);

/** setup_find() - what a text says; setup_found_free() is to follow in any case */
int setup_find(const struct setup_engine *engine, const char *text,
	       struct setup_found *found, char why[WHY_SIZE]);

void setup_found_free(struct setup_found *found);

/** setup_program_of() - the path of a runtime's program; NULL: there is no such runtime */
const char *setup_program_of(const struct setup_found *found, const char *name);

/**
 * setup_base_read() - what is in force beside a file that is to be written
 * @main:	as of setup_files()
 * @own:	that file
 *
 * Return: 0, or negative errno and a sentence in @why. Either way setup_base_free() is to
 * follow.
 */
int setup_base_read(const struct setup_engine *engine, const char *main, const char *own,
		    struct setup_base *base, char why[WHY_SIZE]);

void setup_base_free(struct setup_base *base);

/**
 * enum setup_source - who says what is in force
 * @SETUP_ENGINE:	an engine that runs
 * @SETUP_NEXT_ENGINE:	what it would say if it had just been started
 * @SETUP_FILES:	its files alone: no program is run
 */
enum setup_source { SETUP_ENGINE, SETUP_NEXT_ENGINE, SETUP_FILES };

/**
 * setup_in_force() - what an engine does, as it says itself, or, where it cannot be asked,
 * as its files say
 * @found:	setup_found_free() is to follow in any case
 *
 * Return: 1: the engine was asked; 0: its files were read; or negative errno and a
 * sentence in @why.
 */
int setup_in_force(const struct setup_engine *engine, const char *main,
		   enum setup_source source, struct setup_found *found, char why[WHY_SIZE]);

/**
 * setup_check() - will the engine know a runtime when it has read its files again?
 * @own:	the file that says so
 *
 * Return: 1: so it says; 0: so its files say, it cannot be asked; then @why is "" or says what
 * keeps it from starting; or negative errno and a sentence in @why, which names the file that
 * says otherwise.
 */
int setup_check(const struct setup_engine *engine, const char *main, const char *own,
		const struct setup_runtime *runtime, char why[WHY_SIZE]);

/**
 * setup_find_program() - find one of the host in the first of @folders, which colons divide
 * @path:	receives it, without MPU_ROOT
 * @name:	of it, or an absolute path
 */
bool setup_find_program(char path[PATH_MAX], const char *folders, const char *name);

/** setup_misses_default() - is the program missing without which it does not start? @why says so */
bool setup_misses_default(const struct setup_engine *engine, const struct setup_found *found,
			  char why[WHY_SIZE]);

/* --- changing a file that somebody else keeps, so that it can be changed back --- */

/* The folder of records, and its parent; neither exists without a record. */
#define STATE_FOLDER	"/var/lib/mpu"
#define CHANGE_FOLDER	STATE_FOLDER "/configure"

/**
 * struct undoable_edit - a file, and what it is to say
 * @named, @path: of the file, as it was asked for, and where links lead; the record goes by the
 *		first, also where that is a link by now, or no more
 * @before:	what it says
 * @after:	what it is to say, to be edited
 * @was, @made:	what it said before an earlier edit, and after it; NULL: there was none
 * @ours:	names of the runtimes in it that mpu was told to write; all others are copies
 */
struct undoable_edit {
	char named[PATH_MAX], path[PATH_MAX];
	struct text_file before;
	char *after, *was, *made;
	struct strv ours;
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
 * undoable_edit_make() - write a record of what the file said and is to say, then the file
 *
 * Return: as undoable_edit_open(); the file is as it was if it fails.
 */
int undoable_edit_make(const struct undoable_edit *change, const struct notation *notation,
		       char why[WHY_SIZE]);

enum undone { UNDO_NONE, UNDO_DONE, UNDO_TAKEN_OUT };

/**
 * undoable_edit_undo() - have the file say what it said before the first change
 *
 * Where somebody else has changed it since, our keys are taken out, and the rest stays.
 *
 * Return: UNDO_NONE: there was no change; UNDO_DONE: every byte is as it was;
 * UNDO_TAKEN_OUT; or as undoable_edit_open(): it cannot be read, and is left alone.
 */
int undoable_edit_undo(const char *path, const struct notation *notation, char why[WHY_SIZE]);

/** undoable_edit_list() - add the paths of files that have records */
void undoable_edit_list(struct strv *paths);

void undoable_edit_close(struct undoable_edit *change);

/**
 * setup_edit() - edit a file so that the engine knows a runtime, as setup_engine.edit
 *
 * Copies in it of what other files no longer say go. Our other runtimes stay,
 * and so do a default and CDI devices that it had.
 */
int setup_edit(const struct setup_engine *engine, struct undoable_edit *change,
	       const struct setup_runtime *runtime, const struct setup_base *base,
	       char why[WHY_SIZE]);

/**
 * setup_is_stale() - has what was copied for our runtime changed since, or gone?
 * @name:	of a runtime that it has
 * @own:	receives its path
 */
bool setup_is_stale(const struct setup_engine *engine, const char *name, char own[PATH_MAX]);

#endif /* MPU_CONTAINER_SETUP_SETUP_H */
