// SPDX-License-Identifier: GPL-2.0-only
/*
 * The driver's parts. Which class takes what, the existing tools decide; their
 * lists have grown with the driver, to 580 here.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "lib/arch.h"
#include "nvidia/internal.h"

#define UTILITY		CAPABILITY_UTILITY
#define COMPUTE		CAPABILITY_COMPUTE
/* Encoding and decoding take the libraries of computing, and more. */
#define VIDEO		CAPABILITY_VIDEO
#define COMPUTING	(COMPUTE | VIDEO)
/* A display takes what drawing takes. */
#define GRAPHICS	(CAPABILITY_GRAPHICS | CAPABILITY_DISPLAY)
#define DISPLAY		CAPABILITY_DISPLAY

#define LIBRARY(text, who, ...) \
	{ .kind = DRIVER_LIBRARY, .name = (text), .suffix = ".so.", \
	  .versioned = true, .capabilities = (who), ##__VA_ARGS__ }
/* A library with a version of its own. */
#define OTHER_LIBRARY(text, end, who, ...) \
	{ .kind = DRIVER_LIBRARY, .name = (text), .suffix = (end), \
	  .capabilities = (who), ##__VA_ARGS__ }
#define PROGRAM(text, who) \
	{ .kind = DRIVER_PROGRAM, .name = (text), .capabilities = (who) }
#define SOCKET(text, who, ...) \
	{ .kind = DRIVER_SOCKET, .name = (text), .capabilities = (who), ##__VA_ARGS__ }
#define DATA(text, where, who, ...) \
	{ .kind = DRIVER_DATA, .name = (text), .data = (where), .capabilities = (who), \
	  ##__VA_ARGS__ }

#define SHARED \
	"/etc", "/usr/local/share", "/usr/share", NIX_DATA

/* Configuration of the loaders of EGL, Vulkan and OpenCL. GKE has Vulkan's in the root. */
static const char *const config[] = { SHARED, NULL };
static const char *const vulkan[] = { SHARED, "", NULL };

/* Ubuntu has both in one folder, openSUSE below updates, and old X servers in X11R6. */
#define XORG(kind) { \
	"nvidia/xorg", "xorg/modules/" kind, "xorg/modules/updates/" kind, \
	"/usr/lib/xorg/modules/" kind, "/usr/lib/xorg/modules/updates/" kind, \
	"/usr/lib64/xorg/modules/" kind, "/usr/lib64/xorg/modules/updates/" kind, \
	"/usr/lib/" TRIPLET "/xorg/modules/" kind, \
	"/usr/X11R6/lib/modules/" kind, "/usr/X11R6/lib/modules/updates/" kind, \
	"/usr/X11R6/lib64/modules/" kind, "/usr/X11R6/lib64/modules/updates/" kind, NULL }

static const char *const xorg_drivers[] = XORG("drivers");
static const char *const xorg_extensions[] = XORG("extensions");

const struct part parts[] = {
	LIBRARY("libnvidia-ml", UTILITY, .link = "libnvidia-ml.so", .target = "libnvidia-ml.so.1"),
	LIBRARY("libnvidia-cfg", UTILITY),
	LIBRARY("libnvidia-nscq", UTILITY),

	LIBRARY("libcuda", COMPUTING, .link = "libcuda.so", .target = "libcuda.so.1"),
	LIBRARY("libcudadebugger", COMPUTING),
	LIBRARY("libnvidia-opencl", COMPUTING),
	LIBRARY("libnvidia-gpucomp", COMPUTING | GRAPHICS),
	LIBRARY("libnvidia-ptxjitcompiler", COMPUTING),
	LIBRARY("libnvidia-fatbinaryloader", COMPUTING),
	LIBRARY("libnvidia-allocator", COMPUTING | GRAPHICS),
	LIBRARY("libnvidia-compiler", COMPUTING),
	LIBRARY("libnvidia-pkcs11", COMPUTING),
	LIBRARY("libnvidia-pkcs11-openssl3", COMPUTING),
	LIBRARY("libnvidia-nvvm", COMPUTING),
	OTHER_LIBRARY("libnvidia-nvvm70", ".so.4", COMPUTING),
	LIBRARY("libnvidia-tileiras", COMPUTING),

	LIBRARY("libvdpau_nvidia", VIDEO, .folder = "vdpau"),
	LIBRARY("libnvidia-encode", VIDEO),
	LIBRARY("libnvidia-opticalflow", VIDEO, .link = "libnvidia-opticalflow.so",
		.target = "libnvidia-opticalflow.so.1"),
	LIBRARY("libnvcuvid", VIDEO),

	LIBRARY("libnvidia-eglcore", GRAPHICS),
	LIBRARY("libnvidia-glcore", GRAPHICS),
	LIBRARY("libnvidia-tls", GRAPHICS, .check = PART_TLS),
	LIBRARY("libnvidia-glsi", GRAPHICS),
	LIBRARY("libnvidia-fbc", GRAPHICS),
	LIBRARY("libnvidia-ifr", GRAPHICS),
	LIBRARY("libnvidia-rtcore", GRAPHICS),
	LIBRARY("libnvoptix", GRAPHICS),
	LIBRARY("libGLX_nvidia", GRAPHICS, .check = PART_GLVND, .link = "libGLX_indirect.so.0"),
	LIBRARY("libEGL_nvidia", GRAPHICS, .check = PART_GLVND),
	LIBRARY("libGLESv2_nvidia", GRAPHICS),
	LIBRARY("libGLESv1_CM_nvidia", GRAPHICS),
	LIBRARY("libnvidia-glvkspirv", GRAPHICS),
	LIBRARY("libnvidia-cbl", GRAPHICS),
	LIBRARY("libGL", GRAPHICS, .check = PART_DIRECT),
	LIBRARY("libEGL", GRAPHICS, .check = PART_DIRECT),
	LIBRARY("libGLESv1_CM", GRAPHICS, .check = PART_DIRECT),
	LIBRARY("libGLESv2", GRAPHICS, .check = PART_DIRECT),
	LIBRARY("libnvidia-vulkan-producer", GRAPHICS),
	LIBRARY("libnvidia-present", GRAPHICS),
	LIBRARY("libnvidia-vksc-core", GRAPHICS),
	OTHER_LIBRARY("libnvidia-egl-gbm", ".so.1", GRAPHICS),
	OTHER_LIBRARY("libnvidia-egl-wayland", ".so.1", GRAPHICS),
	OTHER_LIBRARY("libnvidia-egl-wayland2", ".so.1", GRAPHICS),
	OTHER_LIBRARY("libnvidia-egl-xcb", ".so.1", GRAPHICS),
	OTHER_LIBRARY("libnvidia-egl-xlib", ".so.1", GRAPHICS),
	OTHER_LIBRARY("nvidia-drm_gbm", ".so", GRAPHICS, .folder = "gbm",
		      .is = "libnvidia-allocator.so"),
	OTHER_LIBRARY("libnvidia-api", ".so.1", GRAPHICS),
	/* Libraries of nvidia-settings. */
	LIBRARY("libnvidia-gtk2", DISPLAY),
	LIBRARY("libnvidia-gtk3", DISPLAY),
	LIBRARY("libnvidia-wayland-client", DISPLAY),

	LIBRARY("libnvidia-ngx", CAPABILITY_NGX),

	PROGRAM("nvidia-smi", UTILITY),
	PROGRAM("nvidia-debugdump", UTILITY),
	PROGRAM("nvidia-persistenced", UTILITY),
	PROGRAM("nv-fabricmanager", UTILITY),
	PROGRAM("nvidia-cuda-mps-control", COMPUTE),
	PROGRAM("nvidia-cuda-mps-server", COMPUTE),
	PROGRAM("nvidia-imex", COMPUTE),
	PROGRAM("nvidia-imex-ctl", COMPUTE),
	PROGRAM("nvidia-xconfig", DISPLAY),

	SOCKET("/run/nvidia-persistenced/socket", UTILITY),
	SOCKET("/run/nvidia-fabricmanager/socket", UTILITY),
	SOCKET("/tmp/nvidia-mps", COMPUTE, .variable = "CUDA_MPS_PIPE_DIRECTORY"),

	DATA("OpenCL/vendors/nvidia.icd", config, COMPUTING, .folder = "/etc"),
	DATA("glvnd/egl_vendor.d/[0-9]*_nvidia.json", config, GRAPHICS),
	DATA("egl/egl_external_platform.d/[0-9]*_nvidia_*.json", config, GRAPHICS),
	DATA("vulkan/icd.d/nvidia_icd.json", vulkan, GRAPHICS),
	DATA("vulkan/icd.d/nvidia_icd." ARCH_NAME ".json", vulkan, GRAPHICS),
	DATA("vulkan/icd.d/nvidia_layers.json", vulkan, GRAPHICS),
	DATA("vulkan/implicit_layer.d/nvidia_layers.json", vulkan, GRAPHICS),
	DATA("nvidia/nvoptix.bin", config, GRAPHICS),
	DATA("X11/xorg.conf.d/10-nvidia.conf", config, GRAPHICS),
	DATA("X11/xorg.conf.d/*nvidia-drm-outputclass.conf", config, GRAPHICS),
	DATA("nvidia_drv.so", xorg_drivers, GRAPHICS),
	DATA("libglxserver_nvidia", xorg_extensions, GRAPHICS, .suffix = ".so.",
	     .versioned = true, .link = "libglxserver_nvidia.so"),
	{ .name = NULL },
};

const struct part part_other = LIBRARY("other",
				       COMPUTING | GRAPHICS | CAPABILITY_NGX);

const struct part part_firmware = { 
	.kind = DRIVER_FIRMWARE, .name = "gsp", .suffix = "*.bin"
};

/* Returns true if a part is taken. compat32 is no capability that takes anything by itself. */
bool part_is_for(const struct part *part, unsigned int capabilities)
{
	return !part->capabilities || (part->capabilities & capabilities);
}

bool driver_file_is_wanted(const struct driver_file *file, unsigned int capabilities,
			   unsigned int without)
{
	switch (file->kind) {
	case DRIVER_LIBRARY32:
		if (!(capabilities & CAPABILITY_COMPAT32))
			return false;
		break;
	case DRIVER_SOCKET:
		if (without & WITHOUT_SOCKETS ||
		    (without & WITHOUT_PERSISTENCED &&
		     strstr(file->path, "nvidia-persistenced")) ||
		    (without & WITHOUT_FABRICMANAGER &&
		     strstr(file->path, "nvidia-fabricmanager")))
			return false;
		break;
	case DRIVER_FIRMWARE:
		if (without & WITHOUT_FIRMWARE)
			return false;
		break;
	default:
		break;
	}
	return !file->capabilities || file->capabilities & capabilities & ~CAPABILITY_COMPAT32;
}

/* Writes "libcuda.so.580.159.04"; returns false if it is too long. */
bool part_file(const struct part *part, const char *version, char name[PATH_MAX])
{
	return snprintf(name, PATH_MAX, "%s%s%s", part->name, part->suffix ?: "",
			part->versioned ? version : "") < PATH_MAX;
}

/* Finds the library that "libcuda.so.1" or "libcuda.so" belongs to; NULL: none. */
const struct part *part_find(const char *name)
{
	const struct part *part;

	for (part = parts; part->name; part++) {
		size_t len = strlen(part->name);

		if (part->kind == DRIVER_LIBRARY && !strncmp(name, part->name, len) &&
		    !strncmp(name + len, ".so", 3))
			return part;
	}
	return NULL;
}
