// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of edits, of an installation that is made up: what is in it for which
 * capability and which devices, where it goes, and why.
 */
#include <elf.h>
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

/* Beginnings of lines that explain the edits; behind "!" one that no line has. */
#define explains(...) explained((const char *const[]){ __VA_ARGS__, NULL })

static void explained(const char *const *line)
{
	char *text;
	bool found;

	make();
	for (text = explain_text(&edits, true); *line; line++) {
		const char *begin = *line + (**line == '!'), *at = strstr(text, begin);

		while (at && at > text && at[-1] != '\n')
			at = strstr(at + 1, begin);
		found = at;
		if (found == (**line == '!'))
			fail_msg("%s: %s", *line, text);
	}
	free(text);
}

#define LIB "/usr/lib/x86_64-linux-gnu/"
#define PROC "/proc/driver/nvidia/"
#define BY_CAPABILITIES "NVIDIA_DRIVER_CAPABILITIES=all\n"

TEST("a request for no device gets the driver, and sees no GPU")
{
	explains("mount " LIB "libnvidia-ml.so." V " from /usr/lib64/libnvidia-ml.so." V " ro,nosuid,nodev,rbind,rprivate\n"
		 "      library of utility; by " BY_CAPABILITIES
		 "link  " LIB "libnvidia-ml.so.1 from /usr/lib64/libnvidia-ml.so." V " -> libnvidia-ml.so." V " ro,nosuid,nodev,rbind,rprivate\n"
		 "      SONAME of a library of utility; by " BY_CAPABILITIES
		 "mount /usr/bin/nvidia-smi ro,nosuid,nodev,rbind,rprivate (optional)\n"
		 "      program of utility; by " BY_CAPABILITIES
		 "mount /run/nvidia-persistenced/socket nosuid,nodev,noexec,rbind,rprivate (optional)\n"
		 "      socket of utility; by " BY_CAPABILITIES
		 "mount /lib/firmware/nvidia/" V "/gsp_ga10x.bin from /usr/lib/firmware/nvidia/" V "/gsp_ga10x.bin ro,nosuid,nodev,rbind,rprivate (optional)\n"
		 "      firmware of every GPU container; by NVIDIA_VISIBLE_DEVICES=0\n"
		 "node  /dev/nvidiactl c 195:255 rw from ",
		 "mask  " PROC "gpus/0000:3b:00.0\n", "mask  " PROC "gpus/0000:5e:00.0\n",
		 "mask  " PROC "gpus/0000:af:00.0\n", "mask  " PROC "capabilities\n",
		 "mask  " PROC "suspend\n", "!text ", "!lacks ",
		 "      control node of every GPU container; by NVIDIA_VISIBLE_DEVICES=0\n"
		 "env   NVIDIA_VISIBLE_DEVICES=void\n"
		 "      no other program is to add GPUs again; by NVIDIA_VISIBLE_DEVICES=0\n"
		 "env   NVIDIA_CTK_LIBCUDA_DIR=/usr/lib/x86_64-linux-gnu\n"
		 "      where libcuda is; by " BY_CAPABILITIES);
	assert_int_equal(find(EDIT_PROC, "/proc/driver/nvidia")->options.n, 0);
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
	choose(1, true);
	plan.capabilities = C;
	/* A minor number is no index; libcuda.so leads to libcuda.so.1, and that to the file. */
	explains("node  /dev/nvidia-uvm-tools c 510:1 rw ", "node  /dev/nvidia1 c 195:1 rw ",
		 "      node of a chosen GPU; by NVIDIA_VISIBLE_DEVICES=0; device 0\n",
		 "!node  /dev/nvidia0 ", "!mask  " PROC "gpus/0000:3b:00.0\n",
		 "mask  " PROC "gpus/0000:3b:00.0/unbindLock\n", "mask  " PROC "gpus/0000:5e:00.0\n",
		 "!mount /usr/bin/nvidia-smi ",
		 "link  " LIB "libcuda.so.1 from /usr/lib64/libcuda.so." V " -> libcuda.so." V " ro,nosuid,nodev,rbind,rprivate\n"
		 "      SONAME of a library of compute; by " BY_CAPABILITIES
		 "link  " LIB "libcuda.so from /usr/lib64/libcuda.so." V " -> libcuda.so.1 ro,nosuid,nodev,rbind,rprivate\n"
		 "      other name of compute; by " BY_CAPABILITIES "mount ");
	explains("!link  " LIB "libnvidia-ml.so");
	assert_string_equal(find(EDIT_PROC, "/proc/driver/nvidia")->options.word[0],
			    "gpus/0000:3b:00.0/information");
	assert_int_equal(find(EDIT_PROC, "/proc/driver/nvidia")->options.n, 2);
}

