// SPDX-License-Identifier: GPL-2.0-only
/*
 * nvidia-ctk config: config.toml, edited in place or shown.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/nvidia/internal.h"
#include "container/request/request.h"
#include "container/setup/setup.h"
#include "lib/toml.h"
#include "lib/toml_edit.h"
#include "lib/xalloc.h"

/* A key of config.toml as a path: "features.x". */
static int split_key(struct strv *path, const char *key, char why[WHY_SIZE])
{
	strv_split(path, key, '.');
	return path->n ? 0 : why_fail(why, -EINVAL, "no key is named");
}

/* @text: NULL: true; "": the key is removed */
static int set_key(char **file, const char *key, const char *text, char why[WHY_SIZE])
{
	struct json_object *value = NULL;
	struct strv path = { 0 };
	int ret = settings_value(key, text, &value, why);

	if (!ret || (text && !*text))
		ret = split_key(&path, key, why);
	if (!ret)
		ret = toml_set(file, (const char *const *)path.word, text && !*text ? NULL : value,
			       why);
	strv_free(&path);
	json_object_put(value);
	return ret;
}

/* "key=value", or "key" */
static int set_word(char **file, const char *word, char why[WHY_SIZE])
{
	size_t len = strcspn(word, "=");
	char *key = xstrndup(word, len);
	int ret = set_key(file, key, word[len] ? word + len + 1 : NULL, why);

	free(key);
	return ret;
}

static int set_all(const struct command_call *call, char **file, char why[WHY_SIZE])
{
	int ret = 0;
	size_t i;

	for (i = 0; !ret && i < call->n_given; i++)
		if (!strcmp(call->given[i].option->name, "set"))
			ret = set_word(file, call->given[i].value, why);
	return ret;
}

/* The existing tools refuse a program of the image since one was used to break out. */
static int set_ldconfig(const struct command_call *call, char **file, char why[WHY_SIZE])
{
	struct json_object *root = NULL, *value;
	char *host;
	int ret = toml_parse(*file, strlen(*file), &root, why);

	(void)call;
	value = ret ? NULL : toml_find(root, KEYS("nvidia-container-cli", "ldconfig"));
	if (json_object_is_type(value, json_type_string) && *json_object_get_string(value) != '@') {
		host = xasprintf("@%s", json_object_get_string(value));
		ret = set_key(file, "nvidia-container-cli.ldconfig", host, why);
		free(host);
	}
	json_object_put(root);
	return ret;
}

/* The file that is meant, or where there is none what it would say. */
static int open_file(struct undoable_edit *change, const struct command_call *call,
		     char why[WHY_SIZE])
{
	char path[PATH_MAX];
	bool required;
	const char *named = command_value(call, "config-file") ?: command_value(call, "config");
	int ret = settings_path(path, named, SETTINGS_RUNTIME, &required);

	*change = (struct undoable_edit){ 0 };
	if (ret)
		return why_fail(why, ret, "the path of config.toml is too long");
	ret = undoable_edit_open(change, path, why);
	if (ret || change->before.is_there)
		return ret;
	free(change->after);
	change->after = settings_preset();
	return 0;
}

/* Writes a text into the file of --output, which keeps its mode and owner; without, prints it. */
static int put_out(const struct command_call *call, const char *text, char why[WHY_SIZE])
{
	const char *output = command_text(call, "output");
	struct text_file file;
	int ret;

	if (!output) {
		fputs(text, stdout);
		return 0;
	}
	ret = text_file_read(output, &file, why);
	if (!ret)
		ret = text_file_write(output, text, &file.stat, why);
	text_file_free(&file);
	return ret;
}

static int edit(const struct command_call *call,
		int (*how)(const struct command_call *call, char **file, char *why))
{
	bool in_place = command_is_on(call, "in-place");
	struct undoable_edit change;
	char why[WHY_SIZE];
	int ret;

	if (in_place && configure_lock(call))
		return CLI_FAILED;
	ret = open_file(&change, call, why);
	if (!ret)
		ret = how(call, &change.after, why);
	if (!ret && !in_place)
		ret = put_out(call, change.after, why);
	else if (!ret && !undoable_edit_is_empty(&change))
		ret = undoable_edit_make(&change, &notation_toml, why);
	undoable_edit_close(&change);
	return ret ? command_fail(call, CLI_FAILED, "%s", why) : CLI_DONE;
}

static int run_config(const struct command_call *call)
{
	return edit(call, set_all);
}

static int run_migrate(const struct command_call *call)
{
	return edit(call, set_ldconfig);
}

static int run_default(const struct command_call *call)
{
	char why[WHY_SIZE], *text = settings_preset();
	int ret = put_out(call, text, why);

	free(text);
	return ret ? command_fail(call, CLI_FAILED, "%s", why) : CLI_DONE;
}

/* Prints the value of a key in a file, else its default. */
static int print_key(struct json_object *file, struct json_object *preset, const char *key,
		     char why[WHY_SIZE])
{
	struct strv path = { 0 };
	struct json_object *value = NULL;
	int ret = split_key(&path, key, why);

	if (!ret)
		value = toml_find(file, (const char *const *)path.word) ?:
			toml_find(preset, (const char *const *)path.word);
	if (value)
		puts(json_object_get_string(value));
	else if (!ret)
		ret = why_fail(why, -EINVAL, "there is no key '%s' in config.toml", key);
	strv_free(&path);
	return ret;
}

static int run_get(const struct command_call *call)
{
	struct json_object *file = NULL, *preset = NULL;
	struct undoable_edit change;
	char why[WHY_SIZE], *text = settings_preset();
	int ret = open_file(&change, call, why);
	size_t i;

	if (!ret)
		ret = toml_parse(change.after, strlen(change.after), &file, why) ?:
		      toml_parse(text, strlen(text), &preset, why);
	for (i = 0; !ret && i < call->n_words; i++)
		ret = print_key(file, preset, call->words[i], why);
	json_object_put(file);
	json_object_put(preset);
	undoable_edit_close(&change);
	free(text);
	return ret ? command_fail(call, CLI_FAILED, "%s", why) : CLI_DONE;
}

static const struct command_option default_options[] = {
	{ "output", 'o', "FILE", NULL, "write to this file" },
	{ .name = NULL },
};

static const struct command *const commands[] = {
	COMMAND(.name = "get", .argument = "KEY...", .run = run_get,
		.what = "print the value of a key: nvidia-container-runtime.mode"),
	COMMAND(.name = "default", .options = { default_options }, .run = run_default,
		.what = "print what is so without a file"),
	COMMAND(.name = "create-default", .options = { default_options }, .run = run_default,
		.what = "the same"),
	COMMAND(.name = "generate-default", .options = { default_options }, .run = run_default,
		.what = "the same"),
	COMMAND(.name = "migrate", .run = run_migrate,
		.what = "have an ldconfig of the image (without @) be this machine's"),
	NULL
};

static const struct command_option options[] = {
	{ "config-file", 'c', "FILE", NULL,
	  "config.toml (default: as the runtime finds it)" },
	{ "config", 0, "FILE", NULL, NULL },
	{ "set", 0, "KEY=VALUE", NULL,
	  "give a key a value; without a value remove it; KEY alone: true" },
	{ "in-place", 'i', NULL, NULL, "edit the file" },
	{ "output", 'o', "FILE", NULL, "write to this file, not to standard output" },
	{ .name = NULL },
};

const struct command ctk_config = {
	.name = "config", .options = { options }, .commands = commands, .run = run_config,
	.what = "show config.toml, or edit it",
};
