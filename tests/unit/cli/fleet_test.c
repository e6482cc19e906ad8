// SPDX-License-Identifier: GPL-2.0-only
/*
 * Documents of mpu doctor: written and read again, cut out of streams, refused, and
 * counted.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/fleet_count.h"
#include "cli/fleet_read.h"
#include "lib/json.h"

/* A node like most: to be changed by the tests. */
static struct node_state make_node(const char *name)
{
	struct node_state state = {
		.time = "2026-11-22T10:00:00Z", .mpu = "1.0",
		.kernel = "6.1.0-18-amd64", .driver = "580.142",
		.flavour = "open", .engine = "bpf",
	};

	snprintf(state.node, sizeof(state.node), "%s", name);
	finding_add(&state.findings, FOUND_DRIVER_OK, NOTHING, "fine");
	return state;
}

static char *write_text(const struct node_state *state, int flags)
{
	struct json_object *document = json_object_new_object();
	char *text;

	node_state_add(document, state);
	text = strdup(json_object_to_json_string_ext(document, flags));
	json_object_put(document);
	assert_non_null(text);
	return text;
}

static void read_bytes(struct fleet *fleet, const char *text, size_t len)
{
	char *buffer = malloc(FLEET_DOCUMENT + 1);
	FILE *file = fmemopen((void *)text, len, "r");

	assert_non_null(buffer);
	assert_non_null(file);
	assert_int_equal(fleet_read(fleet, file, "FILE", buffer), 0);
	fclose(file);
	free(buffer);
}

static void add_node(struct fleet *fleet, const struct node_state *state)
{
	assert_int_equal(fleet_add(fleet, state), 0);
}

static void count(struct fleet *fleet, const char *only)
{
	struct words words = { 0 };
	char why[WHY_SIZE];

	assert_int_equal(words_split(&words, only, ','), 0);
	assert_int_equal(fleet_count(fleet, &words, why), 0);
	words_free(&words);
}

/* How many nodes have this? */
static size_t nodes_of(const struct fleet *fleet, enum fleet_column column,
		       const char *text)
{
	const struct fleet_values *values = &fleet->column[column];
	size_t i;

	for (i = 0; i < values->n; i++)
		if (!strcmp(values->value[i]->text, text))
			return values->value[i]->nodes;
	return 0;
}

/* Every finding there is, and every text of a node, is read as it was written. */
static void written_and_read(void **state)
{
	static struct node_state node, read;
	struct json_object *document;
	char why[WHY_SIZE], *text;
	enum finding_kind kind;

	(void)state;
	node = make_node("node7");
	node.engine[0] = '\0';
	for (kind = 0; kind < FINDING_KINDS; kind++) {
		node.findings.count = 0;
		if (kind == FOUND_ENGINE_OK || kind == FOUND_ENGINE_UNUSABLE ||
		    (kind >= FOUND_RUNTIME_OK && kind <= FOUND_RUNTIME_UNTOLD))
			finding_add_of(&node.findings, kind, "name", "a", "b");
		else
			finding_add(&node.findings, kind, "\"a\"", "b %d", 1);
		text = write_text(&node, JSON_C_TO_STRING_PRETTY);
		document = json_tokener_parse(text);
		assert_int_equal(node_state_parse(&read, document, why), 0);
		assert_int_equal(read.findings.finding[0].verdict,
				 node.findings.finding[0].verdict);
		assert_string_equal(read.findings.finding[0].id,
				    node.findings.finding[0].id);
		assert_string_equal(read.findings.finding[0].about,
				    node.findings.finding[0].about);
		assert_string_equal(read.findings.finding[0].found,
				    node.findings.finding[0].found);
		assert_string_equal(read.findings.finding[0].todo,
				    node.findings.finding[0].todo);
		json_object_put(document);
		free(text);
	}
	assert_string_equal(read.node, "node7");
	assert_string_equal(read.time, node.time);
	assert_string_equal(read.mpu, "1.0");
	assert_string_equal(read.kernel, node.kernel);
	assert_string_equal(read.driver, "580.142");
	assert_string_equal(read.flavour, "open");
	assert_string_equal(read.engine, "");
}

