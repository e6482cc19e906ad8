// SPDX-License-Identifier: GPL-2.0-only
/*
 * container/image/spec.c and container/request/request.c: what the vectors do not show:
 * sentences, what goes before what, where we differ from existing tools, bounds.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container/request/request.h"
#include "lib/json_file.h"
#include "tests/unit/unit.h"

static struct container container;
static struct settings settings;
static struct request request;
static char why[WHY_SIZE];

#define SPEC(process, rest) \
	"{\"ociVersion\": \"1.0.2\", \"root\": {\"path\": \"rootfs\"}, \"process\": {" process "}" rest "}"
#define NVIDIA(devices) "\"NVIDIA_VISIBLE_DEVICES=" devices "\""
#define AT "/var/run/nvidia-container-devices"
#define MOUNT(source, destination) \
	"{\"source\": \"" source "\", \"destination\": \"" destination "\"}"
#define PRIVILEGED "\"capabilities\": {\"bounding\": [\"CAP_SYS_ADMIN\"]}, "

static int forget(void)
{
	request_free(&request);
	container_free(&container);
	settings_free(&settings);
	return 0;
}

TEST_EACH(NULL, forget)

static int read_container(const char *text)
{
	struct json_object *config;
	int ret = json_file_parse(text, strlen(text), &config, why);

	container_free(&container);
	if (ret)
		fail_msg("%s: %s", text, why);
	ret = container_read(&container, config, "/bundle", why);
	json_object_put(config);
	return ret;
}

static int ask(const char *config, const char *toml, enum request_annotations annotations)
{
	int ret;

	forget();
	ret = settings_parse(&settings, toml, strlen(toml), why);
	if (ret)
		fail_msg("%s: %s", toml, why);
	if (read_container(config))
		fail_msg("%s: %s", config, why);
	ret = request_read(&request, &container, &settings, annotations, why);
	return ret ? ret : request_read_details(&request, &container, &settings, why);
}

static void check_devices(const char *config, const char *toml,
			  enum request_annotations annotations, const char *wanted)
{
	char devices[512] = "";
	size_t i;

	if (ask(config, toml, annotations))
		fail_msg("%s: %s", config, why);
	for (i = 0; i < request.devices.n; i++)
		snprintf(devices + strlen(devices), sizeof(devices) - strlen(devices), "%s%s",
			 i ? " " : "", request.devices.word[i]);
	if (strcmp(devices, wanted) != 0)
		fail_msg("%s: '%s', not '%s'", config, devices, wanted);
}

static void check_unreadable(const char *config, const char *sentence)
{
	assert_true(read_container(config) < 0);
	if (!strstr(why, sentence))
		fail_msg("%s: %s, not %s", config, why, sentence);
}

TEST("a configuration that cannot be read is refused with the reason")
{
	check_unreadable("[]", "could not decode OCI spec: it is not an object");
	check_unreadable("{}", "Version is empty in OCI spec");
	check_unreadable("{\"ociVersion\": null}", "Version is empty in OCI spec");
	check_unreadable("{\"ociVersion\": \"1.0.0\"}", "Process is empty in OCI spec");
	check_unreadable("{\"ociVersion\": \"1.0.0\", \"process\": {}}", "Root is empty in OCI spec");
	check_unreadable("{\"ociVersion\": 1, \"process\": {}, \"root\": {}}",
			 "could not decode OCI spec: ociVersion is not a string");
	check_unreadable(SPEC("\"env\": {}", ""), "process.env is not an array");
	check_unreadable(SPEC("\"env\": [1]", ""), "process.env[0] is not a string");
	check_unreadable(SPEC("\"env\": [\"A=1\", \"B\"]", ""), "invalid environment variable: process.env[1], 'B'");
	check_unreadable(SPEC("\"env\": [\"A=\\u0000\"]", ""), "has a NUL character");
	check_unreadable(SPEC("\"Env\": []", ""), "process.env is there in another case");
	check_unreadable(SPEC("\"capabilities\": 1", ""), "process.capabilities is not an object");
	check_unreadable(SPEC("", ", \"mounts\": [1]"), "mounts[0] is not an object");
	check_unreadable(SPEC("", ", \"mounts\": [{}, {\"source\": 1}]"), "mounts[1].source is not a string");
	check_unreadable(SPEC("", ", \"annotations\": {\"a\": 1}"), "annotations.a is not a string");
}

TEST("the root is an absolute path, or one below the bundle")
{
	assert_int_equal(read_container(SPEC("", "")), 0);
	assert_string_equal(container.root, "/bundle/rootfs");
	assert_false(container.privileged);
	assert_int_equal(read_container("{\"ociVersion\": \"x\", \"process\": {}, \"root\": {\"path\": \"/r\"}}"), 0);
	assert_string_equal(container.root, "/r");
}

TEST("CAP_SYS_ADMIN makes a container privileged, in either notation")
{
	assert_int_equal(read_container(SPEC("\"capabilities\": [\"CAP_SYS_ADMIN\"]", "")), 0);
	assert_true(container.privileged);
	assert_int_equal(read_container(SPEC("\"capabilities\": {\"bounding\": null}", "")), 0);
	assert_false(container.privileged);
}

TEST("the last value of a variable counts, and each device once")
{
	assert_int_equal(read_container(SPEC("\"env\": [\"A=1\", \"AB=2\", \"A=3=4\", \"=x\"]", "")), 0);
	assert_string_equal(container_env(&container, "A"), "3=4");
	assert_string_equal(container_env(&container, "AB"), "2");
	assert_null(container_env(&container, "B"));
	check_devices(SPEC("\"env\": [" NVIDIA("0") ", " NVIDIA("1") "]", ""), "", false, "1");
	check_devices(SPEC("\"env\": [" NVIDIA("1,0,1,0") "]", ""), "", false, "1 0");
}

#define TAKE_MOUNTS "accept-nvidia-visible-devices-as-volume-mounts = true\n"

TEST("mounts below NVIDIA's folder name devices, if settings allow it")
{
	/* A component, not a prefix. */
	check_devices(SPEC("", ", \"mounts\": [" MOUNT("/dev/null", AT "X/0") "]"), TAKE_MOUNTS, false, "");
	check_devices(SPEC("", ", \"mounts\": [" MOUNT("/dev//./null", "/var/run/../run/nvidia-container-devices//0/") ", "
			   MOUNT("/dev/null", AT "/0") ", " MOUNT("/dev/zero", AT "/1") ", "
			   MOUNT("dev/null", AT "/2") ", " MOUNT("/dev/null", AT "/../3") "]"),
		      TAKE_MOUNTS, false, "0");
	check_devices(SPEC("", ", \"mounts\": [" MOUNT("/dev/null", AT "/cdi/a/b/c/d") ", "
			   MOUNT("/dev/null", AT "/cdi/a/b=c") ", " MOUNT("/dev/null", AT "/void") "]"),
		      TAKE_MOUNTS, false, "a/b=c/d a/b=c void");
	check_devices(SPEC("", ", \"mounts\": [" MOUNT("/dev/null", AT "/0") "]"), "", false, "");
	assert_int_equal(ask(SPEC("", ", \"mounts\": [" MOUNT("/dev/null", AT "/cdi/a") "]"), TAKE_MOUNTS, false), 0);
	assert_false(request.is_gpu);
	assert_int_equal(request.warnings.n, 1);
	assert_string_equal(request.warnings.word[0], "Ignoring invalid mount request for CDI device: " AT "/cdi/a: it should end with vendor/class/device");
}

