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

static struct devices read_devices(void)
{
	struct driver_root root = open_root();
	struct devices devices;
	char why[WHY_SIZE];

	assert_false(devices_read(&devices, &root, why));
	driver_root_close(&root);
	return devices;
}

TEST("text is split into lines, and one that is too long is empty")
{
	char longest[2 * PROCFS_LINE], line[PROCFS_LINE];
	const char *text = "one\n\nthree";

	assert_true(procfs_line(&text, line));
	assert_string_equal(line, "one");
	assert_true(procfs_line(&text, line));
	assert_string_equal(line, "");
	assert_true(procfs_line(&text, line));
	assert_string_equal(line, "three");
	assert_false(procfs_line(&text, line));

	/* A line that is too long is not taken for its beginning. */
	memset(longest, '1', sizeof(longest));
	strcpy(longest + sizeof(longest) - 4, "\n23");
	text = longest;
	assert_true(procfs_line(&text, line));
	assert_string_equal(line, "");
	assert_true(procfs_line(&text, line));
	assert_string_equal(line, "23");
}

TEST("PCI addresses are read, and wrong ones refused")
{
	static const char *const wrong[] = {
		"", ".", "..", "0000:3b:00", "0000:3b:00.0x", "000:3b:00.0",
		"0000:3bb:00.0", "0000:3b:00.10", "000000000:3b:00.0",
		"0000:3g:00.0", "0x00:3b:00.0", " 0000:3b:00.0", "0000::00.0",
	};
	struct pci_address address;

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
	static const char *const none[] = {
		"Device Minor: 0\nGPU Excluded:\t Yes\n", "Device Minor: 0\nBlacklisted:\t Yes\n",
		"", "Device Minor:\n", "Device Minor: 4294967296\n", "Device Minor: -1\n",
		"Device Minor: 1 2\n",
	};
	struct gpu_information gpu;

	assert_true(procfs_gpu("Model: \t\t NVIDIA H200\nIRQ:   \t\t 40\n"
			       "GPU UUID: \t GPU-69cfecb8-dd0f-d46a-a967-785474cc5ca4\n"
			       "Bus Location: \t 0000:06:00.0\nDevice Minor: \t 7\n"
			       "GPU Excluded:\t No\n", &gpu));
	assert_string_equal(gpu.model, "NVIDIA H200");
	assert_string_equal(gpu.uuid, "GPU-69cfecb8-dd0f-d46a-a967-785474cc5ca4");
	assert_int_equal(gpu.minor, 7);

	/* Not known yet: old drivers, new drivers. */
	assert_true(procfs_gpu("GPU UUID: \t GPU-????????" "-????" "-????" "-????" "-????????????\n"
			       "Device Minor: \t 0\n", &gpu));
	assert_string_equal(gpu.uuid, "");
	assert_true(procfs_gpu("Device Minor: \t 0", &gpu));
	assert_string_equal(gpu.uuid, "");
	assert_string_equal(gpu.model, "");
	/* Texts for paths, JSON and sentences have no other characters. */
	assert_true(procfs_gpu("GPU UUID: GPU-0\"\nDevice Minor: 0", &gpu));
	assert_string_equal(gpu.uuid, "");

	each_row(row, none)
		assert_false(procfs_gpu(*row, &gpu));
}

TEST("major numbers are those of character devices alone")
{
	struct majors majors;

	assert_true(procfs_majors("Character devices:\n  1 mem\n195 nvidia\n"
				  "195 nvidiactl\n238 nvidia-uvm\n241 nvidia-caps\n"
				  "242 nvidia-caps-imex-channels\n\n"
				  "Block devices:\n259 nvidia-uvm\n", &majors));
	assert_int_equal(majors.nvidia, 195);
	assert_int_equal(majors.uvm, 238);
	assert_int_equal(majors.caps, 241);
	assert_int_equal(majors.imex, 242);
	assert_int_equal(majors.nvswitch, 0);
	assert_true(procfs_majors("195 nvidia-frontend", &majors));
	assert_int_equal(majors.nvidia, 195);
	assert_int_equal(majors.uvm, 0);
	assert_false(procfs_majors("Block devices:\n195 nvidia\n", &majors));
	assert_false(procfs_majors("195nvidia\n", &majors));
	assert_false(procfs_majors("99999999999 nvidia\n", &majors));
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
	static const char *const wrong[] = { "99999999999", "", "channel", "+7" };
	uint32_t numbers[] = { 0, 7 }, channel;
	const struct devices devices = { .imex = numbers, .n_imex = 2 };
	char why[WHY_SIZE];

	assert_false(devices_find_imex(&devices, "7", &channel, why));
	assert_int_equal(channel, 7);
	assert_false(devices_find_imex(&devices, "channel0", &channel, why));
	assert_int_equal(channel, 0);
	assert_int_equal(devices_find_imex(&devices, "1048575", &channel, why), -ENOENT);
	each_row(row, wrong)
		assert_int_equal(devices_find_imex(&devices, *row, &channel, why), -EINVAL);
	assert_int_equal(devices_find_imex(&devices, "1048576", &channel, why), -EINVAL);
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
	assert_false(in_root_resolve(root.fd, "/../lib/libcuda.so.1", real));
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

	put("proc/devices", "Character devices:\n  1 mem\n");
	assert_int_equal(devices_read(&devices, &root, why), -ENODEV);
	assert_non_null(strstr(why, "driver not loaded"));
	assert_int_equal(devices.n_gpus, 0);
	driver_root_close(&root);
}