/* No two findings have one identifier. */
static void identifiers(void **state)
{
#define IDENTIFIER(name, about, state, verdict) about "-" state,
	static const char *const ids[] = { FINDING_EACH(IDENTIFIER) };
	size_t i, k;

	(void)state;
	for (i = 0; i < FINDING_KINDS; i++)
		for (k = 0; k < i; k++)
			assert_string_not_equal(ids[i], ids[k]);
}

/* Documents in one stream, pretty or on a line each, longer than what is read at once. */
static void streams(void **state)
{
	static const int flags[] = { JSON_C_TO_STRING_PRETTY, JSON_C_TO_STRING_PLAIN };
	struct fleet fleet = { 0 };
	size_t i, k, n = 0, nodes = 700, room = nodes * 8192;
	char *stream = malloc(room), *text, name[32];
	struct node_state node;

	(void)state;
	assert_non_null(stream);
	for (k = 0; k < 2; k++) {
		n = 0;
		for (i = 0; i < nodes; i++) {
			snprintf(name, sizeof(name), "node%zu", i);
			node = make_node(name);
			text = write_text(&node, flags[k]);
			/* Of many lengths, so that all is cut everywhere. */
			n += (size_t)snprintf(stream + n, room - n, "%s%*s\n", text,
					      (int)(i * 7919 % 6000), "");
			free(text);
		}
		assert_true(n > FLEET_DOCUMENT + FLEET_DOCUMENT / 2 && n < room - 1);
		read_bytes(&fleet, stream, n - k);	/* without the last newline */
		assert_int_equal(fleet.nodes, (k + 1) * nodes);
	}
	assert_int_equal(fleet.refused.n, 0);
	count(&fleet, "");
	assert_int_equal(fleet.chosen, nodes);
	assert_int_equal(fleet.older, nodes);
	fleet_free(&fleet);
	free(stream);
}

#define STATE(node, more) "{\"node\":" node ",\"time\":\"t\",\"mpu\":\"1\"," \
	"\"kernel\":\"k\",\"driver\":null,\"flavour\":null,\"engine\":null" more "}"
#define FINDING(more) "{\"id\":\"a-b\",\"about\":\"a\",\"found\":\"f\"" more "}"

/* One sentence says what is wrong with a file, and the rest of it is read. */
static void refused(void **state)
{
	static const struct {
		const char *text;
		const char *why;
	} files[] = {
		{ " \n\t\n", "FILE: it is empty" },
		{ "Connection refused\n", "FILE: line 1: unexpected character" },
		{ "{\"node\":\n", "FILE: line 2: unexpected end of data" },
		{ "[]", "FILE: it is none of mpu doctor's: no object" },
		{ "null", "FILE: it is none of mpu doctor's: no object" },
		{ "{}", "FILE: it is none of mpu doctor's: 'node' is missing, or is no word" },
		{ "{\"error\":\"no\\nmemory\"}", "FILE: mpu failed there: no?memory" },
		{ STATE("null", ""),
		  "FILE: it does not say of which node it is: set MPU_NODE where mpu doctor is run" },
		{ STATE("7", ""),
		  "FILE: it is none of mpu doctor's: 'node' is missing, or is no word" },
		{ STATE("\"two words\"", ""),
		  "FILE: it is none of mpu doctor's: 'node' is missing, or is no word" },
		{ STATE("\"\\u001b[31m\"", ""),
		  "FILE: it is none of mpu doctor's: 'node' is missing, or is no word" },
		{ STATE("\"a\"", ""),
		  "FILE: it has no findings: it is none of mpu doctor's" },
		{ STATE("\"a\"", ",\"findings\":[7]"),
		  "FILE: finding 1 is none of mpu doctor's" },
		{ STATE("\"a\"", ",\"findings\":[" FINDING(",\"do\":\"d\",\"verdict\":\"ok\"") ","
			FINDING(",\"do\":\"d\",\"verdict\":\"bad\"") "]"),
		  "FILE: finding 2 is none of mpu doctor's" },
		{ STATE("\"a\"", ",\"findings\":[" FINDING(",\"verdict\":\"ok\"") "]"),
		  "FILE: finding 1 is none of mpu doctor's" },
		{ "\n\n{\"node\":1}\n{\n{]",
		  "FILE: document from line 3 on: it is none of mpu doctor's: 'node' is missing, or is no word; and 2 more of it" },
	};
	struct node_state node = make_node("good");
	char *good = write_text(&node, JSON_C_TO_STRING_PRETTY), *text;
	struct fleet two = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct fleet fleet = { 0 };

		read_bytes(&fleet, files[i].text, strlen(files[i].text));
		assert_int_equal(fleet.nodes, 0);
		assert_int_equal(fleet.refused.n, 1);
		assert_string_equal(fleet.refused.word[0], files[i].why);
		assert_true(asprintf(&text, "%s\n%s\n%s\n", good, files[i].text, good) > 0);
		read_bytes(&fleet, text, strlen(text));
		assert_int_equal(fleet.nodes, 2);
		assert_int_equal(fleet.refused.n, i ? 2 : 1);
		free(text);
		fleet_free(&fleet);
	}
	assert_true(asprintf(&text, "%s%s", good, good) > 0);
	read_bytes(&two, text, strlen(text));
	assert_int_equal(two.nodes, 1);
	assert_string_equal(two.refused.word[0],
		"FILE: what follows it is no document, or does not begin a line");
	free(text);
	fleet_free(&two);
	free(good);
}

