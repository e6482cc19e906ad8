// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a container's request by CDI names, whose grammar is that of SPEC.md of CDI, "Kind" and
 * "Device".
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "container/request/internal.h"
#include "lib/xalloc.h"

/* Not those of ctype.h, which know the letters of a locale. */
static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Letters and digits, and between the first and the last of them @marks, too. */
static bool is_name(const char *name, size_t len, const char *marks)
{
	size_t i;

	for (i = 0; i < len; i++) {
		bool inner = i && i + 1 < len;

		if (!is_letter(name[i]) && !is_digit(name[i]) &&
		    !(inner && name[i] && strchr(marks, name[i])))
			return false;
	}
	return len > 0;
}

/* podman and others that read CDI documents panic at a word of one letter. */
bool cdi_word_is_valid(const char *word, size_t len)
{
	return len > 1 && is_letter(*word) && is_name(word, len, "_-.");
}

bool cdi_device_is_valid(const char *device)
{
	return is_name(device, strlen(device), "_-.:");
}

static bool is_kind(const char *kind, size_t len)
{
	const char *slash = memchr(kind, '/', len);

	return slash && cdi_word_is_valid(kind, (size_t)(slash - kind)) &&
	       cdi_word_is_valid(slash + 1, len - (size_t)(slash + 1 - kind));
}

bool cdi_kind_is_valid(const char *kind)
{
	return is_kind(kind, strlen(kind));
}

bool cdi_annotation_is_valid(const char *annotation)
{
	const char *slash = strchr(annotation, '/');
	const char *name = slash ? slash + 1 : annotation;
	size_t domain = slash ? (size_t)(slash - annotation) : 0;

	return strlen(name) <= 63 && is_name(name, strlen(name), "_-.") &&
	       (!slash || (domain <= 253 && is_name(annotation, domain, "-.")));
}

const char *cdi_name_split(const char *name, size_t *kind_len)
{
	const char *equal = strchr(name, '=');

	if (!equal || !is_kind(name, (size_t)(equal - name)) || !cdi_device_is_valid(equal + 1))
		return NULL;
	*kind_len = (size_t)(equal - name);
	return equal + 1;
}

bool request_names_cdi(const struct strv *devices)
{
	size_t i, len;

	for (i = 0; i < devices->n; i++)
		if (!cdi_name_split(devices->word[i], &len))
			return false;
	return devices->n > 0;
}

static void add_name(struct strv *names, const char *kind, const char *device)
{
	size_t len;
	char *name;

	if (!*device)
		device = "none";
	name = cdi_name_split(device, &len) ? xstrdup(device) : xasprintf("%s=%s", kind, device);
	strv_add_once(names, name);
	free(name);
}

bool request_is_jit(const char *name)
{
	return !strncmp(name, REQUEST_JIT_KIND "=", strlen(REQUEST_JIT_KIND "="));
}

int request_name_devices(const struct request *request, const char *kind,
			 struct strv *names, char why[WHY_SIZE])
{
	size_t i, jit = 0;

	if (request->is_gpu && !request->devices.n)
		add_name(names, kind, "none");
	for (i = 0; i < request->devices.n; i++)
		add_name(names, kind, request->devices.word[i]);
	for (i = 0; i < names->n; i++)
		jit += request_is_jit(names->word[i]);
	if (jit && jit < names->n)
		return why_fail(why, -EINVAL, "requesting a CDI device with vendor 'runtime.nvidia.com' is not supported when requesting other CDI devices: name devices of one of them alone");
	return 0;
}