TEST("a library goes by its capability, a 32-bit one by compat32, too; its folder stays its own")
{
	plan.capabilities = CAPABILITY_COMPAT32 | U;
	explains("!mount /usr/lib/i386-linux-gnu/libcuda.so." V);
	plan.capabilities = CAPABILITY_COMPAT32 | C;
	explains("mount /usr/lib/i386-linux-gnu/libcuda.so." V " from ",
		 "link  /usr/lib/i386-linux-gnu/libcuda.so.1 from ");
	plan.capabilities = CAPABILITY_VIDEO;
	explains("mount " LIB "vdpau/libvdpau_nvidia.so." V " from /usr/lib64/vdpau/libvdpau_nvidia.so." V " ro,nosuid,nodev,rbind,rprivate (optional)\n",
		 "link  " LIB "vdpau/libvdpau_nvidia.so.1 from ",
		 "link  " LIB "vdpau/libvdpau_nvidia.so from /usr/lib64/vdpau/libvdpau_nvidia.so." V " -> libvdpau_nvidia.so.1 ");
}

TEST("graphics gets a profile file, and no link by a SONAME with a path")
{
	choose(2, true);
	plan.capabilities = G;
	explains("text  /etc/nvidia/nvidia-application-profiles-rc.d/10-container.conf {\"profiles\":[{\"name\":\"_container_\",\"settings\":[\"EGLVisibleDGPUDevices\",0x3]}",
		 "mount " LIB "libnvidia-glcore.so." V " from ", "!link  ");
}

TEST("a MIG device has its own nodes, and the others stay hidden")
{
	static struct chosen_mig chosen[] = { { &gpus[0], &migs[1] } };

	choose(1, false);
	selection.migs = chosen;
	selection.n_migs = 1;
	explains("node  /dev/nvidia1 c ", "node  /dev/nvidia-caps/nvidia-cap21 c 511:21 rw ",
		 "      node of a chosen MIG device; by NVIDIA_VISIBLE_DEVICES=0; device 0:1\n",
		 "node  /dev/nvidia-caps/nvidia-cap22 c ", "!node  /dev/nvidia-caps/nvidia-cap23 ",
		 "!node  /dev/nvidia-caps/nvidia-cap12 ", "!mask  " PROC "capabilities\n",
		 "mask  " PROC "capabilities/mig\n", "mask  " PROC "capabilities/gpu0\n",
		 "mask  " PROC "capabilities/gpu1/mig/gi1\n", "!mask  " PROC "capabilities/gpu1/mig/gi2\n",
		 "mask  " PROC "capabilities/gpu1/mig/gi2/ci1\n");
	assert_true(strv_have(&find(EDIT_PROC, "/proc/driver/nvidia")->options,
			      "capabilities/gpu1/mig/gi2/ci0/access"));
	/* A container that configures MIG devices has all of the chosen GPUs. */
	selection.config = true;
	explains("node  /dev/nvidia-caps/nvidia-cap1 c ", "!node  /dev/nvidia-caps/nvidia-cap2 ",
		 "node  /dev/nvidia-caps/nvidia-cap23 c ", "!mask  " PROC "capabilities/mig\n",
		 "mask  " PROC "capabilities/gpu0\n");
}

