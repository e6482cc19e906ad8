// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs bundles that NVIDIA's toolkit was given on the machine that it was given them on,
 * and says where the program that is installed here makes something else of them.
 *
 *	bundles FILE DIFFERENCES
 *
 * FILE is a list of bundles, each with what the toolkit did with it: whether it started
 * the container, what it changed in config.json, and what its hook had
 * nvidia-container-cli do in mode legacy. Two bundles of one "effect" may have it once:
 * the other one names the first in "as".
 *
 * Effects are compared as lines, those of config.json, of hooks and of the words for
 * nvidia-container-cli alike. A line that one of the two lacks is a difference: "-" in
 * front of it says that only the toolkit does that, "+" that only this program does.
 *
 * A row of DIFFERENCES has, between tabs, what was asked for, a difference that follows
 * from it, and why. The first field has regular expressions between " and ", of which
 * each matches one line of the request, or no line if it begins with "not "; "any" is
 * every request. A difference that no row has fails, and so does a row of which nothing
 * was seen though it was asked for.
 *
 * It runs in a root of its own that tests/container/bundles makes: FOLDER and what is in
 * PATH are there for it alone.
 */
#include <errno.h>
#include <fcntl.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/json.h"
#include "lib/json_file.h"
#include "lib/process.h"
#include "lib/strv.h"
#include "lib/xalloc.h"

#define FOLDER "/bundles"
#define BUNDLE FOLDER "/bundle"
#define STARTED FOLDER "/started"	/* made by what stands where runc does */
#define WORDS FOLDER "/words"		/* likewise, of nvidia-container-cli: its words */

#define CLI "nvidia-container-cli.path = \"" FOLDER "/bin/nvidia-container-cli\""

/* The mode of a node for which config.json names none: 0666. */
#define RUNTIME_MODE "438"

/* A row of DIFFERENCES. */
struct row {
	struct strv asked;
	const char *difference, *why;
	int bundles, seen;	/* how many asked for it, and in how many it was seen */
};

static struct row *rows;
static size_t n_rows;
static int passed, failed, same;

static void __attribute__((noreturn)) give_up(const char *what)
{
	fprintf(stderr, "bundles: %s: %s\n", what, strerror(errno));
	exit(2);
}

#define add strv_add_format

static size_t length(struct json_object *array)
{
	return json_object_is_type(array, json_type_array) ? json_object_array_length(array) : 0;
}

static struct json_object *element(struct json_object *array, size_t i)
{
	return i < length(array) ? json_object_array_get_idx(array, i) : NULL;
}

static const char *text_at(struct json_object *array, size_t i)
{
	return json_object_get_string(element(array, i));
}

/* Adds the texts of an array, each behind a word. */
static void add_texts(struct strv *lines, const char *word, struct json_object *array)
{
	size_t i;

	for (i = 0; i < length(array); i++)
		add(lines, "%s%s", word, text_at(array, i));
}

/* --- config.json, and what the toolkit changed in one, in lines --- */

/* Adds them as one line, which frees them. */
static void add_options(struct strv *lines, struct strv *options)
{
	char line[256] = "options";
	size_t i;

	strv_sort(options);
	for (i = 0; i < options->n; i++)
		snprintf(line + strlen(line), sizeof(line) - strlen(line), " %s", options->word[i]);
	add(lines, "%s", line);
	strv_free(options);
}

static void add_mount(struct strv *lines, const char *path, struct json_object *mount)
{
	struct strv options = { NULL, 0 };

	(void)path;
	add(lines, "file %s", member_text(mount, "source") ?: "");
	add(lines, "path %s", member_text(mount, "destination") ?: "");
	add_texts(&options, "", member_get(mount, "options"));
	add_options(lines, &options);
}

static void add_node(struct strv *lines, const char *path, struct json_object *node)
{
	(void)path;
	add(lines, "node %s %s %d:%d", member_text(node, "path"), member_text(node, "type"),
	    (int)member_number(node, "major"), (int)member_number(node, "minor"));
	add(lines, "mode of %s %s %s %s", member_text(node, "path"),
	    member_text(node, "fileMode") ?: RUNTIME_MODE, member_text(node, "uid") ?: "-",
	    member_text(node, "gid") ?: "-");
}

