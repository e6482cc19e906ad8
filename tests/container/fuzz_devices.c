// SPDX-License-Identifier: GPL-2.0-only
/*
 * A fuzz target: names of devices, in a variable, in mounts and in an annotation, as
 * a line each of the input. What a variable names is there once; whatever is
 * selected is of the machine, and a MIG device's GPU is selected, too.
 */
#include "container/request/request.h"
#include "tests/container/random.h"

const char *const random_seeds[] = {
	"all\n/var/run/nvidia-container-devices/all",
	" 0 ,1,GPU-00000001-0000-4000-8000-000000000001,0:1\n/var/run/nvidia-container-devices/cdi/nvidia.com/gpu/0\nnvidia.com/gpu=0",
	"none\n/var/run/../run/nvidia-container-devices//imex/0/\nmode=imex,id=3",
	"void,0000:3b:00.0,1FFFF:AF:00.0\n/var/run/nvidia-container-devices/cdi/a/b=c\nruntime.nvidia.com/gpu=0,x",
	"MIG-00000001-0000-4000-8000-000000000002,ALL,7\n/var/run/nvidia-container-devicesX/1\n,,a",
	NULL,
};

static struct mig migs[] = {
	{ .uuid = "MIG-00000001-0000-4000-8000-000000000002" }, { .uuid = "" },
};
static struct gpu gpus[] = {
	{ .bus = 0x3b, .uuid = "GPU-00000001-0000-4000-8000-000000000001", .migs = migs, .n_migs = 2 },
	{ .domain = 0x1ffff, .bus = 0xaf },
};
static uint32_t channels[] = { 0, 3 };
static struct devices devices = { .gpus = gpus, .n_gpus = 2, .imex = channels, .n_imex = 2 };

static void select_devices(const struct request *request)
{
	struct wanted wanted = { .devices = &request->devices, .imex = &request->imex };
	struct selection selection;
	char why[WHY_SIZE];
	size_t i, j;

	if (!selection_make(&selection, &devices, NULL, &wanted, why) && selection.n_gpus)
		random_taken++;
	require(selection.n_gpus <= 2 && selection.n_migs <= 2 && selection.n_imex <= 2);
	for (i = 0; i < selection.n_migs; i++) {
		for (j = 0; selection.gpus[j].gpu != selection.migs[i].gpu; j++)
			require(j + 1 < selection.n_gpus);
	}
	selection_free(&selection);
}

static void name_devices(const struct request *request)
{
	struct strv names = { 0 };
	struct request_mode *modes;
	char why[WHY_SIZE];
	size_t n;

	if (!request_name_devices(request, "nvidia.com/gpu", &names, why)) {
		require(names.n || !request->is_gpu);
		request_group_devices(&names, &modes, &n);
		require(!n == !names.n);
		request_free_modes(modes, n);
	}
	strv_free(&names);
}

static void ask(const struct container *container, const struct settings *settings,
		bool annotations)
{
	struct request request;
	char why[WHY_SIZE];
	size_t i, j;

	if (!request_read(&request, container, settings, annotations, why)) {
		for (i = 0; !container->sources.n && i < request.devices.n; i++)
			for (j = 0; !annotations && j < i; j++)
				require(strcmp(request.devices.word[i], request.devices.word[j]));
		select_devices(&request);
		name_devices(&request);
	}
	request_free(&request);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char toml[] = "accept-nvidia-visible-devices-as-volume-mounts = true";
	char *text = strndup((const char *)data, size), *rest = text, why[WHY_SIZE];
	struct container container = { 0 };
	struct settings settings;

	require(!settings_parse(&settings, toml, strlen(toml), why));
	strv_add_format(&container.env, "NVIDIA_VISIBLE_DEVICES=%s", strsep(&rest, "\n"));
	ask(&container, &settings, false);
	if (rest) {
		strv_add(&container.sources, "/dev/null");
		strv_add(&container.destinations, strsep(&rest, "\n"));
		ask(&container, &settings, false);
	}
	if (rest) {
		strv_add(&container.annotation_names, "cdi.k8s.io/x");
		strv_add(&container.annotation_values, rest);
		ask(&container, &settings, true);
	}
	settings_free(&settings);
	container_free(&container);
	free(text);
	return 0;
}
