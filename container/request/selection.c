// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the devices that a list of names stands for.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "container/request/internal.h"
#include "lib/xalloc.h"
#include "nvidia/nvidia.h"

/**
 * struct selector - a selection that is being made
 * @root:	for uuids_find(); NULL: it is not to be called, or has been
 * @some_migs:	MIG devices were chosen by name
 * @imex_made, @in_parts: as of struct wanted
 */
struct selector {
	struct selection *selection;
	struct devices *devices;
	const struct driver_root *root;
	bool some_migs;
	bool imex_made, in_parts;
	char *why;
};

/* Adds a GPU, once. @whole: it was chosen itself, not only for a MIG device of it. */
static void add_gpu(struct selection *selection, const struct gpu *gpu, bool whole)
{
	size_t i;

	for (i = 0; i < selection->n_gpus; i++) {
		if (selection->gpus[i].gpu != gpu)
			continue;
		selection->gpus[i].whole |= whole;
		return;
	}
	selection->gpus = xreallocarray(selection->gpus, i + 1, sizeof(*selection->gpus));
	selection->gpus[selection->n_gpus++] = (struct chosen_gpu){ gpu, whole };
}

/* Adds a MIG device with its GPU, whose node it takes. */
static void add_mig(struct selection *selection, const struct gpu *gpu, const struct mig *mig)
{
	size_t i;

	for (i = 0; i < selection->n_migs; i++)
		if (selection->migs[i].mig == mig)
			return;
	selection->migs = xreallocarray(selection->migs, i + 1, sizeof(*selection->migs));
	selection->migs[selection->n_migs++] = (struct chosen_mig){ gpu, mig };
	add_gpu(selection, gpu, false);
}

static void add_all(struct selector *s)
{
	size_t i, j;

	s->selection->all = true;
	for (i = 0; i < s->devices->n_gpus; i++) {
		const struct gpu *gpu = &s->devices->gpus[i];

		add_gpu(s->selection, gpu, !s->in_parts || !gpu->n_migs);
		for (j = 0; j < gpu->n_migs; j++)
			add_mig(s->selection, gpu, &gpu->migs[j]);
	}
}

/* Decimal digits and nothing else. Return: false: it is another thing, or too large. */
static bool read_index(const char *text, size_t len, size_t *index)
{
	size_t i;

	*index = 0;
	for (i = 0; i < len; i++) {
		if (text[i] < '0' || text[i] > '9' || *index > 1000000)
			return false;
		*index = *index * 10 + (size_t)(text[i] - '0');
	}
	return len > 0;
}

/* "0000:3b:00.0": hexadecimal digits, a domain may lack leading zeros, or have more. */
static bool is_address(const struct gpu *gpu, const char *text)
{
	static const char hex[] = "0123456789abcdefABCDEF", marks[] = "::.";
	const uint32_t wanted[] = { gpu->domain, gpu->bus, gpu->slot, gpu->function };
	size_t i;

	for (i = 0; i < 4; i++) {
		size_t len = strspn(text, hex);

		if (!len || len > 8 || text[len] != marks[i] ||
		    strtoul(text, NULL, 16) != wanted[i])
			return false;
		text += len + (i < 3);
	}
	return true;
}

static bool is_uuid(const char *uuid, const char *text)
{
	return *uuid && !strcasecmp(uuid, text);
}

static const struct gpu *find_gpu(const struct devices *devices, const char *name)
{
	size_t i, index;

	for (i = 0; i < devices->n_gpus; i++)
		if (is_uuid(devices->gpus[i].uuid, name))
			return &devices->gpus[i];
	for (i = 0; i < devices->n_gpus; i++)
		if (is_address(&devices->gpus[i], name))
			return &devices->gpus[i];
	if (read_index(name, strlen(name), &index) && index < devices->n_gpus)
		return &devices->gpus[index];
	return NULL;
}

/*
 * Compares a name with a UUID, or with the form of drivers before 470:
 * "MIG-GPU-.../1/0".
 */
static bool is_mig(const struct gpu *gpu, const struct mig *mig, const char *name)
{
	char numbers[GPU_UUID + 32];

	snprintf(numbers, sizeof(numbers), "MIG-%s/%u/%u", gpu->uuid,
		 mig->gpu_instance, mig->compute_instance);
	return is_uuid(mig->uuid, name) || (*gpu->uuid && !strcasecmp(numbers, name));
}

/* Finds a MIG device by UUID, or by "G:M", the indices of GPU and MIG device. */
static const struct mig *find_mig(const struct devices *devices, const char *name,
				  const struct gpu **gpu)
{
	const char *colon = strchr(name, ':');
	const struct gpu *at;
	size_t i, j;

	for (i = 0; i < devices->n_gpus; i++) {
		at = &devices->gpus[i];
		for (j = 0; j < at->n_migs; j++) {
			if (!is_mig(at, &at->migs[j], name))
				continue;
			*gpu = at;
			return &at->migs[j];
		}
	}
	if (!colon || !read_index(name, (size_t)(colon - name), &i) ||
	    !read_index(colon + 1, strlen(colon + 1), &j) || i >= devices->n_gpus ||
	    j >= devices->gpus[i].n_migs)
		return NULL;
	*gpu = &devices->gpus[i];
	return &(*gpu)->migs[j];
}