#define ANNOTATIONS ", \"annotations\": {\"cdi.k8s.io/b\": \"a/b=2\", \"cdi.k8s.io/a=x\": \"a/b=1,a/b=2\", \"other\": \"z\"}"

TEST("annotations go before mounts, and mounts before variables")
{
	static const char all[] =
		SPEC("\"env\": [" NVIDIA("0") "]",
		     ", \"mounts\": [" MOUNT("/dev/null", AT "/1") ", " MOUNT("/dev/null", AT "/imex/5") "]" ANNOTATIONS);
	struct strv names = { 0 };

	check_devices(all, TAKE_MOUNTS, true, "a/b=1 a/b=2 a/b=2");
	check_devices(all, TAKE_MOUNTS, false, "1");
	check_devices(all, "", false, "0");
	check_devices(all, "[nvidia-container-runtime.modes.cdi]\nannotation-prefixes = []\n", true, "0");
	check_devices(all, "", ANNOTATIONS_OF_CDI, "a/b=1 a/b=2 a/b=2");
	check_devices(SPEC("\"env\": [" NVIDIA("0") "]",
			   ", \"annotations\": {\"cdi.k8s.io/a\": \"a/b=1,2\"}"),
		      "", ANNOTATIONS_OF_CDI, "0");
	/*
	 * Devices by CDI names are there once, and channels of mounts count beside
	 * annotations.
	 */
	assert_int_equal(ask(all, TAKE_MOUNTS, true), 0);
	assert_int_equal(request_name_devices(&request, "a/b", &names, why), 0);
	assert_int_equal(names.n, 2);
	assert_true(request_is_cdi(&request));
	assert_int_equal(request.imex.n, 1);
	assert_string_equal(request.imex.word[0], "5");
	strv_free(&names);
}