static void add_rule(struct strv *lines, const char *path, struct json_object *rule)
{
	(void)path;
	add(lines, "rule %s %d:%d", member_text(rule, "type") ?: "a",
	    (int)member_number(rule, "major"), (int)member_number(rule, "minor"));
	add(lines, "access %s", member_text(rule, "access"));
}

/* Adds its name, and the paths of "--link TARGET::PATH". */
static void add_hook(struct strv *lines, const char *stage, struct json_object *args)
{
	const char *name = text_at(args, 1), *link;
	size_t i;

	if (name && !strcmp(name, "hook"))
		name = text_at(args, 2);
	add(lines, "%s %s", stage, name);
	for (i = 2; i < length(args); i++) {
		link = strstr(text_at(args, i), "::");
		if (link && !strcmp(text_at(args, i - 1), "--link"))
			add(lines, "path %s", link + 2);
	}
}

static void add_spec_hook(struct strv *lines, const char *path, struct json_object *value)
{
	add_hook(lines, path, member_get(value, "args"));
}

/* Adds a line for each value in config.json, and more for what the toolkit edits. */
static void add_spec(struct strv *lines, const char *path, struct json_object *value)
{
	static const struct {
		const char *path;
		void (*add)(struct strv *lines, const char *path, struct json_object *value);
	} kinds[] = {
		{ "mounts", add_mount }, { "linux.devices", add_node },
		{ "linux.resources.devices", add_rule },
		{ "hooks.prestart", add_spec_hook }, { "hooks.createRuntime", add_spec_hook },
		{ "hooks.createContainer", add_spec_hook },
	};
	bool array = json_object_is_type(value, json_type_array);
	char member[256];
	size_t i, j;

	for (i = 0; array && i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(path, kinds[i].path)) {
			for (j = 0; j < length(value); j++)
				kinds[i].add(lines, path, element(value, j));
			return;
		}
	for (i = 0; array && i < length(value); i++)
		add_spec(lines, path, element(value, i));
	if (json_object_is_type(value, json_type_object)) {
		json_object_object_foreach(value, key, of) {
			snprintf(member, sizeof(member), "%s%s%s", path, *path ? "." : "", key);
			add_spec(lines, member, of);
		}
	} else if (!array) {
		add(lines, "%s %s", path, json_object_get_string(value));
	}
}

static void add_device(struct strv *lines, struct json_object *row)
{
	add(lines, "node %s %s %s:%s", text_at(row, 0), text_at(row, 1), text_at(row, 2),
	    text_at(row, 3));
}

static void add_attributes(struct strv *lines, struct json_object *row)
{
	add(lines, "mode of %s %s %s %s", text_at(row, 0), text_at(row, 1) ?: RUNTIME_MODE,
	    text_at(row, 2) ?: "-", text_at(row, 3) ?: "-");
}

static void add_effect_rule(struct strv *lines, struct json_object *row)
{
	add(lines, "rule %s %s:%s", text_at(row, 0), text_at(row, 1), text_at(row, 2));
	add(lines, "access %s", text_at(row, 3));
}

static void add_effect_hook(struct strv *lines, struct json_object *row)
{
	char stage[64];

	snprintf(stage, sizeof(stage), "hooks.%s", text_at(row, 0));
	add_hook(lines, stage, element(row, 2));
}

static void add_effect_options(struct strv *lines, struct json_object *text)
{
	struct strv options = { NULL, 0 };

	strv_split(&options, json_object_get_string(text), ',');
	add_options(lines, &options);
}

/* Adds the "effect" of a bundle. */
static void add_effect(struct strv *lines, struct json_object *effect)
{
	static const struct {
		const char *key, *line;		/* of texts */
		void (*add)(struct strv *lines, struct json_object *row);
	} lists[] = {
		{ "env", "process.env ", NULL }, { "envdel", "no process.env ", NULL },
		{ "gids", "process.user.additionalGids ", NULL },
		{ "masked", "linux.maskedPaths ", NULL }, { "files", "file ", NULL },
		{ "dests", "path ", NULL }, { "devices", NULL, add_device },
		{ "devattr", NULL, add_attributes }, { "rules", NULL, add_effect_rule },
		{ "opts", NULL, add_effect_options }, { "hooks", NULL, add_effect_hook },
	};
	struct json_object *list;
	size_t i, j;

	for (i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		list = member_get(effect, lists[i].key);
		if (lists[i].line)
			add_texts(lines, lists[i].line, list);
		for (j = 0; lists[i].add && j < length(list); j++)
			lists[i].add(lines, element(list, j));
	}
}

