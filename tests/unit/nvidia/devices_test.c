// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of nvidia/procfs.c, nvidia/devices.c and nvidia/driver_root.c: what is made of the
 * driver's files, below a root of the test's own.
 */
#include <sys/resource.h>

#include "lib/in_root.h"
#include "nvidia/internal.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

#define GPUS	"proc/driver/nvidia/gpus/"
#define CAPS	"proc/driver/nvidia/capabilities/"

static char top[] = "/tmp/devices.XXXXXX";

/* A file below @top, and the folders that it is in; without text, a folder. */
static void put(const char *path, const char *text)
{
	char below[256];

	snprintf(below, sizeof(below), "/%s%s", path, text ? "" : "/");
	if (text)
		tree_write(top, below, text, strlen(text));
	else
		tree_path(top, below);
}

static void put_gpu(const char *address, unsigned int minor, const char *rest)
{
	char path[128], text[512];

	snprintf(path, sizeof(path), GPUS "%s/information", address);
	snprintf(text, sizeof(text),
		 "Model: \t\t NVIDIA H200\nDevice Minor: \t %u\n%s", minor, rest);
	put(path, text);
}

static void put_cap(const char *path, const char *text)
{
	char whole[160];

	snprintf(whole, sizeof(whole), CAPS "%s/access", path);
	put(whole, text);
}

static void put_minor(const char *path, unsigned int minor)
{
	char text[64];

	snprintf(text, sizeof(text), "DeviceFileMinor: %u\n", minor);
	put_cap(path, text);
}

static int make_top(void)
{
	strcpy(strrchr(top, '.'), ".XXXXXX");
	assert_non_null(mkdtemp(top));
	put("proc/devices", "Character devices:\n195 nvidia\n241 nvidia-caps\n");
	put("proc/driver/nvidia", NULL);
	return 0;
}

static int remove_top(void)
{
	return tree_remove(top);
}

TEST_EACH(make_top, remove_top)

static struct driver_root open_root(void)
{
	struct driver_root root;
	char why[WHY_SIZE];

	assert_false(driver_root_open(&root, top, why));
	return root;
}

/* A line for each device, in their order. */
static const char *describe(const struct devices *devices)
{
	static char text[65536];
	FILE *out = fmemopen(text, sizeof(text), "w");
	size_t i, j;

	fprintf(out, "%zu GPUs, config %u, monitor %u\n", devices->n_gpus, devices->mig_config,
		devices->mig_monitor);
	for (i = 0; i < devices->n_gpus; i++) {
		const struct gpu *gpu = &devices->gpus[i];

		fprintf(out, "%s, bus %x: minor %u, %zu MIGs, %s\n", gpu->address, gpu->bus,
			gpu->minor, gpu->n_migs, gpu->uuid);
		for (j = 0; j < gpu->n_migs; j++)
			fprintf(out, "gi%u/ci%u: %u, %u, %s\n", gpu->migs[j].gpu_instance,
				gpu->migs[j].compute_instance, gpu->migs[j].gpu_cap,
				gpu->migs[j].compute_cap, gpu->migs[j].uuid);
	}
	for (i = 0; i < devices->n_imex; i++)
		fprintf(out, "channel %u\n", devices->imex[i]);
	fclose(out);
	return text;
}

static void check_devices(const char *wanted)
{
	struct driver_root root = open_root();
	struct devices devices;
	char why[WHY_SIZE];

	assert_false(devices_read(&devices, &root, why));
	assert_string_equal(describe(&devices), wanted);
	devices_free(&devices);
	driver_root_close(&root);
}

TEST("text is split into lines, and one that is too long is empty")
{
	static const char *const lines[] = { "one", "", "three", "", "23" };
	char all[2 * PROCFS_LINE], line[PROCFS_LINE];
	const char *text = all;

	/* A line that is too long is not taken for its beginning. */
	memset(all, '1', sizeof(all));
	memcpy(all, "one\n\nthree\n", 11);
	strcpy(all + sizeof(all) - 4, "\n23");
	each_row(row, lines) {
		assert_true(procfs_line(&text, line));
		assert_string_equal(line, *row);
	}
	assert_false(procfs_line(&text, line));
}

TEST("PCI addresses are read, and wrong ones refused")
{
	static const char *const wrong[] = {
		"", ".", "..", "0000:3b:00", "0000:3b:00.0x", "000:3b:00.0",
		"0000:3bb:00.0", "0000:3b:00.10", "000000000:3b:00.0",
		"0000:3g:00.0", "0x00:3b:00.0", " 0000:3b:00.0", "0000::00.0",
	};
	struct gpu address;

	assert_true(procfs_address("0000:3b:1F.7", &address));
	assert_int_equal(address.bus, 0x3b);
	assert_int_equal(address.slot, 0x1f);
	assert_int_equal(address.function, 7);
	/* Writes a number as NVML does; and Azure's, which are above 16 bits. */
	assert_true(procfs_address("00000000:3B:00.0", &address));
	assert_int_equal(address.domain, 0);
	assert_true(procfs_address("1a2b3:00:00.0", &address));
	assert_int_equal(address.domain, 0x1a2b3);
	each_row(row, wrong)
		assert_false(procfs_address(*row, &address));
}

