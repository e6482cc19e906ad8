// SPDX-License-Identifier: GPL-2.0-only
/*
 * A list of edits: what plan_edits() adds to and the renderings read.
 */
#include <stdlib.h>
#include <string.h>

#include "container/plan/internal.h"
#include "lib/hash.h"

static const char *const kind_names[] = {
	[EDIT_ENV] = "env", [EDIT_NODE] = "node", [EDIT_MOUNT] = "mount",
	[EDIT_LINK] = "link", [EDIT_TEXT] = "text", [EDIT_PROC] = "proc",
	[EDIT_MASK] = "mask", [EDIT_GROUP] = "group", [EDIT_HOOK] = "hook",
	[EDIT_CGROUP] = "cgroup", [EDIT_OTHER] = "other",
};

const char *edit_kind_name(enum edit_kind kind)
{
	return kind_names[kind];
}

static bool is_same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool are_same_words(const struct strv *a, const struct strv *b)
{
	size_t i;

	for (i = 0; i < a->n && i < b->n; i++)
		if (strcmp(a->word[i], b->word[i]))
			return false;
	return a->n == b->n;
}

static bool are_same_contents(const struct edit *a, const struct edit *b)
{
	return a->size == b->size && (a->size ? !memcmp(a->text, b->text, a->size) :
				      is_same_text(a->text, b->text));
}

static bool is_same_node(const struct edit *a, const struct edit *b)
{
	return a->node.type == b->node.type && a->node.major == b->node.major &&
	       a->node.minor == b->node.minor && a->node.mode == b->node.mode &&
	       a->node.uid == b->node.uid && a->node.gid == b->node.gid &&
	       !strcmp(a->node.access, b->node.access);
}

static bool is_same(const struct edit *a, const struct edit *b)
{
	return a->kind == b->kind && a->group == b->group &&
	       a->timeout == b->timeout && is_same_node(a, b) &&
	       is_same_text(a->path, b->path) &&
	       are_same_contents(a, b) &&
	       is_same_text(a->below, b->below) &&
	       is_same_text(a->source, b->source) &&
	       is_same_text(a->device, b->device) &&
	       is_same_text(a->stage, b->stage) &&
	       are_same_words(&a->options, &b->options) &&
	       are_same_words(&a->env, &b->env);
}

static void free_edit(struct edit *edit)
{
	free(edit->device);
	free(edit->path);
	free(edit->source);
	free(edit->text);
	free(edit->below);
	strv_free(&edit->options);
	strv_free(&edit->env);
	free(edit->stage);
	free(edit->rule);
	free(edit->input);
	*edit = (struct edit){ 0 };
}

/* The same for edits that do the same; a source may be filled in later. */
static uint64_t hash_edit(const struct edit *edit)
{
	uint64_t hash = hash_word(HASH_BEGIN, (uint64_t)edit->kind ^ edit->group << 8);

	hash = hash_text(hash, edit->path ?: "");
	hash = hash_text(hash, edit->text ?: "");
	return hash_text(hash, edit->device ?: "");
}

/* The slot of an edit, or a free one for it; slots hold indices, from 1. */
static size_t find_slot(const struct edits *edits, const struct edit *edit)
{
	size_t at = hash_edit(edit) & (edits->n_slots - 1);

	while (edits->slots[at] && !is_same(&edits->edit[edits->slots[at] - 1], edit))
		at = (at + 1) & (edits->n_slots - 1);
	return at;
}

/* A machine may have thousands of nodes: half of the slots stay free. */
static void grow(struct edits *edits)
{
	size_t n = edits->n_slots ? 2 * edits->n_slots : 64, i;

	edits->edit = xreallocarray(edits->edit, n / 2, sizeof(*edits->edit));
	free(edits->slots);
	edits->slots = xcalloc(n, sizeof(*edits->slots));
	edits->n_slots = n;
	for (i = 0; i < edits->n; i++)
		edits->slots[find_slot(edits, &edits->edit[i])] = (uint32_t)i + 1;
}

void edits_add(struct edits *edits, struct edit *edit)
{
	size_t at;

	if (edits->n >= edits->n_slots / 2)
		grow(edits);
	at = find_slot(edits, edit);
	if (edits->slots[at]) {
		free_edit(edit);
		return;
	}
	edits->edit[edits->n++] = *edit;
	edits->slots[at] = (uint32_t)edits->n;
	*edit = (struct edit){ 0 };
}

static char *copy_text(const char *text)
{
	return text ? xstrdup(text) : NULL;
}

void edits_add_copy(struct edits *edits, const struct edit *edit, const char *device)
{
	struct edit copy = *edit;

	copy.device = copy_text(device);
	copy.path = copy_text(edit->path);
	copy.source = copy_text(edit->source);
	copy.text = edit->size ? memcpy(xcalloc(edit->size + 1, 1), edit->text, edit->size) :
				 copy_text(edit->text);
	copy.below = copy_text(edit->below);
	copy.stage = copy_text(edit->stage);
	copy.rule = copy_text(edit->rule);
	copy.input = copy_text(edit->input);
	copy.options = copy.env = (struct strv){ 0 };
	strv_add_all(&copy.options, &edit->options);
	strv_add_all(&copy.env, &edit->env);
	edits_add(edits, &copy);
}

void edits_free(struct edits *edits)
{
	size_t i;

	for (i = 0; i < edits->n; i++)
		free_edit(&edits->edit[i]);
	free(edits->edit);
	free(edits->slots);
	strv_free(&edits->lacks);
	strv_free(&edits->missing);
	*edits = (struct edits){ 0 };
}