/* Adds the lines of one that another does not have, with a word in front. */
static void add_only(struct strv *lines, const char *front, const struct strv *one,
		     const struct strv *other)
{
	char line[4096];
	size_t i;

	for (i = 0; i < one->n; i++) {
		snprintf(line, sizeof(line), "%s%s", front, one->word[i]);
		if (!strv_have(other, one->word[i]) && !strv_have(lines, line))
			add(lines, "%s", line);
	}
}

/* --- a bundle, and what the program that is installed makes of it --- */

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");

	if (!file || fputs(text, file) < 0 || fclose(file))
		give_up(path);
}

/* Makes config.toml, whose keys have their tables' names. */
static void write_settings(struct json_object *config, const char *more)
{
	FILE *file = fopen("/etc/nvidia-container-runtime/config.toml", "we");

	if (!file)
		give_up("config.toml");
	json_object_object_foreach(config, key, value)
		fprintf(file, "%s = %s\n", key, json_object_to_json_string(value));
	fprintf(file, "%s\n", more);
	if (fclose(file))
		give_up("config.toml");
}

static void append(struct json_object *list, struct json_object *values)
{
	size_t i;

	for (i = 0; i < length(values); i++)
		json_object_array_add(list, json_object_get(element(values, i)));
}

/* Returns what an engine gives every container, with what is in this bundle. */
static struct json_object *make_spec(struct json_object *bundle)
{
	static const char *const sets[] = { "bounding", "effective", "permitted" };
	struct json_object *more = member_get(bundle, "bundle"), *process;
	struct json_object *annotations = member_get(more, "annotations");
	struct json_file spec;
	char why[WHY_SIZE];
	size_t i;

	if (json_file_read(FOLDER "/config.json", &spec, why))
		give_up(why);
	process = member_get(spec.root, "process");
	append(member_get(process, "env"), member_get(bundle, "env"));
	append(member_get(spec.root, "mounts"), member_get(more, "mounts"));
	for (i = 0; i < sizeof(sets) / sizeof(*sets); i++)
		append(member_get(member_get(process, "capabilities"), sets[i]),
		       member_get(more, "caps"));
	if (annotations)
		json_object_object_add(spec.root, "annotations", json_object_get(annotations));
	return spec.root;
}

