// SPDX-License-Identifier: GPL-2.0-only
/*
 * Configurations that nobody wrote. Any bytes, taken for a text: nothing is
 * read beyond its end, and what is edited is found to be edited. The same
 * bytes, taken for dice that make a configuration: the edit changes nothing
 * else (same.h), and two members of one name are refused.
 *
 * For libFuzzer; with -DRUNS=N a program that throws the dice N times.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines/notify/internal.h"
#include "lib/json_file.h"
#include "tests/unit/engines/notify/filter.h"
#include "tests/oci/same.h"

#define PICK(dice, list) \
	((list)[roll(dice, sizeof(list) / sizeof((list)[0]))])

/**
 * struct dice - and what came of them
 * @names:	members so far: each name is another
 * @twice:	but for one
 */
struct dice {
	const uint8_t *at;
	const uint8_t *end;
	unsigned int names;
	bool twice;
};

static size_t roll(struct dice *dice, size_t sides)
{
	return dice->at < dice->end ? *dice->at++ % sides : 0;
}

static void put_blanks(FILE *out, struct dice *dice)
{
	static const char *const blanks[] = { "", "", "", " ", "\n\t", "\r\n" };

	fputs(PICK(dice, blanks), out);
}

static void put_leaf(FILE *out, struct dice *dice)
{
	static const char *const leaves[] = {
		"0", "-0", "7", "-12", "1.0", "0.10", "1e3", "-1.5E+07",
		"1e400", "18446744073709551615", "18446744073709551616",
		"123456789012345678901234567890", "-9223372036854775809",
		"0.1000000000000000055511151231257827", "true", "false", "null",
		"\"\"", "\"a b\"", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
		"\"\\u0000\\u001f\"", "\"\\u00e9\\u20AC\\ud83d\\ude00\"",
		"\"\303\251\342\202\254\360\237\230\200\"", "\"\\udc00\\ud800\"",
		"\"ioctl\"", "\"{[,:]}\"",
	};

	fputs(PICK(dice, leaves), out);
}

/* The number makes it another than all others. */
static void put_name(FILE *out, struct dice *dice)
{
	static const char *const names[] = { "n", "", "linux", "seccomp",
		"a\\u0062\\/", "\303\251", "\\ud83d\\ude00", "{\\\"", "Names" };

	fprintf(out, "\"%s%u\"", PICK(dice, names), dice->names++);
}

static void put_value(FILE *out, struct dice *dice, int depth);

/* Some members that no runtime knows, each with a comma behind it. */
static void put_members(FILE *out, struct dice *dice, int depth)
{
	size_t n = roll(dice, 3);

	while (n--) {
		put_blanks(out, dice);
		put_name(out, dice);
		put_blanks(out, dice);
		putc(':', out);
		put_value(out, dice, depth);
		putc(',', out);
	}
}

static void put_object(FILE *out, struct dice *dice, int depth)
{
	static const char *const last[] = { "z", "\\u007a" };

	putc('{', out);
	put_members(out, dice, depth);
	fputs("\"z\":1", out);
	if (!roll(dice, 32) && dice->at < dice->end) {
		fprintf(out, ",\"%s\":{}", PICK(dice, last));
		dice->twice = true;
	}
	put_blanks(out, dice);
	putc('}', out);
}

static void put_value(FILE *out, struct dice *dice, int depth)
{
	size_t kind = roll(dice, depth ? 6 : 4), n;

	put_blanks(out, dice);
	if (kind == 5) {
		put_object(out, dice, depth - 1);
	} else if (kind == 4) {
		putc('[', out);
		for (n = roll(dice, 4); n; n--) {
			put_value(out, dice, depth - 1);
			fputs(n > 1 ? "," : "", out);
		}
		putc(']', out);
	} else {
		put_leaf(out, dice);
	}
	put_blanks(out, dice);
}