/* A document that is too large is left out, whatever the size of what stands before. */
static void too_large(void **state)
{
	struct node_state node = make_node("good");
	char *good = write_text(&node, JSON_C_TO_STRING_PLAIN);
	size_t room = 3 * FLEET_DOCUMENT, before, n;
	char *text = malloc(room);

	(void)state;
	assert_non_null(text);
	for (before = 0; before < 3; before++) {
		struct fleet fleet = { 0 };

		n = (size_t)snprintf(text, room, "%s%*s\n{", good, (int)before, "");
		memset(text + n, ' ', 2 * FLEET_DOCUMENT);
		text[n + 5] = '\n';
		n += 2 * FLEET_DOCUMENT;
		n += (size_t)snprintf(text + n, room - n, "\n%s\n{", good);
		read_bytes(&fleet, text, n);
		assert_int_equal(fleet.nodes, 2);
		assert_int_equal(fleet.refused.n, 1);
		assert_string_equal(fleet.refused.word[0],
			"FILE: document from line 2 on: it is larger than 1 MiB; and 1 more of it");
		fleet_free(&fleet);
	}
	/* As large as may be. */
	for (n = 0; n < 2; n++) {
		struct fleet fleet = { 0 };

		memset(text, ' ', FLEET_DOCUMENT + n);
		memcpy(text, good, strlen(good));
		read_bytes(&fleet, text, FLEET_DOCUMENT + n - 1);
		assert_int_equal(fleet.nodes, !n);
		fleet_free(&fleet);
	}
	free(text);
	free(good);
}

/*
 * The end of what is read at once may be any byte of a stream: also that between the
 * newline and the brace that end a document, be it read or left out.
 */
static void boundaries(void **state)
{
	static const struct {
		size_t lengths[2];	/* with their newlines */
		size_t nodes;
	} streams[] = {
		{ { FLEET_DOCUMENT / 2, FLEET_DOCUMENT / 2 }, 3 },
		{ { FLEET_DOCUMENT / 2 - 1, FLEET_DOCUMENT / 2 }, 3 },
		{ { FLEET_DOCUMENT / 2 + 1, FLEET_DOCUMENT / 2 }, 3 },
		{ { FLEET_DOCUMENT / 2, FLEET_DOCUMENT }, 2 },
		{ { FLEET_DOCUMENT / 2, 2 * FLEET_DOCUMENT - 1 }, 2 },
	};
	struct node_state node = make_node("good");
	char *good = write_text(&node, JSON_C_TO_STRING_PLAIN);
	char *text = malloc(4 * FLEET_DOCUMENT);
	size_t i, k, n;

	(void)state;
	assert_non_null(text);
	for (i = 0; i < sizeof(streams) / sizeof(streams[0]); i++) {
		struct fleet fleet = { 0 };

		for (n = 0, k = 0; k < 2; k++) {
			memset(text + n, ' ', streams[i].lengths[k]);
			memcpy(text + n, good, strlen(good));
			n += streams[i].lengths[k];
			text[n - 1] = '\n';
		}
		memcpy(text + n, good, strlen(good));
		read_bytes(&fleet, text, n + strlen(good));
		assert_int_equal(fleet.nodes, streams[i].nodes);
		assert_int_equal(fleet.refused.n, streams[i].nodes == 2);
		fleet_free(&fleet);
	}
	free(text);
	free(good);
}

