// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the GPUs and driver capabilities that a container asks for.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container/image/image.h"
#include "container/request/internal.h"
#include "lib/text.h"
#include "lib/xalloc.h"

#define MAX_REQUIREMENTS	32	/* the limit of nvidia-container-cli */

/* Names of a list, sorted, each once. */
void capabilities_split(struct strv *names, const char *list)
{
	strv_split(names, list, ',');
	strv_sort_once(names);
}

/* Names that two lists have in common; "all" stands for whatever the other has. */
void capabilities_intersect(struct strv *common, const struct strv *a, const struct strv *b)
{
	bool is_all = strv_have(b, "all");
	size_t i;

	if (!is_all && strv_have(a, "all")) {
		a = b;
		is_all = true;
	}
	for (i = 0; i < a->n; i++)
		if (is_all || strv_have(b, a->word[i]))
			strv_add(common, a->word[i]);
}

/* Returns NULL, or the first name that is no capability's. */
const char *capabilities_parse(const struct strv *names, unsigned int *capabilities)
{
	const char *unknown = NULL;
	size_t i;

	*capabilities = 0;
	for (i = 0; i < names->n; i++) {
		unsigned int found = capability_find(names->word[i]);

		*capabilities |= found;
		if (!found && !unknown)
			unknown = names->word[i];
	}
	return unknown;
}

void capabilities_list(struct strv *names, unsigned int capabilities)
{
	size_t bit;

	for (bit = 0; bit < CAPABILITY_COUNT; bit++)
		if (capabilities & 1u << bit)
			strv_add(names, capability_names[bit]);
}

/**
 * struct reader - a container whose request is being read
 * @legacy:	its image is from before NVIDIA_REQUIRE_CUDA, when CUDA_VERSION alone
 *		meant a GPU
 */
struct reader {
	struct request *request;
	const struct container *container;
	const struct settings *settings;
	bool legacy;
	char *why;
};

static const char *env(const struct reader *r, const char *name)
{
	return container_env(r->container, name);
}

static bool is_legacy(const struct reader *r)
{
	const char *version = env(r, "CUDA_VERSION");
	const char *require = env(r, "NVIDIA_REQUIRE_CUDA");

	return version && *version && !(require && *require);
}

/* May its variables be listened to? */
static bool is_trusted(const struct reader *r)
{
	return r->container->privileged || r->settings->accept_env_unprivileged;
}

/* The variables that name devices, in the order in which they count. */
static void find_variables(struct reader *r, struct strv *variables)
{
	const struct strv *swarm = &r->settings->swarm_resources;
	size_t i;

	for (i = 0; i < swarm->n; i++)
		if (env(r, swarm->word[i]))
			strv_add(variables, swarm->word[i]);
	if (!variables->n)
		strv_add(variables, "NVIDIA_VISIBLE_DEVICES");
}

/* "NAME=value NAME=value", for a sentence: it may be cut. */
static char *describe(const struct reader *r, const struct strv *variables)
{
	char *text = NULL;
	size_t size, i;
	FILE *out = xcheck(open_memstream(&text, &size));

	for (i = 0; i < variables->n; i++) {
		const char *value = env(r, variables->word[i]);

		if (value)
			fprintf(out, "%s%s=%.200s", i ? " " : "", variables->word[i], value);
		else
			fprintf(out, "CUDA_VERSION=%.200s without NVIDIA_REQUIRE_CUDA",
				env(r, "CUDA_VERSION"));
	}
	fclose(out);
	return xcheck(text);
}

static void warn_ignored(struct reader *r, const char *what, const char *variables)
{
	strv_add_format(&r->request->warnings, "Ignoring %s by environment variable(s) in unprivileged container: [%s]",
			what, variables);
}

/* Takes @devices and @source over. */
static void take_devices(struct reader *r, struct strv *devices, char *source)
{
	r->request->is_gpu = true;
	r->request->devices = *devices;
	*devices = (struct strv){ 0 };
	text_clean(source);
	r->request->source = source;
}

