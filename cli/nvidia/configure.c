// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu configure, and nvidia-ctk runtime configure: two command lines for one thing.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/nvidia/internal.h"
#include "container/request/request.h"
#include "container/setup/setup.h"
#include "lib/host.h"
#include "lib/process.h"
#include "lib/toml_edit.h"

/**
 * struct configure_options - what is to be done
 * @drop_in:	the file beside the engine's that is to be written, NULL: as it fits
 * @answer:	a list of what became of each file; NULL: it is said as text
 * @tell:	daemons that run are to read what has changed
 * @asked:	did the engine itself confirm it? NULL: it was not to be confirmed
 */
struct configure_options {
	const struct command_call *call;
	const struct setup_engine *engine;
	const char *file, *drop_in;
	struct setup_runtime runtime;
	bool dry_run, tell;
	struct json_object *answer, *asked;
};

static char lock_path[PATH_MAX];

static void unlock(void)
{
	unlink(lock_path);
}

/* The record of an edit must not have another's in it that is made meanwhile. */
int configure_lock(const struct command_call *call)
{
	struct stat stat;
	int lock;	/* until this process ends */

	if (command_is_on(call, "dry-run"))
		return command_is_on(call, "undo") ?
		       command_fail_usage(call, "--dry-run does not show an --undo: leave one of the two out") :
		       CLI_DONE;
	if (host_path(lock_path, sizeof(lock_path), "/run/mpu-configure.lock"))
		return CLI_DONE;
	do {
		lock = open(lock_path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
			command_warn(call, "waits until another mpu configure, or nvidia-ctk, has ended");
			flock(lock, LOCK_EX);
		}
		/* Whoever had it has removed it: others may have made it anew. */
	} while (lock >= 0 && !fstat(lock, &stat) && !stat.st_nlink && !close(lock));
	if (lock >= 0)
		atexit(unlock);
	return CLI_DONE;
}

/*
 * Say what became of a file. @reload: what makes somebody read it again, NULL: nothing
 * has changed; @text: what it would say, if that was asked for
 */
static void report(const struct configure_options *options, const char *path, const char *what,
		   const char *reload, const char *text)
{
	struct json_object *one;

	if (options->answer) {
		one = json_object_new_object();
		member_add_text(one, "file", path);
		member_add_bool(one, "changed", reload);
		member_add_text(one, "reload", reload);
		if (text)
			member_add_text(one, "text", text);
		json_object_array_add(options->answer, one);
	} else if (text) {
		fprintf(stderr, "%s: %s would say:\n", options->call->name, path);
		fputs(text, stdout);
	} else {
		fprintf(stderr, "%s: %s %s%s%s\n", options->call->name, path, what,
			reload ? "; to have it read: " : "", reload ? reload : "");
	}
}

/*
 * Has an engine's daemon, if it runs, read its files again. docker and CRI-O reload them;
 * containerd is restarted, which its containers do not notice (KillMode=process).
 */
static void tell(const struct configure_options *options, const struct setup_engine *engine)
{
	const char *const words[] = { "systemctl", "try-reload-or-restart", engine->name, NULL };
	const int fd[3] = { PROCESS_NULL, PROCESS_NULL, STDERR_FILENO };

	if (options->tell && engine != &setup_podman && !host_is_other() &&
	    host_exists("/run/systemd/system") && process_run(words, fd))
		fprintf(stderr, "%s: %s has not read its files again: %s\n", options->call->name,
			engine->name, engine->restart);
}

/* Print the answer, if it is one in JSON. Return: @status */
static int print_answer(const struct configure_options *options, int status)
{
	struct json_object *answer;

	if (!options->answer || status) {
		json_object_put(options->answer);
		return status;
	}
	answer = json_object_new_object();
	json_object_object_add(answer, "files", options->answer);
	if (options->asked)
		json_object_object_add(answer, "asked", options->asked);
	command_print_json(answer);
	return CLI_DONE;
}

/* Makes a change of a file, or shows it for --dry-run. @reload: as of report() */
static int show_or_make(const struct configure_options *options, const struct undoable_edit *change,
			const struct notation *notation, const char *reload)
{
	char why[WHY_SIZE];

	if (options->dry_run) {
		report(options, change->path, "", NULL, change->after);
	} else if (undoable_edit_is_empty(change)) {
		report(options, change->path, "says so already", NULL, NULL);
	} else {
		if (undoable_edit_make(change, notation, why))
			return command_fail(options->call, CLI_FAILED, "%s", why);
		report(options, change->path, "is written", reload, NULL);
	}
	return CLI_DONE;
}