static void put_entry(FILE *out, struct dice *dice)
{
	static const char *const names[] = { "\"ioctl\"", "\"read\",\"ioctl\"",
		"\"\\u0069octl\", \"write\"", "\"mount\"", "\"close\",\"dup\"",
		"" };
	static const char *const actions[] = { "ALLOW", "ALLOW", "LOG", "ERRNO",
		"KILL", "KILL_THREAD", "TRAP", "NOTIFY" };
	static const char *const args[] = { "", "", "", ",\"args\":null",
		",\"args\":[]", ",\"errnoRet\":38",
		",\"args\":[{\"index\":0,\"value\":1,\"op\":\"SCMP_CMP_EQ\"}]",
		",\"args\":[{\"index\":1,\"value\":21522,\"op\":\"SCMP_CMP_EQ\"}]",
		",\"args\":[{\"index\":1,\"value\":255,\"valueTwo\":42,\"op\":\"SCMP_CMP_MASKED_EQ\"}]",
		",\"args\":[{\"index\":1,\"value\":1,\"op\":\"SCMP_CMP_GE\"}]",
		",\"args\":[{\"index\":2,\"value\":18446744073709551615,\"op\":\"SCMP_CMP_NE\"}]",
		",\"args\":[{\"index\":0,\"value\":1e3,\"op\":\"SCMP_CMP_EQ\"}]",
		",\"args\":[{\"index\":0,\"value\":1,\"op\":\"SCMP_CMP_GT\"}]",
		",\"args\":[{\"index\":1,\"value\":3223340586,\"op\":\"SCMP_CMP_EQ\"}]",
		",\"args\":[{\"index\":1,\"value\":3,\"valueTwo\":3,\"op\":\"SCMP_CMP_MASKED_EQ\"}]",
		",\"args\":[{\"index\":1,\"value\":65280,\"valueTwo\":21504,\"op\":\"SCMP_CMP_MASKED_EQ\"}]",
		",\"args\":[{\"index\":0,\"value\":5,\"op\":\"SCMP_CMP_EQ\"},{\"index\":1,\"value\":21522,\"op\":\"SCMP_CMP_EQ\"}]",
		",\"args\":[{\"index\":2,\"value\":7,\"op\":\"SCMP_CMP_NE\"},{\"index\":1,\"value\":128,\"valueTwo\":128,\"op\":\"SCMP_CMP_MASKED_EQ\"}]",
	};

	putc('{', out);
	put_members(out, dice, 1);
	fprintf(out, "\"names\":[%s],", PICK(dice, names));
	put_members(out, dice, 1);
	fprintf(out, "\"action\":\"SCMP_ACT_%s\"%s}", PICK(dice, actions), PICK(dice, args));
}

static void put_profile(FILE *out, struct dice *dice)
{
	static const char *const standard[] = { "ERRNO", "ALLOW", "LOG" };
	static const char *const listeners[] = { "", "", "", "",
		"\"listenerPath\":null,", "\"listenerPath\":\"\",",
		"\"listenerPath\":\"/run/b.sock\"," };
	static const char *const flags[] = { "", "", "\"flags\":null,",
		"\"flags\":[],", "\"flags\":[\"A\",\"" PROFILE_FLAG "\"]," };
	size_t n = roll(dice, 5);

	putc('{', out);
	put_members(out, dice, 2);
	fprintf(out, "\"defaultAction\":\"SCMP_ACT_%s\",%s",
		PICK(dice, standard), PICK(dice, listeners));
	put_members(out, dice, 2);
	fputs(PICK(dice, flags), out);
	if (n) {
		fputs("\"syscalls\":[", out);
		for (; n > 1; n--) {
			put_entry(out, dice);
			putc(',', out);
		}
		put_entry(out, dice);
		fputs("],", out);
	}
	fputs("\"architectures\":[\"SCMP_ARCH_X86_64\"]}", out);
}