static void check_asked(const char *env, const char *toml, const char *sentence)
{
	char config[1024];

	snprintf(config, sizeof(config), SPEC("%s", ""), env);
	assert_true(ask(config, toml, false) < 0);
	if (!strstr(why, sentence))
		fail_msg("%s: %s, not %s", env, why, sentence);
}

TEST("a request that is wrong or not permitted is refused")
{
	check_asked("\"env\": [" NVIDIA("all") ", \"NVIDIA_MIG_CONFIG_DEVICES=all\"]", "",
		    "cannot set MIG_CONFIG_DEVICES in non privileged container");
	check_asked("\"env\": [" NVIDIA("all") ", \"NVIDIA_MIG_MONITOR_DEVICES=all\"]", "",
		    "cannot set MIG_MONITOR_DEVICES in non privileged container");
	check_asked("\"env\": [" NVIDIA("all") ", \"NVIDIA_DRIVER_CAPABILITIES=video,none\"]",
		    "supported-driver-capabilities = 'utility,video'",
		    "unsupported capabilities found in 'none,video' (allowed 'utility,video')");
	check_asked("\"env\": [" NVIDIA("all") ", \"CUDA_VERSION=latest\"]", "", "failed to get requirements");
	check_asked(PRIVILEGED "\"env\": [" NVIDIA("all") ", \"CUDA_VERSION=1.4294967296\"]", "",
		    "failed to get requirements");
}

TEST("variables of unprivileged containers can be ignored, with a warning")
{
	static const char toml[] = "accept-nvidia-visible-devices-envvar-when-unprivileged = false\n"
				   "swarm-resource = 'A,B'\n";

	assert_int_equal(ask(SPEC("\"env\": [\"A=0\", \"B=1\"]", ""), toml, false), 0);
	assert_false(request.is_gpu);
	assert_string_equal(request.warnings.word[0], "Ignoring devices requested by environment variable(s) in unprivileged container: [A B]");
	/* Nothing was asked for: nothing is said. */
	assert_int_equal(ask(SPEC("\"env\": [\"A=\"]", ""), toml, false), 0);
	assert_int_equal(request.warnings.n, 0);
	/* An old image's default is a wish of a variable, too. */
	check_devices(SPEC("\"env\": [\"CUDA_VERSION=9.0\"]", ""), toml, false, "");
	check_devices(SPEC(PRIVILEGED "\"env\": [\"A=0\", \"B=1\"]", ""), toml, false, "0 1");
}

