/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine that the suite runs on: kernel modules, files, device nodes, PIDs.
 */
#ifndef MPU_TESTS_CONFORMANCE_HOST_H
#define MPU_TESTS_CONFORMANCE_HOST_H

#include <stdbool.h>
#include <sys/types.h>

/** host_load_module(), host_unload_module() - 0 or negative errno */
int host_load_module(const char *path, const char *params);
int host_unload_module(const char *name);

/** driver_name() - module name of the driver that the command line named */
const char *driver_name(void);

/** driver_is_real() - is it NVIDIA's own? */
bool driver_is_real(void);

/** host_read_text() - a file of at most 4095 bytes, "" if it cannot be read */
const char *host_read_text(const char *path);

/** host_make_nodes() - /dev/nvidia*, as nvidia-modprobe makes them */
void host_make_nodes(void);

/* The most that host_page_size() is. */
#define LARGEST_PAGE	65536u

/** host_page_size() - 4 KiB; on arm64 it may be 16 or 64 */
unsigned int host_page_size(void);

/** host_set_next_pid() - make @pid the next number the initial namespace gives */
int host_set_next_pid(pid_t pid);

/** host_raise_pid_max() - as high as it goes: numbers do not begin anew for long */
int host_raise_pid_max(void);

#endif /* MPU_TESTS_CONFORMANCE_HOST_H */
