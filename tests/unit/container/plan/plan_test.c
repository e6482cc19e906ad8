// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of edits, of an installation that is made up: what is in it for which
 * capability and which devices, where it goes, and why.
 */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "container/image/image.h"
#include "container/plan/plan.h"
#include "nvidia/internal.h"
#include "tests/unit/stub.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

#if defined(__x86_64__)
#define MACHINE		EM_X86_64
#elif defined(__aarch64__)
#define MACHINE		EM_AARCH64
#endif

#define V "580.159.04"
#define U CAPABILITY_UTILITY
#define C CAPABILITY_COMPUTE
#define G CAPABILITY_GRAPHICS

static struct driver_file files[] = {
	{ DRIVER_LIBRARY, "/usr/lib64/libnvidia-ml.so." V, "libnvidia-ml.so." V,
	  "libnvidia-ml.so.1", NULL, NULL, "libnvidia-ml", U, false, NULL },
	{ DRIVER_LIBRARY, "/usr/lib64/libcuda.so." V, "libcuda.so." V,
	  "libcuda.so.1", "libcuda.so", "libcuda.so.1", "libcuda", C, false, NULL },
	{ DRIVER_LIBRARY, "/usr/lib64/libnvidia-glcore.so." V,
	  "libnvidia-glcore.so." V, "../../evil", NULL, NULL,
	  "libnvidia-glcore", G, false, NULL },
	{ DRIVER_LIBRARY, "/usr/lib64/vdpau/libvdpau_nvidia.so." V,
	  "vdpau/libvdpau_nvidia.so." V, "libvdpau_nvidia.so.1", NULL, NULL,
	  "libvdpau_nvidia", CAPABILITY_VIDEO, false, "libvdpau_nvidia.so" },
	{ DRIVER_LIBRARY32, "/usr/lib/libcuda.so." V, "libcuda.so." V,
	  "libcuda.so.1", NULL, NULL, "libcuda", C, false, NULL },
	{ DRIVER_PROGRAM, "/usr/bin/nvidia-smi", "nvidia-smi", NULL, NULL, NULL,
	  "nvidia-smi", U, false, NULL },
	{ DRIVER_SOCKET, "/run/nvidia-persistenced/socket",
	  "/run/nvidia-persistenced/socket", NULL, NULL, NULL,
	  "/run/nvidia-persistenced/socket", U, false, NULL },
	{ DRIVER_FIRMWARE, "/usr/lib/firmware/nvidia/" V "/gsp_ga10x.bin",
	  "/lib/firmware/nvidia/" V "/gsp_ga10x.bin", NULL, NULL, NULL, "gsp", 0, false, NULL },
};

static struct mig migs[] = {
	{ 1, 0, 12, 13, "" }, { 2, 0, 21, 22, "" }, { 2, 1, 21, 23, "" },
};

static struct gpu gpus[] = {
	{ "0000:3b:00.0", 0, 0x3b, 0, 0, 1, "GPU-1", "NVIDIA H200", migs, 3 },
	{ "0000:5e:00.0", 0, 0x5e, 0, 0, 0, "GPU-2", "NVIDIA H200", NULL, 0 },
};

static struct installation installation = {
	.root = { .fd = -1 },
	.version = V,
	.devices = { gpus, 2, { 195, 510, 511, 512, 0 }, 1, 2, NULL, 0 },
	.files = { .file = files, .n = sizeof(files) / sizeof(*files) },
};

static struct layout layout;
static struct selection selection;
static struct plan_inputs plan;
static struct edits edits;
static char why[WHY_SIZE];
static char root[] = "/tmp/plan_test.XXXXXX";

