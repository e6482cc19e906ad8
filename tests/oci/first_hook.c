// SPDX-License-Identifier: GPL-2.0-only
/*
 * Puts a prestart hook in front of all others of a bundle:
 *
 *	first_hook BUNDLE PROGRAM ARG...	PROGRAM ROOT ARG..., where ROOT is the
 *						container's root
 */
#include <json-c/json.h>
#include <limits.h>
#include <stdio.h>

static struct json_object *member(struct json_object *of, const char *name,
				  struct json_object *empty)
{
	struct json_object *found;

	if (json_object_object_get_ex(of, name, &found)) {
		json_object_put(empty);
		return found;
	}
	json_object_object_add(of, name, empty);
	return empty;
}

static void add_word(struct json_object *words, const char *word)
{
	json_object_array_add(words, json_object_new_string(word));
}

int main(int argc, char **argv)
{
	struct json_object *config, *root, *list, *old, *hook, *words;
	char path[PATH_MAX], rootfs[PATH_MAX];
	const char *text;
	size_t i;
	int word;

	if (argc < 3)
		return 2;
	snprintf(path, sizeof(path), "%s/config.json", argv[1]);
	config = json_object_from_file(path);
	if (!config || !json_object_object_get_ex(config, "root", &root) ||
	    !json_object_object_get_ex(root, "path", &root)) {
		fprintf(stderr, "first_hook: %s is no container\n", path);
		return 1;
	}
	text = json_object_get_string(root);
	snprintf(rootfs, sizeof(rootfs), "%s%s%s", text[0] == '/' ? "" : argv[1],
		 text[0] == '/' ? "" : "/", text);
	words = json_object_new_array();
	add_word(words, argv[2]);
	add_word(words, rootfs);
	for (word = 3; word < argc; word++)
		add_word(words, argv[word]);
	hook = json_object_new_object();
	json_object_object_add(hook, "path", json_object_new_string(argv[2]));
	json_object_object_add(hook, "args", words);
	list = json_object_new_array();
	json_object_array_add(list, hook);
	root = member(config, "hooks", json_object_new_object());
	old = member(root, "prestart", json_object_new_array());
	for (i = 0; i < json_object_array_length(old); i++)
		json_object_array_add(list, json_object_get(json_object_array_get_idx(old, i)));
	json_object_object_add(root, "prestart", list);
	return json_object_to_file(path, config) ? 1 : 0;
}