TEST("a driver without GPUs has no devices")
{
	struct devices devices = read_devices();

	assert_int_equal(devices.majors.nvidia, 195);
	assert_int_equal(devices.n_gpus, 0);
	assert_int_equal(devices.mig_config, 0);
	assert_int_equal(devices.n_imex, 0);
	devices_free(&devices);
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
	static const char *const addresses[] = {
		"0000:3b:00.0", "0000:af:00.0", "0001:00:00.0", "10000:01:00.0",
	};
	struct devices devices;
	size_t i;

	put_gpu(addresses[3], 0, "");
	put_gpu(addresses[1], 1, "");
	put_gpu(addresses[2], 2, "");
	put_gpu(addresses[0], 3, "");
	put_gpu("0000:01:00.0", 4, "GPU Excluded:\t Yes\n");
	put_gpu("not an address", 5, "");
	/* Gone since its name was read; or asleep so that it cannot be asked. */
	put(GPUS "0000:02:00.0", NULL);
	put(GPUS "0000:03:00.0/information", "");
	devices = read_devices();
	assert_int_equal(devices.n_gpus, 4);
	for (i = 0; i < 4; i++)
		assert_string_equal(devices.gpus[i].address, addresses[i]);
	assert_int_equal(devices.gpus[0].minor, 3);
	assert_int_equal(devices.gpus[3].minor, 0);
	devices_free(&devices);
}

TEST("MIG devices are found with the numbers of their nodes")
{
	struct devices devices;
	struct mig *migs;

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
	devices = read_devices();
	assert_int_equal(devices.mig_config, 1);
	assert_int_equal(devices.mig_monitor, 2);
	assert_int_equal(devices.n_gpus, 2);
	assert_int_equal(devices.gpus[1].n_migs, 0);
	assert_int_equal(devices.gpus[0].n_migs, 4);
	migs = devices.gpus[0].migs;
	assert_int_equal(migs[0].gpu_instance, 2);
	assert_int_equal(migs[0].compute_instance, 0);
	assert_int_equal(migs[0].gpu_cap, 21);
	assert_int_equal(migs[0].compute_cap, 22);
	assert_int_equal(migs[1].compute_cap, 23);
	assert_int_equal(migs[2].gpu_cap, 31);
	assert_int_equal(migs[2].compute_cap, 32);
	assert_int_equal(migs[3].gpu_instance, 10);
	assert_string_equal(migs[3].uuid, "");
	devices_free(&devices);
}

TEST("64 GPUs with 7 MIG devices each are found")
{
	struct devices devices;
	unsigned int i, j;
	char path[64];

	for (i = 0; i < 64; i++) {
		snprintf(path, sizeof(path), "0000:%02x:00.0", 64 - i);
		put_gpu(path, i, "");
		for (j = 0; j < 7; j++) {
			snprintf(path, sizeof(path), "gpu%u/mig/gi%u", i, 7 + j);
			put_minor(path, 3 + i * 135 + (7 + j) * 9);
			snprintf(path, sizeof(path), "gpu%u/mig/gi%u/ci0", i, 7 + j);
			put_minor(path, 4 + i * 135 + (7 + j) * 9);
		}
	}
	devices = read_devices();
	assert_int_equal(devices.n_gpus, 64);
	for (i = 0; i < 64; i++) {
		assert_int_equal(devices.gpus[i].minor, 63 - i);
		assert_int_equal(devices.gpus[i].n_migs, 7);
		assert_int_equal(devices.gpus[i].migs[6].compute_cap, 4 + (63 - i) * 135 + 13 * 9);
	}
	devices_free(&devices);
}

TEST("nodes of IMEX channels are found, in order")
{
	struct devices devices;

	put("dev/nvidiactl", "");
	put("dev/nvidia-caps-imex-channels/channel11", "");
	put("dev/nvidia-caps-imex-channels/channel2", "");
	put("dev/nvidia-caps-imex-channels/2", "");
	put("dev/nvidia-caps-imex-channels/channel1048576", "");
	devices = read_devices();
	assert_int_equal(devices.n_imex, 2);
	assert_int_equal(devices.imex[0], 2);
	assert_int_equal(devices.imex[1], 11);
	devices_free(&devices);
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
	assert_string_equal(devices.gpus[1].uuid, "GPU-00000001");
	assert_int_equal(devices.gpus[1].bus, 2);
	/* A GPU that could not be opened is asked nothing. */
	assert_string_equal(devices.gpus[2].uuid, "");
	devices_free(&devices);
	driver_root_close(&root);
}