static enum setup_cdi cdi_of(const struct setup_engine *engine, const char *text)
{
	struct setup_found found;
	char why[WHY_SIZE];
	enum setup_cdi cdi = setup_find(engine, text, &found, why) ? SETUP_CDI_DEFAULT : found.cdi;

	setup_found_free(&found);
	return cdi;
}

/* Say what has a daemon read a change: for runtimes alone it need not be restarted. */
static const char *reload_of(const struct setup_engine *engine, const char *before,
			     const char *after)
{
	return cdi_of(engine, before) == cdi_of(engine, after) ? engine->reload : engine->restart;
}

/*
 * Edits a file. @edit: as of struct setup_engine, import; NULL: it gets the runtime; @pattern: for
 * it; @reload: as of report(), NULL: as the edit needs it
 */
static int configure_file(const struct configure_options *options, const char *file,
			  int (*edit)(char **text, const char *pattern, char why[WHY_SIZE]),
			  const char *pattern, const struct notation *notation, const char *reload)
{
	const struct setup_engine *engine = options->engine;
	struct setup_base base = { 0 };
	struct undoable_edit change;
	char why[WHY_SIZE];
	int status;

	if (undoable_edit_open(&change, file, why) ||
	    (!edit && setup_base_read(engine, options->file, file, &base, why)))
		status = command_fail(options->call, CLI_FAILED, "%s", why);
	else if (edit ? edit(&change.after, pattern, why) :
		 setup_edit(engine, &change, &options->runtime, &base, why))
		status = command_fail(options->call, CLI_FAILED, "%s: %s", change.path, why);
	else
		status = show_or_make(options, &change, notation, reload ?:
				      reload_of(engine, change.before.text, change.after));
	setup_base_free(&base);
	undoable_edit_close(&change);
	return status;
}

static int configure(struct configure_options *options)
{
	const char *program = options->runtime.path;
	char path[PATH_MAX], why[WHY_SIZE];
	struct setup_place place;
	int status, asked;

	if (*program == '/' && (host_path(path, sizeof(path), "%s", program) || access(path, X_OK)))
		command_warn(options->call, "%s is no program here: until it is, no container of runtime %s starts",
			     program, options->runtime.name);

	if (setup_locate(options->engine, options->file, options->drop_in, &place))
		return command_fail(options->call, CLI_FAILED, "%s: the path is too long",
				    options->file);
	status = configure_file(options, place.own, NULL, NULL, options->engine->notation, NULL);
	if (!status && *place.import)
		status = configure_file(options, options->file, options->engine->import,
					place.import, options->engine->notation, NULL);
	if (status || options->dry_run)
		return status;
	asked = setup_check(options->engine, options->file, place.own, &options->runtime, why);
	if (asked < 0)
		return command_fail(options->call, CLI_FAILED, "%s", why);
	if (*why)
		command_warn(options->call, "%s", why);
	if (options->answer)
		options->asked = json_object_new_boolean(asked);
	else if (!asked)
		fprintf(stderr, "%s: %s could not be asked whether that is in force: its files say so; 'mpu doctor' asks again\n",
			options->call->name, options->engine->name);
	return CLI_DONE;
}

/* Return: 1: what we had changed is undone; 0: nothing; or negative, once that is said. */
static int undo_file(const struct configure_options *options, const char *file,
		     const struct notation *notation, const char *reload)
{
	char why[WHY_SIZE];
	int ret = undoable_edit_undo(file, notation, why);

	if (ret < 0)
		command_fail(options->call, CLI_FAILED, "%s", why);
	else if (ret != UNDO_NONE)
		report(options, file, ret == UNDO_DONE ? "is as it was" :
		       "has no more of what mpu wrote; what others wrote stays", reload, NULL);
	return ret < 0 ? ret : ret != UNDO_NONE;
}

/* Adds the runtimes that mpu was told to write into a file. */
static void add_ours(const struct setup_engine *engine, const char *file, struct setup_found *ours)
{
	struct setup_found found = { 0 };
	struct undoable_edit change = { 0 };
	char why[WHY_SIZE];
	size_t i;

	if (engine && !undoable_edit_open(&change, file, why) && change.made)
		setup_find(engine, change.made, &found, why);
	for (i = 0; i < found.names.n; i++)
		if (strv_have(&change.ours, found.names.word[i])) {
			strv_add(&ours->names, found.names.word[i]);
			strv_add(&ours->paths, found.paths.word[i]);
		}
	setup_found_free(&found);
	undoable_edit_close(&change);
}