static int read_variables(struct reader *r)
{
	struct request_list list = { 0 };
	struct strv variables = { 0 };
	char *names;
	int ret;

	find_variables(r, &variables);
	names = strv_join(&variables, " ");
	ret = request_list_variables(&list, r->container, &variables, r->legacy, r->why);
	if (!ret && list.asked && !is_trusted(r))
		warn_ignored(r, "devices requested", names);
	else if (!ret && list.asked)
		take_devices(r, &list.names, describe(r, &variables));
	free(names);
	strv_free(&list.names);
	strv_free(&variables);
	return ret;
}

/* Annotations, then mounts, then variables: the first that name any count alone. */
static int read_devices(struct reader *r, enum request_annotations annotations)
{
	struct strv annotated = { 0 }, mounted = { 0 };
	int ret = 0;

	if (annotations != ANNOTATIONS_IGNORED)
		ret = request_list_annotations(r->container,
					       &r->settings->runtime.cdi_annotation_prefixes,
					       &annotated, r->why);
	if (annotations == ANNOTATIONS_OF_CDI && !request_names_cdi(&annotated))
		strv_free(&annotated);
	if (!ret && r->settings->accept_volume_mounts)
		ret = request_list_mounts(r->container, &mounted, &r->request->imex,
					  &r->request->warnings, r->why);
	/* A pod may write any: without a document, they are worth what variables are. */
	if (!ret && annotated.n && request_is_jit(annotated.word[0]) && !is_trusted(r)) {
		strv_add(&r->request->warnings, "Ignoring devices of " REQUEST_JIT_KIND " by annotations of an unprivileged container");
		strv_free(&annotated);
	}
	if (!ret && annotated.n) {
		take_devices(r, &annotated, xstrdup("its annotations"));
	} else if (!ret && mounted.n) {
		/* The driver without a GPU. */
		if (strv_have(&mounted, "none"))
			strv_free(&mounted);
		take_devices(r, &mounted,
			     xstrdup("mounts below /var/run/nvidia-container-devices"));
	} else if (!ret) {
		ret = read_variables(r);
	}
	strv_free(&annotated);
	strv_free(&mounted);
	return ret;
}

static int read_mig(struct reader *r, const char *variable, const char *what, char **devices)
{
	const char *value = env(r, variable);

	if (!value || !*value)
		return 0;
	if (!r->container->privileged)
		return why_fail(r->why, -EPERM, "cannot set %s in non privileged container: unset %s, or give the container CAP_SYS_ADMIN",
				what, variable);
	*devices = xstrdup(value);
	return 0;
}

/* Chooses capabilities by a list, all of which must be available. */
static int choose_capabilities(struct reader *r, const char *list)
{
	struct strv names = { 0 }, supported = { 0 }, common = { 0 };
	char *wanted, *allowed;
	int ret = 0;

	capabilities_split(&names, list);
	capabilities_list(&supported, r->settings->supported);
	capabilities_intersect(&common, &supported, &names);
	capabilities_parse(&common, &r->request->capabilities);
	if (!strv_have(&names, "all") && common.n != names.n) {
		wanted = strv_join(&names, ",");
		allowed = strv_join(&supported, ",");
		ret = why_fail(r->why, -EINVAL, "unsupported capabilities found in '%.256s' (allowed '%s')",
			       wanted, allowed);
		free(wanted);
		free(allowed);
	}
	strv_free(&names);
	strv_free(&supported);
	strv_free(&common);
	return ret;
}

static int read_capabilities(struct reader *r)
{
	static const char variable[] = "NVIDIA_DRIVER_CAPABILITIES";
	const char *list = env(r, variable);
	struct request *request = r->request;
	char **source = &request->capabilities_source;
	int ret = 0;

	if (list && *list) {
		ret = choose_capabilities(r, list);
		*source = xasprintf("%s=%.200s", variable, list);
	} else if (!list && r->legacy) {
		request->capabilities = r->settings->supported;
		*source = xasprintf("%s is not set, and the image has no NVIDIA_REQUIRE_CUDA: all",
				    variable);
	} else {
		request->capabilities = CAPABILITY_DEFAULT & r->settings->supported;
		*source = xasprintf("%s is %s: compute,utility", variable,
				    list ? "empty" : "not set");
	}
	text_clean(*source);
	return ret;
}

