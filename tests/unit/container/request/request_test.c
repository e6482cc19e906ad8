// SPDX-License-Identifier: GPL-2.0-only
/*
 * container/image/spec.c and container/request/request.c: what the vectors do not show:
 * sentences, what goes before what, where we differ from existing tools, bounds.
 */
#include "container/request/request.h"
#include "lib/json_file.h"
#include "tests/unit/unit.h"

static struct container container;
static struct settings settings;
static struct request request;
static char why[WHY_SIZE], found[16384];

static int forget(void)
{
	request_free(&request);
	container_free(&container);
	settings_free(&settings);
	return 0;
}

TEST_EACH(NULL, forget)

/* Reads @text, in which ' stands for ". */
static int read_container(const char *text)
{
	char *json = strdup(text), *at;
	struct json_object *config;
	int ret;

	for (at = json; (at = strchr(at, '\'')); )
		*at = '"';
	container_free(&container);
	if (json_file_parse(json, strlen(json), &config, why))
		fail_msg("%s: %s", text, why);
	ret = container_read(&container, config, "/bundle", why);
	json_object_put(config);
	free(json);
	return ret;
}

/* Return: as request_read(), or as request_read_details(), which comes then. */
static int ask(const char *config, const char *toml, enum request_annotations annotations)
{
	int ret;

	forget();
	if (settings_parse(&settings, toml, strlen(toml), why) || read_container(config))
		fail_msg("%s, %s: %s", config, toml, why);
	ret = request_read(&request, &container, &settings, annotations, why);
	return ret ?: request_read_details(&request, &container, &settings, why);
}

static void tell(const char *word, const char *text)
{
	snprintf(found + strlen(found), sizeof(found) - strlen(found), "%s %s\n", word, text);
}

static void tell_words(const char *name, const struct strv *words)
{
	char text[512] = "";
	size_t i;

	for (i = 0; i < words->n; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i ? " " : "",
			 words->word[i]);
	tell(name, text);
}

/* Puts what was read into @found, in lines. */
static void tell_request(int ret)
{
	struct strv names = { 0 };

	if (ret)
		tell("refused", why);
	tell("root", container.root);
	tell("privileged", container.privileged ? "yes" : "no");
	tell("GPU", request.is_gpu ? "yes" : "no");
	tell("cdi", request_names_cdi(&request.devices) ? "yes" : "no");
	tell("source", request.source ?: "");
	tell("by", request.capabilities_source ?: "");
	tell_words("devices", &request.devices);
	tell_words("imex", &request.imex);
	tell_words("requirements", &request.requirements);
	tell_words("gated", &request.gated);
	tell_words("warnings", &request.warnings);
	if (request_name_devices(&request, "nvidia.com/gpu", &names, why))
		tell("names", why);
	else
		tell_words("names", &names);
	strv_free(&names);
}

#define AT "/var/run/nvidia-container-devices"
#define MOUNT(source, at) "{'source': '" source "', 'destination': '" at "'}"
#define MOUNTED(at) MOUNT("/dev/null", AT at)
#define MOUNTS(list) ", 'mounts': [" list "]"
#define SPEC(process, rest) \
	"{'ociVersion': '1.0.2', 'root': {'path': 'rootfs'}, 'process': {" process "}" rest "}"
#define ENV(list) SPEC("'env': [" list "]", "")
#define GPUS(devices) "'NVIDIA_VISIBLE_DEVICES=" devices "'"
#define PRIVILEGED "'capabilities': {'bounding': ['CAP_SYS_ADMIN']}, "
#define TAKE_MOUNTS "accept-nvidia-visible-devices-as-volume-mounts = true\n"
#define UNPRIVILEGED "accept-nvidia-visible-devices-envvar-when-unprivileged = false\n" \
		     "swarm-resource = 'A,B'\n"
/* Three wishes at once. */
#define ALL_WAYS SPEC("'env': [" GPUS("0") "]", MOUNTS(MOUNTED("/1") ", " MOUNTED("/imex/5")) \
	", 'annotations': {'cdi.k8s.io/b': 'aa/bb=2', 'cdi.k8s.io/a=x': 'aa/bb=1,aa/bb=2', 'other': 'z'}")
