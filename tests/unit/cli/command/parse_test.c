// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of cli/command/parse.c: command lines as argp's programs and Go's have them.
 */
#include "cli/command/command.h"
#include "tests/unit/unit.h"

#define WORDS	12

static const struct command_option gnu_top[] = {
	{ "debug", 'd', "FILE", NULL, "log" },
	{ "load-kmods", 'k', NULL, NULL, "load" },
	{ "user", 'u', "[UID[:GID]]", NULL, "ids" },
	{ .name = NULL },
};
static const struct command_option gnu_configure[] = {
	{ "device", 'd', "ID", NULL, "devices" },
	{ "compute", 'c', NULL, NULL, "class" },
	{ "utility", 'u', NULL, NULL, "class" },
	{ "compat32", 0, NULL, NULL, "class" },
	{ "pid", 'p', "PID", NULL, "process" },
	{ .name = NULL },
};
static const struct command_option go_generate[] = {
	{ "output", 0, "FILE", "TOOL_TEST_OUTPUT", "where to" },
	{ "id", 0, "ID", "TOOL_TEST_ID", "devices" },
	{ "identity", 'i', "ID", NULL, NULL },
	{ "all-device", 0, NULL, "TOOL_TEST_ALL", "all of them" },
	{ .name = NULL },
};

/* The call of the last command, as text. */
static char said[512];

static void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static void say(const char *fmt, ...)
{
	size_t len = strlen(said);
	va_list args;

	va_start(args, fmt);
	vsnprintf(said + len, sizeof(said) - len, fmt, args);
	va_end(args);
}

static int run(const struct command_call *call)
{
	static const char *const names[] = { "debug", "load-kmods", "user",
		"device", "compute", "utility", "compat32", "pid", "output",
		"id", "all-device" };
	struct strv values = { 0 };
	size_t i, k;

	say("%s:", call->name);
	each_row(row, names) {
		if (!command_value(call, *row))
			continue;
		strv_free(&values);
		command_values(call, *row, &values);
		say(" %s=", *row);
		for (k = 0; k < values.n; k++)
			say("%s%s", k ? "+" : "", values.word[k]);
		if (!values.n && !command_is_on(call, *row))
			say("off");
	}
	strv_free(&values);
	for (i = 0; i < call->n_words; i++)
		say(" '%s'", call->words[i]);
	assert_null(call->words[call->n_words]);
	return 7;
}

static const struct command *const gnu_both[] = {
	COMMAND(.name = "inner", .run = run, .what = "be inside"),
	NULL
};
static const struct command *const gnu_commands[] = {
	COMMAND(.name = "configure", .argument = "ROOTFS", .options = { gnu_configure },
		.run = run, .what = "set up"),
	COMMAND(.name = "info", .run = run, .what = "tell"),
	COMMAND(.name = "both", .commands = gnu_both, .run = run, .what = "be a group, too"),
	COMMAND(.name = "any", .argument = "[WORD...]", .options = { gnu_configure },
		.run = run, .what = "take words"),
	NULL
};
static const struct program gnu = {
	.top = {
		.name = "tool", .options = { gnu_top }, .commands = gnu_commands,
		.what = "a program",
	},
	.style = PROGRAM_GNU, .version = "tool 1", .usage_status = 9,
};

static const struct command *const go_cdi[] = {
	COMMAND(.name = "generate", .argument = "[FILE]", .options = { go_generate },
		.run = run, .what = "make"),
	NULL
};
static const struct command *const go_commands[] = {
	COMMAND(.name = "cdi", .commands = go_cdi, .what = "a group"),
	NULL
};
static const struct program go = {
	.top = {
		.name = "gotool", .options = { gnu_top }, .commands = go_commands,
		.what = "a program",
	},
	.style = PROGRAM_GO, .usage_status = 2,
};

/* Call it with the words of @line. */
static int call(const struct program *program, const char *line)
{
	char text[256], *words[WORDS + 1], *at, *word;
	int n = 0;

	said[0] = '\0';
	snprintf(text, sizeof(text), "%s", line);
	for (word = strtok_r(text, " ", &at); word && n < WORDS; word = strtok_r(NULL, " ", &at))
		words[n++] = word;
	words[n] = NULL;
	return program_run(program, words, NULL);
}

static void gives(const struct program *program, const char *line, const char *want)
{
	assert_int_equal(call(program, line), 7);
	assert_string_equal(said, want);
}

