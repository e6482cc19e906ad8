// SPDX-License-Identifier: GPL-2.0-only
/*
 * Answers and errors of commands, as text or in JSON: see command.h.
 */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command/internal.h"
#include "lib/text.h"
#include "lib/why.h"

#define TEXT	(WHY_SIZE + 256)

/* Names in it may be anybody's choice, and no UTF-8. The text is the answer's own. */
void command_print_json(struct json_object *answer)
{
	char *text = (char *)json_object_to_json_string_ext(answer,
		JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
		JSON_C_TO_STRING_NOSLASHESCAPE);

	text_clean_lines(text);
	puts(text);
	json_object_put(answer);
}

void command_print_member(const char *name, const char *text)
{
	struct json_object *answer = json_object_new_object();

	member_add_text(answer, name, text);
	command_print_json(answer);
}

/* An error of mpu names the command, one of NVIDIA's programs the program. */
static void print_line(const struct command_call *call, char *text)
{
	text_clean_lines(text);
	fprintf(stderr, "%s: %s\n", call->program->style == PROGRAM_MPU ?
		call->name : call->program->top.name, text);
}

static int fail(const struct command_call *call, int status, char *text)
{
	if (command_wants_json(call))
		command_print_member("error", text);
	else
		print_line(call, text);
	return status;
}

int command_fail(const struct command_call *call, int status, const char *fmt, ...)
{
	char text[TEXT];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return fail(call, status, text);
}

int command_fail_usage(const struct command_call *call, const char *fmt, ...)
{
	char text[TEXT];
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (len >= 0 && len < TEXT)
		snprintf(text + len, sizeof(text) - (size_t)len, "; see '%s --help'", call->name);
	return fail(call, call->program->usage_status, text);
}

void command_warn(const struct command_call *call, const char *fmt, ...)
{
	char text[TEXT];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	print_line(call, text);
}

static char late[256];

static void tell_late(int signal_)
{
	(void)signal_;
	if (write(STDERR_FILENO, late, strlen(late)) < 0)
		return;
}

void command_tell_late(const struct command_call *call)
{
	const struct sigaction told = { .sa_handler = tell_late, .sa_flags = SA_RESTART };

	alarm(0);
	if (!call)
		return;
	snprintf(late, sizeof(late), "%s: the NVIDIA driver has not answered for 7 s: it hangs, or wakes GPUs that nobody uses; see the end of 'dmesg'; Ctrl-C leaves\n",
		 call->name);
	sigaction(SIGALRM, &told, NULL);
	alarm(7);
}

void command_print_file(const struct command_call *call, const char *path)
{
	if (command_wants_json(call))
		command_print_member("file", path);
}

void command_print_words(const struct command_call *call, const char *name,
			 const struct strv *words)
{
	struct json_object *answer;
	size_t i;

	if (!command_wants_json(call)) {
		for (i = 0; i < words->n; i++)
			puts(words->word[i]);
		return;
	}
	answer = json_object_new_object();
	json_object_object_add(answer, name, array_of_words(words));
	command_print_json(answer);
}

int command_report(const struct command_call *call, int status, const struct strv *problems)
{
	size_t i;

	if (command_wants_json(call))
		command_print_words(call, "problems", problems);
	for (i = 0; i < problems->n && !command_wants_json(call); i++)
		print_line(call, problems->word[i]);
	return problems->n ? status : CLI_DONE;
}
