// SPDX-License-Identifier: GPL-2.0-only
/*
 * libmicrohttpd: see microhttpd.h.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

#include "lib/microhttpd.h"

#ifdef MPU_STATIC

bool microhttpd_has_tls(void)
{
	return false;
}

int microhttpd_load(struct microhttpd *library, char why[WHY_SIZE])
{
	(void)why;
#define INSIDE(name) .name = MHD_##name,
	*library = (struct microhttpd){ MICROHTTPD_EACH(INSIDE) };
	return 0;
}

#else

/* The ABI of 0.9.75 (Debian 12) and of 1.0.1 (Debian 13). */
#define LIBRARY	"libmicrohttpd.so.12"

bool microhttpd_has_tls(void)
{
	return true;
}

int microhttpd_load(struct microhttpd *library, char why[WHY_SIZE])
{
	static const struct {
		const char *name;
		size_t offset;
	} function[] = {
#define FUNCTION(name) { "MHD_" #name, offsetof(struct microhttpd, name) },
		MICROHTTPD_EACH(FUNCTION)
	};
	void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	size_t i;

	if (!handle)
		return why_fail(why, -ENOENT, "HTTP is spoken by libmicrohttpd, which cannot be loaded: %s: install libmicrohttpd12",
				dlerror());
	for (i = 0; i < sizeof(function) / sizeof(function[0]); i++) {
		void **member = (void **)((char *)library + function[i].offset);

		*member = dlsym(handle, function[i].name);
		if (!*member)
			return why_fail(why, -ENOENT, "%s has no function %s: install libmicrohttpd12 anew",
					LIBRARY, function[i].name);
	}
	return 0;
}

#endif
