// SPDX-License-Identifier: GPL-2.0-only
/*
 * The grammar of CDI's names (SPEC.md of CDI, "Kind" and "Device").
 */
#include <string.h>

#include "container/request/internal.h"

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

bool cdi_vendor_is_valid(const char *vendor, size_t len)
{
	return len && is_letter(*vendor) && is_name(vendor, len, "_-.");
}

bool cdi_class_is_valid(const char *class, size_t len)
{
	return len && is_letter(*class) && is_name(class, len, "_-.");
}

bool cdi_device_is_valid(const char *device)
{
	return is_name(device, strlen(device), "_-.:");
}

static bool is_kind(const char *kind, size_t len)
{
	const char *slash = memchr(kind, '/', len);

	return slash && cdi_vendor_is_valid(kind, (size_t)(slash - kind)) &&
	       cdi_class_is_valid(slash + 1, len - (size_t)(slash + 1 - kind));
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

	if (!equal || !is_kind(name, (size_t)(equal - name)) ||
	    !cdi_device_is_valid(equal + 1))
		return NULL;
	*kind_len = (size_t)(equal - name);
	return equal + 1;
}
