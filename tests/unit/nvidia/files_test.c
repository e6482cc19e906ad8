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

#define V	"580.159.04"
#define LIB	"/usr/lib/" TRIPLET

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

static void make_cache(const char *path)
{
	static const struct ldcache_entry entries[] = {
		{ .key = "libcuda.so.1", .path = "/opt/d/libcuda.so.1", .flags = LDCACHE_NATIVE },
		{ .key = "libcuda.so", .path = "/opt/d/libcuda.so", .flags = LDCACHE_NATIVE },
		{ .key = "libcuda.so.1", .path = "/opt/32/libcuda.so.1", .flags = LDCACHE_NATIVE32 },
		{ .key = "libcudart.so.12", .path = "/opt/d/libcuda.so.1", .flags = LDCACHE_NATIVE },
	};
	static unsigned char bytes[65536];
	long size = ldcache_merge(NULL, entries, 4, bytes, sizeof(bytes));

	assert_true(size > 0);
	write_bytes(path, bytes, (size_t)size, 0644);
}

static void make_socket(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%.100s", tree_path(root, path));
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	close(fd);
}

/* Words of a row: each makes a library, a file, or something else at a path. */
static const struct {
	const char *word;
	uint16_t machine;	/* of a library */
	bool threads;		/* and it has an ABI note */
	const char *text;
	mode_t mode;
	void (*make)(const char *path);
} words[] = {
	{ "lib", .machine = MACHINE }, { "lib32", .machine = MACHINE32 },
	{ "other", .machine = OTHER_MACHINE }, { "tls", .machine = MACHINE, .threads = true },
	{ "data", .text = "{}", .mode = 0644 },
	{ "program", .text = "\177ELF", .mode = 0755 },
	{ "script", .text = "#!/bin/sh\n", .mode = 0755 },
	{ "badcache", .text = "glibc-ld.so.cache1.1\xff\xff\xff\xff", .mode = 0644 },
	{ "cache", .make = make_cache }, { "socket", .make = make_socket },
};

/* Makes a line's: a word and a path; of a library its SONAME and what it needs follow. */
static void make_one(const char *word, const char *path, const char *soname, const char *need)
{
	static unsigned char file[STUB_SIZE];

	each_row(row, words) {
		const struct stub stub = {
			.machine = row->machine, .is_64 = row->machine != MACHINE32,
			.threads = row->threads, .soname = soname, .need = *need ? need : NULL,
		};

		if (strcmp(word, row->word))
			continue;
		if (row->machine)
			write_bytes(path, file, stub_make(file, &stub), 0644);
		else if (row->text)
			write_bytes(path, row->text, strlen(row->text), row->mode);
		else
			row->make(path);
		return;
	}
	fail_msg("there is no word %s", word);
}