#define IMEX SPEC("'env': [" GPUS("all") ", 'NVIDIA_IMEX_CHANNELS=7']", MOUNTS(MOUNTED("/imex/5")))

static const struct row {
	const char *config, *toml;
	enum request_annotations annotations;
	const char *wanted;
} rows[] = {
	{ SPEC("", ""), "", 0, "root /bundle/rootfs\nprivileged no\nGPU no" },
	{ "{'ociVersion': 'x', 'process': {}, 'root': {'path': '/r'}}", "", 0, "root /r" },
	/* The last value of a variable counts, and each device once. */
	{ ENV(GPUS("0") ", " GPUS("1")), "", 0, "devices 1" },
	{ ENV(GPUS("1,0,1,0")), "", 0, "devices 1 0" },
	/* A mount is below NVIDIA's folder by whole components, and by its real path. */
	{ SPEC("", MOUNTS(MOUNTED("X/0"))), TAKE_MOUNTS, 0, "devices " },
	{ SPEC("", MOUNTS(MOUNT("/dev//./null", "/var/run/../run/nvidia-container-devices//0/") ", "
			  MOUNTED("/0") ", " MOUNT("/dev/zero", AT "/1") ", "
			  MOUNT("dev/null", AT "/2") ", " MOUNTED("/../3"))), TAKE_MOUNTS, 0, "devices 0" },
	{ SPEC("", MOUNTS(MOUNTED("/cdi/aa/bb/c/d") ", " MOUNTED("/cdi/aa/bb=c") ", " MOUNTED("/void"))),
	  TAKE_MOUNTS, 0, "devices aa/bb=c/d aa/bb=c void" },
	{ SPEC("", MOUNTS(MOUNTED("/0"))), "", 0, "devices " },
	{ SPEC("", MOUNTS(MOUNTED("/cdi/a"))), TAKE_MOUNTS, 0,
	  "GPU no\nwarnings Ignoring invalid mount request for CDI device: " AT "/cdi/a: it should end with vendor/class/device" },
	/* Annotations go before mounts, and mounts before variables; channels are of mounts, too. */
	{ ALL_WAYS, TAKE_MOUNTS, true, "devices aa/bb=1 aa/bb=2 aa/bb=2\nnames aa/bb=1 aa/bb=2\ncdi yes\nimex 5" },
	{ ALL_WAYS, TAKE_MOUNTS, false, "devices 1" },
	{ ALL_WAYS, "", false, "devices 0" },
	{ ALL_WAYS, "[nvidia-container-runtime.modes.cdi]\nannotation-prefixes = []\n", true, "devices 0" },
	{ ALL_WAYS, "", ANNOTATIONS_OF_CDI, "devices aa/bb=1 aa/bb=2 aa/bb=2" },
	{ SPEC("'env': [" GPUS("0") "]", ", 'annotations': {'cdi.k8s.io/a': 'aa/bb=1,2'}"), "",
	  ANNOTATIONS_OF_CDI, "devices 0" },
	{ IMEX, TAKE_MOUNTS, 0, "imex 5" },
	{ IMEX, "", 0, "imex 7" },
	{ IMEX, TAKE_MOUNTS "[features]\nignore-imex-channel-requests = true\n", 0, "imex " },
	/* Wrong, or not permitted. */
	{ ENV(GPUS("all") ", 'NVIDIA_MIG_CONFIG_DEVICES=all'"), "", 0,
	  "refused cannot set MIG_CONFIG_DEVICES in non privileged container.." },
	{ ENV(GPUS("all") ", 'NVIDIA_MIG_MONITOR_DEVICES=all'"), "", 0,
	  "refused cannot set MIG_MONITOR_DEVICES in non privileged container.." },
	{ ENV(GPUS("all") ", 'NVIDIA_DRIVER_CAPABILITIES=video,none'"),
	  "supported-driver-capabilities = 'utility,video'", 0,
	  "refused unsupported capabilities found in 'none,video' (allowed 'utility,video').." },
	{ ENV(GPUS("all") ", 'CUDA_VERSION=latest'"), "", 0, "refused failed to get requirements.." },
	{ SPEC(PRIVILEGED "'env': [" GPUS("all") ", 'CUDA_VERSION=1.4294967296']", ""), "", 0,
	  "refused failed to get requirements.." },
	/* Variables of the unprivileged can be ignored; an old image's default is one, too. */
	{ ENV("'A=0', 'B=1'"), UNPRIVILEGED, 0,
	  "GPU no\nwarnings Ignoring devices requested by environment variable(s) in unprivileged container: [A B]" },
	{ ENV("'A='"), UNPRIVILEGED, 0, "warnings " },
	{ ENV("'CUDA_VERSION=9.0'"), UNPRIVILEGED, 0, "devices " },
	{ SPEC(PRIVILEGED "'env': ['A=0', 'B=1']", ""), UNPRIVILEGED, 0, "devices 0 1" },
	/* Sources are named. An image cannot forge lines of a log, or steer a terminal. */
	{ ENV(GPUS("0,1") ", 'NVIDIA_DRIVER_CAPABILITIES=utility'"), "", 0,
	  "source NVIDIA_VISIBLE_DEVICES=0,1\nby NVIDIA_DRIVER_CAPABILITIES=utility" },
	{ ENV("'CUDA_VERSION=9.0'"), "", 0, "source CUDA_VERSION=9.0 without NVIDIA_REQUIRE_CUDA" },
	{ ENV(GPUS("0\\n\\u001b[2J\\u009b") ", 'NVIDIA_DRIVER_CAPABILITIES=utility,\\n'"), "", 0,
	  "source NVIDIA_VISIBLE_DEVICES=0??[2J??\nby NVIDIA_DRIVER_CAPABILITIES=utility,?" },
	{ SPEC("", MOUNTS(MOUNTED("/cdi/a\\nb"))), TAKE_MOUNTS, 0,
	  "warnings Ignoring invalid mount request for CDI device: " AT "/cdi/a?b: .." },
	{ ENV(GPUS("0") ", 'NVIDIA_DRIVER_CAPABILITIES=a\\tb'"), "", 0,
	  "refused unsupported capabilities found in 'a?b'.." },
	/* Requirements are sorted by variable, the last of each; an old image's comes last. */
	{ ENV(GPUS("all") ", 'NVIDIA_REQUIRE_B=b', 'NVIDIA_REQUIRE_AB=ab', 'NVIDIA_REQUIRE_A=a=1', 'NVIDIA_REQUIRE_B=c', 'CUDA_VERSION=v11.6.2-rc1+x', 'NVIDIA_REQUIRE_JETPACKS=x'"),
	  "", 0, "requirements a=1 ab c cuda>=11.6" },
	{ ENV(GPUS("all") ", 'NVIDIA_REQUIRE_A=a', 'CUDA_VERSION=x'"), "disable-require = true", 0, "requirements " },
	/* Variables that CDI does not read are no reason of its own; no GPU, no look. */
	{ ENV(GPUS("aa/bb=0") ", 'NVIDIA_DRIVER_CAPABILITIES=none', 'NVIDIA_MIG_CONFIG_DEVICES=all', 'CUDA_VERSION=x'"),
	  "", 0, "refused ..\ncdi yes" },
	{ ENV("'NVIDIA_MIG_CONFIG_DEVICES=all', 'NVIDIA_DRIVER_CAPABILITIES=none'"), "", 0, "GPU no\ndevices " },
	{ ENV(GPUS("all") ", 'NVIDIA_NVSWITCH=enabled', 'NVIDIA_GDS=enabled', 'NVIDIA_MOFED=Enabled'"), "", 0,
	  "gated NVIDIA_GDS NVIDIA_NVSWITCH" },
	/* Two vendors cannot be mixed; a mix of names is no request of CDI's. */
	{ ENV(GPUS("runtime.nvidia.com/gpu=0,nvidia.com/gpu=1")), "", 0,
	  "names requesting a CDI device with vendor 'runtime.nvidia.com' is not supported when requesting other CDI devices.." },
	{ ENV(GPUS("nvidia.com/gpu=0,1")), "", 0, "cdi no" },
	{ ENV(GPUS("none")), "", 0, "cdi no" },
};

