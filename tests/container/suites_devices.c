// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suites of vectors: the GPUs of this machine and their nodes.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "nvidia/internal.h"
#include "tests/container/vectors.h"

/* The lines of a case, as the file that they are of. */
static char *join_lines(struct json_object *in)
{
	const char *line;
	char *text = NULL;
	size_t i, size;
	FILE *file = open_memstream(&text, &size);

	for_each_text(member_get(in, "lines"), i, line)
		fprintf(file, "%s\n", line);
	fclose(file);
	return text;
}

static struct json_object *pair(const char *name, uint32_t number)
{
	struct json_object *array = json_object_new_array();

	json_object_array_add(array, json_object_new_string(name));
	json_object_array_add(array, json_object_new_int64(number));
	return array;
}

/* Writes the name of a capability as in mig-minors. */
static void cap_name(const struct cap *cap, char name[64])
{
	switch (cap->kind) {
	case CAP_CONFIG:
		snprintf(name, 64, "config");
		break;
	case CAP_MONITOR:
		snprintf(name, 64, "monitor");
		break;
	case CAP_GPU_INSTANCE:
		snprintf(name, 64, "gpu%u/gi%u/access", cap->gpu, cap->gpu_instance);
		break;
	case CAP_COMPUTE_INSTANCE:
		snprintf(name, 64, "gpu%u/gi%u/ci%u/access", cap->gpu,
			 cap->gpu_instance, cap->compute_instance);
		break;
	}
}

SUITE("cli.mig_minors")
{
	const char *line = text_of(in, "line");
	uint32_t minor;
	struct cap cap;
	char name[64];

	if (!procfs_cap(line, &cap, &minor))
		return why_fail(why, -EINVAL, "not a capability: %s", line);
	cap_name(&cap, name);
	*out = pair(name, minor);
	return 0;
}

SUITE("cli.mig_minors_file")
{
	char *text = join_lines(in), line[PROCFS_LINE], name[64];
	const char *at = text;
	uint32_t minor, found;
	struct cap cap;
	int ret = 0;

	*out = json_object_new_object();
	while (at && procfs_line(&at, line)) {
		if (!procfs_cap(line, &cap, &minor))
			continue;
		cap_name(&cap, name);
		json_object_object_add(*out, name, json_object_new_int64(minor));
		/* The product asks by what it looks for. */
		if (!procfs_cap_find(text, &cap, &found) || found != minor)
			ret = why_fail(why, -ENOENT, "%s is not found", name);
	}
	free(text);
	return ret;
}

SUITE("cli.mig_proc")
{
	char line[PROCFS_LINE], path[128];
	uint32_t minor;
	struct cap cap;

	snprintf(line, sizeof(line), "%s 0", text_of(in, "cap"));
	if (!procfs_cap(line, &cap, &minor))
		return why_fail(why, -EINVAL, "not a capability: %s", line);
	procfs_cap_path(&cap, path);
	*out = json_object_new_string(path);
	return 0;
}

SUITE("cli.proc_devices_line")
{
	const char *line = text_of(in, "line");
	char name[PROCFS_NAME];
	uint32_t major;

	if (!procfs_major(line, name, &major))
		return why_fail(why, -EINVAL, "not a device: %s", line);
	*out = pair(name, major);
	return 0;
}

static void add_major(struct json_object *out, const char *name, uint32_t major)
{
	if (major)
		json_object_object_add(out, name, json_object_new_int64(major));
}

/* The driver's own devices have two names; a case has the one that its text has. */
SUITE("cli.proc_devices")
{
	struct majors majors;
	char *text = join_lines(in);
	bool found = text && procfs_majors(text, &majors);
	bool old = text && strstr(text, "nvidia-frontend");

	free(text);
	if (!found)
		return why_fail(why, -ENODEV, "no device of NVIDIA's");
	*out = json_object_new_object();
	add_major(*out, old ? "nvidia-frontend" : "nvidia", majors.nvidia);
	add_major(*out, "nvidia-uvm", majors.uvm);
	add_major(*out, "nvidia-caps", majors.caps);
	add_major(*out, "nvidia-caps-imex-channels", majors.imex);
	add_major(*out, "nvidia-nvswitch", majors.nvswitch);
	return 0;
}

SUITE("cli.gpu_minors")
{
	struct json_object *nodes = member_get(in, "nodes");
	size_t i;

	*out = json_object_new_array();
	for (i = 0; i < json_object_array_length(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);
		const char *name = json_object_get_string(json_object_array_get_idx(node, 0));
		bool is_char = json_object_get_boolean(json_object_array_get_idx(node, 1));

		if (node_is_gpu(name, is_char ? S_IFCHR : S_IFDIR))
			json_object_array_add(*out,
					      json_object_get(json_object_array_get_idx(node, 2)));
	}
	return 0;
}

SUITE("cli.imex_id")
{
	static uint32_t zero;	/* "channel0 exists on the host" */
	const struct devices devices = { .imex = &zero, .n_imex = 1 };
	uint32_t channel;
	int ret;

	ret = devices_find_imex(&devices, text_of(in, "id"), &channel, why);
	if (!ret)
		*out = json_object_new_int64(channel);
	return ret;
}
