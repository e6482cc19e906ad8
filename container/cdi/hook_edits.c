// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hooks of CDI documents as edits. Files that they add are mounted and not
 * written, so that an image that is made of the container does not have them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "container/cdi/internal.h"
#include "container/image/image.h"
#include "container/plan/plan.h"
#include "container/rootfs/rootfs.h"
#include "lib/fds.h"
#include "lib/in_root.h"
#include "lib/host.h"
#include "lib/json.h"
#include "lib/arch.h"
#include "lib/path.h"
#include "lib/process.h"
#include "lib/xalloc.h"

#define CONF		"/etc/ld.so.conf"

/* More documents than a container's GPUs are of. */
#define MAX_HOOKS	100

/* The file that musl's loader reads its folders from, and its default folders. */
#define MUSL_PATH	"/etc/ld-musl-" ARCH_NAME ".path"
#define MUSL_USUAL	"/lib:/usr/local/lib:/usr/lib"
#define MUSL_SIZE	65536

#define PARAMS		"/proc/driver/nvidia/params"

/* @text: taken over */
static void add_text(struct edits *edits, const char *path, char *text)
{
	struct edit edit = { .kind = EDIT_TEXT, .path = xstrdup(path), .text = text };

	edits_add(edits, &edit);
}

static bool has_node(struct json_object *config, const char *path)
{
	struct json_object *nodes = member_get(member_get(config, "linux"), "devices");
	size_t i, n = array_length(nodes);

	for (i = 0; i < n; i++) {
		const char *node = member_text(json_object_array_get_idx(nodes, i), "path");

		if (node && !strcmp(node, path))
			return true;
	}
	return false;
}

static int add_links(struct edits *edits, const struct cdi_hook_call *call, char why[WHY_SIZE])
{
	static const char dri[] = "/dev/dri/";
	char node[PATH_MAX];
	size_t i;

	for (i = 0; i < call->links->n; i++) {
		const char *link = call->links->word[i], *colons = strstr(link, "::");
		struct edit edit = { .kind = EDIT_LINK };

		if (!colons || colons == link || colons[2] != '/')
			return why_fail(why, -EINVAL, "--link: '%s' is not TARGET::LINK, with an absolute path behind the colons",
					link);
		edit.text = xstrndup(link, (size_t)(colons - link));
		edit.path = xstrdup(colons + 2);
		snprintf(node, sizeof(node), "%s%s", dri, path_name(edit.text));
		if (!call->any || strncmp(edit.path, dri, strlen(dri)) != 0 ||
		    has_node(call->config, node)) {
			edits_add(edits, &edit);
			continue;
		}
		free(edit.text);
		free(edit.path);
	}
	return 0;
}

static int add_compat(struct edits *edits, const struct cdi_hook_call *call, char why[WHY_SIZE])
{
	bool named = call->compat && *call->compat;
	char folder[PATH_MAX];
	int ret = compat_find(call->root, named ? call->compat : COMPAT_FOLDER,
			      call->driver, call->cuda, folder, why);

	if (!ret && *folder)
		add_text(edits, COMPAT_CONF, xasprintf("%s\n", folder));
	return ret;
}

/* Folders that loaders look into anyway: they must not come before all others. */
static bool is_usual(const char *folder)
{
	const char *name = strncmp(folder, "/usr", 4) ? folder : folder + 4;

	/* "/usr/lib/x86_64-linux-gnu", as Debian has it */
	return !strcmp(name, "/lib") || !strcmp(name, "/lib64") ||
	       (!strncmp(name, "/lib/", 5) && !strchr(name + 5, '/') && strstr(name, "-linux-gnu"));
}

/*
 * Returns whether a file of the image has any content. A mount at an earlier start of
 * this container has left an empty file there.
 */
static bool has_content(int root, const char *path)
{
	struct stat st;

	return !in_root_stat(root, path, 0, &st) && (!S_ISREG(st.st_mode) || st.st_size);
}

/* Returns a file that names folders, a line each, once; "" if there are none. */
char *cdi_folder_lines(const struct strv *folders)
{
	struct strv once = { 0 };
	char *text;
	size_t i;

	for (i = 0; i < folders->n; i++)
		strv_add_once(&once, folders->word[i]);
	if (once.n)
		strv_add(&once, "");
	text = strv_join(&once, "\n");
	strv_free(&once);
	return text;
}

/*
 * @name: of the file that names them; where a container has several such hooks, of
 * the first one's
 */
