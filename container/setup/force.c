// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the configuration that an engine uses, whichever of its files states it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "container/setup/internal.h"
#include "lib/host.h"
#include "lib/process.h"
#include "lib/xalloc.h"

/* Room for what an engine prints; containerd prints some 10 KiB. */
#define ANSWER_SIZE	(1 << 20)

/* --- the files --- */

/* Put what a file says over what those before it say. @whole: a member goes as a whole */
static void put_over(const struct setup_engine *engine, struct json_object *file,
		     struct json_object *over, struct json_object *from, bool whole)
{
	json_object_object_foreach(from, name, value) {
		struct json_object *old = json_object_object_get(over, name);

		if (!whole && json_object_is_type(old, json_type_object) &&
		    json_object_is_type(value, json_type_object))
			put_over(engine, file, old, value,
				 engine->replaces && engine->replaces(file, name));
		else
			json_object_object_add(over, name, json_object_get(value));
	}
}

/* Reads a file; one that is not there says nothing. */
int setup_read_file(const struct setup_engine *engine, const char *path,
		    struct json_object **root, char why[WHY_SIZE])
{
	struct text_file file = { 0 };
	char below[PATH_MAX], reason[WHY_SIZE];
	int ret = host_path(below, sizeof(below), "%s", path);

	*root = NULL;
	if (ret)
		return why_fail(why, ret, "%s: the path is too long", path);
	ret = text_file_read(below, &file, why);
	if (!ret) {
		ret = engine->notation->parse(file.text, root, reason);
		if (ret)
			why_fail(why, ret, "%s: %s", path, reason);
	}
	text_file_free(&file);
	return ret;
}

/* Read all files but one. @together: receives what they say */
static int read_together(const struct setup_engine *engine, const char *main, const char *without,
			 struct json_object **together, char why[WHY_SIZE])
{
	struct strv files = { 0 };
	struct json_object *root;
	size_t i;
	int ret = 0;

	*together = json_object_new_object();
	setup_files(engine, main, &files);
	for (i = 0; !ret && i < files.n; i++) {
		if (without && !strcmp(files.word[i], without))
			continue;
		ret = setup_read_file(engine, files.word[i], &root, why);
		if (!ret)
			put_over(engine, root, *together, root, false);
		json_object_put(root);
	}
	strv_free(&files);
	return ret;
}

/* --- the engine itself --- */

/* Runs a command that asks. @output, @error: descriptors. Return: as process_read() */
static int run_ask(const char *const *ask, const char *main, int output,
		   int error, char text[ANSWER_SIZE])
{
	/* A daemon that hangs must not hang those who ask it. */
	const char *words[12] = { "timeout", "10" };
	const int fd[3] = { PROCESS_NULL, output, error };
	size_t i;

	for (i = 0; ask[i]; i++)
		words[i + 2] = strcmp(ask[i], "FILE") != 0 ? ask[i] : main;
	return process_read(words, fd, text, ANSWER_SIZE);
}

/* Say in @why what an engine says that does not read its files. */
static int fail_ask(const struct setup_engine *engine, const char *main,
		    char text[ANSWER_SIZE], char why[WHY_SIZE])
{
	char *line;

	run_ask(engine->ask_files, main, PROCESS_NULL, PROCESS_PIPE, text);
	while (*text && text[strlen(text) - 1] == '\n')
		text[strlen(text) - 1] = '\0';
	line = strrchr(text, '\n');
	return why_fail(why, -EINVAL, "%s cannot read its configuration: %.1024s",
			engine->name, line ? line + 1 : text);
}

/*
 * Asks the engine. @command: which of its two; @root: receives what it says
 * Return: 1; 0: it cannot be asked; or as setup_in_force().
 */
static int ask(const struct setup_engine *engine, const char *const *command, const char *main,
	       struct json_object **root, char why[WHY_SIZE])
{
	bool of_files = command && command == engine->ask_files;
	char *text;
	int ret;

	*root = NULL;
	if (!command || host_is_other() || (of_files && strcmp(main, engine->file) != 0 &&
	    (access(main, R_OK) || engine != &setup_containerd)))
		return 0;
	text = xcalloc(1, ANSWER_SIZE);
	ret = run_ask(command, main, PROCESS_PIPE, PROCESS_NULL, text);
	if (!ret)
		ret = engine->notation->parse(text, root, why) ? 0 : 1;
	/* This is its own status. containerd 1.6 fails, too, where it has no file, and needs none. */
	else if (of_files && ret > 0 && ret < 124 && !access(main, F_OK))
		ret = fail_ask(engine, main, text, why);
	else
		ret = 0;
	free(text);
	return ret;
}

