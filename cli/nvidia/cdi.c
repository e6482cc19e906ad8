// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu cdi, and nvidia-ctk cdi: one tree of commands.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/nvidia/internal.h"
#include "container/cdi/cdi.h"
#include "lib/dirtree.h"
#include "lib/fds.h"
#include "lib/json_file.h"
#include "lib/text_file.h"
#include "lib/xalloc.h"
#include "lib/yaml_file.h"
#include "nvidia/nvidia.h"

#define MAX_DOCUMENT	(16 << 20)

static bool is_yaml(const struct command_call *call, const char *path, const char *format)
{
	const char *suffix = path ? strrchr(path, '.') : NULL;

	if (format)
		return !strcasecmp(format, "yaml");
	/* Scripts read the output of nvidia-ctk as YAML. */
	if (!suffix || strchr(suffix, '/'))
		return call->program->style == PROGRAM_GO;
	return !strcasecmp(suffix, ".yaml") || !strcasecmp(suffix, ".yml");
}

static int write_text(const struct command_call *call, const char *text, const char *path)
{
	const struct stat file = {
		.st_mode = 0644, .st_uid = geteuid(), .st_gid = getegid(),
	};
	char *line, why[WHY_SIZE];
	int ret;

	if (!path && (puts(text) < 0 || fflush(stdout)))
		return command_fail(call, CLI_FAILED, "cannot write to standard output: %s",
				    strerror(errno));
	if (!path)
		return CLI_DONE;
	/* /var/run/cdi is not there after a boot; engines of other users read it, too. */
	line = xasprintf("%s\n", text);
	ret = dirtree_make(path, why) ?: text_file_write(path, line, &file, why);
	free(line);
	if (ret)
		return command_fail(call, CLI_FAILED, "%s", why);
	command_print_file(call, path);
	return CLI_DONE;
}

/* @path: NULL: stdout; @format: "json", "yaml", NULL: by the name. Return: an exit status */
int cdi_output(const struct command_call *call, struct json_object *root,
	       const char *path, const char *format)
{
	char *yaml = NULL;
	int status;

	if (format && strcasecmp(format, "json") != 0 && strcasecmp(format, "yaml") != 0)
		return command_fail_usage(call, "invalid output format: %s", format);
	if (!path && is_yaml(call, path, format) && command_wants_json(call))
		return command_fail_usage(call, "--format %s is no answer in JSON", format);
	if (is_yaml(call, path, format))
		yaml = yaml_file_text(root);
	status = write_text(call, yaml ?: json_file_text(root), path);
	free(yaml);
	return status;
}

/* Folders that --spec-dir names; the usual ones if it names none. */
static void read_registry(const struct command_call *call, struct cdi_registry *registry)
{
	struct strv folders = { 0 };

	command_values(call, "spec-dir", &folders);
	cdi_registry_read(registry, folders.n ? &folders : NULL);
	strv_free(&folders);
}

static int run_list(const struct command_call *call)
{
	struct strv names = { 0 }, conflicts = { 0 };
	struct cdi_registry registry;
	size_t i;

	read_registry(call, &registry);
	cdi_registry_names(&registry, &names, &conflicts);
	for (i = 0; i < registry.n; i++)
		if (registry.files[i].wrong)
			fprintf(stderr, "%s: %s\n", call->name, registry.files[i].wrong);
	for (i = 0; i < conflicts.n; i++)
		fprintf(stderr, "%s: %s: two files of one folder have this device, so no program finds it\n",
			call->name, conflicts.word[i]);
	if (!names.n && !command_wants_json(call))
		command_warn(call, "there is no CDI device: '%.*s generate --output /etc/cdi/nvidia.yaml' writes a document of this machine's",
			     (int)(strlen(call->name) - strlen(" list")), call->name);
	command_print_words(call, "devices", &names);
	strv_free(&names);
	strv_free(&conflicts);
	cdi_registry_free(&registry);
	return CLI_DONE;
}

static int run_check(const struct command_call *call)
{
	const char *root = command_value(call, "driver-root");
	struct strv findings = { 0 };
	struct cdi_registry registry;
	struct installation host;
	char why[WHY_SIZE];
	int status;

	read_registry(call, &registry);
	if (installation_read_some(&host, root ? root : "", why)) {
		status = command_fail(call, CLI_FAILED, "%s", why);
	} else {
		cdi_check(&registry, &host, &findings);
		command_print_words(call, "findings", &findings);
		status = findings.n ? CLI_NO : CLI_DONE;
		installation_free(&host);
	}
	strv_free(&findings);
	cdi_registry_free(&registry);
	return status;
}