/* All there is of a root: the folders of three GPUs, one of them excluded. */
static int make_root(void)
{
	if (!mkdtemp(root))
		return -1;
	tree_path(root, "/proc/driver/nvidia/gpus/0000:3b:00.0/");
	tree_path(root, "/proc/driver/nvidia/gpus/0000:5e:00.0/");
	tree_path(root, "/proc/driver/nvidia/gpus/0000:af:00.0/");
	snprintf(installation.root.proc, PATH_MAX, "%s", root);
	snprintf(installation.root.dev, PATH_MAX, "%s", root);
	return 0;
}

static int remove_root(void)
{
	return tree_remove(root);
}

TEST_ALL(make_root, remove_root)

static int set_up(void)
{
	layout = (struct layout){
		.searched = true,
		.library = "/usr/lib/x86_64-linux-gnu",
		.library32 = "/usr/lib/i386-linux-gnu", .program = "/usr/bin",
	};
	selection = (struct selection){ 0 };
	plan = (struct plan_inputs){
		.installation = &installation, .selection = &selection,
		.layout = &layout, .capabilities = U,
		.why_devices = "NVIDIA_VISIBLE_DEVICES=0",
		.why_capabilities = "NVIDIA_DRIVER_CAPABILITIES=all",
	};
	return 0;
}

static int tear_down(void)
{
	edits_free(&edits);
	return 0;
}

TEST_EACH(set_up, tear_down)

static void make(void)
{
	edits_free(&edits);
	why[0] = '\0';
	assert_int_equal(plan_edits(&edits, &plan, why), 0);
}

static const struct edit *find(enum edit_kind kind, const char *path)
{
	size_t i;

	for (i = 0; i < edits.n; i++)
		if (edits.edit[i].kind == kind && edits.edit[i].path &&
		    !strcmp(edits.edit[i].path, path))
			return &edits.edit[i];
	return NULL;
}

static unsigned int count(enum edit_kind kind)
{
	unsigned int n = 0;
	size_t i;

	for (i = 0; i < edits.n; i++)
		n += edits.edit[i].kind == kind;
	return n;
}

#define LIB "/usr/lib/x86_64-linux-gnu/"
#define PROC "/proc/driver/nvidia/"

TEST("a request for no device gets the driver, and sees no GPU")
{
	const struct edit *edit;

	make();
	edit = find(EDIT_MOUNT, LIB "libnvidia-ml.so." V);
	assert_non_null(edit);
	assert_string_equal(edit->source, "/usr/lib64/libnvidia-ml.so." V);
	assert_true(strv_have(&edit->options, "ro"));
	assert_true(strv_have(&edit->options, "nodev"));
	assert_string_equal(edit->rule, "library of utility");
	assert_false(edit->optional);
	assert_string_equal(edit->input, "NVIDIA_DRIVER_CAPABILITIES=all");
	edit = find(EDIT_LINK, LIB "libnvidia-ml.so.1");
	assert_non_null(edit);
	assert_string_equal(edit->text, "libnvidia-ml.so." V);
	assert_string_equal(edit->source, "/usr/lib64/libnvidia-ml.so." V);
	edit = find(EDIT_MOUNT, "/usr/bin/nvidia-smi");
	assert_non_null(edit);
	assert_true(edit->optional);
	edit = find(EDIT_MOUNT, "/run/nvidia-persistenced/socket");
	assert_non_null(edit);
	assert_true(edit->optional);
	assert_false(strv_have(&edit->options, "ro"));
	edit = find(EDIT_MOUNT, "/lib/firmware/nvidia/" V "/gsp_ga10x.bin");
	assert_non_null(edit);
	assert_string_equal(edit->rule, "firmware of every GPU container");
	assert_int_equal(count(EDIT_MOUNT), 4);
	assert_int_equal(count(EDIT_NODE), 1);
	edit = find(EDIT_NODE, "/dev/nvidiactl");
	assert_int_equal(edit->node.major, 195);
	assert_int_equal(edit->node.minor, 255);
	assert_int_equal(edit->node.type, 'c');
	assert_string_equal(edit->node.access, "rw");
	assert_non_null(find(EDIT_MASK, PROC "gpus/0000:3b:00.0"));
	assert_non_null(find(EDIT_MASK, PROC "gpus/0000:5e:00.0"));
	assert_non_null(find(EDIT_MASK, PROC "gpus/0000:af:00.0"));
	assert_non_null(find(EDIT_MASK, PROC "capabilities"));
	assert_non_null(find(EDIT_MASK, PROC "suspend"));
	assert_int_equal(find(EDIT_PROC, "/proc/driver/nvidia")->options.n, 0);
	assert_int_equal(count(EDIT_ENV), 2);
	assert_int_equal(count(EDIT_TEXT), 0);
	assert_int_equal(edits.lacks.n, 0);
}