TEST("a request is what its variables, mounts and annotations say, as the settings let them")
{
	int ret;

	each_row(row, rows) {
		ret = ask(row->config, row->toml, row->annotations);
		*found = '\0';
		tell_request(ret);
		if (ret < 0 && !strstr(row->wanted, "refused"))
			fail_msg("%s: %s", row->config, why);
		unit_lines(row->config, found, row->wanted);
	}
}

TEST("a configuration that cannot be read is refused with the reason")
{
	static const struct {
		const char *config, *sentence;
	} texts[] = {
		{ "[]", "could not decode OCI spec: it is not an object" },
		{ "{}", "Version is empty in OCI spec" },
		{ "{'ociVersion': ''}", "Version is empty in OCI spec" },
		{ "{'ociVersion': '1.0.0'}", "Process is empty in OCI spec" },
		{ "{'ociVersion': '1.0.0', 'process': {}}", "Root is empty in OCI spec" },
		{ "{'ociVersion': 1, 'process': {}, 'root': {}}",
		  "could not decode OCI spec: ociVersion is not a string" },
		{ SPEC("'env': {}", ""), "process.env is not an array" },
		{ SPEC("'env': [1]", ""), "process.env[0] is not a string" },
		{ ENV("'A=1', 'B'"), "invalid environment variable: process.env[1], 'B'" },
		{ ENV("'A=\\u0000'"), "has a NUL character" },
		{ SPEC("'Env': []", ""), "process.env is there in another case" },
		{ SPEC("'capabilities': 1", ""), "process.capabilities is not an object" },
		{ SPEC("", MOUNTS("1")), "mounts[0] is not an object" },
		{ SPEC("", MOUNTS("{}, {'source': 1}")), "mounts[1].source is not a string" },
		{ SPEC("", ", 'annotations': {'a': 1}"), "annotations.a is not a string" },
	};

	each_row(row, texts)
		if (read_container(row->config) >= 0 || !strstr(why, row->sentence))
			fail_msg("%s: %s", row->config, why);
}

