// SPDX-License-Identifier: GPL-2.0-only
/*
 * A list of edits as text and as JSON.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container/plan/internal.h"
#include "lib/json.h"
#include "lib/text.h"

/* An image's words may hold what a terminal obeys. */
static void put_plain(FILE *out, const char *text)
{
	char *plain = xstrdup(text);

	text_clean(plain);
	fputs(plain, out);
	free(plain);
}

static void put_pair(FILE *out, const char *between, const char *text)
{
	if (!text)
		return;
	fputs(between, out);
	put_plain(out, text);
}

static void put_words(FILE *out, const char *before, const struct strv *words)
{
	size_t i;

	for (i = 0; i < words->n; i++)
		put_pair(out, i ? "," : before, words->word[i]);
}

static void put_edit(FILE *out, const struct edit *edit)
{
	fprintf(out, "%-5s", edit_kind_name(edit->kind));
	if (edit->stage)
		put_pair(out, " ", edit->stage);
	if (edit->kind == EDIT_GROUP)
		fprintf(out, " %u", edit->group);
	put_pair(out, " ", edit->path);
	if (edit->kind == EDIT_NODE)
		fprintf(out, " %c %u:%u %s", edit->node.type, edit->node.major,
			edit->node.minor, edit->node.access);
	if (edit->source && (!edit->path || strcmp(edit->source, edit->path)))
		put_pair(out, " from ", edit->source);
	if (edit->size)
		fprintf(out, " of %zu bytes", edit->size);
	else
		put_pair(out, edit->kind == EDIT_LINK ? " -> " : " ", edit->text);
	put_words(out, " ", &edit->options);
	if (edit->optional)
		fputs(" (optional)", out);
}

static void put_reason(FILE *out, const struct edit *edit)
{
	put_pair(out, "      ", edit->rule ? edit->rule : "no rule");
	if (edit->input && edit->input[0])
		put_pair(out, "; by ", edit->input);
	if (edit->device)
		put_pair(out, "; device ", edit->device);
	putc('\n', out);
}

char *explain_edit(const struct edit *edit)
{
	char *text = NULL;
	size_t len;
	FILE *out = xcheck(open_memstream(&text, &len));

	put_edit(out, edit);
	put_pair(out, ": ", edit->rule);
	fclose(out);
	return xcheck(text);
}

char *explain_text(const struct edits *edits, bool reasons)
{
	char *text = NULL;
	size_t len, i;
	FILE *out = xcheck(open_memstream(&text, &len));

	for (i = 0; i < edits->n; i++) {
		put_edit(out, &edits->edit[i]);
		putc('\n', out);
		if (reasons)
			put_reason(out, &edits->edit[i]);
	}
	for (i = 0; i < edits->lacks.n; i++) {
		put_pair(out, "lacks ", edits->lacks.word[i]);
		putc('\n', out);
	}
	for (i = 0; reasons && i < edits->missing.n; i++) {
		put_plain(out, edits->missing.word[i]);
		putc('\n', out);
	}
	fclose(out);
	return xcheck(text);
}

static void add_text(struct json_object *object, const char *name, const char *text)
{
	if (text)
		member_add_text(object, name, text);
}

static struct json_object *node_json(const struct edit *edit)
{
	struct json_object *node = xcheck(json_object_new_object());
	const char type[] = { edit->node.type, '\0' };

	member_add_text(node, "type", type);
	member_add_number(node, "major", edit->node.major);
	member_add_number(node, "minor", edit->node.minor);
	member_add_text(node, "access", edit->node.access);
	if (edit->node.mode) {
		member_add_number(node, "mode", edit->node.mode);
		member_add_number(node, "uid", edit->node.uid);
		member_add_number(node, "gid", edit->node.gid);
	}
	return node;
}

static struct json_object *edit_json(const struct edit *edit)
{
	struct json_object *object = xcheck(json_object_new_object());

	member_add_text(object, "kind", edit_kind_name(edit->kind));
	add_text(object, "path", edit->path);
	add_text(object, "source", edit->source);
	if (edit->size)
		member_add_number(object, "size", edit->size);
	else
		add_text(object, "text", edit->text);
	add_text(object, "stage", edit->stage);
	if (edit->options.n)
		json_object_object_add(object, "options", array_of_words(&edit->options));
	if (edit->env.n)
		json_object_object_add(object, "env", array_of_words(&edit->env));
	if (edit->kind == EDIT_NODE)
		json_object_object_add(object, "node", node_json(edit));
	if (edit->kind == EDIT_GROUP)
		member_add_number(object, "group", edit->group);
	if (edit->optional)
		member_add_bool(object, "optional", true);
	add_text(object, "device", edit->device);
	add_text(object, "rule", edit->rule);
	add_text(object, "input", edit->input);
	return object;
}

struct json_object *explain_json(const struct edits *edits)
{
	struct json_object *answer = xcheck(json_object_new_object());
	struct json_object *list = xcheck(json_object_new_array());
	size_t i;

	for (i = 0; i < edits->n; i++)
		json_object_array_add(list, edit_json(&edits->edit[i]));
	json_object_object_add(answer, "edits", list);
	json_object_object_add(answer, "lacks", array_of_words(&edits->lacks));
	json_object_object_add(answer, "missing", array_of_words(&edits->missing));
	return answer;
}