static void choose(size_t n, bool whole)
{
	static struct chosen_gpu chosen[2];
	size_t i;

	for (i = 0; i < n; i++)
		chosen[i] = (struct chosen_gpu){ &gpus[i], whole };
	selection.gpus = chosen;
	selection.n_gpus = n;
}

TEST("a chosen GPU has its nodes, and the other GPU is hidden")
{
	const struct edit *edit;

	choose(1, true);
	plan.capabilities = C;
	make();
	/* Its minor number is not its index. */
	edit = find(EDIT_NODE, "/dev/nvidia1");
	assert_non_null(edit);
	assert_int_equal(edit->node.minor, 1);
	assert_string_equal(edit->device, "0");
	assert_string_equal(edit->input, "NVIDIA_VISIBLE_DEVICES=0");
	assert_null(find(EDIT_NODE, "/dev/nvidia0"));
	edit = find(EDIT_NODE, "/dev/nvidia-uvm-tools");
	assert_non_null(edit);
	assert_int_equal(edit->node.major, 510);
	assert_int_equal(edit->node.minor, 1);
	assert_null(find(EDIT_MASK, PROC "gpus/0000:3b:00.0"));
	assert_non_null(find(EDIT_MASK, PROC "gpus/0000:3b:00.0/unbindLock"));
	assert_non_null(find(EDIT_MASK, PROC "gpus/0000:5e:00.0"));
	assert_null(find(EDIT_MOUNT, "/usr/bin/nvidia-smi"));
	/* libcuda.so leads to libcuda.so.1, which leads to the file. */
	assert_string_equal(find(EDIT_LINK, LIB "libcuda.so")->text,
			    "libcuda.so.1");
	assert_string_equal(find(EDIT_LINK, LIB "libcuda.so.1")->text,
			    "libcuda.so." V);
	assert_int_equal(count(EDIT_LINK), 2);
	edit = find(EDIT_PROC, "/proc/driver/nvidia");
	assert_int_equal(edit->options.n, 2);
	assert_string_equal(edit->options.word[0],
			    "gpus/0000:3b:00.0/information");
}

TEST("32-bit libraries need compat32 and their own capability")
{
	plan.capabilities = CAPABILITY_COMPAT32 | U;
	make();
	assert_null(find(EDIT_MOUNT, "/usr/lib/i386-linux-gnu/libcuda.so." V));
	plan.capabilities = CAPABILITY_COMPAT32 | C;
	make();
	assert_non_null(find(EDIT_MOUNT, "/usr/lib/i386-linux-gnu/libcuda.so." V));
	assert_non_null(find(EDIT_LINK, "/usr/lib/i386-linux-gnu/libcuda.so.1"));
}

TEST("a library in a folder of its own goes to such a folder")
{
	plan.capabilities = CAPABILITY_VIDEO;
	make();
	assert_true(find(EDIT_MOUNT, LIB "vdpau/libvdpau_nvidia.so." V)->optional);
	assert_non_null(find(EDIT_MOUNT, LIB "vdpau/libvdpau_nvidia.so." V));
	assert_non_null(find(EDIT_LINK, LIB "vdpau/libvdpau_nvidia.so.1"));
	assert_string_equal(find(EDIT_LINK, LIB "vdpau/libvdpau_nvidia.so")->text,
			    "libvdpau_nvidia.so.1");
}