TEST("a container has the last value of each variable; null capabilities are none")
{
	assert_int_equal(read_container(ENV("'A=1', 'AB=2', 'A=3=4', '=x'")), 0);
	assert_string_equal(container_env(&container, "A"), "3=4");
	assert_string_equal(container_env(&container, "AB"), "2");
	assert_null(container_env(&container, "B"));
	assert_int_equal(read_container(SPEC("'capabilities': {'bounding': null}", "")), 0);
	assert_false(container.privileged);
}

/* Asks with variables that repeat @format with 0, 1, 2..., @n times. @says: "": they are taken. */
static void expect_many(const char *before, const char *format, size_t n, const char *says)
{
	char *text = NULL;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	fprintf(out, "{'ociVersion': '1.0.2', 'root': {}, 'process': {'env': [%s", before);
	for (i = 0; i < n; i++)
		fprintf(out, format, i);
	fprintf(out, "']}}");
	fclose(out);
	assert_int_equal(ask(text, "", false), *says ? -E2BIG : 0);
	if (*says)
		assert_memory_equal(why, says, strlen(says));
	free(text);
}

TEST("too many devices or requirements, and too long a list of them, are refused")
{
	static const char devices[] = "'NVIDIA_VISIBLE_DEVICES=";

	expect_many(devices, "%zu,", 4096, "");
	assert_int_equal(request.devices.n, 4096);
	expect_many(devices, "%zu,", 4097, "NVIDIA_VISIBLE_DEVICES: there are more than 4096 devices: name fewer, or all");
	expect_many(devices, "%zu,", 30000, "NVIDIA_VISIBLE_DEVICES is longer than 128 KiB, which no program can be given");
	expect_many("'NVIDIA_VISIBLE_DEVICES=all", "', 'NVIDIA_REQUIRE_%zu=cuda>=1", 33, "too many requirements");
}
