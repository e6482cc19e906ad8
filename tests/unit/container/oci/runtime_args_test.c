// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of container/oci/runtime_args.c: command lines of runc and crun.
 */
#include "container/oci/internal.h"
#include "tests/unit/unit.h"

/* Splits @text at its spaces. Sanitizers see who looks behind the last word. */
static char **split(char *text)
{
	char **words = calloc(1, sizeof(*words)), *word;
	size_t n = 0;

	for (word = strtok(text, " "); word; word = strtok(NULL, " ")) {
		words = realloc(words, (n + 2) * sizeof(*words));
		words[n++] = word;
		words[n] = NULL;
	}
	return words;
}

static void describe(const struct oci_runtime *runtime, char *text, size_t size)
{
	const struct {
		const char *name, *value;
	} texts[] = {
		{ "bundle", runtime->bundle }, { "id", runtime->id },
		{ "config", runtime->config }, { "log", runtime->log },
	};
	size_t i, n = (size_t)snprintf(text, size, "%s%s%s%s%s%s%s%s", runtime->command,
			oci_runtime_creates(runtime) ? " creates" : "",
			oci_runtime_deletes(runtime) ? " deletes" : "",
			oci_runtime_moves(runtime) ? " moves" : "",
			runtime->asks ? " asks" : "", runtime->version ? " version" : "",
			runtime->debug ? " debug" : "", runtime->log_json ? " json" : "");

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (texts[i].value)
			n += (size_t)snprintf(text + n, size - n, " %s=%s", texts[i].name,
					      texts[i].value);
}

struct line {
	const char *words, *found;
};

/* @guess: as NVIDIA's wrapper reads them */
static void check_lines(const struct line *line, size_t n, bool guess)
{
	for (; n; n--, line++) {
		char *text = strdup(line->words), **words = split(text), found[WHY_SIZE + 300];
		struct oci_runtime runtime;
		char why[WHY_SIZE];

		if (guess)
			oci_runtime_guess(&runtime, words);
		else if (oci_runtime_read(&runtime, words, why))
			runtime.command = NULL;
		if (runtime.command)
			describe(&runtime, found, sizeof(found));
		else
			snprintf(found, sizeof(found), "%s", why);
		print_message("%s\n", line->words);
		assert_string_equal(found, line->found);
		free(words);
		free(text);
	}
}