/* Says what an engine's files still have of our runtimes, by others' hands. Return: a status */
static int report_left(const struct configure_options *options, const struct setup_engine *engine,
		       const char *file, const struct setup_found *ours)
{
	struct setup_found found;
	char why[WHY_SIZE];
	int status = CLI_DONE;
	size_t i;

	setup_in_force(engine, file, SETUP_FILES, &found, why);
	for (i = 0; i < found.names.n; i++)
		if (strv_have(&ours->paths, found.paths.word[i]))
			status = command_fail(options->call, CLI_FAILED, "runtime %s of %s is still %s, of which mpu has no record: remove it before you remove mpu",
					      found.names.word[i], engine->name, found.paths.word[i]);
	if (found.standard && strv_have(&ours->names, found.standard) &&
	    !strv_have(&found.names, found.standard))
		status = command_fail(options->call, CLI_FAILED, "somebody else made runtime %s, which is gone, the default of %s: change that, or it starts no container",
				      found.standard, engine->name);
	setup_found_free(&found);
	return status;
}

/* Finds the engine that reads a file; NULL: none does. */
static const struct setup_engine *find_reader(const char *file)
{
	const struct setup_engine *const *engine;
	bool reads = false;

	for (engine = setup_engines; *engine; engine++) {
		struct strv files = { 0 };

		setup_files(*engine, (*engine)->file, &files);
		reads = strv_have(&files, file);
		strv_free(&files);
		if (reads)
			break;
	}
	return *engine;
}

/* Names a program that lies beside the one that runs here; NULL: it cannot be named. */
static const char *beside_us(char path[PATH_MAX], const char *name)
{
	char *slash;

	process_own_path(path);
	slash = strrchr(path, '/');
	if (!slash || (size_t)(slash - path) + strlen(name) + 2 > PATH_MAX)
		return NULL;
	strcpy(slash + 1, name);
	return path;
}

/*
 * Undoes what we have changed for an engine, also in a file of which only the record was
 * written, or for all, whatever becomes of the other files.
 */
static int undo(const struct configure_options *options)
{
	const struct setup_engine *const *one, *engine;
	char own[PATH_MAX];
	struct strv files = { 0 }, changed = { 0 };
	struct setup_found ours = { 0 };
	struct setup_place place;
	int ret, status = CLI_DONE;
	size_t i;

	if (!options->engine)
		undoable_edit_list(&files);
	else
		setup_files(options->engine, options->file, &files);
	if (options->engine &&
	    !setup_locate(options->engine, options->file, options->drop_in, &place))
		strv_add_once(&files, place.own);
	for (i = 0; i < files.n; i++) {
		engine = options->engine ?: find_reader(files.word[i]);
		add_ours(engine, files.word[i], &ours);
		ret = undo_file(options, files.word[i], engine ? engine->notation :
				!strcmp(strrchr(files.word[i], '.') ?: "", ".json") ?
				&notation_json : &notation_toml,
				engine ? engine->restart : "restart what reads it");
		if (ret < 0)
			status = CLI_FAILED;
		else if (ret)
			strv_add_once(&changed, engine ? engine->name : "");
	}
	if (options->engine && !changed.n && !status)
		report(options, options->drop_in ? options->drop_in : options->file,
		       "was not changed by mpu", NULL, NULL);
	/* A record may be lost. */
	if (!options->engine)
		strv_add(&ours.paths, beside_us(own, "mpu-runtime") ?: "");
	for (one = setup_engines; *one; one++) {
		if (strv_have(&changed, (*one)->name))
			tell(options, *one);
		if (!options->engine || strv_have(&changed, (*one)->name))
			status |= report_left(options, *one, options->engine ? options->file :
					      (*one)->file, &ours);
	}
	setup_found_free(&ours);
	strv_free(&changed);
	strv_free(&files);
	return status;
}

static const char next_container[] = "nothing: the next container's runtime reads it";

/*
 * A pod may write any variable, and with CRI-O any annotation (it hands a pod's on to its
 * containers), and without these settings it gets GPUs that way which the device plugin has
 * given to others; mounts only the plugin can make.
 */