int setup_base_read(const struct setup_engine *engine, const char *main, const char *own,
		    struct setup_base *base, char why[WHY_SIZE])
{
	int ret;

	*base = (struct setup_base){ 0 };
	ret = ask(engine, engine->ask_files, main, &base->asked, why);
	/* CRI-O refuses a default that is no runtime, too, which is about to be mended. */
	return ret < 0 && engine == &setup_containerd ? ret :
	       read_together(engine, main, own, &base->files, why);
}

void setup_base_free(struct setup_base *base)
{
	json_object_put(base->files);
	json_object_put(base->asked);
	*base = (struct setup_base){ 0 };
}

int setup_in_force(const struct setup_engine *engine, const char *main,
		   enum setup_source source, struct setup_found *found, char why[WHY_SIZE])
{
	struct json_object *root = NULL;
	const char *const *command = source == SETUP_ENGINE ? engine->ask :
				     source == SETUP_NEXT_ENGINE ? engine->ask_files : NULL;
	int asked = ask(engine, command, main, &root, why);
	int ret = asked < 0 ? asked : 0;

	*found = (struct setup_found){ 0 };
	/* Ask an engine that does not run whether it could start. */
	if (!asked && source == SETUP_ENGINE && command != engine->ask_files)
		ret = ask(engine, engine->ask_files, main, &root, why);
	if (!asked && !ret)
		ret = read_together(engine, main, NULL, &root, why);
	if (ret >= 0)
		ret = engine->find(root, found, why);
	json_object_put(root);
	return ret ? ret : asked;
}

/* --- what was asked for --- */

/* Does it have another program for the runtime, or another default? */
static bool contradicts(const struct setup_found *found, const struct setup_runtime *runtime)
{
	const char *program = setup_program_of(found, runtime->name);

	return (program && strcmp(program, runtime->path) != 0) ||
	       (runtime->is_default && found->standard &&
		strcmp(found->standard, runtime->name) != 0) ||
	       (runtime->cdi && found->cdi == SETUP_CDI_OFF);
}

static bool is_as_asked(const struct setup_found *found, const struct setup_runtime *runtime)
{
	return strv_have(&found->names, runtime->name) && !contradicts(found, runtime) &&
	       (!runtime->is_default || found->standard) && !found->is_off;
}

static bool turns_off(const struct setup_found *found, const struct setup_runtime *runtime)
{
	(void)runtime;
	return found->is_off;
}

/* Finds the last of the files of which @says holds, from number @first on; NULL: there is none. */
static const char *find_last(const struct setup_engine *engine, const struct strv *files,
			     size_t first, const struct setup_runtime *runtime,
			     bool (*says)(const struct setup_found *found,
					  const struct setup_runtime *runtime))
{
	struct json_object *root;
	struct setup_found found = { 0 };
	char why[WHY_SIZE];
	bool is_it = false;
	size_t i;

	for (i = files->n; !is_it && i-- > first; ) {
		is_it = !setup_read_file(engine, files->word[i], &root, why) &&
			!engine->find(root, &found, why) && says(&found, runtime);
		setup_found_free(&found);
		json_object_put(root);
	}
	return is_it ? files->word[i] : NULL;
}

static int fail_check(const struct setup_engine *engine, const char *main, const char *own,
		      const struct setup_runtime *runtime, bool is_off, char why[WHY_SIZE])
{
	struct strv files = { 0 };
	size_t at = 0;

	setup_files(engine, main, &files);
	while (at < files.n && strcmp(files.word[at], own) != 0)
		at++;
	if (is_off)
		why_fail(why, -EEXIST, "%s is written, but not in force: disabled_plugins turns %s's CRI off: take the CRI's name out of that list in %s",
			 own, engine->name, find_last(engine, &files, 0, runtime, turns_off) ?: main);
	else if (at == files.n)
		why_fail(why, -EEXIST, "%s is written, but not in force: %s does not read it",
			 own, engine->name);
	else if (at + 1 < files.n)
		why_fail(why, -EEXIST, "%s is written, but not in force: %s reads %s after it, which overrides it: remove that, or its part about runtimes",
			 own, engine->name,
			 find_last(engine, &files, at + 1, runtime, contradicts) ?:
			 files.word[files.n - 1]);
	else
		why_fail(why, -EEXIST, "%s is written, but not in force: %s says otherwise of runtime %s",
			 own, engine->name, runtime->name);
	strv_free(&files);
	return -EEXIST;
}