static bool is_requirement(const char *entry)
{
	return !strncmp(entry, "NVIDIA_REQUIRE_", 15) &&
	       strncmp(entry, "NVIDIA_REQUIRE_JETPACK", 22) != 0;
}

static int compare_names(const char *a, const char *b)
{
	size_t a_len = strcspn(a, "="), b_len = strcspn(b, "=");
	int ret = strncmp(a, b, a_len < b_len ? a_len : b_len);

	return ret ? ret : (a_len > b_len) - (a_len < b_len);
}

/* Sorts by name, and by the order in which entries of one name are set. */
static int compare_entries(const void *a, const void *b)
{
	char *const *left = *(char **const *)a, *const *right = *(char **const *)b;
	int ret = compare_names(*left, *right);

	return ret ? ret : (left > right) - (left < right);
}

/* Variables of requirements by name; the last of a name counts. */
static int add_requirements(struct reader *r)
{
	const struct strv *all = &r->container->env;
	char ***entries = xcalloc(all->n + 1, sizeof(*entries));
	size_t i, n = 0;

	for (i = 0; i < all->n; i++)
		if (is_requirement(all->word[i]))
			entries[n++] = &all->word[i];
	qsort(entries, n, sizeof(*entries), compare_entries);
	for (i = 0; i < n; i++)
		if (i + 1 == n || compare_names(*entries[i], *entries[i + 1]))
			strv_add(&r->request->requirements, strchr(*entries[i], '=') + 1);
	free(entries);
	if (r->request->requirements.n > MAX_REQUIREMENTS)
		return why_fail(r->why, -E2BIG, "too many requirements: the container has more than %u variables NVIDIA_REQUIRE_...",
				MAX_REQUIREMENTS);
	return 0;
}

static int add_legacy_requirement(struct reader *r)
{
	const char *text = env(r, "CUDA_VERSION");
	struct version version;

	if (version_parse(&version, text) || version.number[0] > UINT32_MAX ||
	    version.number[1] > UINT32_MAX)
		return why_fail(r->why, -EINVAL, "failed to get requirements: CUDA_VERSION=%.100s is not a version: correct it, or set NVIDIA_DISABLE_REQUIRE=1",
				text);
	strv_add_format(&r->request->requirements, "cuda>=%u.%u",
			(unsigned int)version.number[0], (unsigned int)version.number[1]);
	return 0;
}

/* The channels of mounts have been read with the devices. */
static int read_imex(struct reader *r)
{
	static char name[] = "NVIDIA_IMEX_CHANNELS";
	struct strv variable = { (char *[]){ name, NULL }, 1 };
	struct request_list list = { 0 };
	struct strv *imex = &r->request->imex;
	int ret;

	if (r->settings->features.ignore_imex_channel_requests)
		strv_free(imex);
	if (imex->n || r->settings->features.ignore_imex_channel_requests)
		return 0;
	ret = request_list_variables(&list, r->container, &variable, false, r->why);
	/* "all" is no channel, and what older images said without a thought of IMEX. */
	if (strv_have(&list.names, "all"))
		strv_free(&list.names);
	if (!ret && list.names.n && !is_trusted(r)) {
		warn_ignored(r, "request", name);
	} else if (!ret) {
		*imex = list.names;
		list.names = (struct strv){ 0 };
	}
	strv_free(&list.names);
	return ret;
}