TEST("a chosen IMEX channel gets its node, and a compat library's folder comes first")
{
	static uint32_t channels[] = { 0, 7 };

	selection.imex = channels;
	selection.n_imex = 2;
	strcpy(layout.compat, "/usr/local/cuda/compat");
	plan.library_path = "/opt/lib";
	explains("node  /dev/nvidia-caps-imex-channels/channel7 c 512:7 rw ",
		 "env   LD_LIBRARY_PATH=/usr/local/cuda/compat:/opt/lib\n");
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
	explains("!node  /dev/nvidia-uvm ");
	assert_int_equal(edits.lacks.n, 1);
	assert_non_null(strstr(edits.lacks.word[0], "modprobe nvidia-uvm"));
}

TEST("the same input gives the same list, which can be printed")
{
	struct json_object *json, *list = NULL;
	char *text, *again;

	choose(2, true);
	plan.capabilities = CAPABILITY_ALL;
	plan.why_devices = "NVIDIA_VISIBLE_DEVICES=\033[2J\xc2\x9b" "2J\xe2\x80\xae";
	make();
	text = explain_text(&edits, true);
	assert_null(strpbrk(text, "\033\xc2\xe2"));
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

/* A cache of the image, of another driver and of a library of its own. */
static void write_cache(void)
{
	static const struct ldcache_entry stale[] = {
		{ .key = "libnvidia-ml.so.1", .path = "/old/libnvidia-ml.so.1",
		  .flags = LDCACHE_NATIVE },
		{ .key = "libz.so.1", .path = "/lib/libz.so.1", .flags = LDCACHE_NATIVE },
	};
	static unsigned char bytes[4096];
	long size = ldcache_merge(NULL, stale, 2, bytes, sizeof(bytes));

	assert_true(size > 0);
	tree_write(root, "/etc/ld.so.cache", bytes, (size_t)size);
}

/* The cache that is planned leads to @path; NULL: it has no such library. */
static void expect_entry(const char *key, const char *path)
{
	const struct edit *edit = find(EDIT_TEXT, "/etc/ld.so.cache");
	struct ldcache_entry entry;
	struct ldcache cache;
	uint32_t i;

	assert_int_equal(ldcache_open(&cache, edit->text, edit->size), 0);
	for (i = 0; i < cache.n; i++) {
		assert_true(ldcache_entry(&cache, i, &entry));
		if (!strcmp(entry.key, key) && (!path || entry.flags == LDCACHE_NATIVE))
			break;
	}
	assert_int_equal(i < cache.n, path != NULL);
	if (path)
		assert_string_equal(entry.path, path);
}

TEST("an image with a cache gets one that has our libraries, too")
{
	/* The newer CUDA libraries of an image: a file, and the name that it is looked for by. */
	const struct stub stub = {
		.machine = MACHINE, .is_64 = true, .soname = "libcuda.so.1"
	};
	unsigned char bytes[STUB_SIZE];

	layout.searched = false;
	plan.capabilities = U | C;
	explains("!text  /etc/ld.so.cache");
	assert_int_equal(edits.lacks.n, 1);
	layout.cached = true;
	write_cache();
	plan.root = root;
	explains("text  /etc/ld.so.cache of ", "!lacks ");
	expect_entry("libz.so.1", "/lib/libz.so.1");
	expect_entry("libnvidia-ml.so.1", LIB "libnvidia-ml.so.1");
	/* Libraries have the names that ldconfig finds, and not other names of their files. */
	expect_entry("libcuda.so.1", LIB "libcuda.so.1");
	expect_entry("libcuda.so." V, NULL);
	tree_write(root, "/compat/libcuda.so.999.1", bytes, stub_make(bytes, &stub));
	assert_int_equal(symlink("libcuda.so.999.1", tree_path(root, "/compat/libcuda.so.1")), 0);
	strcpy(layout.compat, "/compat");
	make();
	assert_true(find(EDIT_TEXT, "/etc/ld.so.cache")->own);
	plan.read_only = true;
	explains("text  /etc/ld.so.conf.d/00-compat-mpu.conf /compat?\n");
	assert_false(find(EDIT_TEXT, "/etc/ld.so.cache")->own);
	expect_entry("libcuda.so.1", "/compat/libcuda.so.1");
	expect_entry("libcuda.so.999.1", NULL);
}