TEST("graphics gets a profile file, and no link by a SONAME with a path")
{
	const struct edit *edit;

	choose(2, true);
	plan.capabilities = G;
	make();
	edit = find(EDIT_TEXT, "/etc/nvidia/nvidia-application-profiles-rc.d/10-container.conf");
	assert_non_null(edit);
	assert_non_null(strstr(edit->text, "\"EGLVisibleDGPUDevices\",0x3]"));
	/* A SONAME that leads elsewhere is no name. */
	assert_non_null(find(EDIT_MOUNT, LIB "libnvidia-glcore.so." V));
	assert_int_equal(count(EDIT_LINK), 0);
}

TEST("a MIG device has its own nodes, and the others stay hidden")
{
	static struct chosen_mig chosen[] = { { &gpus[0], &migs[1] } };
	const struct edit *edit;

	choose(1, false);
	selection.migs = chosen;
	selection.n_migs = 1;
	make();
	assert_non_null(find(EDIT_NODE, "/dev/nvidia1"));
	edit = find(EDIT_NODE, "/dev/nvidia-caps/nvidia-cap21");
	assert_non_null(edit);
	assert_int_equal(edit->node.major, 511);
	assert_int_equal(edit->node.minor, 21);
	assert_string_equal(edit->device, "0:1");
	assert_non_null(find(EDIT_NODE, "/dev/nvidia-caps/nvidia-cap22"));
	assert_null(find(EDIT_NODE, "/dev/nvidia-caps/nvidia-cap23"));
	assert_null(find(EDIT_NODE, "/dev/nvidia-caps/nvidia-cap12"));
	assert_null(find(EDIT_MASK, PROC "capabilities"));
	assert_non_null(find(EDIT_MASK, PROC "capabilities/mig"));
	assert_non_null(find(EDIT_MASK, PROC "capabilities/gpu0"));
	assert_non_null(find(EDIT_MASK, PROC "capabilities/gpu1/mig/gi1"));
	assert_null(find(EDIT_MASK, PROC "capabilities/gpu1/mig/gi2"));
	assert_non_null(find(EDIT_MASK, PROC "capabilities/gpu1/mig/gi2/ci1"));
	edit = find(EDIT_PROC, "/proc/driver/nvidia");
	assert_true(strv_have(&edit->options,
			      "capabilities/gpu1/mig/gi2/ci0/access"));

	/* A container that configures MIG devices has all of the chosen GPUs. */
	selection.config = true;
	make();
	assert_non_null(find(EDIT_NODE, "/dev/nvidia-caps/nvidia-cap1"));
	assert_null(find(EDIT_NODE, "/dev/nvidia-caps/nvidia-cap2"));
	assert_non_null(find(EDIT_NODE, "/dev/nvidia-caps/nvidia-cap23"));
	assert_null(find(EDIT_MASK, PROC "capabilities/mig"));
	assert_non_null(find(EDIT_MASK, PROC "capabilities/gpu0"));
}

TEST("a chosen IMEX channel gets its node")
{
	static uint32_t channels[] = { 0, 7 };
	const struct edit *edit;

	selection.imex = channels;
	selection.n_imex = 2;
	make();
	edit = find(EDIT_NODE, "/dev/nvidia-caps-imex-channels/channel7");
	assert_non_null(edit);
	assert_int_equal(edit->node.major, 512);
	assert_int_equal(edit->node.minor, 7);
}