/* Looks for files, and says each in a line, and how many there are. */
static const char *find(unsigned int capabilities)
{
	static char text[16384];
	FILE *out = fmemopen(text, sizeof(text), "w");
	char why[WHY_SIZE];
	size_t i, bit;

	driver_files_free(&files);
	assert_int_equal(driver_files_find(&files, &driver, V, capabilities, NULL, why), 0);
	for (i = 0; i < files.n; i++) {
		const struct driver_file *file = &files.file[i];

		fprintf(out, "%s %s %s at %s, SONAME %s, link %s to %s, devel %s%s, for",
			driver_file_kinds[file->kind], file->part, file->path, file->place,
			file->soname ?: "-", file->link ?: "-", file->target ?: "-",
			file->devel ?: "-", file->shared ? ", shared" : "");
		for (bit = 0; bit < CAPABILITY_COUNT; bit++)
			if (file->capabilities & 1u << bit)
				fprintf(out, " %s", capability_names[bit]);
		fputs("\n", out);
	}
	fprintf(out, "%zu in all\n", files.n);
	fclose(out);
	return text;
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

#define CUDA(folder)	"lib " folder "/libcuda.so." V " libcuda.so.1\n"
#define NOVELTY(folder)	"lib " folder "/libnvidia-novelty.so." V " libnvidia-novelty.so.1\n"
#define ML(folder)	"lib " folder "/libnvidia-ml.so." V " libnvidia-ml.so.1\n"
#define ALLOCATOR	"/usr/lib64/libnvidia-allocator.so." V
/* One of everything, for capabilities. */
#define SOME		ML("/usr/lib64") CUDA("/usr/lib64") NOVELTY("/usr/lib64") \
	"lib32 /usr/lib32/libcuda.so." V " libcuda.so.1\nprogram /usr/bin/nvidia-smi\n" \
	"folder /tmp/nvidia-mps\ndata /lib/firmware/nvidia/" V "/gsp_ga10x.bin\n" \
	"data /usr/share/vulkan/icd.d/nvidia_icd.json"
#define SOME_ML		ML("/usr/lib") NOVELTY("/usr/lib") CUDA("/usr/lib64")

TEST("files are found as each distribution lays them out, and no others")
{
	static const struct {
		unsigned int capabilities;
		const char *sentence, *made, *wanted;
	} rows[] = {
		{ CAPABILITY_ALL, "libraries and their links are found by ld.so.cache",
		  "cache /etc/ld.so.cache\n" CUDA("/opt/d")
		  "lib32 /opt/32/libcuda.so." V " libcuda.so.1\n"
		  "link /opt/32/libcuda.so.1 libcuda.so." V "\n"
		  "link /opt/d/libcuda.so.1 libcuda.so." V,
		  "32-bit library libcuda /opt/32/libcuda.so." V " ..\n"
		  "library libcuda /opt/d/libcuda.so." V " at libcuda.so." V ", SONAME libcuda.so.1, link libcuda.so to libcuda.so.1, devel -, for compute video\n2 in all" },
		{ CAPABILITY_ALL, "links of libraries stay below the root",
		  "cache /etc/ld.so.cache\n" CUDA("/real") "folder /elsewhere\n"
		  "link /opt/d/libcuda.so.1 /../../../../elsewhere/../real/libcuda.so." V,
		  "library libcuda /real/libcuda.so." V " .." },
		/* As the driver's installer with a prefix, Flatcar and Bottlerocket have it. */
		{ CAPABILITY_ALL, "folders that the cache alone knows are searched, and folders below them",
		  "cache /etc/ld.so.cache\n" CUDA("/opt/d")
		  "link /opt/d/libcuda.so.1 libcuda.so." V "\n"
		  "lib /opt/d/libnvidia-encode.so." V " libnvidia-encode.so.1\n"
		  "lib /opt/d/vdpau/libvdpau_nvidia.so." V " libvdpau_nvidia.so.1\n"
		  "data /opt/d/xorg/modules/drivers/nvidia_drv.so",
		  "library libnvidia-encode /opt/d/libnvidia-encode.so." V " ..\n"
		  "library libvdpau_nvidia /opt/d/vdpau/libvdpau_nvidia.so." V " ..\n"
		  "configuration nvidia_drv.so /opt/d/xorg/modules/drivers/nvidia_drv.so .." },
		{ CAPABILITY_ALL, "what the cache has read and is no file any more is not taken",
		  "cache /etc/ld.so.cache\nfolder /opt/d/libcuda.so." V "\n"
		  "link /opt/d/libcuda.so.1 libcuda.so." V, "0 in all" },
		{ CAPABILITY_ALL, "libraries are found without a cache that can be read",
		  "badcache /etc/ld.so.cache\n" CUDA("/usr/lib64"),
		  "library libcuda /usr/lib64/libcuda.so." V " .." },
		{ CAPABILITY_ALL, "files of another version, machine or type are not taken",
		  "lib /usr/lib64/libcuda.so.570.1 libcuda.so.1\n"
		  "link /usr/lib64/libcuda.so.1 libcuda.so.570.1\n"
		  "other /usr/lib64/libnvidia-ml.so." V " libcuda.so.1\n"
		  "file /usr/lib64/libnvidia-cfg.so." V "\n"
		  "data /usr/lib64/libnvidia-ptxjitcompiler.so." V "\n"
		  "link /usr/lib64/libnvidia-nvvm.so." V " /nowhere\npipe " ALLOCATOR "\n"
		  "folder /usr/lib64/libnvidia-opencl.so." V "\n"
		  "data /usr/bin/nvidia-smi\nfile /run/nvidia-persistenced/socket", "0 in all" },
		{ CAPABILITY_ALL, "files whose names no configuration can say are not taken",
		  CUDA("/usr/lib64") "lib /usr/lib64/libnvidia-\377.so." V " libnvidia-x.so.1\n"
		  "data /usr/lib/firmware/nvidia/" V "/gsp_\377.bin", "1 in all" },
		{ CAPABILITY_ALL, "Debian's links by update-alternatives lead to the library",
		  CUDA(LIB "/nvidia/current")
		  "link /etc/alternatives/libcuda " LIB "/nvidia/current/libcuda.so." V "\n"
		  "link " LIB "/libcuda.so." V " /etc/alternatives/libcuda",
		  "library libcuda " LIB "/nvidia/current/libcuda.so." V " ..\n1 in all" },
		{ CAPABILITY_ALL, "libnvidia-tls is taken only with its ABI note",
		  "lib /usr/lib64/libnvidia-tls.so." V " libnvidia-tls.so." V "\n"
		  "tls /usr/lib64/nvidia/libnvidia-tls.so." V " libnvidia-tls.so." V,
		  "library libnvidia-tls /usr/lib64/nvidia/libnvidia-tls.so." V " ..\n1 in all" },
		{ CAPABILITY_ALL, "libGL is not taken if it is not NVIDIA's",
		  "lib /usr/lib64/libGL.so." V " libGL.so.1", "0 in all" },
		{ CAPABILITY_ALL, "libGL is taken without GLVND",
		  "lib /usr/lib64/libGL.so." V " libGL.so.1 libnvidia-glcore.so." V,
		  "library libGL /usr/lib64/libGL.so." V " .." },
		{ CAPABILITY_ALL, "libGL is not taken beside GLVND's",
		  "lib /usr/lib64/libGL.so." V " libGL.so.1 libnvidia-glcore.so." V "\n"
		  "lib /usr/lib64/libGLX_nvidia.so." V " libGLX_nvidia.so.0",
		  "!library libGL ..\nlibrary libGLX_nvidia /usr/lib64/libGLX_nvidia.so." V " at libGLX_nvidia.so." V ", SONAME libGLX_nvidia.so.0, link libGLX_indirect.so.0 to libGLX_nvidia.so." V ", .." },
		{ CAPABILITY_ALL, "libraries in folders of their own stay in them",
		  "lib " ALLOCATOR " libnvidia-allocator.so.1\n"
		  "link /usr/lib64/gbm/nvidia-drm_gbm.so ../libnvidia-allocator.so." V "\n"
		  "lib /usr/lib64/vdpau/libvdpau_nvidia.so." V " libvdpau_nvidia.so.1\n"
		  "lib /usr/lib64/libnvidia-egl-gbm.so.1.1.2 libnvidia-egl-gbm.so.1\n"
		  "link /usr/lib64/libnvidia-egl-gbm.so.1 libnvidia-egl-gbm.so.1.1.2",
		  "library nvidia-drm_gbm " ALLOCATOR " at gbm/nvidia-drm_gbm.so, SONAME -, ..\n"
		  "library libvdpau_nvidia /usr/lib64/vdpau/libvdpau_nvidia.so." V " at vdpau/libvdpau_nvidia.so." V ", SONAME libvdpau_nvidia.so.1, ..\n"
		  "library libnvidia-egl-gbm /usr/lib64/libnvidia-egl-gbm.so.1.1.2 at libnvidia-egl-gbm.so.1.1.2, .." },
		{ CAPABILITY_ALL, "GBM's backend is the allocator where no link says so",
		  "lib " ALLOCATOR " libnvidia-allocator.so.1",
		  "library nvidia-drm_gbm " ALLOCATOR " at gbm/nvidia-drm_gbm.so, .." },
		{ CAPABILITY_ALL, "a name without a number is a library's if the host has that link",
		  "lib /usr/lib64/libnvcuvid.so." V " libnvcuvid.so.1\n"
		  "link /usr/lib64/libnvcuvid.so libnvcuvid.so.1\n" NOVELTY("/usr/lib64")
		  "link /usr/lib64/libnvidia-novelty.so libnvidia-novelty.so.1\n"
		  "lib /usr/lib64/libnvidia-encode.so." V " libnvidia-encode.so.1\n"
		  "lib /usr/lib64/libnvidia-encode.so libnvidia-encode.so",
		  "library libnvcuvid /usr/lib64/libnvcuvid.so." V " at libnvcuvid.so." V ", SONAME libnvcuvid.so.1, link - to -, devel libnvcuvid.so, ..\n"
		  "library other /usr/lib64/libnvidia-novelty.so." V " at libnvidia-novelty.so." V ", SONAME libnvidia-novelty.so.1, link - to -, devel libnvidia-novelty.so, ..\n"
		  "library libnvidia-encode /usr/lib64/libnvidia-encode.so." V " at libnvidia-encode.so." V ", SONAME libnvidia-encode.so.1, link - to -, devel -, .." },
		{ CAPABILITY_ALL, "unknown libraries are taken from each folder that has known ones, once",
		  CUDA("/usr/lib64") ML("/usr/lib64/nvidia") NOVELTY("/usr/lib64/nvidia")
		  NOVELTY("/usr/lib64"),
		  "library other /usr/lib64/nvidia/libnvidia-novelty.so." V " ..\n3 in all" },
		{ CAPABILITY_ALL, "unknown libraries of the driver's version are taken, for all but utility",
		  CUDA("/usr/lib64") NOVELTY("/usr/lib64")
		  "lib /usr/lib64/libnvidia-novelty.so.570.1 libnvidia-novelty.so.1",
		  "library other /usr/lib64/libnvidia-novelty.so." V " at libnvidia-novelty.so." V ", SONAME libnvidia-novelty.so.1, link - to -, devel -, for compute display graphics ngx video\n2 in all" },
		{ CAPABILITY_ALL, "of files of one name the first that a loader finds is taken",
		  "data /etc/glvnd/egl_vendor.d/10_nvidia.json\n"
		  "data /usr/share/glvnd/egl_vendor.d/10_nvidia.json\n"
		  "data /usr/share/glvnd/egl_vendor.d/50_mesa.json\n"
		  "data /usr/share/glvnd/egl_vendor.d/15_nvidia.json",
		  "configuration glvnd/egl_vendor.d/[0-9]*_nvidia.json /etc/glvnd/egl_vendor.d/10_nvidia.json ..\n"
		  "configuration glvnd/egl_vendor.d/[0-9]*_nvidia.json /usr/share/glvnd/egl_vendor.d/15_nvidia.json ..\n2 in all" },
		{ CAPABILITY_ALL, "all capabilities take all", SOME, "8 in all" },
		{ CAPABILITY_UTILITY, "utility", SOME, "library libnvidia-ml ..\nprogram nvidia-smi ..\nfirmware gsp ..\n3 in all" },
		{ CAPABILITY_COMPUTE, "compute", SOME, "4 in all" },
		{ CAPABILITY_COMPUTE | CAPABILITY_COMPAT32, "compute of 32 bits, too", SOME,
		  "library libcuda ..\nlibrary other ..\n32-bit library libcuda ..\nsocket /tmp/nvidia-mps ..\n5 in all" },
		{ CAPABILITY_GRAPHICS, "graphics", SOME, "library other ..\nconfiguration vulkan/icd.d/nvidia_icd.json ..\n3 in all" },
		{ CAPABILITY_COMPAT32, "32 bits alone", SOME, "1 in all" },
		{ CAPABILITY_COMPUTE, "unknown libraries are found even if libnvidia-ml is not taken", SOME_ML,
		  "library libcuda /usr/lib64/libcuda.so." V " ..\nlibrary other /usr/lib/libnvidia-novelty.so." V " ..\n2 in all" },
		{ CAPABILITY_NGX, "ngx has the unknown alone", SOME_ML, "1 in all" },
		{ CAPABILITY_UTILITY, "utility has not the unknown", SOME_ML,
		  "library libnvidia-ml /usr/lib/libnvidia-ml.so." V " ..\n1 in all" },
		/* A script stands in front of the program, and a container would lack that. */
		{ CAPABILITY_ALL, "a program is taken rather than a script of that name",
		  "script /usr/bin/nvidia-smi\nprogram /usr/local/nvidia/bin/nvidia-smi\n"
		  "script /usr/bin/nvidia-debugdump",
		  "program nvidia-smi /usr/local/nvidia/bin/nvidia-smi ..\n"
		  "program nvidia-debugdump /usr/bin/nvidia-debugdump ..\n2 in all" },
		{ CAPABILITY_ALL, "programs, sockets, firmware and data are found",
		  "script /usr/bin/nvidia-smi\nsocket /run/nvidia-persistenced/socket\n"
		  "data /usr/lib/firmware/nvidia/" V "/gsp_tu10x.bin\n"
		  "data /usr/lib/firmware/nvidia/" V "/gsp_ga10x.bin\n"
		  "data /usr/lib/firmware/nvidia/" V "/other.bin\nlink /lib usr/lib\n"
		  "data /run/opengl-driver/share/vulkan/icd.d/nvidia_icd.json",
		  "program nvidia-smi /usr/bin/nvidia-smi ..\n"
		  "socket /run/nvidia-persistenced/socket /run/nvidia-persistenced/socket ..\n"
		  "firmware gsp /usr/lib/firmware/nvidia/" V "/gsp_ga10x.bin at /lib/firmware/nvidia/" V "/gsp_ga10x.bin, SONAME -, link - to -, devel -, for\n"
		  "configuration vulkan/icd.d/nvidia_icd.json /run/opengl-driver/share/vulkan/icd.d/nvidia_icd.json at /usr/share/vulkan/icd.d/nvidia_icd.json, ..\n5 in all" },
	};

	each_row(row, rows) {
		tree_make(root, row->made, make_one);
		unit_lines(row->sentence, find(row->capabilities), row->wanted);
		assert_int_equal(tear_down() || set_up(), 0);
	}
}

/* Where distributions have them; of configuration NVIDIA's toolkit finds each of these. */
TEST("a library, configuration or part of X is found in each of its folders")
{
	static const struct { const char *path, *place; } rows[] = {
#define IN(folder)	{ folder "/libcuda.so." V, "libcuda.so." V }
		IN("/usr/lib64"), IN(LIB), IN(LIB "/nvidia/current"), IN("/usr/lib64/nvidia"),
		IN("/usr/lib"), IN("/lib64"), IN("/usr/lib/nvidia-580"),
		IN("/run/opengl-driver/lib"), IN("/usr/local/nvidia/lib64"),
		IN("/usr/local/glibc/usr/lib64"), IN("/usr/local/glibc/usr/lib"),
		{ "/usr/lib64/nvidia/xorg/nvidia_drv.so", NULL },
		{ "/usr/lib64/nvidia/xorg/libglxserver_nvidia.so." V, NULL },
		{ "/usr/lib64/xorg/modules/updates/drivers/nvidia_drv.so", NULL },
		{ "/usr/lib/xorg/modules/updates/extensions/libglxserver_nvidia.so." V, NULL },
		{ "/usr/X11R6/lib/modules/drivers/nvidia_drv.so", NULL },
		{ "/usr/X11R6/lib64/modules/updates/drivers/nvidia_drv.so", NULL },
		{ "/usr/share/egl/egl_external_platform.d/09_nvidia_wayland2.json", NULL },
		{ "/etc/egl/egl_external_platform.d/20_nvidia_xlib.json", NULL },
		{ "/usr/local/share/glvnd/egl_vendor.d/10_nvidia.json",
		  "/usr/share/glvnd/egl_vendor.d/10_nvidia.json" },
		{ "/usr/share/vulkan/icd.d/nvidia_layers.json", NULL },
		{ "/usr/local/share/OpenCL/vendors/nvidia.icd", "/etc/OpenCL/vendors/nvidia.icd" },
		{ "/usr/share/OpenCL/vendors/nvidia.icd", "/etc/OpenCL/vendors/nvidia.icd" },
		{ "/vulkan/icd.d/nvidia_icd.json", "/etc/vulkan/icd.d/nvidia_icd.json" },
		{ "/usr/share/X11/xorg.conf.d/10-nvidia-drm-outputclass.conf", NULL },
	};

	make_one("lib", "/usr/lib64/libnvidia-ml.so." V, "libnvidia-ml.so.1", "");
	each_row(row, rows) {
		make_one(strstr(row->path, "libcuda") ? "lib" : "data", row->path, "libcuda.so.1", "");
		find(CAPABILITY_ALL);
		assert_int_equal(files.n, 2);
		assert_string_equal(files.file[1].path, row->path);
		assert_string_equal(files.file[1].place, row->place ?: row->path);
		assert_int_equal(unlink(tree_path(root, row->path)), 0);
	}
}

/* Anybody may make a folder in /tmp, or a link that looks like one. */
TEST("a socket folder that others could have made is not trusted")
{
	static const char mps[] = "/tmp/nvidia-mps";
	static const char shared[] = "socket /tmp/nvidia-mps /tmp/nvidia-mps at /tmp/nvidia-mps, SONAME -, link - to -, devel -, shared, ..";
	static const char trusted[] = "socket /tmp/nvidia-mps /tmp/nvidia-mps at /tmp/nvidia-mps, SONAME -, link - to -, devel -, for ..";

	tree_make(root, "folder /tmp/nvidia-mps", NULL);
	unit_lines("/tmp is root's", find(CAPABILITY_ALL), trusted);
	assert_int_equal(chmod(tree_path(root, "/tmp"), 01777), 0);
	unit_lines("/tmp is everybody's", find(CAPABILITY_ALL), shared);
	setenv("CUDA_MPS_PIPE_DIRECTORY", mps, 1);
	unit_lines("it is named", find(CAPABILITY_ALL), trusted);
	unsetenv("CUDA_MPS_PIPE_DIRECTORY");
	tree_make(root, "gone /tmp/nvidia-mps\nfolder /etc\nlink /tmp/nvidia-mps /etc", NULL);
	unit_lines("it is a link", find(CAPABILITY_ALL), "0 in all");
	if (geteuid())
		return;
	tree_make(root, "gone /tmp/nvidia-mps\nfolder /tmp/nvidia-mps", NULL);
	assert_int_equal(chown(tree_path(root, mps), 12345, 12345), 0);
	unit_lines("it is another's", find(CAPABILITY_ALL), "0 in all");
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
	static const char *const names[] = {
		"libcuda.so", "libcuda.so.1", "/a/b/libcuda.so.580.1", "lib..so", "liba.so.so",
		"!", "!lib", "!lib.so", "!cuda.so", "!libcuda", "!libcuda.sole", "!libcuda.so/x",
		"!libcuda.s"
	};

	each_row(row, names)
		assert_int_equal(library_is_name(*row + (**row == '!')), **row != '!');
}

int main(void)
{
	/* Programs of this machine's PATH are not in the roots, nor is its MPS. */
	unsetenv("CUDA_MPS_PIPE_DIRECTORY");
	return unit_run();
}
