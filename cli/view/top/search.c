// SPDX-License-Identifier: GPL-2.0-only
/*
 * Words that choose processes.
 */
#include <stdio.h>
#include <string.h>

#include "cli/view/top/internal.h"

static bool has_text(const struct usage_process *process, const char *text)
{
	const struct host_process *who = process->process;
	const struct owner *owner = process->process->owner;
	char pid[16], name[OWNER_FULL];

	owner_name(name, owner);
	snprintf(pid, sizeof(pid), "%d", who->pid);
	return strcasestr(who->command, text) || strcasestr(who->name, text) ||
	       strcasestr(who->user, text) || strcasestr(name, text) ||
	       strcasestr(owner->unit, text) || !strcmp(owner->job, text) ||
	       !strncasecmp(owner->id, text, strlen(text)) || !strcmp(pid, text);
}

static bool has_type(unsigned int use, const char *text)
{
	size_t n = strlen(text);

	return (use & GPU_COMPUTE && !strncasecmp("compute", text, n)) ||
	       (use & GPU_GRAPHICS && !strncasecmp("graphics", text, n)) ||
	       (use & GPU_MPS && !strncasecmp("mps", text, n));
}

/* @value: what stands behind "=" of a word. Return: 1, 0; -1: there is no such name. */
static int has_value(const struct usage *usage, const struct usage_process *process,
		     const char *name, const char *value)
{
	const struct owner *owner = process->process->owner;
	char text[OWNER_FULL];

	if (!strcmp(name, "gpu"))
		return usage_is_gpu(usage, process->gpu, value);
	if (!strcmp(name, "user"))
		return !!strcasestr(process->process->user, value);
	owner_name(text, owner);
	if (!strcmp(name, "container"))
		return strcasestr(text, value) || !strncasecmp(owner->id, value, strlen(value));
	owner_name_pod(text, owner);
	if (!strcmp(name, "pod"))
		return text[0] && strcasestr(text, value);
	if (!strcmp(name, "type"))
		return has_type(process->use, value);
	if (strcmp(name, "pid") != 0)
		return -1;
	snprintf(text, sizeof(text), "%d", process->process->pid);
	return !strcmp(text, value);
}

/* A name whose value is still to be typed keeps nothing out. */
static bool has_word(const struct usage *usage, const struct usage_process *process,
		     const char *word)
{
	const char *equals = strchr(word, '=');
	char name[SEARCH_TEXT];
	int ret = -1;

	if (equals) {
		snprintf(name, sizeof(name), "%.*s", (int)(equals - word), word);
		ret = has_value(usage, process, name, equals + 1);
	}
	return ret < 0 ? has_text(process, word) : ret || !equals[1];
}

bool search_matches(const struct usage *usage, const struct usage_process *process,
		    const char *text)
{
	char words[SEARCH_TEXT], *at = words, *word;
	bool fits = true;

	snprintf(words, sizeof(words), "%s", text);
	while (fits && (word = strsep(&at, " ")))
		fits = !*word || has_word(usage, process, word);
	return fits;
}