TEST("a missing library is an error; a missing module is reported")
{
	struct installation poor = installation;

	poor.files.n = 1;	/* libnvidia-ml */
	plan.installation = &poor;
	make();
	plan.capabilities = U | C;
	assert_int_equal(plan_edits(&edits, &plan, why), -ENODEV);
	assert_non_null(strstr(why, "libcuda.so." V " is not on this machine"));
	poor.files.n = 0;
	plan.capabilities = U;
	assert_int_equal(plan_edits(&edits, &plan, why), -ENODEV);
	assert_non_null(strstr(why, "load library failed: libnvidia-ml.so." V));

	/* CUDA does not start without its module, and nvidia-smi does. */
	poor = installation;
	poor.devices.majors.uvm = 0;
	plan.capabilities = U | C;
	make();
	assert_null(find(EDIT_NODE, "/dev/nvidia-uvm"));
	assert_int_equal(edits.lacks.n, 1);
	assert_non_null(strstr(edits.lacks.word[0], "modprobe nvidia-uvm"));
}

TEST("the folder of a compat library comes first in LD_LIBRARY_PATH")
{
	size_t i, found = 0;

	strcpy(layout.compat, "/usr/local/cuda/compat");
	plan.library_path = "/opt/lib";
	make();
	for (i = 0; i < edits.n; i++)
		found += edits.edit[i].kind == EDIT_ENV &&
			 !strcmp(edits.edit[i].text,
				 "LD_LIBRARY_PATH=/usr/local/cuda/compat:/opt/lib");
	assert_int_equal(found, 1);
}

TEST("the same input gives the same list, which can be printed")
{
	struct json_object *json, *list = NULL;
	char *text, *again;

	choose(2, true);
	plan.capabilities = CAPABILITY_ALL;
	plan.why_devices = "NVIDIA_VISIBLE_DEVICES=\033[2J";
	make();
	text = explain_text(&edits, true);
	assert_non_null(strstr(text, "\nnode  /dev/nvidia1 c 195:1 rw"));
	assert_non_null(strstr(text, "      library of compute; by NVIDIA_DRIVER_CAPABILITIES=all\n"));
	assert_non_null(strstr(text, "link  " LIB "libcuda.so.1 from /usr/lib64/libcuda.so." V " -> libcuda.so." V " ro,"));
	assert_null(strchr(text, '\033'));
	json = explain_json(&edits);
	json_object_object_get_ex(json, "edits", &list);
	assert_int_equal(json_object_array_length(list), edits.n);
	json_object_put(json);
	make();
	again = explain_text(&edits, true);
	assert_string_equal(text, again);
	free(text);
	free(again);
}

TEST("an edit that is added twice is there once")
{
	int i;

	for (i = 0; i < 3; i++) {
		struct edit edit = { .kind = EDIT_MASK };

		edit.path = strdup(i < 2 ? "/a" : "/b");
		edit.rule = strdup(i ? "first" : "second");
		edits_add(&edits, &edit);
		assert_null(edit.path);
	}
	assert_int_equal(edits.n, 2);
}

TEST("a node that is not open to everybody needs its group")
{
	struct stat st = { .st_mode = S_IFCHR | 0660, .st_gid = 44 };

	assert_int_equal(plan_group(&st), 44);
	st.st_mode = S_IFCHR | 0666;
	assert_int_equal(plan_group(&st), 0);
	st.st_mode = S_IFCHR | 0664;
	assert_int_equal(plan_group(&st), 44);
	st.st_mode = S_IFBLK | 0660;
	assert_int_equal(plan_group(&st), 0);
}

static void write_cache(const char *path)
{
	const struct ldcache_entry stale[] = {
		{ .key = "libnvidia-ml.so.1", .path = "/old/libnvidia-ml.so.1",
		  .flags = LDCACHE_NATIVE },
		{ .key = "libz.so.1", .path = "/lib/libz.so.1", .flags = LDCACHE_NATIVE },
	};
	static unsigned char bytes[4096];
	long size = ldcache_merge(NULL, stale, 2, bytes, sizeof(bytes));
	FILE *file = fopen(path, "we");

	assert_true(size > 0);
	assert_int_equal(fwrite(bytes, 1, (size_t)size, file), size);
	fclose(file);
}