static int fail_unknown(struct selector *s, const char *name)
{
	const char *advice =
		!strncasecmp(name, "MIG-", 4) ? MIG_UUID_ADVICE :
		strpbrk(name, "\"'") ? "the quotes are part of the name: leave them out" :
		!strncmp(name, "/var/run/nvidia-container-devices", 33) ?
			"mounts name devices if accept-nvidia-visible-devices-as-volume-mounts is set in config.toml" :
		!strncasecmp(name, "GPU-", 4) && strlen(name) < strlen("GPU-") + 36 ?
			"the whole UUID is needed, as nvidia-smi -L prints it" : NULL;

	return why_fail(s->why, -EINVAL, "device error: %.200s: unknown device%s%s", name,
			advice ? ": " : "", advice ?: "");
}

static bool is_any_uuid(const char *name)
{
	return !strncasecmp(name, "GPU-", 4) || !strncasecmp(name, "MIG-", 4);
}

/* Finds a device by name. @mig: receives NULL if it is the whole of @gpu */
static bool find(const struct devices *devices, const char *name,
		 const struct gpu **gpu, const struct mig **mig)
{
	*mig = NULL;
	*gpu = find_gpu(devices, name);
	if (!*gpu)
		*mig = find_mig(devices, name, gpu);
	return *gpu;
}

static int add_name(struct selector *s, const char *name)
{
	const struct gpu *gpu;
	const struct mig *mig;
	bool found = find(s->devices, name, &gpu, &mig);

	if (!found && s->root && is_any_uuid(name)) {
		uuids_find(s->devices, s->root);
		s->root = NULL;
		found = find(s->devices, name, &gpu, &mig);
	}
	if (!found)
		return fail_unknown(s, name);
	if (mig) {
		s->some_migs = true;
		add_mig(s->selection, gpu, mig);
	} else {
		add_gpu(s->selection, gpu, true);
	}
	return 0;
}

static int add_names(struct selector *s, const struct strv *names)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < names->n; i++) {
		if (!strcasecmp(names->word[i], "all")) {
			add_all(s);
			break;
		}
		if (*names->word[i])
			ret = add_name(s, names->word[i]);
	}
	return ret;
}

/* Checks a request to configure or monitor MIG devices. @what: "mig-config" */
static int choose_rules(struct selector *s, const char *what, const char *devices, bool *chosen)
{
	*chosen = false;
	if (!devices || !*devices)
		return 0;
	if (strcasecmp(devices, "all") != 0)
		return why_fail(s->why, -EINVAL, "%s error: %.200s: only 'all' devices are currently supported",
				what, devices);
	if (s->some_migs)
		return why_fail(s->why, -EINVAL, "%s error: cannot enable %s with specific MIG devices selected: name GPUs, or all",
				what, what);
	*chosen = true;
	return 0;
}

static int add_imex(struct selector *s, const char *text)
{
	struct selection *selection = s->selection;
	char reason[WHY_SIZE];
	uint32_t channel;
	size_t i;
	int ret = devices_find_imex(s->devices, text, &channel, reason);

	if (ret == -ENOENT && s->imex_made && s->devices->majors.imex)
		ret = 0;
	if (ret)
		return why_fail(s->why, -EINVAL, "device error: %s", reason);
	for (i = 0; i < selection->n_imex; i++)
		if (selection->imex[i] == channel)
			return 0;
	selection->imex = xreallocarray(selection->imex, i + 1, sizeof(channel));
	selection->imex[selection->n_imex++] = channel;
	return 0;
}

int selection_make(struct selection *selection, struct devices *devices,
		   const struct driver_root *root, const struct wanted *wanted, char why[WHY_SIZE])
{
	struct selector s = {
		.selection = selection, .devices = devices, .root = root, .why = why,
		.imex_made = wanted->imex_made, .in_parts = wanted->in_parts,
	};
	size_t i;
	int ret;

	*selection = (struct selection){ 0 };
	ret = add_names(&s, wanted->devices);
	if (!ret)
		ret = choose_rules(&s, "mig-config", wanted->mig_config, &selection->config);
	if (!ret)
		ret = choose_rules(&s, "mig-monitor", wanted->mig_monitor, &selection->monitor);
	for (i = 0; !ret && wanted->imex && i < wanted->imex->n; i++)
		ret = add_imex(&s, wanted->imex->word[i]);
	return ret;
}

void selection_free(struct selection *selection)
{
	free(selection->gpus);
	free(selection->migs);
	free(selection->imex);
	*selection = (struct selection){ 0 };
}
