// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any text at all: what is edited is JSON again, found to be edited, and
 * nothing is read beyond its end.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "container/oci/jsontext.h"
#include "container/oci/seccomp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct oci_want want = { .listener = "/run/a.sock",
				       .flag = size & 1 ? OCI_FLAG : NULL };
	char *edited, *again, why[128];
	struct jsontext value;
	size_t len, again_len;

	if (oci_merge((const char *)data, size, &want, &edited, &len, why,
		      sizeof(why)) != OCI_ADDED)
		return 0;
	if (jsontext_check(edited, len, &value, why, sizeof(why)) ||
	    oci_merge(edited, len, &want, &again, &again_len, why,
		      sizeof(why)) != OCI_PRESENT)
		abort();
	free(edited);
	return 0;
}