TEST("a GPU's information gives its model, UUID and minor number")
{
	static const struct { const char *text, *wanted; } rows[] = {
		{ "Model: \t\t NVIDIA H200\nIRQ:   \t\t 40\n"
		  "GPU UUID: \t GPU-69cfecb8-dd0f-d46a-a967-785474cc5ca4\n"
		  "Bus Location: \t 0000:06:00.0\nDevice Minor: \t 7\nGPU Excluded:\t No\n",
		  "7 GPU-69cfecb8-dd0f-d46a-a967-785474cc5ca4 NVIDIA H200" },
		/* Not known yet: old drivers, new drivers. */
		{ "GPU UUID: \t GPU-????????" "-????" "-????" "-????" "-????????????\n"
		  "Device Minor: \t 0\n", "0  " },
		{ "Device Minor: \t 0", "0  " },
		/* Texts for paths, JSON and sentences have no other characters. */
		{ "GPU UUID: GPU-0\"\nDevice Minor: 0", "0  " },
		{ "Device Minor: 0\nGPU Excluded:\t Yes\n", "" },
		{ "Device Minor: 0\nBlacklisted:\t Yes\n", "" }, { "", "" },
		{ "Device Minor:\n", "" }, { "Device Minor: 4294967296\n", "" },
		{ "Device Minor: -1\n", "" }, { "Device Minor: 1 2\n", "" },
	};
	struct gpu gpu;
	char said[256];

	each_row(row, rows) {
		*said = '\0';
		if (procfs_gpu(row->text, &gpu))
			snprintf(said, sizeof(said), "%u %s %s", gpu.minor, gpu.uuid, gpu.model);
		assert_string_equal(said, row->wanted);
	}
}

TEST("major numbers are those of character devices alone")
{
	static const struct { const char *text, *wanted; } rows[] = {
		{ "Character devices:\n  1 mem\n195 nvidia\n195 nvidiactl\n238 nvidia-uvm\n"
		  "241 nvidia-caps\n242 nvidia-caps-imex-channels\n\n"
		  "Block devices:\n259 nvidia-uvm\n", "195 238 241 242 0" },
		{ "195 nvidia-frontend", "195 0 0 0 0" }, { "195nvidia\n", "" },
		{ "Block devices:\n195 nvidia\n", "" }, { "99999999999 nvidia\n", "" },
	};
	struct majors m;
	char said[64];

	each_row(row, rows) {
		*said = '\0';
		if (procfs_majors(row->text, &m))
			snprintf(said, sizeof(said), "%u %u %u %u %u", m.nvidia, m.uvm, m.caps,
				 m.imex, m.nvswitch);
		assert_string_equal(said, row->wanted);
	}
}

TEST("lines of MIG capabilities are read, and wrong ones refused")
{
	static const char *const wrong[] = {
		"", "config", "config 1x", "config  ", "config -1", "configs 1",
		"gpu0/access 1", "gpu0/gi/access 1", "gpu0/gi0/ci0 1",
		"gpu0/gi0/ci0/ce0/access 1", "gpu99999999999/gi0/access 1",
	};
	uint32_t minor;
	char path[128];
	struct cap cap;

	assert_true(procfs_cap("gpu31/gi14/ci7/access 4321\n", &cap, &minor));
	assert_int_equal(minor, 4321);
	procfs_cap_path(&cap, path);
	assert_string_equal(path, "/" CAPS "gpu31/mig/gi14/ci7/access");
	each_row(row, wrong)
		assert_false(procfs_cap(*row, &cap, &minor));
}

TEST("an IMEX channel is found by its number, or by the name of its node")
{
	static const struct { const char *name; int ret; uint32_t channel; } rows[] = {
		{ "7", 0, 7 }, { "channel0", 0, 0 }, { "1048575", -ENOENT, 0 },
		{ "99999999999", -EINVAL, 0 }, { "", -EINVAL, 0 }, { "channel", -EINVAL, 0 },
		{ "+7", -EINVAL, 0 }, { "1048576", -EINVAL, 0 },
	};
	uint32_t numbers[] = { 0, 7 }, channel;
	const struct devices devices = { .imex = numbers, .n_imex = 2 };
	char why[WHY_SIZE];

	each_row(row, rows) {
		assert_int_equal(devices_find_imex(&devices, row->name, &channel, why), row->ret);
		if (!row->ret)
			assert_int_equal(channel, row->channel);
	}
	assert_non_null(strstr(why, "[0, 1048575]"));
}