TEST("a command line is read as runc and crun read it")
{
	static const struct line lines[] = {
		{ "", "" },
		{ "runc", "" },
		{ "runc create", "create creates" },
		{ "runc run box", "run creates id=box" },
		{ "runc create -b /b box", "create creates bundle=/b id=box" },
		{ "runc create box --bundle=/b", "create creates bundle=/b id=box" },
		{ "runc create -b/b box", "create creates bundle=/b id=box" },
		{ "runc create -b=/b box", "create creates bundle=/b id=box" },
		{ "runc create -bundle /b box", "create creates bundle=/b id=box" },
		{ "runc create -f c.json box", "create creates id=box config=c.json" },
		{ "runc create -fc.json box", "create creates id=box config=c.json" },
		{ "runc create --config c.json box", "create creates id=box config=c.json" },
		{ "runc create --pid-file /p --no-pivot box", "create creates id=box" },
		{ "runc create -- -x", "create creates id=-x" },
		{ "runc create -- -b", "create creates id=-b" },
		{ "runc create -", "create creates id=-" },
		{ "runc create --new box", "create creates id=box" },
		{ "runc create --help", "create asks" },
		{ "runc -b /b create box", "create creates bundle=/b id=box" },
		{ "runc -- create box", "create creates id=box" },
		/* before the sub-command */
		{ "runc --root /r --systemd-cgroup create box", "create creates id=box" },
		{ "runc --log /l --log-format json --root /r create box",
		  "create creates json id=box log=/l" },
		{ "runc --log-format=text --root=json create box", "create creates id=box" },
		{ "runc --debug create box", "create creates debug id=box" },
		{ "runc --debug=false create box", "create creates id=box" },
		{ "runc --help create box", "create asks" },
		{ "runc -h create box", "create asks" },
		{ "runc -? create box", "create asks" },
		{ "runc --usage create box", "create asks" },
		{ "runc --help=true create box", "create asks" },
		{ "runc --help=false create box", "create creates id=box" },
		{ "runc --version=0 create box", "create creates id=box" },
		{ "runc --version", " asks version" },
		{ "runc -v", " asks version" },
		{ "runc -V", " asks version" },
		/* other sub-commands, whose words are mostly not looked at */
		{ "runc state -b /b box", "state" },
		{ "runc delete box", "delete deletes id=box" },
		{ "runc delete -f --new box", "delete deletes id=box" },
		{ "runc delete", "delete deletes" },
		{ "runc --help delete box", "delete asks" },
		{ "runc checkpoint --image-path /i box", "checkpoint moves id=box" },
		{ "runc restore -b /b box", "restore moves bundle=/b id=box" },
		{ "runc --help restore box", "restore asks" },
		/* unknown options: a word behind one may be its value */
		{ "runc -f create box", "create creates id=box" },
		{ "runc --new create box", "create creates id=box" },
		{ "runc --new value create -b /b box", "create creates bundle=/b id=box" },
		{ "runc -b /first --new value create box", "create creates bundle=/first id=box" },
		{ "runc --new state create", "state" },
		{ "runc wait create", "wait" },
		/* crun might read these otherwise */
		{ "runc -xb create", "-xb is not known here: write it in full and, if it takes a value, as -xb=VALUE" },
		{ "runc -xf=1 create", "-xf=1 is not known here: write it in full and, if it takes a value, as -xf=VALUE" },
		{ "runc --roo /r create", "--roo is not known here: write it in full and, if it takes a value, as --roo=VALUE" },
		{ "runc create --conf c.json", "--conf is not known here: write it in full and, if it takes a value, as --conf=VALUE" },
		{ "runc --root", "--root needs a value, and nothing follows it" },
		{ "runc create -b", "-b needs a value, and nothing follows it" },
	};

	check_lines(lines, sizeof(lines) / sizeof(*lines), false);
}

TEST("a line is guessed by any word create and the last bundle")
{
	static const struct line lines[] = {
		{ "", "" },
		{ "runc", "" },
		{ "runc state", "" },
		{ "runc a create b", "create creates" },
		{ "runc -b=/b create", "create creates bundle=/b" },
		{ "runc --bundle=/b create", "create creates bundle=/b" },
		{ "runc create -bundle /a -b /b", "create creates bundle=/b" },
		{ "runc -b create x", " bundle=create" },
		{ "runc create -b", "create creates" },
		{ "runc create b=/b bundle=/b", "create creates" },
		{ "runc create -c=/c --config=/c --bundles=/c", "create creates" },
		{ "runc create --bundles /c bundle /c", "create creates" },
	};

	check_lines(lines, sizeof(lines) / sizeof(*lines), true);
}

TEST("the configuration is in the bundle unless it has a whole path")
{
	static const struct {
		const char *bundle, *config, *path;
	} some[] = {
		{ NULL, NULL, "config.json" },
		{ "", NULL, "config.json" },
		{ "/", NULL, "/config.json" },
		{ "/b//", NULL, "/b/config.json" },
		{ "/b", "c.json", "/b/c.json" },
		{ "/b", "/etc/c.json", "/etc/c.json" },
		{ NULL, "c.json", "c.json" },
	};
	char path[PATH_MAX], why[WHY_SIZE], bundle[PATH_MAX + 1] = "";
	struct oci_runtime runtime = { .config = "c" };

	each_row(row, some) {
		runtime.config = row->config;
		assert_int_equal(oci_runtime_config(&runtime, row->bundle, path, why), 0);
		assert_string_equal(path, row->path);
	}
	runtime.config = "c";
	memset(bundle, 'b', PATH_MAX - 3);	/* and "/c" */
	assert_int_equal(oci_runtime_config(&runtime, bundle, path, why), 0);
	assert_int_equal(strlen(path), PATH_MAX - 1);
	bundle[PATH_MAX - 3] = 'b';
	assert_true(oci_runtime_config(&runtime, bundle, path, why) < 0);
	assert_string_equal(why, "the path of the bundle is too long");
}