/* Bytes of a stream are changed at random: nothing but these documents is lost. */
static void random_bytes(void **state)
{
	struct node_state node = make_node("node");
	char *good = write_text(&node, JSON_C_TO_STRING_PRETTY), *text;
	size_t len = strlen(good), run, i;
	unsigned int seed = 1;

	(void)state;
	for (run = 0; run < 300; run++) {
		struct fleet fleet = { 0 };

		assert_true(asprintf(&text, "%s\n%s\n%s\n", good, good, good) > 0);
		for (i = 0; i < 1 + run % 5; i++) {
			size_t at = len + 2 + (size_t)rand_r(&seed) % (len - 2);

			text[at] = (char)rand_r(&seed);
		}
		read_bytes(&fleet, text, 3 * len + 3);
		/* A changed one may be read, or be taken for several. */
		assert_in_range(fleet.nodes, 2, 3);
		assert_int_equal(fleet.refused.n, fleet.nodes == 2);
		free(text);
		fleet_free(&fleet);
	}
	free(good);
}

/* Of a node the newest document counts, whichever was read first. */
static void newest(void **state)
{
	struct node_state old = make_node("a"), new = make_node("a");
	int new_first;

	(void)state;
	strcpy(new.time, "2026-11-22T10:00:01Z");
	strcpy(old.engine, "notify");
	finding_add(&old.findings, FOUND_FTRACE_OFF, "do", "off");
	for (new_first = 0; new_first < 2; new_first++) {
		struct fleet fleet = { 0 };

		add_node(&fleet, new_first ? &new : &old);
		add_node(&fleet, new_first ? &old : &new);
		count(&fleet, "");
		assert_int_equal(fleet.chosen, 1);
		assert_int_equal(fleet.older, 1);
		assert_int_equal(nodes_of(&fleet, FLEET_ENGINE, "bpf"), 1);
		assert_int_equal(nodes_of(&fleet, FLEET_ENGINE, "notify"), 0);
		assert_int_equal(nodes_of(&fleet, FLEET_FINDING, "ftrace-off"), 0);
		assert_false(fleet_has_problem(&fleet));
		fleet_free(&fleet);
	}
}

/* The worst first, then the most frequent; what is fine is not counted. */
static void order(void **state)
{
	static const char *const wanted[] = { "mpu-off", "ftrace-off",
		"kprobes-off", "lockdown-on", "table-old" };
	struct fleet fleet = { 0 };
	struct node_state node;
	char name[2] = "a";
	size_t i;

	(void)state;
	for (; name[0] < 'a' + 9; name[0]++) {
		node = make_node(name);
		finding_add(&node.findings, FOUND_LOCKDOWN_ON, "do", "on, of %s", name);
		if (name[0] < 'e')
			finding_add(&node.findings, FOUND_TABLE_OLD, "do", "old");
		if (name[0] > 'c')
			finding_add(&node.findings, name[0] == 'd' ? FOUND_KPROBES_OFF :
				    name[0] == 'e' ? FOUND_FTRACE_OFF : FOUND_MPU_OFF,
				    "do", "off");
		add_node(&fleet, &node);
	}
	count(&fleet, "");
	assert_int_equal(fleet.column[FLEET_FINDING].n, 5);
	for (i = 0; i < 5; i++)
		assert_string_equal(fleet.column[FLEET_FINDING].value[i]->text,
				    wanted[i]);
	assert_string_equal(fleet.column[FLEET_FINDING].value[3]->example,
			    "on, of a");
	assert_true(fleet_has_problem(&fleet));
	fleet_free(&fleet);
}