TEST("a root has its own /dev only if the driver's node is there")
{
	struct driver_root root;
	char why[WHY_SIZE], path[PATH_MAX], real[PATH_MAX];

	assert_int_equal(driver_root_open(&root, "run", why), -EINVAL);
	snprintf(path, sizeof(path), "%s/none", top);
	assert_int_equal(driver_root_open(&root, path, why), -ENOENT);
	assert_non_null(strstr(why, path));

	snprintf(path, sizeof(path), "%s//", top);
	assert_false(driver_root_open(&root, path, why));
	assert_string_equal(root.files, top);
	assert_string_equal(root.proc, top);
	assert_string_equal(root.dev, "");
	put("lib/libcuda.so.1", "");
	assert_false(in_root_lead(root.fd, "/../lib/libcuda.so.1", real));
	assert_string_equal(real, "/lib/libcuda.so.1");
	driver_root_close(&root);

	put("dev/nvidiactl", "");
	root = open_root();
	assert_string_equal(root.dev, top);
	driver_root_close(&root);

	assert_false(driver_root_open(&root, "/", why));
	assert_string_equal(root.files, "");
	driver_root_close(&root);
}

TEST("a machine without the driver is an error")
{
	struct driver_root root = open_root();
	struct devices devices;
	char why[WHY_SIZE];

	put("proc/devices", "Character devices:\n  1 mem\n241 nvidia-caps\n");
	assert_int_equal(devices_read(&devices, &root, why), -ENODEV);
	assert_non_null(strstr(why, "driver not loaded"));
	assert_int_equal(devices.n_gpus, 0);
	driver_root_close(&root);
}

TEST("a driver without GPUs has no devices")
{
	check_devices("0 GPUs, config 0, monitor 0\n");
}

TEST("a lack of descriptors is an error at each system call")
{
	struct driver_root root;
	struct rlimit old, few;
	struct devices devices;
	char why[WHY_SIZE];
	int ret, fd = -1;

	put_gpu("0000:01:00.0", 0, "");
	put_minor("gpu0/mig/gi1", 12);
	put_minor("gpu0/mig/gi1/ci0", 13);
	root = open_root();
	assert_false(getrlimit(RLIMIT_NOFILE, &old));
	few = old;
	for (few.rlim_cur = (rlim_t)root.fd + 1; fd < 0; few.rlim_cur++) {
		assert_false(setrlimit(RLIMIT_NOFILE, &few));
		ret = devices_read(&devices, &root, why);
		if (!ret)
			fd = 0;
		else
			assert_int_equal(ret, -EMFILE);
	}
	assert_false(setrlimit(RLIMIT_NOFILE, &old));
	assert_int_equal(devices.n_gpus, 1);
	assert_int_equal(devices.gpus[0].n_migs, 1);
	devices_free(&devices);
	driver_root_close(&root);
}

/* NVML's indices go by address, as a number; nodes by the minor number. */
TEST("GPUs are in the order of their PCI addresses")
{
	put_gpu("10000:01:00.0", 0, "");
	put_gpu("0000:af:00.0", 1, "");
	put_gpu("0001:00:00.0", 2, "");
	put_gpu("0000:3b:00.0", 3, "");
	put_gpu("0000:01:00.0", 4, "GPU Excluded:\t Yes\n");
	put_gpu("not an address", 5, "");
	/* Gone since its name was read; or asleep so that it cannot be asked. */
	put(GPUS "0000:02:00.0", NULL);
	put(GPUS "0000:03:00.0/information", "");
	check_devices("4 GPUs, config 0, monitor 0\n0000:3b:00.0, bus 3b: minor 3, 0 MIGs, \n"
		      "0000:af:00.0, bus af: minor 1, 0 MIGs, \n"
		      "0001:00:00.0, bus 0: minor 2, 0 MIGs, \n"
		      "10000:01:00.0, bus 1: minor 0, 0 MIGs, \n");
}

