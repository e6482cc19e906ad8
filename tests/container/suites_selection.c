// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suites of vectors: which devices a list of names stands for.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container/request/request.h"
#include "tests/container/vectors.h"

static void add_index(struct json_object *array, ptrdiff_t index)
{
	json_object_array_add(array, json_object_new_int64(index));
}

/* The machine of cli.select's notes. */
static void make_devices(struct json_object *notes, struct devices *devices)
{
	struct json_object *gpus = member_get(notes, "gpus");
	size_t i, j;

	*devices = (struct devices){ .n_gpus = json_object_array_length(gpus) };
	devices->gpus = calloc(devices->n_gpus, sizeof(*devices->gpus));
	for (i = 0; i < devices->n_gpus; i++) {
		struct json_object *is = json_object_array_get_idx(gpus, i);
		struct json_object *migs = member_get(is, "mig");
		unsigned int domain, bus, slot, function;
		struct gpu *gpu = &devices->gpus[i];

		snprintf(gpu->uuid, sizeof(gpu->uuid), "%s", member_text(is, "uuid"));
		sscanf(member_text(is, "pci"), "%x:%x:%x.%x", &domain, &bus, &slot, &function);
		gpu->domain = domain;
		gpu->bus = (uint8_t)bus;
		gpu->slot = (uint8_t)slot;
		gpu->function = (uint8_t)function;
		gpu->n_migs = json_object_array_length(migs);
		gpu->migs = calloc(gpu->n_migs + 1, sizeof(*gpu->migs));
		for (j = 0; j < gpu->n_migs; j++)
			snprintf(gpu->migs[j].uuid, sizeof(gpu->migs[j].uuid), "%s",
				 member_text(json_object_array_get_idx(migs, j), "uuid"));
	}
}

static int select_devices(struct json_object *in, struct devices *devices,
			  struct selection *selection, char why[WHY_SIZE])
{
	struct strv names = { 0 };
	struct wanted wanted = {
		.devices = &names, .mig_config = member_text(in, "mig_config"),
		.mig_monitor = member_text(in, "mig_monitor"),
	};
	int ret;

	strv_split(&names, member_text(in, "device"), ',');
	ret = selection_make(selection, devices, NULL, &wanted, why);
	strv_free(&names);
	return ret;
}

static void add_mig_name(struct json_object *array, const struct devices *devices,
			 const struct chosen_mig *chosen)
{
	char name[64];

	snprintf(name, sizeof(name), "%zu:%zu", (size_t)(chosen->gpu - devices->gpus),
		 (size_t)(chosen->mig - chosen->gpu->migs));
	add_text(array, name);
}

SUITE("cli.select")
{
	struct json_object *gpus = json_object_new_array(), *migs = json_object_new_array();
	struct selection selection;
	struct devices devices;
	size_t i;
	int ret;

	make_devices(member_get(suite, "notes"), &devices);
	ret = select_devices(in, &devices, &selection, why);
	for (i = 0; i < selection.n_gpus; i++)
		add_index(gpus, selection.gpus[i].gpu - devices.gpus);
	for (i = 0; i < selection.n_migs; i++)
		add_mig_name(migs, &devices, &selection.migs[i]);
	*out = json_object_new_object();
	json_object_object_add(*out, "gpus", gpus);
	json_object_object_add(*out, "migs", migs);
	selection_free(&selection);
	devices_free(&devices);
	return ret;
}

/* GPU 0 can be divided, GPU 1 cannot: the suite has no notes of its own. */
SUITE("cli.select_mig_config")
{
	struct json_object *notes = json_tokener_parse("{\"gpus\": ["
		"{\"uuid\": \"GPU-0\", \"pci\": \"0:1:0.0\", \"mig\": [{\"uuid\": \"MIG-0\"}, {\"uuid\": \"MIG-1\"}]},"
		"{\"uuid\": \"GPU-1\", \"pci\": \"0:2:0.0\", \"mig\": []}]}");
	struct selection selection;
	struct devices devices;
	size_t i;
	int ret;

	make_devices(notes, &devices);
	json_object_put(notes);
	ret = select_devices(in, &devices, &selection, why);
	*out = json_object_new_array();
	for (i = 0; i < selection.n_gpus; i++)
		if ((selection.config || selection.monitor) && selection.gpus[i].gpu->n_migs)
			add_index(*out, selection.gpus[i].gpu - devices.gpus);
	selection_free(&selection);
	devices_free(&devices);
	return ret;
}