static int edit_for_kubernetes(char **text, const char *unused, char why[WHY_SIZE])
{
	(void)unused;
	return notation_put(&notation_toml, text,
			    KEYS("accept-nvidia-visible-devices-envvar-when-unprivileged"),
			    json_object_new_boolean(0), why) ?:
	       notation_put(&notation_toml, text,
			    KEYS("accept-nvidia-visible-devices-as-volume-mounts"),
			    json_object_new_boolean(1), why) ?:
	       notation_put(&notation_toml, text, KEYS("nvidia-container-runtime", "modes", "cdi",
						       "annotation-prefixes"),
			    json_object_new_array(), why);
}

static int configure_kubernetes(const struct configure_options *options)
{
	const struct command_call *call = options->call;
	char path[PATH_MAX];
	bool required;
	int undone;

	if (!command_is_on(call, "kubernetes"))
		return CLI_DONE;
	if (settings_path(path, NULL, SETTINGS_RUNTIME, &required))
		return command_fail(call, CLI_FAILED, "the path of config.toml is too long");
	if (command_is_on(call, "undo")) {
		undone = undo_file(options, path, &notation_toml, next_container);
		if (!undone)
			report(options, path, "was not changed by mpu", NULL, NULL);
		return undone < 0 ? CLI_FAILED : CLI_DONE;
	}
	return configure_file(options, path, edit_for_kubernetes, NULL, &notation_toml,
			      next_container);
}

static int run_configure(const struct command_call *call)
{
	const struct setup_engine *engine = setup_engine_find(call->words[0]);
	char own[PATH_MAX];
	struct configure_options options = {
		.call = call, .engine = engine,
		.file = command_text(call, "config") ?: (engine ? engine->file : NULL),
		.runtime = {
			.name = command_text(call, "name") ?: "nvidia",
			.path = command_text(call, "runtime") ?: beside_us(own, "mpu-runtime"),
			.is_default = command_is_on(call, "default"),
			.cdi = command_is_on(call, "cdi"),
		},
		.dry_run = command_is_on(call, "dry-run"),
		.tell = command_is_on(call, "tell"),
	};
	bool undoes = command_is_on(call, "undo");
	int status;

	if (!engine && (!undoes || command_value(call, "config")))
		return command_fail_usage(call, "all is for --undo alone");
	if (!undoes && (!options.runtime.path || *options.runtime.path != '/'))
		return command_fail_usage(call, "--runtime needs the absolute path of a program");
	if (command_wants_json(call))
		options.answer = json_object_new_array();
	status = configure_lock(call);
	if (!status)
		status = configure_kubernetes(&options);
	if (!status)
		status = undoes ? undo(&options) : configure(&options);
	return print_answer(&options, status);
}

static const struct command_option configure_options[] = {
	{ "config", 0, "FILE", NULL, "edit this file instead of the engine's own" },
	{ "name", 0, "NAME", NULL, "name of the runtime (default: nvidia)" },
	{ "runtime", 0, "FILE", NULL, "its program (default: mpu-runtime beside mpu)" },
	{ "default", 0, NULL, NULL, "for containers that name no runtime, too" },
	{ "cdi", 0, NULL, NULL, "have the engine take CDI devices" },
	{ "kubernetes", 0, NULL, NULL,
	  "GPUs for pods by mounts of the device plugin alone, not by variables" },
	{ "dry-run", 0, NULL, NULL, "show what the file would say" },
	{ "undo", 0, NULL, NULL, "take out what was written (all: for every file)" },
	{ "tell", 0, NULL, NULL, "with --undo: have daemons that run read their files again" },
	{ .name = NULL },
};

const struct command command_configure = {
	.name = "configure", .argument = "docker|containerd|crio|podman|all",
	.options = { configure_options }, .run = run_configure,
	.what = "register mpu-runtime with docker, containerd, CRI-O or podman",
};

/*
 * Returns the runtime that NVIDIA's command writes: docker looks a name up in PATH; for
 * others it is the program that lies beside this one, or else NVIDIA's.
 */
static const char *ctk_program(const struct command_call *call,
			       const struct setup_engine *engine, char own[PATH_MAX])
{
	static const char program[] = "nvidia-container-runtime";
	const char *path = command_text(call, "nvidia-runtime-path") ?: program;

	if (strcmp(path, program) != 0 || engine == &setup_docker)
		return path;
	path = beside_us(own, program);
	return path && !access(path, X_OK) ? path : "/usr/bin/nvidia-container-runtime";
}