TEST("MIG devices are found with the numbers of their nodes")
{
	put_gpu("0000:01:00.0", 1, "");
	put_gpu("0000:02:00.0", 0, "");
	put(CAPS "mig/config", "DeviceFileMinor: 1\nDeviceFileMode: 256\n");
	put(CAPS "mig/monitor", "DeviceFileMinor: 2\n");
	put_minor("gpu1/mig/gi10", 110);
	put_minor("gpu1/mig/gi10/ci0", 111);
	put_minor("gpu1/mig/gi2", 21);
	put_minor("gpu1/mig/gi2/ci1", 23);
	put_minor("gpu1/mig/gi2/ci0", 22);
	/* The table says the number, where the files do not. */
	put_cap("gpu1/mig/gi3", "DeviceFileMode: 256\n");
	put_cap("gpu1/mig/gi3/ci0", "");
	put("proc/driver/nvidia-caps/mig-minors",
	    "config 1\nrubbish\ngpu1/gi3/access 31\ngpu1/gi3/ci0/access 32\n"
	    "gpu1/gi9/access 91\ngpu1/gi9/ci0/access 92\n");
	/* Neither says it; the instance has gone; it has no compute instance. */
	put_cap("gpu1/mig/gi4", "");
	put_cap("gpu1/mig/gi4/ci0", "");
	put(CAPS "gpu1/mig/gi5/ci0", NULL);
	put_minor("gpu1/mig/gi6", 61);
	put_minor("gpu1/mig/giant/ci0", 1);
	check_devices("2 GPUs, config 1, monitor 2\n0000:01:00.0, bus 1: minor 1, 4 MIGs, \n"
		      "gi2/ci0: 21, 22, \ngi2/ci1: 21, 23, \ngi3/ci0: 31, 32, \n"
		      "gi10/ci0: 110, 111, \n0000:02:00.0, bus 2: minor 0, 0 MIGs, \n");
}

TEST("64 GPUs with 7 MIG devices each are found")
{
	static char wanted[65536];
	FILE *out = fmemopen(wanted, sizeof(wanted), "w");
	unsigned int i, j, cap;
	char path[64];

	fputs("64 GPUs, config 0, monitor 0\n", out);
	for (i = 64; i-- > 0;) {
		snprintf(path, sizeof(path), "0000:%02x:00.0", 64 - i);
		put_gpu(path, i, "");
		fprintf(out, "%s, bus %x: minor %u, 7 MIGs, \n", path, 64 - i, i);
		for (j = 7; j < 14; j++) {
			cap = 3 + i * 135 + j * 9;
			snprintf(path, sizeof(path), "gpu%u/mig/gi%u", i, j);
			put_minor(path, cap);
			snprintf(path, sizeof(path), "gpu%u/mig/gi%u/ci0", i, j);
			put_minor(path, cap + 1);
			fprintf(out, "gi%u/ci0: %u, %u, \n", j, cap, cap + 1);
		}
	}
	fclose(out);
	check_devices(wanted);
}

TEST("nodes of IMEX channels are found, in order")
{
	put("dev/nvidiactl", "");
	put("dev/nvidia-caps-imex-channels/channel11", "");
	put("dev/nvidia-caps-imex-channels/channel2", "");
	put("dev/nvidia-caps-imex-channels/2", "");
	put("dev/nvidia-caps-imex-channels/channel1048576", "");
	check_devices("0 GPUs, config 0, monitor 0\nchannel 2\nchannel 11\n");
}

/*
 * The driver: when the node of a GPU is opened, its UUID is known. devices.c calls
 * open() for nothing else.
 */
static unsigned int woken[8];

int __wrap_open(const char *path, int flags, ...);
int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
	const char *name = strrchr(path, '/');
	uint32_t minor;
	char rest[128];

	if (!name || !procfs_suffix(name, "/nvidia", &minor))
		return __real_open(path, flags, 0);
	assert_in_range(minor, 0, 7);
	woken[minor]++;
	snprintf(rest, sizeof(rest), "GPU UUID: GPU-%08x\n", minor);
	put_gpu(minor == 1 ? "0000:02:00.0" : "0000:03:00.0", minor, rest);
	return minor == 2 ? -1 : __real_open("/dev/null", flags);
}

TEST("a GPU without a UUID is opened, so that the driver knows it")
{
	struct driver_root root;
	struct devices devices;
	char why[WHY_SIZE];

	memset(woken, 0, sizeof(woken));
	put("dev/nvidiactl", "");
	put_gpu("0000:01:00.0", 0, "GPU UUID: GPU-00000000\n");
	put_gpu("0000:02:00.0", 1, "");
	put_gpu("0000:03:00.0", 2, "");
	root = open_root();
	assert_false(devices_read(&devices, &root, why));
	assert_int_equal(woken[0] + woken[1] + woken[2], 0);
	devices_wake(&devices, &root);
	assert_int_equal(woken[0], 0);
	assert_int_equal(woken[1], 1);
	assert_int_equal(woken[2], 1);
	/* A GPU that could not be opened is asked nothing. */
	assert_string_equal(describe(&devices), "3 GPUs, config 0, monitor 0\n"
			    "0000:01:00.0, bus 1: minor 0, 0 MIGs, GPU-00000000\n"
			    "0000:02:00.0, bus 2: minor 1, 0 MIGs, GPU-00000001\n"
			    "0000:03:00.0, bus 3: minor 2, 0 MIGs, \n");
	devices_free(&devices);
	driver_root_close(&root);
}
