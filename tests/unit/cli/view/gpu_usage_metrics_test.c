// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of cli/view/gpu_usage_metrics.c: what is said of GPUs, and of who uses them.
 */
#include "cli/view/internal.h"
#include "tests/unit/unit.h"

#define MIB	(1ull << 20)
#define WHOLE	0xffffffff	/* a GPU without instances */

/* host/owner.c has them, and reads /proc. */
const char *const owner_kind_names[OWNER_KINDS] = {
	"plain", "unit", "slurm", "container", "docker", "containerd", "crio", "podman",
};

static const struct owner nobody;
static const struct owner hidden;
static const struct owner web = {
	.kind = OWNER_DOCKER, .id = "aaaa", .container = "web \"1\"\\",
};
static const struct owner pod_one = {
	.kind = OWNER_CONTAINERD, .id = "bbbb", .container = "main", .pod = "train-0",
	.namespace = "ml", .pod_uid = "11-22",
};
static const struct owner pod_two = {
	.kind = OWNER_CONTAINERD, .id = "cccc", .container = "side", .pod = "train-0",
	.namespace = "ml", .pod_uid = "11-22",
};
static const struct owner job = {
	.kind = OWNER_SLURM, .unit = "slurmstepd.scope", .job = "42", .step = "batch",
};
static const struct owner rootless = {
	.kind = OWNER_DOCKER, .id = "aaaa", .container = "web \"1\"\\", .uid = 5,
};
static const struct owner unit = { .kind = OWNER_UNIT, .unit = "x.service" };

static const struct host_process process[] = {
	{ .pid = 100, .own_pid = 1, .user = "root", .name = "nginx", .owner = &web },
	{ .pid = 101, .own_pid = 7, .user = "root", .name = "train", .owner = &pod_one },
	{ .pid = 102, .own_pid = 7, .user = "root", .name = "side", .owner = &pod_two },
	{ .pid = 103, .own_pid = 103, .user = "jo", .name = "svc", .owner = &unit },
	{ .pid = 104, .own_pid = 104, .uid = 5, .user = "jo", .name = "\xff", .owner = &nobody },
	{ .pid = 105, .uid = -1, .owner = &nobody, .is_gone = true },
	{ .pid = 106, .own_pid = 106, .uid = -1, .owner = &hidden },
	{ .pid = 107, .own_pid = 107, .uid = 6, .user = "jo", .owner = &nobody },
	{ .pid = 108, .own_pid = 108, .user = "ed", .name = "svc", .owner = &unit },
	{ .pid = 109, .own_pid = 109, .user = "jo", .name = "mpi", .owner = &job },
	{ .pid = 110, .own_pid = 110, .user = "jo", .name = "web", .owner = &rootless },
	{ .pid = 111, .own_pid = 111, .user = "ed", .name = "web", .owner = &rootless },
};

/* Labels of everything that is about a GPU. */
#define GPU0	"gpu=\"0\",uuid=\"GPU-a\",model=\"H200\",hostname=\"node1\""
#define GPU1	"gpu=\"1\",uuid=\"\",model=\"\",hostname=\"node1\""
#define GPU2	"gpu=\"2\",uuid=\"\",model=\"\",hostname=\"node1\""	/* it refused */

#define USE(on, who, mib, sm) { .gpu = on, .gpu_instance = WHOLE, \
	.compute_instance = WHOLE, .has_memory = true, .memory = (mib) * MIB, \
	.utilisation = { [RM_ENGINE_SM] = sm }, .process = &process[who] }

static struct usage_process uses[] = {
	USE(0, 0, 30, 2500), USE(0, 1, 10, 100), USE(0, 2, 5, 50), USE(0, 3, 3, 0),
	USE(0, 4, 2, 0), USE(0, 5, 1, 0), USE(1, 1, 20, 10000),
};

static struct usage fixture(void)
{
	static struct recent changing;	/* what is read anew of processes, if a metric has it */
	struct usage usage = {
		.uses = &changing,
		.host = "node1", .driver = "580.1", .n_gpus = 3, .processes = uses, .n_processes = 7,
		.gpus = {
			{ .gpu = { .domain = 0, .bus = 0x17, .uuid = "GPU-a", .name = "H200" },
			  .has_memory = true, .memory_total = 100 * MIB,
			  .memory_used = 60 * MIB, .has_utilisation = true,
			  .utilisation = { [RM_ENGINE_SM] = 2650 },
			  .state = { .known = 1 << GPU_POWER | 1 << GPU_SM_CLOCK |
					      1 << GPU_THROTTLE | 1 << GPU_ECC_CORRECTED,
				     .value = { [GPU_POWER] = 71203, [GPU_SM_CLOCK] = 1980,
						[GPU_THROTTLE] = 1 << GPU_THROTTLE_SW_POWER_CAP,
						[GPU_ECC_CORRECTED] = 7 } } },
			{ .gpu = { .bus = 0x18 } },
			{ .gpu = { .bus = 0x19 }, .error = -5 },
		},
	};

