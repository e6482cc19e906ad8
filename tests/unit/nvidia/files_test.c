// SPDX-License-Identifier: GPL-2.0-only
/*
 * The driver's files: found below roots that hold libraries without code, as
 * distributions lay them out.
 */
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include "lib/library.h"
#include "lib/arch.h"
#include "lib/in_root.h"
#include "nvidia/internal.h"
#include "tests/unit/stub.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

#define VERSION	"580.159.04"

#if defined(__x86_64__)
#define MACHINE		EM_X86_64
#define MACHINE32	EM_386
#define OTHER_MACHINE	EM_AARCH64
#elif defined(__aarch64__)
#define MACHINE		EM_AARCH64
#define MACHINE32	EM_ARM
#define OTHER_MACHINE	EM_X86_64
#endif

static char root[] = "/tmp/mpu-files-XXXXXX";
static struct driver_root driver = { .fd = -1 };
static struct driver_files files;

static void write_bytes(const char *path, const void *bytes, size_t size, mode_t mode)
{
	int fd = open(tree_path(root, path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);

	assert_int_equal(write(fd, bytes, size), size);
	close(fd);
}

static void write_stub(const char *path, const struct stub *stub)
{
	static unsigned char file[STUB_SIZE];

	write_bytes(path, file, stub_make(file, stub), 0644);
}

static void write_library(const char *path, const char *soname)
{
	const struct stub stub = { .machine = MACHINE, .is_64 = true, .soname = soname };

	write_stub(path, &stub);
}

static void make_link(const char *target, const char *path)
{
	assert_int_equal(symlink(target, tree_path(root, path)), 0);
}

static void write_cache(const struct ldcache_entry *entries, size_t n)
{
	static unsigned char bytes[65536];
	long size = ldcache_merge(NULL, entries, n, bytes, sizeof(bytes));

	assert_true(size > 0);
	write_bytes("/etc/ld.so.cache", bytes, (size_t)size, 0644);
}

static void find_for(unsigned int capabilities)
{
	char why[WHY_SIZE];

	driver_files_free(&files);
	assert_int_equal(driver_files_find(&files, &driver, VERSION, capabilities, NULL, why), 0);
}

static void find(void)
{
	find_for(CAPABILITY_ALL);
}

/* The file of a part: the only one of this kind, or NULL. */
static const struct driver_file *found(enum driver_file_kind kind, const char *part)
{
	const struct driver_file *file = NULL;
	size_t i;

	for (i = 0; i < files.n; i++)
		if (files.file[i].kind == kind && !strcmp(files.file[i].part, part)) {
			assert_null(file);
			file = &files.file[i];
		}
	return file;
}

static void expect(enum driver_file_kind kind, const char *part, const char *path)
{
	const struct driver_file *file = found(kind, part);

	assert_non_null(file);
	assert_string_equal(file->path, path);
}

static int set_up(void)
{
	strcpy(root + strlen(root) - 6, "XXXXXX");
	if (!mkdtemp(root))
		return -1;
	driver.fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return driver.fd < 0 || in_root_name(driver.fd, driver.name);
}

static int tear_down(void)
{
	driver_files_free(&files);
	close(driver.fd);
	return tree_remove(root);
}

TEST_EACH(set_up, tear_down)

TEST("libraries and their links are found by ld.so.cache")
{
	static const struct ldcache_entry entries[] = {
		{ .key = "libcuda.so.1", .path = "/opt/d/libcuda.so.1", .flags = LDCACHE_NATIVE },
		{ .key = "libcuda.so", .path = "/opt/d/libcuda.so", .flags = LDCACHE_NATIVE },
		{ .key = "libcuda.so.1", .path = "/opt/32/libcuda.so.1", .flags = LDCACHE_NATIVE32 },
		{ .key = "libcudart.so.12", .path = "/opt/d/libcuda.so.1", .flags = LDCACHE_NATIVE },
	};
	const struct stub other = { .machine = MACHINE32, .soname = "libcuda.so.1" };
	const struct driver_file *file;

	write_cache(entries, 4);
	write_library("/opt/d/libcuda.so." VERSION, "libcuda.so.1");
	write_stub("/opt/32/libcuda.so." VERSION, &other);
	make_link("libcuda.so." VERSION, "/opt/32/libcuda.so.1");
	make_link("libcuda.so." VERSION, "/opt/d/libcuda.so.1");
	find();
	assert_int_equal(files.n, 2);
	expect(DRIVER_LIBRARY32, "libcuda", "/opt/32/libcuda.so." VERSION);
	expect(DRIVER_LIBRARY, "libcuda", "/opt/d/libcuda.so." VERSION);
	file = found(DRIVER_LIBRARY, "libcuda");
	assert_string_equal(file->place, "libcuda.so." VERSION);
	assert_string_equal(file->soname, "libcuda.so.1");
	assert_string_equal(file->link, "libcuda.so");
	assert_string_equal(file->target, "libcuda.so.1");
	assert_int_equal(file->capabilities, CAPABILITY_COMPUTE | CAPABILITY_VIDEO);
}

TEST("links of libraries stay below the root")
{
	static const struct ldcache_entry entry = {
		.key = "libcuda.so.1", .path = "/opt/libcuda.so.1", .flags = LDCACHE_NATIVE
	};

	write_cache(&entry, 1);
	make_link("/../../../../elsewhere/../real/libcuda.so." VERSION, "/opt/libcuda.so.1");
	write_library("/real/libcuda.so." VERSION, "libcuda.so.1");
	assert_int_equal(mkdir(tree_path(root, "/elsewhere"), 0755), 0);
	find();
	expect(DRIVER_LIBRARY, "libcuda", "/real/libcuda.so." VERSION);
}

TEST("files of another version, machine or type are not taken")
{
	const struct stub arm = {
		.machine = OTHER_MACHINE, .is_64 = true, .soname = "libcuda.so.1"
	};

	write_library("/usr/lib64/libcuda.so.570.1", "libcuda.so.1");
	make_link("libcuda.so.570.1", "/usr/lib64/libcuda.so.1");
	write_stub("/usr/lib64/libnvidia-ml.so." VERSION, &arm);
	write_bytes("/usr/lib64/libnvidia-cfg.so." VERSION, "", 0, 0644);
	write_bytes("/usr/lib64/libnvidia-ptxjitcompiler.so." VERSION, "INPUT(x)", 8, 0644);
	make_link("/nowhere", "/usr/lib64/libnvidia-nvvm.so." VERSION);
	assert_int_equal(mkfifo(tree_path(root, "/usr/lib64/libnvidia-allocator.so." VERSION),
			       0644), 0);
	assert_int_equal(mkdir(tree_path(root, "/usr/lib64/libnvidia-opencl.so." VERSION),
			       0755), 0);
	write_bytes("/usr/bin/nvidia-smi", "#!", 2, 0644);
	write_bytes("/run/nvidia-persistenced/socket", "", 0, 0644);
	find();
	assert_int_equal(files.n, 0);
}

TEST("libraries are found in the folders of each distribution")
{
	static const char *const folders[] = {
		"/usr/lib64", "/usr/lib/" TRIPLET, "/usr/lib/" TRIPLET "/nvidia/current",
		"/usr/lib64/nvidia", "/usr/lib", "/lib64", "/usr/lib/nvidia-580",
		"/run/opengl-driver/lib", "/usr/local/nvidia/lib64",
	};
	char path[PATH_MAX];

	each_row(row, folders) {
		snprintf(path, sizeof(path), "%s/libcuda.so." VERSION, *row);
		write_library(path, "libcuda.so.1");
		find();
		expect(DRIVER_LIBRARY, "libcuda", path);
		assert_int_equal(unlink(tree_path(root, path)), 0);
	}
}

TEST("Debian's links by update-alternatives lead to the library")
{
	write_library("/usr/lib/" TRIPLET "/nvidia/current/libcuda.so." VERSION, "libcuda.so.1");
	make_link("/usr/lib/" TRIPLET "/nvidia/current/libcuda.so." VERSION,
		  "/etc/alternatives/libcuda");
	make_link("/etc/alternatives/libcuda", "/usr/lib/" TRIPLET "/libcuda.so." VERSION);
	find();
	expect(DRIVER_LIBRARY, "libcuda",
	       "/usr/lib/" TRIPLET "/nvidia/current/libcuda.so." VERSION);
}

TEST("libraries are found without a cache that can be read")
{
	write_bytes("/etc/ld.so.cache", "glibc-ld.so.cache1.1\xff\xff\xff\xff", 24, 0644);
	write_library("/usr/lib64/libcuda.so." VERSION, "libcuda.so.1");
	find();
	expect(DRIVER_LIBRARY, "libcuda", "/usr/lib64/libcuda.so." VERSION);
}

TEST("libnvidia-tls is taken only with its ABI note")
{
	struct stub stub = {
		.machine = MACHINE, .is_64 = true, .soname = "libnvidia-tls.so." VERSION
	};

	write_stub("/usr/lib64/libnvidia-tls.so." VERSION, &stub);
	find();
	assert_null(found(DRIVER_LIBRARY, "libnvidia-tls"));
	stub.threads = true;
	write_stub("/usr/lib64/nvidia/libnvidia-tls.so." VERSION, &stub);
	find();
	expect(DRIVER_LIBRARY, "libnvidia-tls", "/usr/lib64/nvidia/libnvidia-tls.so." VERSION);
}

TEST("libGL is taken only if it is NVIDIA's and without GLVND")
{
	struct stub stub = { .machine = MACHINE, .is_64 = true, .soname = "libGL.so.1" };

	write_stub("/usr/lib64/libGL.so." VERSION, &stub);
	find();
	assert_null(found(DRIVER_LIBRARY, "libGL"));
	stub.need = "libnvidia-glcore.so." VERSION;
	write_stub("/usr/lib64/libGL.so." VERSION, &stub);
	find();
	expect(DRIVER_LIBRARY, "libGL", "/usr/lib64/libGL.so." VERSION);
	write_library("/usr/lib64/libGLX_nvidia.so." VERSION, "libGLX_nvidia.so.0");
	find();
	assert_null(found(DRIVER_LIBRARY, "libGL"));
	assert_string_equal(found(DRIVER_LIBRARY, "libGLX_nvidia")->target,
			    "libGLX_nvidia.so." VERSION);
}

TEST("libraries in folders of their own stay in them")
{
	const struct driver_file *file;

	write_library("/usr/lib64/libnvidia-allocator.so." VERSION, "libnvidia-allocator.so.1");
	make_link("../libnvidia-allocator.so." VERSION, "/usr/lib64/gbm/nvidia-drm_gbm.so");
	write_library("/usr/lib64/vdpau/libvdpau_nvidia.so." VERSION, "libvdpau_nvidia.so.1");
	write_library("/usr/lib64/libnvidia-egl-gbm.so.1.1.2", "libnvidia-egl-gbm.so.1");
	make_link("libnvidia-egl-gbm.so.1.1.2", "/usr/lib64/libnvidia-egl-gbm.so.1");
	find();
	file = found(DRIVER_LIBRARY, "nvidia-drm_gbm");
	assert_string_equal(file->path, "/usr/lib64/libnvidia-allocator.so." VERSION);
	assert_string_equal(file->place, "gbm/nvidia-drm_gbm.so");
	assert_null(file->soname);
	file = found(DRIVER_LIBRARY, "libvdpau_nvidia");
	assert_string_equal(file->place, "vdpau/libvdpau_nvidia.so." VERSION);
	assert_string_equal(file->soname, "libvdpau_nvidia.so.1");
	file = found(DRIVER_LIBRARY, "libnvidia-egl-gbm");
	assert_string_equal(file->place, "libnvidia-egl-gbm.so.1.1.2");
}

/* As the driver's installer with a prefix, Flatcar and Bottlerocket have it. */
TEST("folders that the cache alone knows are searched, and folders below them")
{
	static const struct ldcache_entry entry = {
		.key = "libcuda.so.1", .path = "/opt/d/libcuda.so.1", .flags = LDCACHE_NATIVE,
	};

	write_cache(&entry, 1);
	write_library("/opt/d/libcuda.so." VERSION, "libcuda.so.1");
	make_link("libcuda.so." VERSION, "/opt/d/libcuda.so.1");
	write_library("/opt/d/libnvidia-encode.so." VERSION, "libnvidia-encode.so.1");
	write_library("/opt/d/vdpau/libvdpau_nvidia.so." VERSION, "libvdpau_nvidia.so.1");
	write_bytes("/opt/d/xorg/modules/drivers/nvidia_drv.so", "x", 1, 0644);
	find();
	expect(DRIVER_LIBRARY, "libnvidia-encode", "/opt/d/libnvidia-encode.so." VERSION);
	expect(DRIVER_LIBRARY, "libvdpau_nvidia", "/opt/d/vdpau/libvdpau_nvidia.so." VERSION);
	expect(DRIVER_DATA, "nvidia_drv.so", "/opt/d/xorg/modules/drivers/nvidia_drv.so");
}

TEST("GBM's backend is the allocator where no link says so")
{
	write_library("/usr/lib64/libnvidia-allocator.so." VERSION, "libnvidia-allocator.so.1");
	find();
	expect(DRIVER_LIBRARY, "nvidia-drm_gbm", "/usr/lib64/libnvidia-allocator.so." VERSION);
	assert_string_equal(found(DRIVER_LIBRARY, "nvidia-drm_gbm")->place, "gbm/nvidia-drm_gbm.so");
}

TEST("a name without a number is a library's if the host has that link")
{
	write_library("/usr/lib64/libnvcuvid.so." VERSION, "libnvcuvid.so.1");
	make_link("libnvcuvid.so.1", "/usr/lib64/libnvcuvid.so");
	write_library("/usr/lib64/libnvidia-novelty.so." VERSION, "libnvidia-novelty.so.1");
	make_link("libnvidia-novelty.so.1", "/usr/lib64/libnvidia-novelty.so");
	write_library("/usr/lib64/libnvidia-encode.so." VERSION, "libnvidia-encode.so.1");
	write_library("/usr/lib64/libnvidia-encode.so", "libnvidia-encode.so");
	find();
	assert_string_equal(found(DRIVER_LIBRARY, "libnvcuvid")->devel, "libnvcuvid.so");
	assert_string_equal(found(DRIVER_LIBRARY, "other")->devel, "libnvidia-novelty.so");
	assert_null(found(DRIVER_LIBRARY, "libnvidia-encode")->devel);
}

TEST("unknown libraries are taken from each folder that has known ones, once")
{
	write_library("/usr/lib64/libcuda.so." VERSION, "libcuda.so.1");
	write_library("/usr/lib64/nvidia/libnvidia-ml.so." VERSION, "libnvidia-ml.so.1");
	write_library("/usr/lib64/nvidia/libnvidia-novelty.so." VERSION, "libnvidia-novelty.so.1");
	write_library("/usr/lib64/libnvidia-novelty.so." VERSION, "libnvidia-novelty.so.1");
	find();
	expect(DRIVER_LIBRARY, "other", "/usr/lib64/nvidia/libnvidia-novelty.so." VERSION);
}

/* Where distributions have them: NVIDIA's toolkit finds each of these. */
TEST("configuration and parts of X are found where distributions have them")
{
	static const struct { const char *path, *place; } rows[] = {
		{ "/usr/lib64/nvidia/xorg/nvidia_drv.so", NULL },
		{ "/usr/lib64/nvidia/xorg/libglxserver_nvidia.so." VERSION, NULL },
		{ "/usr/lib64/xorg/modules/updates/drivers/nvidia_drv.so", NULL },
		{ "/usr/lib/xorg/modules/updates/extensions/libglxserver_nvidia.so." VERSION, NULL },
		{ "/usr/X11R6/lib/modules/drivers/nvidia_drv.so", NULL },
		{ "/usr/X11R6/lib64/modules/updates/drivers/nvidia_drv.so", NULL },
		{ "/usr/share/egl/egl_external_platform.d/09_nvidia_wayland2.json", NULL },
		{ "/etc/egl/egl_external_platform.d/20_nvidia_xlib.json", NULL },
		{ "/usr/local/share/glvnd/egl_vendor.d/10_nvidia.json",
		  "/usr/share/glvnd/egl_vendor.d/10_nvidia.json" },
		{ "/usr/share/vulkan/icd.d/nvidia_layers.json", NULL },
		{ "/vulkan/icd.d/nvidia_icd.json", "/etc/vulkan/icd.d/nvidia_icd.json" },
		{ "/usr/share/X11/xorg.conf.d/10-nvidia-drm-outputclass.conf", NULL },
	};

	write_library("/usr/lib64/libcuda.so." VERSION, "libcuda.so.1");
	each_row(row, rows) {
		write_bytes(row->path, "{}", 2, 0644);
		find();
		assert_int_equal(files.n, 2);
		assert_string_equal(files.file[1].path, row->path);
		assert_string_equal(files.file[1].place, row->place ?: row->path);
		assert_int_equal(unlink(tree_path(root, row->path)), 0);
	}
}

TEST("of files of one name the first that a loader finds is taken")
{
	write_bytes("/etc/glvnd/egl_vendor.d/10_nvidia.json", "{}", 2, 0644);
	write_bytes("/usr/share/glvnd/egl_vendor.d/10_nvidia.json", "{}", 2, 0644);
	write_bytes("/usr/share/glvnd/egl_vendor.d/50_mesa.json", "{}", 2, 0644);
	write_bytes("/usr/share/glvnd/egl_vendor.d/15_nvidia.json", "{}", 2, 0644);
	find();
	assert_int_equal(files.n, 2);
	assert_string_equal(files.file[0].path, "/etc/glvnd/egl_vendor.d/10_nvidia.json");
	assert_string_equal(files.file[1].path, "/usr/share/glvnd/egl_vendor.d/15_nvidia.json");
}

TEST("unknown libraries of the driver's version are taken, too")
{
	write_library("/usr/lib64/libcuda.so." VERSION, "libcuda.so.1");
	write_library("/usr/lib64/libnvidia-novelty.so." VERSION, "libnvidia-novelty.so.1");
	write_library("/usr/lib64/libnvidia-novelty.so.570.1", "libnvidia-novelty.so.1");
	find();
	expect(DRIVER_LIBRARY, "other", "/usr/lib64/libnvidia-novelty.so." VERSION);
	assert_false(found(DRIVER_LIBRARY, "other")->capabilities & CAPABILITY_UTILITY);
}

TEST("a file is looked for only if a capability takes it")
{
	const struct stub small = { .machine = MACHINE32, .soname = "libcuda.so.1" };

	write_library("/usr/lib64/libnvidia-ml.so." VERSION, "libnvidia-ml.so.1");
	write_library("/usr/lib64/libcuda.so." VERSION, "libcuda.so.1");
	write_stub("/usr/lib32/libcuda.so." VERSION, &small);
	write_library("/usr/lib64/libnvidia-novelty.so." VERSION, "libnvidia-novelty.so.1");
	write_bytes("/usr/bin/nvidia-smi", "\177ELF", 4, 0755);
	assert_int_equal(mkdir(tree_path(root, "/tmp/nvidia-mps"), 0755), 0);
	write_bytes("/lib/firmware/nvidia/" VERSION "/gsp_ga10x.bin", "x", 1, 0644);
	write_bytes("/usr/share/vulkan/icd.d/nvidia_icd.json", "{}", 2, 0644);
	find();
	assert_int_equal(files.n, 8);
	find_for(CAPABILITY_UTILITY);
	assert_int_equal(files.n, 3);
	assert_non_null(found(DRIVER_LIBRARY, "libnvidia-ml"));
	assert_non_null(found(DRIVER_PROGRAM, "nvidia-smi"));
	assert_non_null(found(DRIVER_FIRMWARE, "gsp"));
	find_for(CAPABILITY_COMPUTE);
	assert_int_equal(files.n, 4);
	find_for(CAPABILITY_COMPUTE | CAPABILITY_COMPAT32);
	assert_int_equal(files.n, 5);
	assert_non_null(found(DRIVER_LIBRARY, "libcuda"));
	assert_non_null(found(DRIVER_LIBRARY, "other"));
	assert_non_null(found(DRIVER_LIBRARY32, "libcuda"));
	assert_non_null(found(DRIVER_SOCKET, "/tmp/nvidia-mps"));
	find_for(CAPABILITY_GRAPHICS);
	assert_int_equal(files.n, 3);
	assert_non_null(found(DRIVER_LIBRARY, "other"));
	assert_non_null(found(DRIVER_DATA, "vulkan/icd.d/nvidia_icd.json"));
	find_for(CAPABILITY_COMPAT32);
	assert_int_equal(files.n, 1);
}

TEST("unknown libraries are found even if libnvidia-ml is not taken")
{
	write_library("/usr/lib/libnvidia-ml.so." VERSION, "libnvidia-ml.so.1");
	write_library("/usr/lib/libnvidia-novelty.so." VERSION, "libnvidia-novelty.so.1");
	write_library("/usr/lib64/libcuda.so." VERSION, "libcuda.so.1");
	find_for(CAPABILITY_COMPUTE);
	assert_int_equal(files.n, 2);
	expect(DRIVER_LIBRARY, "libcuda", "/usr/lib64/libcuda.so." VERSION);
	expect(DRIVER_LIBRARY, "other", "/usr/lib/libnvidia-novelty.so." VERSION);
	find_for(CAPABILITY_NGX);
	assert_int_equal(files.n, 1);
	find_for(CAPABILITY_UTILITY);
	assert_int_equal(files.n, 1);
	expect(DRIVER_LIBRARY, "libnvidia-ml", "/usr/lib/libnvidia-ml.so." VERSION);
}

/* A script stands in front of the program, and a container would lack that. */
TEST("a program is taken rather than a script of that name")
{
	write_bytes("/usr/bin/nvidia-smi", "#!/bin/sh\n", 10, 0755);
	write_bytes("/usr/local/nvidia/bin/nvidia-smi", "\177ELF", 4, 0755);
	write_bytes("/usr/bin/nvidia-debugdump", "#!/bin/sh\n", 10, 0755);
	find();
	expect(DRIVER_PROGRAM, "nvidia-smi", "/usr/local/nvidia/bin/nvidia-smi");
	expect(DRIVER_PROGRAM, "nvidia-debugdump", "/usr/bin/nvidia-debugdump");
	assert_int_equal(files.n, 2);
}

static void make_socket(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%.100s", tree_path(root, path));
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	close(fd);
}

TEST("programs, sockets, firmware and data are found")
{
	write_bytes("/usr/bin/nvidia-smi", "#!", 2, 0755);
	make_socket("/run/nvidia-persistenced/socket");
	write_bytes("/usr/lib/firmware/nvidia/" VERSION "/gsp_tu10x.bin", "x", 1, 0644);
	write_bytes("/usr/lib/firmware/nvidia/" VERSION "/gsp_ga10x.bin", "x", 1, 0644);
	write_bytes("/usr/lib/firmware/nvidia/" VERSION "/other.bin", "x", 1, 0644);
	make_link("usr/lib", "/lib");
	write_bytes("/run/opengl-driver/share/vulkan/icd.d/nvidia_icd.json", "{}", 2, 0644);
	find();
	expect(DRIVER_PROGRAM, "nvidia-smi", "/usr/bin/nvidia-smi");
	expect(DRIVER_SOCKET, "/run/nvidia-persistenced/socket", "/run/nvidia-persistenced/socket");
	assert_int_equal(files.n, 5);
	assert_string_equal(files.file[2].path,
			    "/usr/lib/firmware/nvidia/" VERSION "/gsp_ga10x.bin");
	assert_string_equal(files.file[2].place, "/lib/firmware/nvidia/" VERSION "/gsp_ga10x.bin");
	assert_int_equal(files.file[2].capabilities, 0);
	expect(DRIVER_DATA, "vulkan/icd.d/nvidia_icd.json",
	       "/run/opengl-driver/share/vulkan/icd.d/nvidia_icd.json");
	assert_string_equal(files.file[4].place, "/usr/share/vulkan/icd.d/nvidia_icd.json");
}

/* Anybody may make a folder in /tmp, or a link that looks like one. */
TEST("a socket folder that others could have made is not trusted")
{
	assert_int_equal(mkdir(tree_path(root, "/tmp/nvidia-mps"), 0755), 0);
	find();
	expect(DRIVER_SOCKET, "/tmp/nvidia-mps", "/tmp/nvidia-mps");
	assert_false(found(DRIVER_SOCKET, "/tmp/nvidia-mps")->shared);
	assert_int_equal(chmod(tree_path(root, "/tmp"), 01777), 0);
	find();
	assert_true(found(DRIVER_SOCKET, "/tmp/nvidia-mps")->shared);
	setenv("CUDA_MPS_PIPE_DIRECTORY", "/tmp/nvidia-mps", 1);
	find();
	assert_false(found(DRIVER_SOCKET, "/tmp/nvidia-mps")->shared);
	unsetenv("CUDA_MPS_PIPE_DIRECTORY");
	assert_int_equal(rmdir(tree_path(root, "/tmp/nvidia-mps")), 0);
	assert_int_equal(mkdir(tree_path(root, "/etc"), 0755), 0);
	make_link("/etc", "/tmp/nvidia-mps");
	find();
	assert_null(found(DRIVER_SOCKET, "/tmp/nvidia-mps"));
	assert_int_equal(unlink(tree_path(root, "/tmp/nvidia-mps")), 0);
	if (geteuid())
		return;
	assert_int_equal(mkdir(tree_path(root, "/tmp/nvidia-mps"), 0755), 0);
	assert_int_equal(chown(tree_path(root, "/tmp/nvidia-mps"), 12345, 12345), 0);
	find();
	assert_null(found(DRIVER_SOCKET, "/tmp/nvidia-mps"));
}

static int read_stub(const unsigned char *file, size_t size, struct library *library)
{
	int fd, ret;

	write_bytes("/stub", file, size, 0644);
	fd = open(tree_path(root, "/stub"), O_RDONLY | O_CLOEXEC);
	ret = library_read(fd, library);
	close(fd);
	return ret;
}

TEST("libraries that are cut short or changed at any byte do no harm")
{
	const struct stub stub = {
		.machine = MACHINE, .is_64 = true, .soname = "libx.so.1",
		.need = "liby.so.2", .threads = true
	};
	static unsigned char file[STUB_SIZE];
	struct library library;
	size_t at;

	stub_make(file, &stub);
	assert_int_equal(read_stub(file, sizeof(file), &library), 0);
	assert_string_equal(library.soname, "libx.so.1");
	assert_int_equal(library.needs.n, 1);
	assert_string_equal(library.needs.word[0], "liby.so.2");
	assert_int_equal(library.system[2], 99);
	library_free(&library);
	for (at = 0; at < 1100; at++) {
		unsigned char kept = file[at];

		file[at] ^= 0xff;
		read_stub(file, sizeof(file), &library);
		library_free(&library);
		file[at] = kept;
		read_stub(file, at, &library);
		library_free(&library);
	}
}

TEST("names of libraries are told from other names")
{
	static const char *const good[] = {
		"libcuda.so", "libcuda.so.1", "/a/b/libcuda.so.580.1", "lib..so", "liba.so.so"
	};
	static const char *const bad[] = {
		"", "lib", "lib.so", "cuda.so", "libcuda", "libcuda.sole", "libcuda.so/x", "libcuda.s"
	};

	each_row(row, good)
		assert_true(library_is_name(*row));
	each_row(row, bad)
		assert_false(library_is_name(*row));
}

int main(void)
{
	/* Programs of this machine's PATH are not in the roots, nor is its MPS. */
	unsetenv("CUDA_MPS_PIPE_DIRECTORY");
	return unit_run();
}
