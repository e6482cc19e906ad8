// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks that standard input is one JSON value and nothing else, and prints
 * the texts at a path: `json commands name` prints the name of each command.
 * Arrays are walked; a missing member prints nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>

static void print_at(struct json_object *at, char **path)
{
	size_t i;

	if (json_object_is_type(at, json_type_array)) {
		for (i = 0; i < json_object_array_length(at); i++)
			print_at(json_object_array_get_idx(at, i), path);
	} else if (!*path) {
		puts(at ? json_object_get_string(at) : "null");
	} else if (json_object_object_get_ex(at, *path, &at)) {
		print_at(at, path + 1);
	}
}

int main(int argc, char **argv)
{
	static char text[1 << 20];
	size_t len = fread(text, 1, sizeof(text) - 1, stdin);
	struct json_tokener *parser = json_tokener_new();
	struct json_object *value;
	size_t end;

	(void)argc;
	json_tokener_set_flags(parser, JSON_TOKENER_STRICT);
	value = json_tokener_parse_ex(parser, text, (int)len);
	end = json_tokener_get_parse_end(parser);
	if (json_tokener_get_error(parser) != json_tokener_success ||
	    strspn(text + end, " \n") != len - end) {
		fprintf(stderr, "json: not one JSON value: %.200s\n", text);
		return 1;
	}
	print_at(value, argv + 1);
	json_object_put(value);
	json_tokener_free(parser);
	return 0;
}