	host_uses_begin(&changing);
	return usage;
}

/* Returns what is valid until the next call. */
static const char *text_of(const struct usage *usage, bool processes, size_t limit)
{
	const struct metrics_extent extent = { processes, limit };
	static char text[1 << 16];
	struct exposition e = { 0 };

	usage_add_metrics(&e, usage, &extent);
	assert_in_range(e.text.length, 1, sizeof(text) - 1);
	strcpy(text, e.text.bytes);
	exposition_free(&e);
	return text;
}

static void has(const char *text, const char *line)
{
	char whole[512];

	snprintf(whole, sizeof(whole), "\n%s\n", line);
	if (!strstr(text, whole))
		fail_msg("there is no line %s in\n%s", line, text);
}

static unsigned int count(const char *text, const char *begin)
{
	char whole[256];
	unsigned int n = 0;

	snprintf(whole, sizeof(whole), "\n%s", begin);
	while ((text = strstr(text, whole))) {
		text++;
		n++;
	}
	return n;
}

TEST("a machine without a driver has mpu_driver_up 0, and nothing else")
{
	const char *text = text_of(NULL, true, 10);

	assert_string_equal(text,
		"# HELP mpu_driver_up 1: the NVIDIA driver answers; 0: it does not, or there is none.\n"
		"# TYPE mpu_driver_up gauge\nmpu_driver_up 0\n");
}

TEST("a GPU has metrics for all that it tells, and none for the rest")
{
	const struct usage usage = fixture();
	const char *text = text_of(&usage, false, 10);

	has(text, "mpu_driver_up 1");
	has(text, "mpu_driver_info{version=\"580.1\"} 1");
	has(text, "mpu_gpu_info{" GPU0 ",pci=\"0000:17:00.0\"} 1");
	has(text, "mpu_gpu_up{" GPU0 "} 1");
	has(text, "mpu_gpu_processes{" GPU0 "} 6");
	has(text, "mpu_gpu_memory_size_bytes{" GPU0 "} 104857600");
	has(text, "mpu_gpu_memory_used_bytes{" GPU0 "} 62914560");
	has(text, "mpu_gpu_utilization_ratio{" GPU0 ",gpu_engine=\"sm\"} 0.2650");
	has(text, "mpu_gpu_utilization_ratio{" GPU0 ",gpu_engine=\"ofa\"} 0.0000");
	/* Values that a GPU did not tell are not there. */
	has(text, "mpu_gpu_info{" GPU1 ",pci=\"0000:18:00.0\"} 1");
	has(text, "mpu_gpu_up{" GPU2 "} 0");
	has(text, "mpu_gpu_power_watts{" GPU0 "} 71.203");
	has(text, "mpu_gpu_sm_clock_hertz{" GPU0 "} 1980000000");
	has(text, "# TYPE mpu_gpu_ecc_corrected_errors_total counter");
	has(text, "mpu_gpu_throttle_reason{" GPU0 ",reason=\"sw_power_cap\"} 1");
	has(text, "mpu_gpu_throttle_reason{" GPU0 ",reason=\"gpu_idle\"} 0");
	assert_int_equal(count(text, "mpu_gpu_temperature_celsius"), 0);
	assert_int_equal(count(text, "mpu_gpu_throttle_reason"), GPU_THROTTLES);
	assert_int_equal(count(text, "mpu_gpu_processes{"), 2);
	assert_int_equal(count(text, "mpu_gpu_memory_size_bytes{"), 1);
	assert_int_equal(count(text, "mpu_gpu_memory_used_bytes{"), 1);
	assert_int_equal(count(text, "mpu_gpu_utilization_ratio{"), 6);
}

#define WEB	"{" GPU0 ",runtime=\"docker\",id=\"aaaa\",container=\"web \\\"1\\\"\\\\\",pod=\"\",namespace=\"\""
#define ONE(gpu) "{" gpu ",runtime=\"containerd\",id=\"bbbb\",container=\"main\",pod=\"train-0\",namespace=\"ml\""