int setup_check(const struct setup_engine *engine, const char *main, const char *own,
		const struct setup_runtime *runtime, char why[WHY_SIZE])
{
	struct setup_found found;
	int ret = setup_in_force(engine, main, SETUP_NEXT_ENGINE, &found, why);

	if (ret >= 0 && !is_as_asked(&found, runtime))
		ret = fail_check(engine, main, own, runtime, found.is_off, why);
	else if (ret >= 0 && !setup_misses_default(engine, &found, why))
		*why = '\0';
	setup_found_free(&found);
	return ret;
}

/*
 * Edits @text, out of which all that we wrote into it has been taken. @now: what it had.
 * A copy of what others had goes if theirs has gone. An older record does not say what is
 * ours: a program that others do not have.
 */
static int edit_anew(const struct setup_engine *engine, char **text, struct strv *ours,
		     const struct setup_found *now, const struct setup_runtime *runtime,
		     const struct setup_base *base, char why[WHY_SIZE])
{
	struct setup_found theirs = { 0 };
	struct setup_runtime one = *runtime;
	int ret = engine->find(base->files, &theirs, why);
	bool is_known = ours->n;
	size_t i;

	for (i = 0; !ret && i < now->names.n; i++) {
		one.name = now->names.word[i];
		one.path = now->paths.word[i];
		if (!strcmp(one.name, runtime->name) ||
		    (is_known ? !strv_have(ours, one.name) :
		     !strcmp(setup_program_of(&theirs, one.name) ?: "", one.path)))
			continue;
		strv_add_once(ours, one.name);
		one.is_default = !runtime->is_default && now->standard &&
				 !strcmp(now->standard, one.name);
		ret = engine->edit(text, &one, base, why);
	}
	setup_found_free(&theirs);
	return ret ? ret : engine->edit(text, runtime, base, why);
}

static bool say_the_same(const struct notation *notation, const char *one, const char *other)
{
	struct json_object *a = NULL, *b = NULL;
	char why[WHY_SIZE];
	bool same = !notation->parse(one, &a, why) && !notation->parse(other, &b, why) &&
		    json_object_equal(a, b);

	json_object_put(a);
	json_object_put(b);
	return same;
}

/* A file is edited where it stands, unless one that is made anew says less: then as that. */
int setup_edit(const struct setup_engine *engine, struct undoable_edit *change,
	       const struct setup_runtime *runtime, const struct setup_base *base,
	       char why[WHY_SIZE])
{
	struct setup_runtime wanted = *runtime;
	char *anew = xstrdup(change->after);
	struct setup_found now;
	int ret = setup_find(engine, anew, &now, why);

	wanted.is_default |= now.standard && !strcmp(now.standard, runtime->name);
	wanted.cdi |= now.cdi == SETUP_CDI_ON;
	if (!ret)
		ret = engine->edit(&change->after, &wanted, base, why);
	if (!ret && change->made)
		ret = notation_take_out(engine->notation, change->was, change->made, &anew, true,
					why) ?:
		      edit_anew(engine, &anew, &change->ours, &now, &wanted, base, why);
	if (!ret && change->made && !say_the_same(engine->notation, anew, change->after)) {
		free(change->after);
		change->after = anew;
		anew = NULL;
	}
	strv_add_once(&change->ours, runtime->name);
	setup_found_free(&now);
	free(anew);
	return ret;
}

bool setup_is_stale(const struct setup_engine *engine, const char *name, char own[PATH_MAX])
{
	struct setup_runtime runtime = { .name = name };
	struct undoable_edit change = { 0 };
	struct setup_base base = { 0 };
	struct setup_found found = { 0 };
	struct setup_place place;
	char why[WHY_SIZE];
	bool stale = false;

	if (setup_locate(engine, engine->file, NULL, &place) ||
	    undoable_edit_open(&change, place.own, why) ||
	    (!change.made && !strcmp(place.own, engine->file)) ||
	    setup_find(engine, change.after, &found, why) ||
	    setup_base_read(engine, engine->file, place.own, &base, why))
		goto out;
	runtime.path = setup_program_of(&found, name);
	stale = runtime.path && !setup_edit(engine, &change, &runtime, &base, why) &&
		!undoable_edit_is_empty(&change);
	snprintf(own, PATH_MAX, "%s", place.own);
out:
	setup_base_free(&base);
	setup_found_free(&found);
	undoable_edit_close(&change);
	return stale;
}