/* Options of it that cannot be followed. Return: an exit status */
static int refuse_ctk(const struct command_call *call, const struct setup_engine *engine)
{
	const char *mode = command_text(call, "config-mode") ?: "config-file";
	const char *source = command_text(call, "config-source") ?: "file";
	const char *drop_in = command_text(call, "drop-in-config");

	if (strcmp(mode, "config-file") != 0 && strcmp(mode, "config") != 0)
		return command_fail(call, CLI_FAILED, "--config-mode %s is not for this program: OCI hook files are deprecated; leave the option out",
				    mode);
	if (strcmp(source, "file") != 0 && strcmp(source, "command") != 0)
		return command_fail(call, CLI_FAILED, "unrecognized config source: %s", source);
	if (drop_in && engine == &setup_docker)
		return command_fail(call, CLI_FAILED, "--drop-in-config: docker has no such files: leave the option out, and its own file is edited");
	if (drop_in && *drop_in != '/')
		return command_fail(call, CLI_FAILED, "the drop-in-config path \"%s\" is not an absolute path",
				    drop_in);
	return CLI_DONE;
}

static int run_ctk(const struct command_call *call)
{
	const char *name = command_text(call, "runtime") ?: "docker";
	const struct setup_engine *engine = setup_engine_find(name);
	struct configure_options options = { .call = call, .engine = engine };
	char own[PATH_MAX];
	int status;

	if (!engine)
		return command_fail(call, CLI_FAILED, "unrecognized runtime '%s': expected docker, containerd, crio or podman",
				    name);
	status = refuse_ctk(call, engine) ?: configure_lock(call);
	if (status)
		return status;
	options.file = command_text(call, "config") ?: engine->file;
	options.drop_in = command_text(call, "drop-in-config");
	if (command_is_on(call, "undo"))
		return undo(&options);
	options.runtime = (struct setup_runtime){
		.name = command_text(call, "nvidia-runtime-name") ?: "nvidia",
		.path = ctk_program(call, engine, own),
		.is_default = command_is_on(call, "nvidia-set-as-default"),
		.cdi = command_is_on(call, "cdi.enabled"),
	};
	if (engine != &setup_docker && *options.runtime.path != '/')
		return command_fail(call, CLI_FAILED, "the NVIDIA runtime path \"%s\" is not an absolute path: %s looks for it nowhere",
				    options.runtime.path, name);
	options.dry_run = command_is_on(call, "dry-run");
	return configure(&options);
}

static const struct command_option ctk_options[] = {
	{ "dry-run", 0, NULL, NULL, "show what the file would say" },
	{ "runtime", 0, "ENGINE", NULL, "docker (the default), containerd, crio or podman" },
	{ "config", 0, "FILE", NULL, "edit this file instead of the engine's own" },
	{ "drop-in-config", 0, "FILE", NULL, "write this file beside it; not of docker" },
	{ "executable-path", 0, "FILE", NULL, "taken and not used: the file is read" },
	{ "config-mode", 0, "MODE", NULL, "config-file, the only one here" },
	{ "config-source", 0, "SOURCE", NULL, "file or command: the file is read either way" },
	{ "oci-hook-path", 0, "FILE", NULL, "taken and not used: there are no hook files" },
	{ "nvidia-runtime-name", 0, "NAME", NULL, "name of the runtime (default: nvidia)" },
	{ "nvidia-runtime-path", 0, "FILE", NULL,
	  "its program (default: nvidia-container-runtime)" },
	{ "runtime-path", 0, "FILE", NULL, NULL },
	{ "nvidia-runtime-hook-path", 0, "FILE", NULL,
	  "taken and not used: there are no hook files" },
	{ "nvidia-set-as-default", 0, NULL, NULL,
	  "for containers that name no runtime, too" },
	{ "set-as-default", 0, NULL, NULL, NULL },
	{ "cdi.enabled", 0, NULL, NULL, "have the engine take CDI devices" },
	{ "cdi.enable", 0, NULL, NULL, NULL },
	{ "enable-cdi", 0, NULL, NULL, NULL },
	{ "undo", 0, NULL, NULL, "take out what was written" },
	{ .name = NULL },
};

static const struct command *const ctk_commands[] = {
	COMMAND(.name = "configure", .options = { ctk_options }, .run = run_ctk,
		.what = "have a container engine know the NVIDIA container runtime"),
	NULL
};

const struct command ctk_runtime = {
	.name = "runtime", .commands = ctk_commands,
	.what = "container engines and their runtimes",
};