/* Runs a command, what it says into a file. */
static int run(const char *command)
{
	const char *const words[] = { "timeout", "60", "sh", "-c", command, NULL };
	int fd = open(FOLDER "/said", O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
	const int fds[3] = { PROCESS_NULL, fd, fd };
	int ret = fd < 0 ? -errno : process_run(words, fds);

	close(fd);
	return ret;
}

static void make_bundle(struct json_object *spec)
{
	if (run("rm -rf " BUNDLE " " STARTED " " WORDS " && mkdir " BUNDLE " && "
		"cp -a " FOLDER "/rootfs " BUNDLE))
		give_up(BUNDLE);
	write_file(BUNDLE "/config.json", json_file_text(spec));
}

/* Adds the words that the CLI was called with; there is no such file if it was not. */
static void add_words(struct strv *lines)
{
	FILE *file = fopen(WORDS, "re");
	char line[4096];

	while (file && fgets(line, sizeof(line), file))
		add(lines, "cli %.*s", (int)strcspn(line, "\n"), line);
	if (file)
		fclose(file);
}

/* Returns what the last command said, in one line. */
static const char *said(void)
{
	static char text[4096];
	int fd = open(FOLDER "/said", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1), i;

	close(fd);
	text[n < 0 ? 0 : n] = '\0';
	for (i = 0; i < n; i++)
		if (text[i] == '\n')
			text[i] = i + 1 < n ? '|' : '\0';
	return text;
}

/* Runs the wrapper; adds what it changed. Returns whether a runtime was started. */
static bool create(struct strv *lines, struct json_object *bundle)
{
	struct strv before = { NULL, 0 }, after = { NULL, 0 };
	struct json_object *spec = make_spec(bundle);
	struct json_file edited = { .root = NULL };
	char command[256], why[WHY_SIZE];
	int ret;

	write_settings(member_get(bundle, "config"), "");
	make_bundle(spec);
	snprintf(command, sizeof(command), "%s create --bundle " BUNDLE " x",
		 member_text(bundle, "program"));
	ret = run(command);
	if (json_file_read(BUNDLE "/config.json", &edited, why))
		give_up(why);
	add_spec(&before, "", spec);
	add_spec(&after, "", edited.root);
	add_only(lines, "", &after, &before);
	add_only(lines, "no ", &before, &after);
	json_object_put(spec);
	json_object_put(edited.root);
	strv_free(&before);
	strv_free(&after);
	return !ret && !access(STARTED, F_OK);
}

/* Runs the hook behind the wrapper in mode legacy; adds the words for the CLI. */
static bool run_hook(struct strv *lines, struct json_object *bundle)
{
	struct json_object *spec = make_spec(bundle);
	struct json_object *config = member_get(bundle, "config");
	bool has_mode = member_get(config, "nvidia-container-runtime.mode");
	int ret;

	write_settings(config, has_mode ? CLI : CLI "\nnvidia-container-runtime.mode = \"legacy\"");
	make_bundle(spec);
	json_object_put(spec);
	ret = run("nvidia-container-runtime create --bundle " BUNDLE " x && cd " BUNDLE " && "
		  "echo '{\"ociVersion\":\"1.0.2\",\"pid\":'$$',\"bundle\":\"" BUNDLE "\"}' | "
		  "nvidia-container-runtime-hook prestart");
	add_words(lines);
	return !ret;
}

/* --- what differs, and why that is so --- */

/* Returns the value of a variable of the bundle; NULL: it has none. */
static const char *variable(struct json_object *bundle, const char *name)
{
	struct json_object *env = member_get(bundle, "env");
	const char *text, *value = NULL;
	size_t i, len = strlen(name);

	for (i = 0; i < length(env); i++) {
		text = text_at(env, i);
		if (!strncmp(text, name, len) && text[len] == '=')
			value = text + len + 1;
	}
	return value;
}

/* Adds the capabilities of the driver that the container is to have. */
static void add_capabilities(struct strv *lines, struct json_object *bundle)
{
	static const char all[] = "compat32,compute,display,graphics,ngx,utility,video";
	static const char by_default[] = "compute,utility";
	const char *asked = variable(bundle, "NVIDIA_DRIVER_CAPABILITIES");
	const char *supported = member_text(member_get(bundle, "config"),
					    "supported-driver-capabilities");
	bool legacy_image = variable(bundle, "CUDA_VERSION") &&
			    !variable(bundle, "NVIDIA_REQUIRE_CUDA");
	struct strv words = { NULL, 0 }, of = { NULL, 0 };
	size_t i;

	if (!supported || !strcmp(supported, "all"))
		supported = all;
	strv_split(&of, supported, ',');
	strv_split(&words, asked ?: legacy_image ? supported : "", ',');
	if (!words.n)
		strv_split(&words, by_default, ',');
	if (strv_have(&words, "all"))
		strv_split(&words, supported, ',');
	for (i = 0; i < words.n; i++)
		if (strv_have(&of, words.word[i]))
			add(lines, "capability %s", words.word[i]);
	strv_free(&words);
	strv_free(&of);
}

/* Adds the mode that is taken for these devices: "auto" is native here. */
static void add_mode(struct strv *lines, struct json_object *bundle)
{
	static const char key[] = "nvidia-container-runtime.mode";
	const char *suffix = strrchr(member_text(bundle, "program"), '.');
	const char *mode = suffix ? suffix + 1 : member_text(member_get(bundle, "config"), key);
	const char *devices = variable(bundle, "NVIDIA_VISIBLE_DEVICES") ?: "";
	struct json_object *mounts = member_get(member_get(bundle, "bundle"), "mounts");
	struct json_object *annotations = member_get(member_get(bundle, "bundle"), "annotations");
	const char *mount = mounts ? member_text(element(mounts, 0), "destination") : NULL;

	if (annotations) {
		json_object_object_foreach(annotations, name, value) {
			(void)name;
			devices = json_object_get_string(value);
		}
	}
	if (mount && strstr(mount, "/cdi/"))
		devices = strstr(mount, "/cdi/") + strlen("/cdi/");
	if (!mode || !strcmp(mode, "auto"))
		mode = "native";
	if (strcmp(mode, "legacy") && !strncmp(devices, "runtime.nvidia.com/", 19))
		mode = "jit-cdi";
	else if (strcmp(mode, "legacy") && !strncmp(devices, "nvidia.com/", 11))
		mode = "cdi";
	add(lines, "mode %s", mode);
}

/* Adds whether a device is named twice. */
static void add_twice(struct strv *lines, struct json_object *bundle)
{
	struct strv devices = { NULL, 0 };
	size_t i;

	strv_split(&devices, variable(bundle, "NVIDIA_VISIBLE_DEVICES") ?: "", ',');
	strv_sort(&devices);
	for (i = 1; i < devices.n; i++)
		if (!strcmp(devices.word[i - 1], devices.word[i]))
			add(lines, "one device twice");
	strv_free(&devices);
}

/* Adds what was asked for: of the program, of its settings and of the container. */
static void add_request(struct strv *lines, struct json_object *bundle)
{
	struct json_object *config = member_get(bundle, "config");
	struct json_object *more = member_get(bundle, "bundle"), *list;
	size_t i;

	add_mode(lines, bundle);
	add_capabilities(lines, bundle);
	add_twice(lines, bundle);
	json_object_object_foreach(config, key, value)
		add(lines, "%s=%s", key, json_object_to_json_string(value));
	add_texts(lines, "", member_get(bundle, "env"));
	list = member_get(more, "mounts");
	for (i = 0; i < length(list); i++)
		add(lines, "mount %s", member_text(element(list, i), "destination"));
	add_texts(lines, "", member_get(more, "caps"));
}

static bool matches(const char *expression, const char *text)
{
	static struct { char *expression; regex_t regex; } cache[512];
	char whole[2048];
	size_t i;

	for (i = 0; i < 511 && cache[i].expression; i++)
		if (!strcmp(cache[i].expression, expression))
			break;
	if (!cache[i].expression) {
		snprintf(whole, sizeof(whole), "^(%s)$", expression);
		if (regcomp(&cache[i].regex, whole, REG_EXTENDED | REG_NOSUB)) {
			fprintf(stderr, "bundles: %s is no regular expression\n", expression);
			exit(2);
		}
		cache[i].expression = strdup(expression);
	}
	return !regexec(&cache[i].regex, text, 0, NULL, 0);
}

static bool is_asked(const struct row *row, const struct strv *request)
{
	size_t i, j;

	for (i = 0; i < row->asked.n; i++) {
		const char *expression = row->asked.word[i];
		bool not = !strncmp(expression, "not ", 4), found = false;

		for (j = 0; j < request->n; j++)
			found |= matches(expression + (not ? 4 : 0), request->word[j]);
		if (found == not && strcmp(expression, "any"))
			return false;
	}
	return true;
}

static void read_rows(const char *path)
{
	FILE *file = fopen(path, "re");
	char line[4096], *column[3], *end, *save;
	size_t i;

	if (!file)
		give_up(path);
	while (fgets(line, sizeof(line), file)) {
		if (*line == '#' || *line == '\n')
			continue;
		rows = xreallocarray(rows, n_rows + 1, sizeof(*rows));
		for (i = 0; i < 3; i++)
			column[i] = strtok_r(i ? NULL : line, "\t\n", &save);
		if (!column[2])
			give_up(path);
		rows[n_rows] = (struct row){
			.difference = strdup(column[1]), .why = strdup(column[2]),
		};
		for (; column[0]; column[0] = end) {
			end = strstr(column[0], " and ");
			if (end) {
				*end = '\0';
				end += strlen(" and ");
			}
			add(&rows[n_rows].asked, "%s", column[0]);
		}
		n_rows++;
	}
	fclose(file);
}

/* Counts in the rows; takes away the differences that a row has. */
static void look_up(struct strv *differences, const struct strv *request)
{
	struct strv left = { NULL, 0 };
	bool *known = xcalloc(differences->n + 1, sizeof(*known));
	size_t i, j;

	for (i = 0; i < n_rows; i++) {
		bool seen = false;

		if (!is_asked(&rows[i], request))
			continue;
		for (j = 0; j < differences->n; j++)
			if (matches(rows[i].difference, differences->word[j]))
				seen = known[j] = true;
		rows[i].bundles++;
		rows[i].seen += seen;
	}
	for (j = 0; j < differences->n; j++)
		if (!known[j])
			add(&left, "%s", differences->word[j]);
	free(known);
	strv_free(differences);
	*differences = left;
}

/* Returns what the toolkit changed, which another bundle may have been given, too. */
static struct json_object *find_effect(struct json_object *bundles, struct json_object *real)
{
	const char *as = member_text(real, "as");
	size_t i;

	for (i = 0; as && i < length(bundles); i++) {
		struct json_object *bundle = element(bundles, i);

		if (!strcmp(member_text(bundle, "name"), as))
			return member_get(member_get(bundle, "real"), "effect");
	}
	return member_get(real, "effect");
}

/* Adds what one has and the other has not; frees both. */
static void add_differences(struct strv *differences, struct strv *theirs, struct strv *ours)
{
	add_only(differences, "-", theirs, ours);
	add_only(differences, "+", ours, theirs);
	strv_free(theirs);
	strv_free(ours);
}

static void compare(struct strv *differences, struct json_object *bundles,
		    struct json_object *bundle)
{
	struct json_object *real = member_get(bundle, "real");
	struct strv theirs = { NULL, 0 }, ours = { NULL, 0 };
	bool started = !member_number(real, "status"), starts = create(&ours, bundle);

	if (started && !starts)
		add(differences, "refused: %s", said());
	if (!started && starts)
		add(differences, "started");
	if (started && starts)
		add_effect(&theirs, find_effect(bundles, real));
	else
		strv_free(&ours);
	add_differences(differences, &theirs, &ours);
}

static void compare_hooks(struct strv *differences, struct json_object *bundle)
{
	struct json_object *real = member_get(bundle, "real_hook");
	struct strv theirs = { NULL, 0 }, ours = { NULL, 0 };
	bool worked, works;

	if (!real)
		return;
	worked = !member_number(real, "status");
	works = run_hook(&ours, bundle);
	if (worked != works)
		add(differences, "hook %s", works ? "works" : said());
	if (worked && works)
		add_texts(&theirs, "cli ", member_get(real, "cli"));
	else
		strv_free(&ours);
	add_differences(differences, &theirs, &ours);
}

static void run_bundle(struct json_object *bundles, struct json_object *bundle)
{
	struct strv differences = { NULL, 0 }, request = { NULL, 0 };
	size_t i;

	if (!member_get(bundle, "config"))
		json_object_object_add(bundle, "config", json_object_new_object());
	compare(&differences, bundles, bundle);
	compare_hooks(&differences, bundle);
	same += !differences.n;
	add_request(&request, bundle);
	look_up(&differences, &request);
	if (differences.n) {
		failed++;
		printf("not ok %s\n", member_text(bundle, "name"));
	} else {
		passed++;
	}
	for (i = 0; i < request.n && differences.n; i++)
		printf("  asked: %s\n", request.word[i]);
	for (i = 0; i < differences.n; i++)
		printf("  %s\n", differences.word[i]);
	strv_free(&differences);
	strv_free(&request);
}

static void report_rows(void)
{
	size_t i;

	printf("# %d are the same. How many differ, of how many that asked for it, and why:\n",
	       same);
	for (i = 0; i < n_rows; i++) {
		printf("# %d of %d: %s\n", rows[i].seen, rows[i].bundles, rows[i].why);
		if (rows[i].bundles && !rows[i].seen) {
			failed++;
			printf("not ok %s: this is no difference any more: take the row out\n",
			       rows[i].difference);
		}
	}
}

int main(int argc, char **argv)
{
	struct json_file file;
	char why[WHY_SIZE];
	size_t i;

	if (argc != 3) {
		fprintf(stderr, "bundles: name a file of bundles and one of differences\n");
		return 2;
	}
	read_rows(argv[2]);
	if (json_file_read(argv[1], &file, why)) {
		fprintf(stderr, "bundles: %s\n", why);
		return 2;
	}
	for (i = 0; i < length(file.root); i++)
		run_bundle(file.root, element(file.root, i));
	json_object_put(file.root);
	report_rows();
	printf("%d passed, %d failed, 0 skipped\n", passed, failed);
	return failed || !passed;
}
