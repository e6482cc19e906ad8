// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu complete: the words that may come next in a command line, one a line with its
 * description; or ":file" or ":command N", which the shell completes by itself, from word N
 * on. The scripts in deploy/completion call it with what their shell has read so far.
 */
#include <stdio.h>
#include <string.h>

#include "cli/command/internal.h"

/**
 * struct line - a command line as far as it is written
 * @at:		the command that its words name
 * @given:	of @at: its options so far
 * @open:	the option whose value comes next, or NULL
 * @no_options:	"--" was there
 * @is_topic:	the words are those of mpu help
 * @arguments:	how many there are
 * @last:	the beginning of the word that is asked for
 */
struct line {
	struct command_call at;
	struct command_given given[COMMAND_OPTIONS];
	const struct command_option *open;
	bool no_options, is_topic;
	size_t arguments;
	const char *last;
};

/* Offer @before@word, if the last word begins so. @len: of @word */
static void offer(const struct line *line, const char *before, const char *word, size_t len,
		  const char *what)
{
	char text[1024];

	snprintf(text, sizeof(text), "%s%.*s", before, (int)len, word);
	if (!strncmp(text, line->last, strlen(line->last)))
		printf("%s%s%s\n", text, what ? "\t" : "", what ? what : "");
}

/*
 * Offer what is there now: behind the last comma of a list, or the "-" of a key. Names are other
 * people's: those that a shell would read otherwise are left out.
 */
static void offer_living(const struct line *line, const char *before, const char *option)
{
	const char *value = line->last + strlen(before), *comma = strrchr(value, ',');
	const char *at = comma ? comma + 1 : value;
	struct strv words = { 0 };
	char all[1024];
	size_t i, len;

	at += option && *at == '-';
	snprintf(all, sizeof(all), "%.*s", (int)(at - line->last), line->last);
	if (line->at.command->offer)
		line->at.command->offer(&line->at, option, &words);
	for (i = 0; i < words.n; i++) {
		len = strcspn(words.word[i], "\t");
		if (strspn(words.word[i], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/:@+-") == len)
			offer(line, all, words.word[i], len,
			      words.word[i][len] ? words.word[i] + len + 1 : NULL);
	}
	strv_free(&words);
}

/* Offer the values there are; where files are meant, have the shell do it. */
static void offer_values(const struct line *line, const char *before, const char *value)
{
	static const char *const files[] = { "FILE", "DIR", "PATH", "ROOTFS", "IMAGE-OR-BUNDLE" };
	size_t i, len;

	value += *value == '[';
	for (i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (!strncmp(value, files[i], strlen(files[i])))
			puts(":file");
	for (; strchr(value, '|'); value += len + 1) {
		len = strcspn(value, "|");
		offer(line, before, value, len, NULL);
		if (!strchr(value + len + 1, '|'))
			offer(line, before, value + len + 1, strlen(value + len + 1), NULL);
	}
}

static void offer_options(const struct line *line)
{
	const struct command_option *option;
	size_t i;

	for (i = 0; (option = command_option(&line->at, i)); i++)
		if (option->what)
			offer(line, "--", option->name, strlen(option->name), option->what);
}

static void offer_commands(const struct line *line)
{
	const struct command *const *one;

	for (one = line->at.command->commands; one && *one; one++)
		offer(line, "", (*one)->name, strlen((*one)->name), (*one)->what);
}

/* Return: the option that @word, "--name", "--name=value" or "-ln", gives last; or NULL. */
static const struct command_option *find_option(const struct command_call *at, const char *word)
{
	size_t length = word[1] == '-' ? strcspn(word + 2, "=") : 0, i;
	const struct command_option *option;
	const char *end = word + strlen(word) - 1;

	for (i = 0; (option = command_option(at, i)); i++)
		if (length ? strlen(option->name) == length &&
			     !strncmp(option->name, word + 2, length) :
			     command_letter(at, option) == *end)
			return option;
	return NULL;
}

/* Notes what is given, as far as it may stand there, for those who offer words. */
static void note(struct line *line, const struct command_option *option, const char *value)
{
	while (!option->what)
		option--;
	if (line->at.n_given < COMMAND_OPTIONS &&
	    (!option->value || choices_have(option->value, value)))
		line->given[line->at.n_given++] = (struct command_given){ option, value };
	line->at.given = line->given;
}

static void take_option(struct line *line, const char *word)
{
	const struct command_option *option = find_option(&line->at, word);
	const char *equals = strchr(word, '=');

	if (option && option->value && *option->value != '[' && !equals)
		line->open = option;
	else if (option)
		note(line, option, equals ? equals + 1 : "");
}

/* Takes a word before the last. Return: false: it is another program's, as all behind it. */
static bool take(struct line *line, const char *word)
{
	const struct command *command = line->at.command;

	if (!strcmp(word, "="))	/* bash makes three words of --option=value */
		return true;
	if (line->open) {
		note(line, line->open, word);
		line->open = NULL;
	} else if (!line->no_options && !strcmp(word, "--")) {
		line->no_options = true;
	} else if (!line->no_options && word[0] == '-' && word[1]) {
		take_option(line, word);
	} else if (command->flags & COMMAND_RUNS) {
		return false;
	} else if (command_enter(&line->at, word)) {
		line->no_options = false;
		if (line->at.command == &command_help) {
			command_begin(&line->at, line->at.program);
			line->is_topic = true;
		}
	} else {
		line->arguments++;
	}
	return true;
}

static void offer_last(struct line *line)
{
	const struct command *command = line->at.command;
	const char *equals = strchr(line->last, '=');
	char before[64];

	if (line->open) {
		offer_values(line, "", line->open->value);
		offer_living(line, "", line->open->name);
	} else if (!line->no_options && line->last[0] == '-' && equals) {
		snprintf(before, sizeof(before), "%.*s", (int)(equals - line->last), line->last);
		line->open = find_option(&line->at, before);
		strcat(before, "=");
		if (line->open && line->open->value) {
			offer_values(line, before, line->open->value);
			offer_living(line, before, line->open->name);
		}
	} else if (!line->no_options && line->last[0] == '-') {
		offer_options(line);
	} else if (command->commands) {
		if (!line->arguments)
			offer_commands(line);
	} else if (!line->is_topic && command->argument &&
		   (!line->arguments || strstr(command->argument, "..."))) {
		offer_values(line, "", command->argument);
		offer_living(line, "", NULL);
	}
}

static int run_complete(const struct command_call *call)
{
	struct line line = { .last = call->words[call->n_words - 1] };
	size_t i = 0;

	command_begin(&line.at, call->program);
	if (!strcmp(line.last, "="))
		line.last = "";
	while (i + 1 < call->n_words && take(&line, call->words[i]))
		i++;
	if (line.at.command->flags & COMMAND_RUNS && !line.open &&
	    (i + 1 < call->n_words || line.no_options || line.last[0] != '-'))
		printf(":command %zu\n", i + 1);
	else
		offer_last(&line);
	return CLI_DONE;
}

const struct command command_complete = {
	.name = "complete", .argument = "WORD...", .run = run_complete,
	.what = "list the words that may come next, for shells", .flags = COMMAND_RUNS,
};