static char *make_config(struct dice *dice)
{
	static const char *const none[] = { "", "\"seccomp\":null," };
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	putc('{', out);
	put_members(out, dice, 4);
	fputs("\"linux\":{", out);
	put_members(out, dice, 4);
	if (roll(dice, 8)) {
		fputs("\"seccomp\":", out);
		put_profile(out, dice);
		putc(',', out);
	} else {
		fputs(PICK(dice, none), out);
	}
	fputs("\"rest\":0},", out);
	put_members(out, dice, 4);
	fputs("\"end\":\"\"}\n", out);
	fclose(out);
	return text;
}

static void require(bool condition, const char *what, const char *text, const char *detail)
{
	if (condition)
		return;
	fprintf(stderr, "%s: %s\n%s\n", what, detail, text);
	abort();
}

/* Return: as profile_add(); @edited receives the new text, or NULL. */
static int edit(const char *text, size_t len, bool flag, char **edited, char why[WHY_SIZE])
{
	const struct supervision want = { "/run/a.sock", flag };
	struct json_object *config;
	int ret = json_file_parse(text, len, &config, why);

	if (!ret)
		ret = profile_add(config, &want, why);
	*edited = ret == PROFILE_ADDED ? strdup(json_file_text(config)) : NULL;
	json_object_put(config);
	return ret;
}

static void check_again(const char *edited, bool flag)
{
	char why[WHY_SIZE] = "", *again;

	require(edit(edited, strlen(edited), flag, &again, why) == PROFILE_PRESENT,
		"not found to be edited", edited, why);
}

/* The profile decides as before, by libseccomp. */
static void check_filter(const char *text, const char *edited)
{
	struct filter before, after;
	char why[256] = "no filter can be made of it";

	/* libseccomp refuses some rules that contradict each other. */
	if (!filter_make(text, strlen(text), &before)) {
		require(!filter_make(edited, strlen(edited), &after) &&
			!filter_compare(&before, &after, why, sizeof(why)), text, edited, why);
		filter_free(&after);
	}
	filter_free(&before);
}

static unsigned int edits, refusals;

static void check_config(const uint8_t *data, size_t size, bool flag, bool by_filter)
{
	struct dice dice = { .at = data, .end = data + size };
	char *text = make_config(&dice), *edited, why[WHY_SIZE] = "";
	int ret = edit(text, strlen(text), flag, &edited, why);

	require(!dice.twice || (ret < 0 && strstr(why, "z is there twice")) ||
		strstr(why, "\\u007a is there twice"),
		"two members of one name are not refused", text, why);
	if (edited) {
		const char *differs = same_config(text, edited);

		require(!differs, text, edited, differs);
		check_again(edited, flag);
		if (by_filter)
			check_filter(text, edited);
		edits++;
	}
	refusals += ret < 0;
	free(edited);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool flag = size & 1;
	char why[WHY_SIZE], *text = malloc(size + 1), *edited;

	memcpy(text, data, size);
	text[size] = '\0';
	edit(text, size, flag, &edited, why);
	if (edited)
		check_again(edited, flag);
	free(edited);
	free(text);
	check_config(data, size, flag, size % 16 == 0);
	return 0;
}

#ifdef RUNS
int main(void)
{
	static uint8_t data[600];
	uint32_t seed = 1;
	int run;
	size_t i;

	for (run = 0; run < RUNS; run++) {
		for (i = 0; i < sizeof(data); i++) {
			seed = seed * 1664525 + 1013904223;
			data[i] = (uint8_t)(seed >> 24);
		}
		check_config(data, sizeof(data), run & 1, run % 16 == 0);
	}
	/* A test that edits nothing, or refuses nothing, tests nothing. */
	printf("%sok 1 - %d configurations: %u edited, %u refused\n", edits < RUNS / 10 ||
	       refusals < RUNS / 10 ? "not " : "", RUNS, edits, refusals);
	return edits < RUNS / 10 || refusals < RUNS / 10;
}
#endif
