// SPDX-License-Identifier: GPL-2.0-only
/*
 * A fuzz target: config.json, as far as it says what a container asks for.
 */
#include "container/request/request.h"
#include "lib/json_file.h"
#include "tests/container/random.h"

const char *const random_seeds[] = {
	"{\"ociVersion\": \"1.0.2\", \"root\": {\"path\": \"rootfs\"}, \"process\": {\"env\": [\"PATH=/bin\", \"NVIDIA_VISIBLE_DEVICES=0,1\", \"NVIDIA_DRIVER_CAPABILITIES=compute\", \"NVIDIA_REQUIRE_CUDA=cuda>=12\"], \"capabilities\": {\"bounding\": [\"CAP_CHOWN\", \"CAP_SYS_ADMIN\"]}}, \"mounts\": [{\"destination\": \"/proc\", \"type\": \"proc\", \"source\": \"proc\"}]}",
	"{\"ociVersion\":\"1.0.0-rc2\",\"root\":{\"path\":\"/r\"},\"process\":{\"env\":[\"CUDA_VERSION=9.0\"],\"capabilities\":[\"CAP_SYS_ADMIN\"]},\"annotations\":{\"cdi.k8s.io/a\":\"nvidia.com/gpu=0\"},\"mounts\":[{\"source\":\"/dev/null\",\"destination\":\"/var/run/nvidia-container-devices/0\"}]}",
	"{\"ociVersion\":\"1\",\"root\":{},\"process\":{\"env\":[\"NVIDIA_VISIBLE_DEVICES=all\",\"NVIDIA_MIG_CONFIG_DEVICES=all\"]}}",
	NULL,
};

static void check(const struct container *container)
{
	static const char toml[] = "accept-nvidia-visible-devices-as-volume-mounts = true";
	struct settings settings;
	struct request request;
	char why[WHY_SIZE];
	size_t i;

	require(*container->root == '/');
	require(container->sources.n == container->destinations.n);
	require(container->annotation_names.n == container->annotation_values.n);
	for (i = 0; i < container->env.n; i++)
		require(strchr(container->env.word[i], '='));
	require(!settings_parse(&settings, toml, strlen(toml), why));
	for (i = 0; i < 2; i++) {
		if (!request_read(&request, container, &settings, i, why)) {
			require(request.is_gpu == !!request.source);
			if (!request_read_details(&request, container, &settings, why))
				require(request.is_gpu == !!request.capabilities_source);
		}
		request_free(&request);
	}
	settings_free(&settings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = random_text(data, size), why[WHY_SIZE];
	struct json_object *config;
	struct container container;

	if (!json_file_parse(text, size, &config, why)) {
		if (!container_read(&container, config, "/bundle", why)) {
			random_taken++;
			check(&container);
		}
		container_free(&container);
	}
	json_object_put(config);
	free(text);
	return 0;
}