TEST("a request names the variables that it comes from")
{
	assert_int_equal(ask(SPEC("\"env\": [" NVIDIA("0,1") ", \"NVIDIA_DRIVER_CAPABILITIES=utility\"]", ""), "", false), 0);
	assert_string_equal(request.source, "NVIDIA_VISIBLE_DEVICES=0,1");
	assert_string_equal(request.capabilities_source, "NVIDIA_DRIVER_CAPABILITIES=utility");
	assert_int_equal(ask(SPEC("\"env\": [\"CUDA_VERSION=9.0\"]", ""), "", false), 0);
	assert_string_equal(request.source, "CUDA_VERSION=9.0 without NVIDIA_REQUIRE_CUDA");
}

/* An image cannot forge lines of a log, or steer a terminal. */
TEST("control characters of an image do not get into messages")
{
	assert_int_equal(ask(SPEC("\"env\": [" NVIDIA("0\\n\\u001b[2J\\u009b") ", \"NVIDIA_DRIVER_CAPABILITIES=utility,\\n\"]", ""), "", false), 0);
	assert_string_equal(request.source, "NVIDIA_VISIBLE_DEVICES=0??[2J??");
	assert_string_equal(request.capabilities_source, "NVIDIA_DRIVER_CAPABILITIES=utility,?");
	assert_int_equal(ask(SPEC("", ", \"mounts\": [" MOUNT("/dev/null", AT "/cdi/a\\nb") "]"), TAKE_MOUNTS, false), 0);
	assert_null(strchr(request.warnings.word[0], '\n'));
	check_asked("\"env\": [" NVIDIA("0") ", \"NVIDIA_DRIVER_CAPABILITIES=a\\tb\"]", "",
		    "unsupported capabilities found in 'a?b'");
}

TEST("requirements come in the order of names, or none if disabled")
{
	/* Variables are sorted by name, the last of each; an old image's comes last. */
	assert_int_equal(ask(SPEC("\"env\": [" NVIDIA("all") ", \"NVIDIA_REQUIRE_B=b\", \"NVIDIA_REQUIRE_AB=ab\", \"NVIDIA_REQUIRE_A=a=1\", \"NVIDIA_REQUIRE_B=c\", \"CUDA_VERSION=v11.6.2-rc1+x\", \"NVIDIA_REQUIRE_JETPACKS=x\"]", ""), "", false), 0);
	assert_int_equal(request.requirements.n, 4);
	assert_string_equal(request.requirements.word[0], "a=1");
	assert_string_equal(request.requirements.word[1], "ab");
	assert_string_equal(request.requirements.word[2], "c");
	assert_string_equal(request.requirements.word[3], "cuda>=11.6");
	assert_int_equal(ask(SPEC("\"env\": [" NVIDIA("all") ", \"NVIDIA_REQUIRE_A=a\", \"CUDA_VERSION=x\"]", ""), "disable-require = true", false), 0);
	assert_int_equal(request.requirements.n, 0);
}

TEST("too many requirements are refused")
{
	char config[4096] = "{\"ociVersion\": \"1.0.2\", \"root\": {}, \"process\": {\"env\": [" NVIDIA("all");
	size_t i;

	for (i = 0; i < 33; i++)
		snprintf(config + strlen(config), sizeof(config) - strlen(config),
			 ", \"NVIDIA_REQUIRE_%zu=cuda>=1\"", i);
	strcat(config, "]}}");
	assert_int_equal(ask(config, "", false), -E2BIG);
	assert_int_equal(strncmp(why, "too many requirements", 21), 0);
}