TEST("containers, pods, units and users have metrics for each GPU")
{
	const struct usage usage = fixture();
	const char *text = text_of(&usage, false, 10);

	has(text, "mpu_container_gpu_memory_bytes" WEB "} 31457280");
	has(text, "mpu_container_gpu_utilization_ratio" WEB ",gpu_engine=\"sm\"} 0.2500");
	has(text, "mpu_container_gpu_utilization_ratio" WEB ",gpu_engine=\"memory\"} 0.0000");
	has(text, "mpu_container_gpu_processes" WEB "} 1");
	has(text, "mpu_container_gpu_memory_bytes" ONE(GPU0) "} 10485760");
	has(text, "mpu_container_gpu_memory_bytes" ONE(GPU1) "} 20971520");
	/* It keeps no samples. */
	assert_int_equal(count(text, "mpu_container_gpu_utilization_ratio" ONE(GPU1)), 0);
	assert_int_equal(count(text, "mpu_container_gpu_memory_bytes{"), 4);
	/* A pod has the sum of its containers. */
	has(text, "mpu_pod_gpu_memory_bytes{" GPU0 ",pod=\"train-0\",namespace=\"ml\",pod_uid=\"11-22\"} 15728640");
	has(text, "mpu_pod_gpu_utilization_ratio{" GPU0 ",pod=\"train-0\",namespace=\"ml\",pod_uid=\"11-22\",gpu_engine=\"sm\"} 0.0150");
	has(text, "mpu_pod_gpu_processes{" GPU0 ",pod=\"train-0\",namespace=\"ml\",pod_uid=\"11-22\"} 2");
	assert_int_equal(count(text, "mpu_pod_gpu_memory_bytes{"), 2);
	has(text, "mpu_unit_gpu_memory_bytes{" GPU0 ",unit=\"x.service\",user=\"jo\"} 3145728");
	assert_int_equal(count(text, "mpu_unit_gpu_memory_bytes{"), 1);
	has(text, "mpu_user_gpu_memory_bytes{" GPU0 ",user=\"jo\"} 2097152");
	/* Ended processes are nobody's. */
	has(text, "mpu_user_gpu_memory_bytes{" GPU0 ",user=\"\"} 1048576");
	assert_int_equal(count(text, "mpu_user_gpu_memory_bytes{"), 2);
	assert_int_equal(count(text, "mpu_process"), 0);
	assert_int_equal(count(text, "mpu_omitted{kind=\"process\"}"), 0);
}

TEST("containers, units and users add up to all processes of a GPU")
{
	static const char *const family[] = {
		"\nmpu_container_gpu_memory_bytes{" GPU0,
		"\nmpu_unit_gpu_memory_bytes{" GPU0,
		"\nmpu_user_gpu_memory_bytes{" GPU0,
	};
	const struct usage usage = fixture();
	const char *text = text_of(&usage, false, 10);
	unsigned long long sum = 0;
	size_t i;

	for (i = 0; i < 3; i++) {
		const char *at = text;

		while ((at = strstr(at, family[i]))) {
			at = strstr(at, "} ") + 2;
			sum += strtoull(at, NULL, 10);
		}
	}
	assert_int_equal(sum, 51 * MIB);
}

#define PROCESS(mig, pid, own_pid, name, user, rest) \
	"{" GPU0 ",mig=\"" mig "\",pid=\"" pid "\",own_pid=\"" own_pid \
	"\",name=\"" name "\",user=\"" user "\"," rest

TEST("each process has metrics, with labels of its owner")
{
	struct usage usage = fixture();
	const char *text;

	uses[3].gpu_instance = 2;
	uses[3].compute_instance = 0;
	uses[2].has_memory = false;
	text = text_of(&usage, true, 10);
	has(text, "mpu_process_gpu_memory_bytes"
	    PROCESS("", "101", "7", "train", "root",
		    "container=\"main\",pod=\"train-0\",namespace=\"ml\",unit=\"\",job_id=\"\",step=\"\"} 10485760"));
	has(text, "mpu_process_gpu_memory_bytes"
	    PROCESS("2/0", "103", "103", "svc", "jo",
		    "container=\"\",pod=\"\",namespace=\"\",unit=\"x.service\",job_id=\"\",step=\"\"} 3145728"));
	has(text, "mpu_process_gpu_memory_bytes"
	    PROCESS("", "104", "104", "?", "jo",
		    "container=\"\",pod=\"\",namespace=\"\",unit=\"\",job_id=\"\",step=\"\"} 2097152"));
	has(text, "mpu_process_gpu_memory_bytes"
	    PROCESS("", "105", "", "", "",
		    "container=\"\",pod=\"\",namespace=\"\",unit=\"\",job_id=\"\",step=\"\"} 1048576"));
	/* The driver did not say how much memory one has. */
	assert_int_equal(count(text, "mpu_process_gpu_memory_bytes{"), 6);
	assert_int_equal(count(text, "mpu_process_gpu_utilization_ratio{"), 6 * RM_ENGINES);
	assert_int_equal(count(text, "mpu_process_gpu_processes"), 0);
	has(text, "mpu_omitted{kind=\"process\"} 0");
	uses[3].gpu_instance = uses[3].compute_instance = WHOLE;
	uses[2].has_memory = true;
}

