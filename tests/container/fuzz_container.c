// SPDX-License-Identifier: GPL-2.0-only
/*
 * A fuzz target: config.json, as far as it says what a container asks for, up to the devices of
 * a machine that it stands for and the conditions that it has. What a variable names is there
 * once; whatever is selected is of the machine, and a MIG device's GPU is selected, too; where
 * nothing is known of a machine no condition fails.
 */
#include <errno.h>

#include "container/request/internal.h"
#include "lib/json_file.h"
#include "tests/container/random.h"

#define ENV(list) "\"root\":{},\"process\":{\"env\":[" list "]}"
#define AT "/var/run/nvidia-container-devices"
#define MOUNTED(path) "\"mounts\":[{\"source\":\"/dev/null\",\"destination\":\"" AT path "\"}]"

const char *const random_seeds[] = {
	"{\"ociVersion\": \"1.0.2\", \"root\": {\"path\": \"rootfs\"}, \"process\": {\"env\": [\"PATH=/bin\", \"NVIDIA_VISIBLE_DEVICES=0,1\", \"NVIDIA_DRIVER_CAPABILITIES=compute\", \"NVIDIA_REQUIRE_CUDA=cuda>=12.4 brand=tesla,driver>=470,driver<471 brand=unknown\"], \"capabilities\": {\"bounding\": [\"CAP_CHOWN\", \"CAP_SYS_ADMIN\"]}}, \"mounts\": [{\"destination\": \"/proc\", \"type\": \"proc\", \"source\": \"proc\"}]}",
	"{\"ociVersion\":\"1.0.0-rc2\",\"root\":{\"path\":\"/r\"},\"process\":{\"env\":[\"CUDA_VERSION=9.0\"],\"capabilities\":[\"CAP_SYS_ADMIN\"]},\"annotations\":{\"cdi.k8s.io/a\":\"nvidia.com/gpu=0\"}," MOUNTED("/0") "}",
	"{\"ociVersion\":\"1\"," ENV("\"NVIDIA_VISIBLE_DEVICES=all\",\"NVIDIA_MIG_CONFIG_DEVICES=all\"") "}",
	"{\"ociVersion\":\"1\"," ENV("\"NVIDIA_VISIBLE_DEVICES= 0 ,1,GPU-00000001-0000-4000-8000-000000000001,0:1\"") "," MOUNTED("/cdi/nvidia.com/gpu/0") "}",
	"{\"ociVersion\":\"1\"," ENV("\"NVIDIA_VISIBLE_DEVICES=none\",\"NVIDIA_REQUIRE_A=cuda=12..2. foo=bar,,arch>7.5\",\"NVIDIA_REQUIRE_B=!=< >= = !\"") "," MOUNTED("/../nvidia-container-devices//imex/0/") ",\"annotations\":{\"cdi.k8s.io/a\":\"mode=imex,id=3\"}}",
	"{\"ociVersion\":\"1\"," ENV("\"NVIDIA_VISIBLE_DEVICES=0000:3b:00.0,1FFFF:AF:00.0\",\"NVIDIA_REQUIRE_CUDA=cuda<=9.0-rc1+x BRAND=Tesla\"") "," MOUNTED("/cdi/a/b=c") ",\"annotations\":{\"cdi.k8s.io/a\":\"runtime.nvidia.com/gpu=0,x\"}}",
	"{\"ociVersion\":\"1\"," ENV("\"NVIDIA_VISIBLE_DEVICES=MIG-00000001-0000-4000-8000-000000000002,1\",\"NVIDIA_IMEX_CHANNELS=3\",\"NVIDIA_REQUIRE_CUDA=cuda>=11.6,arch=5.3 driver!=450.51\"") "," MOUNTED("X/1") "}",
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
	char why[WHY_SIZE];

	if (!request_name_devices(request, "nvidia.com/gpu", &names, why))
		require(names.n || !request->is_gpu);
	strv_free(&names);
}

static void check_requirements(const struct strv *requirements)
{
	static const struct requirement_facts some = {
		.driver = "535.104.05", .cuda = "12.2", .arch = "9.0", .brand = "Tesla",
	}, none = { 0 };
	char why[WHY_SIZE];
	size_t i;

	for (i = 0; i < requirements->n; i++) {
		int ret = requirement_check(requirements->word[i], &some, why);

		require(!ret || ret == -ENOTSUP || ret == -EINVAL);
		require(requirement_check(requirements->word[i], &none, why) != -ENOTSUP);
	}
}

static void ask(const struct container *container, const struct settings *settings,
		bool annotations)
{
	struct request request;
	char why[WHY_SIZE];
	size_t i, j;

	if (!request_read(&request, container, settings, annotations, why)) {
		require(request.is_gpu == !!request.source);
		for (i = 0; !container->sources.n && i < request.devices.n; i++)
			for (j = 0; !annotations && j < i; j++)
				require(strcmp(request.devices.word[i], request.devices.word[j]));
		select_devices(&request);
		name_devices(&request);
		if (!request_read_details(&request, container, settings, why))
			require(request.is_gpu == !!request.capabilities_source);
		check_requirements(&request.requirements);
	}
	request_free(&request);
}

static void check(const struct container *container)
{
	static const char toml[] = "accept-nvidia-visible-devices-as-volume-mounts = true";
	struct settings settings;
	char why[WHY_SIZE];
	size_t i;

	require(*container->root == '/');
	require(container->sources.n == container->destinations.n);
	require(container->annotation_names.n == container->annotation_values.n);
	for (i = 0; i < container->env.n; i++)
		require(strchr(container->env.word[i], '='));
	for (i = 0; i < 4; i++) {
		require(!settings_parse(&settings, i & 2 ? toml : "", i & 2 ? strlen(toml) : 0, why));
		ask(container, &settings, i & 1);
		settings_free(&settings);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = random_text(data, size), why[WHY_SIZE];
	struct json_object *config;
	struct container container;

	if (!json_file_parse(text, size, &config, why)) {
		if (!container_read(&container, config, "/bundle", why))
			check(&container);
		container_free(&container);
	}
	json_object_put(config);
	free(text);
	return 0;
}