static void expect_entry(const struct ldcache *cache, const char *key, const char *path)
{
	struct ldcache_entry entry;
	uint32_t i;

	for (i = 0; i < cache->n; i++) {
		assert_true(ldcache_entry(cache, i, &entry));
		if (!strcmp(entry.key, key) && entry.flags == LDCACHE_NATIVE)
			break;
	}
	assert_true(i < cache->n);
	assert_string_equal(entry.path, path);
}

static bool has_entry(const struct ldcache *cache, const char *key)
{
	struct ldcache_entry entry;
	uint32_t i;

	for (i = 0; i < cache->n; i++)
		if (ldcache_entry(cache, i, &entry) && !strcmp(entry.key, key))
			return true;
	return false;
}

/* The newer CUDA libraries of an image: a file, and the name that it is looked for by. */
static void make_compat(const char *folder)
{
	const struct stub stub = {
		.machine = MACHINE, .is_64 = true, .soname = "libcuda.so.1"
	};
	unsigned char bytes[STUB_SIZE];
	char path[256];
	FILE *file;

	stub_make(bytes, &stub);
	snprintf(path, sizeof(path), "%s%s", root, folder);
	assert_int_equal(mkdir(path, 0755), 0);
	strcat(path, "/libcuda.so.999.1");
	file = fopen(path, "we");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, sizeof(bytes), file), sizeof(bytes));
	fclose(file);
	snprintf(path, sizeof(path), "%s%s/libcuda.so.1", root, folder);
	assert_int_equal(symlink("libcuda.so.999.1", path), 0);
	strcpy(layout.compat, folder);
}

TEST("an image with a cache gets one that has our libraries, too")
{
	char path[256];
	const struct edit *edit;
	struct ldcache cache;
	struct edits copy = { 0 };
	char *text;

	layout.searched = false;
	plan.capabilities = U | C;
	make();
	assert_null(find(EDIT_TEXT, "/etc/ld.so.cache"));
	assert_int_equal(edits.lacks.n, 1);
	layout.cached = true;
	snprintf(path, sizeof(path), "%s/etc", root);
	assert_int_equal(mkdir(path, 0755), 0);
	snprintf(path, sizeof(path), "%s/etc/ld.so.cache", root);
	write_cache(path);
	plan.root = root;
	make();
	assert_int_equal(edits.lacks.n, 0);
	edits_add_copy(&copy, find(EDIT_TEXT, "/etc/ld.so.cache"), NULL);
	edit = &copy.edit[0];
	assert_int_equal(ldcache_open(&cache, edit->text, edit->size), 0);
	expect_entry(&cache, "libz.so.1", "/lib/libz.so.1");
	expect_entry(&cache, "libnvidia-ml.so.1",
		     "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1");
	/*
	 * Libraries have the names that ldconfig finds, and not other names of their
	 * files.
	 */
	expect_entry(&cache, "libcuda.so.1", "/usr/lib/x86_64-linux-gnu/libcuda.so.1");
	assert_false(has_entry(&cache, "libcuda.so." V));
	text = explain_text(&copy, false);
	assert_non_null(strstr(text, " bytes"));
	free(text);
	edits_free(&copy);
	make_compat("/compat");
	make();
	edit = find(EDIT_TEXT, "/etc/ld.so.cache");
	assert_true(edit->own);
	plan.read_only = true;
	make();
	edit = find(EDIT_TEXT, "/etc/ld.so.cache");
	assert_false(edit->own);
	assert_int_equal(ldcache_open(&cache, edit->text, edit->size), 0);
	expect_entry(&cache, "libcuda.so.1", "/compat/libcuda.so.1");
	assert_false(has_entry(&cache, "libcuda.so.999.1"));
	assert_string_equal(find(EDIT_TEXT, "/etc/ld.so.conf.d/00-compat-mpu.conf")->text,
			    "/compat\n");
}