static void refuses(const struct program *program, const char *line)
{
	assert_int_equal(call(program, line), program->usage_status);
	assert_string_equal(said, "");
}

TEST("a GNU command line is parsed: long, short and shortened options")
{
	gives(&gnu, "tool info", "tool info:");
	gives(&gnu, "tool configure -p 3 /r", "tool configure: pid=3 '/r'");
	gives(&gnu, "tool configure /r --pid=3 -cu",
	      "tool configure: compute= utility= pid=3 '/r'");
	gives(&gnu, "tool -kd/log configure --dev 0 --device=1,2 -d3 /r",
	      "tool configure: debug=/log load-kmods= device=0+1+2+3 '/r'");
	gives(&gnu, "tool --user info", "tool info: user=");
	gives(&gnu, "tool -u --load info", "tool info: load-kmods= user=");
	gives(&gnu, "tool --user=1:2 info", "tool info: user=1:2");
	gives(&gnu, "tool -u1 info", "tool info: user=1");
	gives(&gnu, "tool configure -- -r", "tool configure: '-r'");
	gives(&gnu, "tool both", "tool both:");
	gives(&gnu, "tool both inner", "tool both inner:");
	gives(&gnu, "tool any", "tool any:");
	gives(&gnu, "tool any a -c b", "tool any: compute= 'a' 'b'");
}

TEST("a wrong GNU command line is refused, and no command runs")
{
	refuses(&gnu, "tool");
	refuses(&gnu, "tool nosuch");
	refuses(&gnu, "tool both nosuch");
	refuses(&gnu, "tool configure");
	refuses(&gnu, "tool configure /a /b");
	refuses(&gnu, "tool configure --nosuch /r");
	refuses(&gnu, "tool configure --comp /r");	/* of two names */
	refuses(&gnu, "tool configure --compute=1 /r");
	refuses(&gnu, "tool configure -x /r");
	refuses(&gnu, "tool configure /r --pid");
	refuses(&gnu, "tool configure /r -p");
	refuses(&gnu, "tool --pid 3 configure /r");	/* of the command */
	refuses(&gnu, "tool -compute info");
}

TEST("a Go command line may have one dash or two; a wrong one is refused")
{
	gives(&go, "gotool cdi generate", "gotool cdi generate:");
	gives(&go, "gotool cdi generate --identity 1 -i 2", "gotool cdi generate: id=1+2");
	gives(&go, "gotool -debug x cdi generate -output=f --id 0 -id 1,2",
	      "gotool cdi generate: debug=x output=f id=0+1+2");
	gives(&go, "gotool cdi generate --all-device --output f",
	      "gotool cdi generate: output=f all-device=");
	gives(&go, "gotool cdi generate --all-device=false",
	      "gotool cdi generate: all-device=false");
	gives(&go, "gotool -d x cdi generate f", "gotool cdi generate: debug=x 'f'");
	refuses(&go, "gotool cdi generate --all-device=maybe");
	refuses(&go, "gotool cdi");
	refuses(&go, "gotool cdi nosuch");
	refuses(&go, "gotool --version");	/* it has none */
}

TEST("a variable stands for an option that is not given, unless it is empty")
{
	setenv("TOOL_TEST_ID", "4,5", 1);
	setenv("TOOL_TEST_ALL", "true", 1);
	setenv("TOOL_TEST_OUTPUT", "", 1);
	gives(&go, "gotool cdi generate", "gotool cdi generate: id=4+5 all-device=true");
	gives(&go, "gotool cdi generate --id 0", "gotool cdi generate: id=0 all-device=true");
	unsetenv("TOOL_TEST_ID");
	unsetenv("TOOL_TEST_ALL");
	unsetenv("TOOL_TEST_OUTPUT");
}

TEST("help, usage and version end with 0, and run no command")
{
	assert_int_equal(call(&gnu, "tool --help nosuch"), 0);
	assert_int_equal(call(&gnu, "tool -?"), 0);
	assert_int_equal(call(&gnu, "tool -V"), 0);
	assert_int_equal(call(&gnu, "tool --usage"), 0);
	assert_int_equal(call(&gnu, "tool configure --help"), 0);
	assert_int_equal(call(&go, "gotool cdi generate -h"), 0);
	assert_string_equal(said, "");
}