TEST("the largest are shown up to the limit, and the others counted")
{
	const struct usage usage = fixture();
	const char *text = text_of(&usage, true, 2);

	assert_int_equal(count(text, "mpu_container_gpu_memory_bytes{"), 2);
	has(text, "mpu_container_gpu_memory_bytes" WEB "} 31457280");
	has(text, "mpu_container_gpu_memory_bytes" ONE(GPU1) "} 20971520");
	assert_int_equal(count(text, "mpu_process_gpu_memory_bytes{"), 2);
	assert_int_equal(count(text, "mpu_process_gpu_memory_bytes{" GPU1), 1);
	has(text, "mpu_omitted{kind=\"container\"} 2");
	has(text, "mpu_omitted{kind=\"pod\"} 0");
	has(text, "mpu_omitted{kind=\"unit\"} 0");
	has(text, "mpu_omitted{kind=\"user\"} 0");
	has(text, "mpu_omitted{kind=\"process\"} 5");
	has(text, "mpu_gpu_processes{" GPU0 "} 6");
	text = text_of(&usage, true, 0);
	assert_int_equal(count(text, "mpu_container_gpu_memory_bytes{"), 0);
	has(text, "mpu_omitted{kind=\"container\"} 4");
	has(text, "mpu_omitted{kind=\"process\"} 7");
}

/* Prometheus refuses a scrape with a series that is there twice. */
static void check_series(const char *text)
{
	const char *at, *next, *other;
	int length;

	for (at = text; *at; at = next) {
		next = strchr(at, '\n') + 1;
		length = (int)(strcspn(at, "}\n") + 1);
		for (other = next; *at != '#' && *other; other = strchr(other, '\n') + 1)
			if (!strncmp(at, other, (size_t)length))
				fail_msg("%.*s is there twice", length, at);
	}
}

TEST("owners with the same labels are one: nobody, and users of one name")
{
	struct usage usage = fixture();
	struct usage_process some[] = {
		USE(0, 4, 1, 0), USE(0, 5, 2, 0), USE(0, 6, 4, 0), USE(0, 7, 8, 0),
		USE(0, 5, 16, 0), USE(1, 6, 32, 0), USE(1, 5, 64, 0),
	};
	const char *text = text_of(&usage, true, 10);

	check_series(text);
	usage.processes = some;
	usage.n_processes = sizeof(some) / sizeof(some[0]);
	text = text_of(&usage, false, 10);
	check_series(text);
	has(text, "mpu_user_gpu_memory_bytes{" GPU0 ",user=\"jo\"} 9437184");
	has(text, "mpu_user_gpu_memory_bytes{" GPU0 ",user=\"\"} 23068672");
	has(text, "mpu_user_gpu_memory_bytes{" GPU1 ",user=\"\"} 100663296");
	has(text, "mpu_user_gpu_processes{" GPU1 ",user=\"\"} 2");
}

TEST("units, jobs and rootless containers are told apart by user")
{
	static const char *const lines[] = {
		"mpu_unit_gpu_memory_bytes{" GPU0 ",unit=\"x.service\",user=\"jo\"} 1048576",
		"mpu_unit_gpu_memory_bytes{" GPU0 ",unit=\"x.service\",user=\"ed\"} 2097152",
		"mpu_slurm_gpu_memory_bytes{" GPU0 ",job_id=\"42\",step=\"batch\",user=\"jo\"} 4194304",
		"mpu_container_gpu_memory_bytes" WEB ",user=\"jo\"} 8388608",
		"mpu_container_gpu_memory_bytes" WEB ",user=\"ed\"} 16777216",
		"mpu_container_gpu_memory_bytes" WEB "} 33554432",
		"mpu_omitted{kind=\"slurm\"} 0",
	};
	struct usage usage = fixture();
	struct usage_process some[] = {
		USE(0, 3, 1, 0), USE(0, 8, 2, 0), USE(0, 9, 4, 0), USE(0, 10, 8, 0),
		USE(0, 11, 16, 0), USE(0, 0, 32, 0),
	};
	const char *text;

	usage.processes = some;
	usage.n_processes = sizeof(some) / sizeof(some[0]);
	text = text_of(&usage, true, 10);
	check_series(text);
	each_row(row, lines)
		has(text, *row);
	has(text, "mpu_process_gpu_memory_bytes{" GPU0 ",mig=\"\",pid=\"109\",own_pid=\"109\","
	    "name=\"mpi\",user=\"jo\",container=\"\",pod=\"\",namespace=\"\","
	    "unit=\"slurmstepd.scope\",job_id=\"42\",step=\"batch\"} 4194304");
}