static void read_gated(struct reader *r)
{
	static const char *const gates[] = {
		"NVIDIA_GDS", "NVIDIA_MOFED", "NVIDIA_GDRCOPY", "NVIDIA_NVSWITCH",
	};
	size_t i;

	for (i = 0; i < sizeof(gates) / sizeof(*gates); i++) {
		const char *value = env(r, gates[i]);

		if (!value || strcmp(value, "enabled") != 0)
			continue;
		if (is_trusted(r))
			strv_add(&r->request->gated, gates[i]);
		else
			warn_ignored(r, "request", gates[i]);
	}
}

#define MIB	(1u << 20)

static int read_mib(const char *name, const char *text, uint64_t *bytes, char why[WHY_SIZE])
{
	unsigned long long n;

	errno = 0;
	n = strtoull(text, NULL, 10);
	if (!*text || text[strspn(text, "0123456789")] || errno || n > UINT64_MAX / MIB)
		return why_fail(why, -EINVAL, "%s: '%.64s' is not a number of MiB: write 4096 for 4 GiB",
				name, text);
	*bytes = n * MIB;
	return 0;
}

int gpu_memory_read(struct gpu_memory *memory, const char *request, const char *limit,
		    char why[WHY_SIZE])
{
	int ret = 0;

	*memory = (struct gpu_memory){ .asked = request || limit, .max = GPU_MEMORY_ALL };
	if (limit)
		ret = read_mib(GPU_MEMORY_LIMIT, limit, &memory->max, why);
	memory->min = memory->max;
	if (!ret && request)
		ret = read_mib(GPU_MEMORY_REQUEST, request, &memory->min, why);
	if (!ret && memory->min > memory->max)
		ret = why_fail(why, -EINVAL, GPU_MEMORY_REQUEST ": %" PRIu64 " MiB are above the %" PRIu64 " MiB of " GPU_MEMORY_LIMIT ": ask for less",
			       memory->min / MIB, memory->max / MIB);
	return ret;
}

static struct reader make_reader(struct request *request, const struct container *container,
				 const struct settings *settings, char *why)
{
	struct reader r = {
		.request = request, .container = container,
		.settings = settings, .why = why,
	};

	r.legacy = is_legacy(&r);
	return r;
}

int request_read(struct request *request, const struct container *container,
		 const struct settings *settings, enum request_annotations annotations,
		 char why[WHY_SIZE])
{
	struct reader r = make_reader(request, container, settings, why);
	int ret;

	*request = (struct request){ 0 };
	ret = read_devices(&r, annotations);
	if (!request->is_gpu)
		strv_free(&request->imex);
	if (ret || !request->is_gpu)
		return ret;
	ret = read_imex(&r);
	if (ret)
		return ret;
	read_gated(&r);
	return gpu_memory_read(&request->memory, env(&r, GPU_MEMORY_REQUEST),
			       env(&r, GPU_MEMORY_LIMIT), why);
}

int request_read_details(struct request *request, const struct container *container,
			 const struct settings *settings, char why[WHY_SIZE])
{
	struct reader r = make_reader(request, container, settings, why);
	int ret;

	if (!request->is_gpu)
		return 0;
	ret = read_mig(&r, "NVIDIA_MIG_CONFIG_DEVICES", "MIG_CONFIG_DEVICES", &request->mig_config);
	if (!ret)
		ret = read_mig(&r, "NVIDIA_MIG_MONITOR_DEVICES", "MIG_MONITOR_DEVICES",
			       &request->mig_monitor);
	if (!ret)
		ret = read_capabilities(&r);
	if (ret || settings->disable_require || text_truth(env(&r, "NVIDIA_DISABLE_REQUIRE") ?: "") > 0)
		return ret;
	ret = add_requirements(&r);
	return ret || !r.legacy ? ret : add_legacy_requirement(&r);
}

void request_free(struct request *request)
{
	strv_free(&request->devices);
	strv_free(&request->requirements);
	strv_free(&request->imex);
	strv_free(&request->gated);
	strv_free(&request->warnings);
	free(request->mig_config);
	free(request->mig_monitor);
	free(request->source);
	free(request->capabilities_source);
	*request = (struct request){ 0 };
}
