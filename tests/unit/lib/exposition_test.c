// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of lib/exposition.c: what Prometheus reads.
 */
#include "lib/exposition.h"
#include "tests/unit/unit.h"

TEST("families, labels and samples are written as Prometheus reads them")
{
	const struct exposition_label label[] = { { "gpu", "0" }, { "unit", "sm" } };
	struct exposition e = { 0 };

	exposition_family(&e, "a_bytes", "gauge", "What a is.");
	exposition_labels(&e, label, 2);
	exposition_sample(&e, 7);
	exposition_sample(&e, 8);
	exposition_labels(&e, label, 1);
	exposition_sample_of(&e, "unit", "ofa", 1, 1);
	exposition_sample(&e, UINT64_MAX);
	exposition_one(&e, "b_total", "counter", "What b is.", 0, 0);
	assert_int_equal(e.error, 0);
	assert_string_equal(e.text.bytes,
		"# HELP a_bytes What a is.\n# TYPE a_bytes gauge\n"
		"a_bytes{gpu=\"0\",unit=\"sm\"} 7\n"
		"a_bytes{gpu=\"0\",unit=\"sm\"} 8\n"
		"a_bytes{gpu=\"0\",unit=\"ofa\"} 0.1\n"
		"a_bytes{gpu=\"0\"} 18446744073709551615\n"
		"# HELP b_total What b is.\n# TYPE b_total counter\n"
		"b_total 0\n");
	assert_int_equal(e.text.length, strlen(e.text.bytes));
	exposition_free(&e);
	assert_null(e.text.bytes);
}

static void check_number(uint64_t value, unsigned int decimals, const char *want)
{
	struct exposition e = { 0 };
	char text[64];

	exposition_one(&e, "n", "gauge", "N.", value, decimals);
	snprintf(text, sizeof(text), "# HELP n N.\n# TYPE n gauge\nn %s\n", want);
	assert_string_equal(e.text.bytes, text);
	exposition_free(&e);
}

TEST("a number has as many decimals as are asked for")
{
	check_number(0, 0, "0");
	check_number(10, 0, "10");
	check_number(0, 4, "0.0000");
	check_number(1, 4, "0.0001");
	check_number(10000, 4, "1.0000");
	check_number(160000, 4, "16.0000");
	check_number(1, 1, "0.1");
	check_number(12, 1, "1.2");
	check_number(1234567890123, 9, "1234.567890123");
	check_number(UINT64_MAX, 20, "0.18446744073709551615");
}

static void check_value(const char *value, const char *want)
{
	const struct exposition_label label = { "v", value };
	struct exposition e = { .family = "n" };
	char line[256];

	exposition_labels(&e, &label, 1);
	exposition_sample(&e, 1);
	snprintf(line, sizeof(line), "n{v=\"%s\"} 1\n", want);
	assert_string_equal(e.text.bytes, line);
	exposition_free(&e);
}

TEST("label values are escaped, and bytes that are no UTF-8 replaced")
{
	check_value("", "");
	check_value("a b{}=,", "a b{}=,");
	check_value("\"", "\\\"");
	check_value("a\\", "a\\\\");
	/* Characters that end the line, or steer a terminal. */
	check_value("a\nb\r\t\x1b[1m\x7f", "a?b???[1m?");
	check_value("\xc2\x9b", "??");
	/* All lengths of UTF-8: the first and the last of each. */
	check_value("\xc2\xa0 \xdf\xbf", "\xc2\xa0 \xdf\xbf");
	check_value("\xe0\xa0\x80 \xef\xbf\xbf", "\xe0\xa0\x80 \xef\xbf\xbf");
	check_value("\xf0\x90\x80\x80 \xf4\x8f\xbf\xbf", "\xf0\x90\x80\x80 \xf4\x8f\xbf\xbf");
	/* None: alone, cut off, too long, a surrogate, too large. */
	check_value("\x80", "?");
	check_value("\xc3", "?");
	check_value("\xe4\xbd", "??");
	check_value("\xf0\x9f\x98", "???");
	check_value("\xc0\xaf", "??");
	check_value("\xc1\xbf", "??");
	check_value("\xe0\x9f\xbf", "???");
	check_value("\xf0\x8f\xbf\xbf", "????");
	check_value("\xed\xa0\x80", "???");
	check_value("\xf4\x90\x80\x80", "????");
	check_value("\xff\xfe", "??");
	/* Bytes behind one that begins no character are looked at anew. */
	check_value("\xe4\"", "?\\\"");
}

TEST("the text grows with each sample")
{
	static char value[20000];
	const struct exposition_label label = { "v", value };
	struct exposition e = { .family = "n" };
	size_t i, before = 0;

	memset(value, '"', sizeof(value) - 1);
	for (i = 0; i < 50; i++) {
		exposition_labels(&e, &label, 1);
		exposition_sample(&e, i);
		assert_true(e.text.length > before + 2 * strlen(value));
		assert_int_equal(e.text.length, strlen(e.text.bytes));
		before = e.text.length;
	}
	exposition_free(&e);
}

TEST("a text that could not grow stays as it is")
{
	const struct exposition_label label = { "gpu", "0" };
	struct exposition e = { .error = -ENOMEM };

	exposition_family(&e, "b", "gauge", "What b is.");
	exposition_labels(&e, &label, 1);
	exposition_sample_of(&e, "unit", "sm", 1, 0);
	exposition_one(&e, "a", "gauge", "What a is.", 1, 0);
	assert_null(e.text.bytes);
	assert_int_equal(e.text.length, 0);
	exposition_free(&e);
}