/* Conditions must all hold. */
static void only(void **state)
{
	static const struct {
		const char *only;
		size_t nodes;
	} cases[] = {
		{ "", 4 }, { "engine=bpf", 3 }, { "engine=none", 1 },
		{ "finding=lockdown-on", 2 }, { "finding=driver-ok", 0 },
		{ "engine=bpf,finding=lockdown-on", 1 }, { "node=b", 1 },
		{ "node=b,node=c", 0 }, { "kernel=6", 0 }, { "flavour=open", 4 },
		{ "driver=580.142,mpu=1.0,kernel=6.1.0-18-amd64", 4 },
	};
	static const char *const wrong[] = { "", "engine", "nodes=a", "eng=bpf", "=" };
	struct fleet fleet = { 0 };
	char why[WHY_SIZE];
	size_t i, k;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (k = 0; k < 4; k++) {
			const char name[] = { (char)('a' + k), '\0' };
			struct node_state node = make_node(name);

			if (!k)
				node.engine[0] = '\0';
			if (k < 2)
				finding_add(&node.findings, FOUND_LOCKDOWN_ON, "do", "on");
			add_node(&fleet, &node);
		}
		count(&fleet, cases[i].only);
		assert_int_equal(fleet.chosen, cases[i].nodes);
		fleet_free(&fleet);
	}
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct words words = { 0 };

		assert_int_equal(words_add(&words, wrong[i]), 0);
		assert_int_equal(fleet_count(&fleet, &words, why), -EINVAL);
		words_free(&words);
	}
}

/* What more than half have is usual; half of them is not. */
static void unlike(void **state)
{
	struct node_state a = make_node("a"), b = make_node("b"), c = make_node("c");
	struct fleet fleet = { 0 };

	(void)state;
	strcpy(b.kernel, "5.10.0");
	add_node(&fleet, &a);
	add_node(&fleet, &b);
	count(&fleet, "");
	assert_null(fleet_usual(&fleet, FLEET_KERNEL));
	assert_false(fleet_is_unlike(&fleet, &fleet.node[0]));
	assert_false(fleet_is_unlike(&fleet, &fleet.node[1]));
	fleet_free(&fleet);

	c.engine[0] = '\0';
	add_node(&fleet, &a);
	add_node(&fleet, &b);
	add_node(&fleet, &c);
	count(&fleet, "");
	assert_string_equal(fleet_usual(&fleet, FLEET_KERNEL)->text, a.kernel);
	assert_string_equal(fleet_usual(&fleet, FLEET_ENGINE)->text, "bpf");
	assert_false(fleet_is_unlike(&fleet, &fleet.node[0]));
	assert_true(fleet_is_unlike(&fleet, &fleet.node[1]));
	assert_true(fleet_is_unlike(&fleet, &fleet.node[2]));
	fleet_free(&fleet);

	/* Of those that are chosen. */
	add_node(&fleet, &a);
	add_node(&fleet, &b);
	add_node(&fleet, &c);
	count(&fleet, "node=b");
	assert_false(fleet_is_unlike(&fleet, &fleet.node[0]));
	assert_false(fleet_is_unlike(&fleet, &fleet.node[1]));
	fleet_free(&fleet);
}

/* Of each kind the first that is chosen, by name. */
static void first(void **state)
{
	struct node_state node = make_node("c");
	struct fleet fleet = { 0 };

	(void)state;
	add_node(&fleet, &node);
	finding_add(&node.findings, FOUND_LOCKDOWN_ON, "do", "on");
	strcpy(node.node, "b");
	add_node(&fleet, &node);
	strcpy(node.node, "a");
	strcpy(node.flavour, "proprietary");
	add_node(&fleet, &node);
	count(&fleet, "");
	assert_true(fleet_is_first(&fleet, &fleet.node[0]));
	assert_true(fleet_is_first(&fleet, &fleet.node[1]));
	assert_false(fleet_is_first(&fleet, &fleet.node[2]));
	fleet.node[1].chosen = false;
	assert_false(fleet_is_first(&fleet, &fleet.node[1]));
	assert_true(fleet_is_first(&fleet, &fleet.node[2]));
	fleet_free(&fleet);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(written_and_read),
		cmocka_unit_test(identifiers),
		cmocka_unit_test(streams),
		cmocka_unit_test(refused),
		cmocka_unit_test(too_large),
		cmocka_unit_test(boundaries),
		cmocka_unit_test(random_bytes),
		cmocka_unit_test(newest),
		cmocka_unit_test(order),
		cmocka_unit_test(only),
		cmocka_unit_test(unlike),
		cmocka_unit_test(first),
	};

	return cmocka_run_group_tests_name("fleet", tests, NULL, NULL);
}