TEST("IMEX channels of mounts go before those of the variable")
{
	static const char config[] =
		SPEC("\"env\": [" NVIDIA("all") ", \"NVIDIA_IMEX_CHANNELS=7\"]",
		     ", \"mounts\": [" MOUNT("/dev/null", AT "/imex/5") "]");

	assert_int_equal(ask(config, TAKE_MOUNTS, false), 0);
	assert_string_equal(request.imex.word[0], "5");
	assert_int_equal(ask(config, "", false), 0);
	assert_string_equal(request.imex.word[0], "7");
	assert_int_equal(ask(config, TAKE_MOUNTS "[features]\nignore-imex-channel-requests = true\n", false), 0);
	assert_int_equal(request.imex.n, 0);
}

TEST("variables that CDI does not read refuse nothing")
{
	assert_true(ask(SPEC("\"env\": [" NVIDIA("a/b=0") ", \"NVIDIA_DRIVER_CAPABILITIES=none\", \"NVIDIA_MIG_CONFIG_DEVICES=all\", \"CUDA_VERSION=x\"]", ""), "", false) < 0);
	request_free(&request);
	assert_int_equal(request_read(&request, &container, &settings, false, why), 0);
	assert_true(request_is_cdi(&request));
	/* A container that asks for no GPU is not looked at. */
	check_devices(SPEC("\"env\": [\"NVIDIA_MIG_CONFIG_DEVICES=all\", \"NVIDIA_DRIVER_CAPABILITIES=none\"]", ""), "", false, "");
}

TEST("a feature is on only if its variable says enabled")
{
	assert_int_equal(ask(SPEC("\"env\": [" NVIDIA("all") ", \"NVIDIA_NVSWITCH=enabled\", \"NVIDIA_GDS=enabled\", \"NVIDIA_MOFED=Enabled\"]", ""), "", false), 0);
	assert_int_equal(request.gated.n, 2);
	assert_string_equal(request.gated.word[0], "mode=gds");
	assert_string_equal(request.gated.word[1], "mode=nvswitch");
}

TEST("two vendors cannot be mixed, and mixed names are no CDI request")
{
	struct strv names = { 0 };

	assert_int_equal(ask(SPEC("\"env\": [" NVIDIA("runtime.nvidia.com/gpu=0,nvidia.com/gpu=1") "]", ""), "", false), 0);
	assert_int_equal(request_name_devices(&request, "nvidia.com/gpu", &names, why), -EINVAL);
	assert_non_null(strstr(why, "requesting a CDI device with vendor 'runtime.nvidia.com' is not supported when requesting other CDI devices"));
	strv_free(&names);
	assert_int_equal(ask(SPEC("\"env\": [" NVIDIA("nvidia.com/gpu=0,1") "]", ""), "", false), 0);
	assert_false(request_is_cdi(&request));
	assert_int_equal(ask(SPEC("\"env\": [" NVIDIA("none") "]", ""), "", false), 0);
	assert_false(request_is_cdi(&request));
}

/* A variable "NAME=0,1,2,..." */
static char *long_config(size_t n)
{
	char *text = NULL;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	fprintf(out, "{\"ociVersion\": \"1.0.2\", \"root\": {}, \"process\": {\"env\": [\"NVIDIA_VISIBLE_DEVICES=");
	for (i = 0; i < n; i++)
		fprintf(out, "%zu,", i);
	fprintf(out, "\"]}}");
	fclose(out);
	return text;
}

TEST("too many devices, and too long a list of them, are refused")
{
	char *config = long_config(4096);

	assert_int_equal(ask(config, "", false), 0);
	assert_int_equal(request.devices.n, 4096);
	free(config);
	config = long_config(4097);
	assert_int_equal(ask(config, "", false), -E2BIG);
	assert_string_equal(why, "NVIDIA_VISIBLE_DEVICES: there are more than 4096 devices: name fewer, or all");
	free(config);
	config = long_config(30000);
	assert_int_equal(ask(config, "", false), -E2BIG);
	assert_string_equal(why, "NVIDIA_VISIBLE_DEVICES is longer than 128 KiB, which no program can be given");
	free(config);
}