static void add_folders(struct edits *edits, int root, const char *name,
			const struct strv *folders, bool usual)
{
	char path[64];
	struct strv some = { 0 };
	size_t i;

	snprintf(path, sizeof(path), CONF ".d/%s.conf", name);
	for (i = 1; i < MAX_HOOKS && has_content(root, path); i++)
		snprintf(path, sizeof(path), CONF ".d/%s%zu.conf", name, i);
	for (i = 0; i < folders->n; i++)
		if (is_usual(folders->word[i]) == usual)
			strv_add(&some, folders->word[i]);
	if (some.n)
		add_text(edits, path, cdi_folder_lines(&some));
	strv_free(&some);
}

/* Reads a regular file of the image. Return: its length, or negative errno. */
static ssize_t read_file(int root, const char *path, char *text, size_t size)
{
	int fd = regular_open(in_root_open(root, path, O_PATH), O_RDONLY);
	ssize_t n = fd < 0 ? fd : fd_read_all(fd, text, size);

	if (fd >= 0)
		close(fd);
	if (n >= 0)
		text[n] = '\0';
	return n;
}

/* Reads the image's own list of folders, or musl's default. */
static int read_musl_path(int root, char text[MUSL_SIZE], char why[WHY_SIZE])
{
	ssize_t n;

	strcpy(text, MUSL_USUAL);
	if (!has_content(root, MUSL_PATH))
		return 0;
	n = read_file(root, MUSL_PATH, text, MUSL_SIZE);
	return n < 0 ? in_root_fail(why, (int)n, "the container's ", MUSL_PATH) : 0;
}

/*
 * Adds folders to the path of musl's loader. An empty file would stay where this is
 * mounted, and the loader would then look into no folder at all (seen with 1.2.3): an
 * image that is made of the container says what the loader takes without a file.
 */
static int add_musl_path(struct edits *edits, const struct cdi_hook_call *call, char why[WHY_SIZE])
{
	struct edit edit = { .kind = EDIT_TEXT };
	char own[MUSL_SIZE], *folders;
	int ret = call->folders->n ? read_musl_path(call->root, own, why) : 0;

	if (ret || !call->folders->n)
		return ret;
	folders = cdi_folder_lines(call->folders);
	edit.text = xasprintf("%s\n%s", own, folders);
	edit.path = xstrdup(MUSL_PATH);
	edit.below = xstrdup(MUSL_USUAL "\n");
	edits_add(edits, &edit);
	free(folders);
	return 0;
}

/*
 * Has an ldconfig that the image runs later look into the folders. A folder that the image names,
 * too, it goes through once, without a word.
 */
static void add_conf(struct edits *edits, const struct cdi_hook_call *call)
{
	if (!has_content(call->root, CONF))
		add_text(edits, CONF, xstrdup("include " CONF ".d/*.conf\n"));
	add_folders(edits, call->root, "00-nvcr-mpu", call->folders, false);
	add_folders(edits, call->root, "zz-nvcr-mpu", call->folders, true);
}

/* Adds the folder that CDI_HOOK_COMPAT has written into COMPAT_CONF, if there is one. */
static void add_compat_folder(struct strv *folders, int root)
{
	char text[PATH_MAX];

	if (read_file(root, COMPAT_CONF, text, sizeof(text)) >= 0)
		strv_split(folders, text, '\n');
}

/*
 * Sorts folders into the order of ldconfig's files. Return: the number of those before the
 * usual ones.
 */
static size_t order_folders(struct strv *folders, const struct cdi_hook_call *call)
{
	size_t i, n_whole = 0;
	int usual;

	add_compat_folder(folders, call->root);
	for (usual = 0; usual < 2; usual++) {
		for (i = 0; i < call->folders->n; i++)
			if (is_usual(call->folders->word[i]) == usual)
				strv_add(folders, call->folders->word[i]);
		if (!usual)
			n_whole = folders->n;
	}
	return n_whole;
}

/*
 * Makes the links of the SONAMEs, and entries of the cache. @paths: receives what these
 * point into
 */
static void add_entries(struct edits *edits, const struct strv *folders,
			const struct image_libraries *libraries,
			struct ldcache_entry *entries, struct strv *paths)
{
	size_t i;

	for (i = 0; i < libraries->n; i++) {
		const struct image_library *library = &libraries->library[i];
		struct edit link = { .kind = EDIT_LINK, .optional = true };

		strv_add_format(paths, "%s/%s", folders->word[library->folder],
				library->linked ? library->key : library->name);
		entries[i] = (struct ldcache_entry){
			.key = library->key, .path = paths->word[i], .flags = library->flags,
		};
		if (!library->linked)
			continue;
		link.path = xstrdup(paths->word[i]);
		link.text = xstrdup(library->name);
		edits_add(edits, &link);
	}
}