static int run_validate(const struct command_call *call)
{
	struct strv problems = { 0 };
	struct cdi_document document;
	char why[WHY_SIZE];
	size_t i;
	int status;

	for (i = 0; i < call->n_words; i++) {
		if (cdi_document_read(&document, call->words[i], why))
			strv_add(&problems, why);
		else
			cdi_document_free(&document);
	}
	status = command_report(call, CLI_NO, &problems);
	strv_free(&problems);
	return status;
}

static int read_stdin(struct json_object **root, char why[WHY_SIZE])
{
	char *text = xcalloc(MAX_DOCUMENT + 1, 1);
	ssize_t len = fd_read_all(STDIN_FILENO, text, MAX_DOCUMENT);
	int ret = len < 0 ? why_fail(why, (int)len, "standard input: %s", len == -EFBIG ?
				     "there is no room for it" : strerror((int)-len)) :
			    yaml_file_parse_either(text, (size_t)len, root, why);

	free(text);
	return ret;
}

static int read_input(const char *path, struct json_object **root, char why[WHY_SIZE])
{
	struct json_file file;
	int ret;

	if (!path || !*path || !strcmp(path, "-"))
		return read_stdin(root, why);
	ret = yaml_file_read(path, &file, why);
	*root = file.root;
	return ret;
}

static int run_transform(const struct command_call *call)
{
	const char *from = command_value(call, "from"), *to = command_value(call, "to");
	const char *output = command_text(call, "output");
	const char *input = command_value(call, "input");
	const char *side = command_value(call, "relative-to") ?: "host";
	bool container = !strcmp(side, "container");
	struct json_object *root;
	char why[WHY_SIZE];
	int status;

	if (!container && strcmp(side, "host") != 0)
		return command_fail_usage(call, "invalid --relative-to value: %s", side);
	if (read_input(input, &root, why))
		return command_fail(call, CLI_FAILED, "%s", why);
	if (cdi_transform_root(root, from ? from : "", to ? to : "", container, why))
		status = command_fail(call, CLI_FAILED, "%s", why);
	else
		status = cdi_output(call, root, output,
				    command_value(call, "format"));
	json_object_put(root);
	return status;
}

#define SPEC_DIR { "spec-dir", 0, "DIR", "NVIDIA_CTK_CDI_SPEC_DIRS", \
	"folders of documents (default: /etc/cdi,/var/run/cdi)" }

static const struct command_option list_options[] = {
	SPEC_DIR,
	{ .name = NULL },
};

static const struct command_option check_options[] = {
	SPEC_DIR,
	{ "driver-root", 'r', "DIR", "NVIDIA_CTK_DRIVER_ROOT",
	  "below which the driver's files are" },
	{ .name = NULL },
};

static const struct command_option transform_options[] = {
	{ "from", 0, "DIR", NULL, "change paths that begin with this" },
	{ "to", 0, "DIR", NULL, "put this there" },
	{ "relative-to", 0, "host|container", NULL,
	  "change paths of the host (default), or of the container" },
	{ "input", 0, "FILE", NULL, "read this document (default: standard input)" },
	{ "output", 'o', "FILE", NULL,
	  "write this file, at once or not at all (default: standard output)" },
	{ "format", 'f', "json|yaml", NULL,
	  "default: as the file is named, else json, of nvidia-ctk yaml" },
	{ .name = NULL },
};

static const struct command *const transform_commands[] = {
	COMMAND(.name = "root", .options = { transform_options }, .run = run_transform,
		.what = "rewrite paths for another root folder"),
	NULL
};

static const struct command *const commands[] = {
	COMMAND(.name = "generate", .options = { cdi_generate_options }, .run = cdi_run_generate,
		.what = "write a document for the devices of this machine"),
	COMMAND(.name = "list", .options = { list_options }, .run = run_list,
		.what = "list the devices that engines find"),
	COMMAND(.name = "check", .options = { check_options }, .run = run_check,
		.what = "say which documents are old, broken, or in each other's way"),
	COMMAND(.name = "validate", .argument = "FILE...", .run = run_validate,
		.what = "say whether engines would take documents"),
	COMMAND(.name = "transform", .commands = transform_commands, .what = "rewrite a document"),
	NULL
};

const struct command command_cdi = {
	.name = "cdi", .commands = commands, .flags = COMMAND_LONG,
	.what = "write, list and check CDI documents, by which engines know GPUs",
};