static void add_merged(struct edits *edits, const struct cdi_hook_call *call,
		       const struct ldcache_entry *entries, size_t n, int ret)
{
	struct edit edit = {
		.kind = EDIT_TEXT, .own = !container_is_read_only(call->config),
	};
	long size = ret ?: loader_cache_merge(in_root_open(call->root, LOADER_CACHE, O_PATH),
					      entries, n, &edit.text);

	if (size < 0) {
		strv_add_format(&edits->lacks, "the image's " LOADER_CACHE " stays as it is (%s): what it does not list is found in the loader's own folders alone",
				loader_cache_why(size));
		return;
	}
	edit.size = (size_t)size;
	edit.path = xstrdup(LOADER_CACHE);
	edits_add(edits, &edit);
}

/*
 * Programs ask the cache, and the loader does: the libraries of the folders are added to
 * it, as in the other modes. ldconfig would read all files of the image, which takes as
 * long as the image wants it to.
 */
static void add_cache(struct edits *edits, const struct cdi_hook_call *call)
{
	struct image_libraries libraries = { 0 };
	struct strv folders = { 0 }, paths = { 0 };
	struct ldcache_entry *entries;
	size_t n_whole = order_folders(&folders, call);
	int ret = image_libraries_read(&libraries, call->root, &folders, n_whole);

	if (ret || libraries.n) {
		entries = xcalloc(libraries.n + 1, sizeof(*entries));
		add_entries(edits, &folders, &libraries, entries, &paths);
		add_merged(edits, call, entries, libraries.n, ret);
		free(entries);
	}
	image_libraries_free(&libraries);
	strv_free(&folders);
	strv_free(&paths);
}

static int add_library_folders(struct edits *edits,
			       const struct cdi_hook_call *call, char why[WHY_SIZE])
{
	bool musl = in_root_exists(call->root, MUSL_LOADER);
	int ret = musl ? add_musl_path(edits, call, why) : 0;

	/* A loader that is not known may read a cache, too. */
	if (ret || (musl && !in_root_exists(call->root, GLIBC_LOADER)))
		return ret;
	add_conf(edits, call);
	add_cache(edits, call);
	return 0;
}

static void add_params(struct edits *edits)
{
	char params[8192], *text;

	/* No driver is loaded: there is nothing to guard. */
	if (host_read_at(AT_FDCWD, PARAMS, params, sizeof(params)) < 0)
		return;
	text = procfs_params(params);
	if (text)
		add_text(edits, PARAMS, text);
}

/* Is it the node of a GPU: "/dev/nvidia0"? */
static bool is_gpu(const char *path)
{
	static const char name[] = "/nvidia";
	const char *slash = path ? strrchr(path, '/') : NULL;

	if (!slash || strncmp(slash, name, strlen(name)) != 0)
		return false;
	slash += strlen(name);
	return *slash && !slash[strspn(slash, "0123456789")];
}

size_t cdi_config_gpus(struct json_object *config, uint32_t minors[CDI_MAX_GPUS])
{
	struct json_object *nodes = member_get(member_get(config, "linux"), "devices");
	size_t i, n = 0, all = array_length(nodes);

	for (i = 0; i < all && n < CDI_MAX_GPUS; i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);

		if (is_gpu(member_text(node, "path")))
			minors[n++] = (uint32_t)json_object_get_int64(member_get(node, "minor"));
	}
	return n;
}

static void add_profile(struct edits *edits, const uint32_t *minors, size_t n)
{
	struct edit edit;

	if (!n)
		return;
	edit = plan_profile(minors, n);
	edits_add(edits, &edit);
}

int cdi_hook_edits(struct edits *edits, const struct cdi_hook_call *call, char why[WHY_SIZE])
{
	uint32_t minors[CDI_MAX_GPUS];

	switch (call->hook) {
	case CDI_HOOK_SYMLINKS:
		return add_links(edits, call, why);
	case CDI_HOOK_COMPAT:
		return add_compat(edits, call, why);
	case CDI_HOOK_LDCACHE:
		return add_library_folders(edits, call, why);
	case CDI_HOOK_PARAMS:
		add_params(edits);
		return 0;
	case CDI_HOOK_PROFILE:
		add_profile(edits, minors, cdi_config_gpus(call->config, minors));
		return 0;
	default:
		return why_fail(why, -EINVAL, "this hook is not for this program");
	}
}

/**
 * struct own_hooks - all hooks of a list that are this program
 * @hooks:	which they are
 * @driver, @cuda: of this machine, as they are told
 * @stay:	one is told what edits cannot do
 */
struct own_hooks {
	unsigned int hooks;
	struct strv folders;
	const char *driver, *cuda;
	bool stay;
};

static bool is_own(const struct edit *edit)
{
	return edit->kind == EDIT_HOOK && process_is_self(edit->path);
}

/* Returns the value of an option: of "--folder=/a", or the word behind "--folder". */
static const char *value_of(const struct edit *edit, size_t i, const char *name)
{
	const char *word = edit->options.word[i];
	size_t len = strlen(name);

	if (strncmp(word, name, len) != 0)
		return NULL;
	return word[len] == '=' ? word + len + 1 :
	       word[len] || i + 1 == edit->options.n ? NULL : edit->options.word[i + 1];
}

static void read_hook(struct own_hooks *own, const struct edit *edit)
{
	size_t i;

	for (i = 1; i < edit->options.n; i++) {
		const char *word = edit->options.word[i];
		const char *folder = value_of(edit, i, "--folder");

		own->hooks |= cdi_hook_find(value_of(edit, i, "--hook") ?: word);
		if (folder)
			strv_add(&own->folders, folder);
		own->driver = value_of(edit, i, "--host-driver-version") ?: own->driver;
		own->cuda = value_of(edit, i, "--host-cuda-version") ?: own->cuda;
		own->stay |= value_of(edit, i, "--link") ||
			     value_of(edit, i, "--cuda-compat-container-root");
	}
	own->stay |= own->hooks & CDI_HOOK_CHMOD;
}

/* Takes the folders of the driver's libraries, of 64 bits first, from what a list mounts. */
static void read_layout(struct layout *layout, const struct edits *edits)
{
	char folder[PATH_MAX];
	bool found = false;
	size_t i;

	for (i = 0; i < edits->n; i++) {
		const char *path = edits->edit[i].path, *name = path ? path_name(path) : "";

		if (edits->edit[i].kind != EDIT_MOUNT || name == path ||
		    (strncmp(name, "libcuda.so.", 11) && strncmp(name, "libnvidia-ml.so.", 16)))
			continue;
		snprintf(folder, sizeof(folder), "%.*s", (int)(name - path) - 1, path);
		if (!found)
			strcpy(layout->library, folder);
		else if (strcmp(layout->library, folder))
			strcpy(layout->library32, folder);
		found = true;
	}
}

/* Adds what the hooks of CDI_HOOK_LDCACHE and CDI_HOOK_COMPAT would have made. */
static void replace_cache(struct edits *edits, const struct own_hooks *own,
			  struct places *places, struct layout *layout)
{
	const char *root = places->container->root;
	const struct plan_inputs plan = { .layout = layout, .root = root, .places = places };
	struct cdi_hook_call call = { .folders = &own->folders };
	char usual[PATH_MAX];

	strcpy(usual, layout->library);
	read_layout(layout, edits);
	if (!(own->hooks & CDI_HOOK_COMPAT))
		layout->compat[0] = '\0';
	plan_cache(edits, &plan);
	if (!strcmp(usual, layout->library))
		return;
	/* The image is laid out otherwise than the machine of the document. */
	call.root = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	add_conf(edits, &call);
	close(call.root);
}

static void replace_profile(struct edits *edits)
{
	uint32_t minors[CDI_MAX_GPUS];
	size_t i, n = 0;

	for (i = 0; i < edits->n && n < CDI_MAX_GPUS; i++)
		if (edits->edit[i].kind == EDIT_NODE && is_gpu(edits->edit[i].path))
			minors[n++] = edits->edit[i].node.minor;
	add_profile(edits, minors, n);
}

void cdi_replace_hooks(struct edits *edits, struct places *places, bool limits)
{
	struct edits others = { 0 };
	struct own_hooks own = { 0 };
	struct layout layout;
	char why[WHY_SIZE];
	size_t i;

	for (i = 0; i < edits->n; i++)
		if (is_own(&edits->edit[i]))
			read_hook(&own, &edits->edit[i]);
	if (!own.hooks || own.stay || (limits && own.hooks & CDI_HOOK_MEMORY) ||
	    layout_read(&layout, places->container->root, own.driver, own.cuda ?: own.driver ?
			gpu_database_cuda(driver_branch(own.driver)) : NULL, why) ||
	    !layout.cached)
		goto out;
	for (i = 0; i < edits->n; i++)
		if (!is_own(&edits->edit[i]))
			edits_add_copy(&others, &edits->edit[i], edits->edit[i].device);
	if (own.hooks & CDI_HOOK_PROFILE)
		replace_profile(&others);
	if (own.hooks & CDI_HOOK_LDCACHE)
		replace_cache(&others, &own, places, &layout);
	/* own has strings of the list */
	edits_free(edits);
	*edits = others;
out:
	strv_free(&own.folders);
}
