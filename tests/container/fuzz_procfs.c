// SPDX-License-Identifier: GPL-2.0-only
/*
 * A fuzz target: the driver's files in /proc. Whatever stands in them, what is taken
 * out of them is what can be put into paths and sentences, and reading what was read
 * gives the same.
 */
#include "nvidia/internal.h"
#include "tests/container/random.h"

const char *const random_seeds[] = {
	"Model: \t\t NVIDIA H200\nIRQ:   \t\t 40\nGPU UUID: \t GPU-00000001-0000-4000-8000-000000000001\nBus Location: \t 0000:01:00.0\nDevice Minor: \t 0\nGPU Excluded:\t No\n",
	"Character devices:\n  1 mem\n195 nvidia\n195 nvidiactl\n238 nvidia-uvm\n241 nvidia-caps\n\nBlock devices:\n  7 loop\n",
	"config 1\nmonitor 2\ngpu0/gi1/access 12\ngpu0/gi1/ci0/access 13\n",
	"0000:3b:00.0",
	"channel1048575",
	"NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release Build\n",
	NULL,
};

static bool is_of(const char *text, const char *characters)
{
	return !text[strspn(text, characters)];
}

static void check_gpu(const char *text)
{
	struct gpu address, same, gpu;
	char again[64];

	if (procfs_gpu(text, &gpu)) {
		random_taken++;
		require(!*gpu.uuid || (!strncmp(gpu.uuid, "GPU-", 4) &&
				       is_of(gpu.uuid + 4, "0123456789abcdefABCDEF-")));
		require(!strchr(gpu.model, '\n'));
	}
	if (procfs_address(text, &address)) {
		random_taken++;
		snprintf(again, sizeof(again), "%04x:%02x:%02x.%x", address.domain, address.bus,
			 address.slot, address.function);
		require(procfs_address(again, &same) && same.domain == address.domain &&
			same.bus == address.bus && same.slot == address.slot &&
			same.function == address.function);
	}
}

static void check_cap(const char *line)
{
	char path[128], again[PROCFS_LINE];
	uint32_t minor, other;
	struct cap cap, same;

	if (!procfs_cap(line, &cap, &minor))
		return;
	random_taken++;
	procfs_cap_path(&cap, path);
	require(!strstr(path, "..") && strlen(path) < sizeof(path) - 1);
	snprintf(again, sizeof(again), "%.*s %u", (int)strcspn(line, " "), line, minor);
	require(procfs_cap(again, &same, &other) && other == minor && same.kind == cap.kind &&
		same.gpu == cap.gpu && same.gpu_instance == cap.gpu_instance &&
		same.compute_instance == cap.compute_instance);
}

static void check_lines(const char *text)
{
	char line[PROCFS_LINE], name[PROCFS_NAME];
	const char *at = text;
	uint32_t number, found;
	struct cap cap;

	while (procfs_line(&at, line)) {
		require(at <= text + strlen(text) && !strchr(line, '\n'));
		check_cap(line);
		if (procfs_cap(line, &cap, &number))
			require(procfs_cap_find(text, &cap, &found));
		if (procfs_major(line, name, &number))
			require(*name && !strpbrk(name, " \t\r\v\f"));
	}
}

static void check_words(const char *text)
{
	struct majors majors;
	char version[DRIVER_VERSION];
	uint32_t channel;

	if (procfs_majors(text, &majors)) {
		random_taken++;
		require(strstr(text, "nvidia"));
	}
	if (!procfs_imex_channel(text, &channel)) {
		random_taken++;
		require(channel < IMEX_CHANNELS);
	}
	if (driver_find_version(version, text)) {
		random_taken++;
		require(is_of(version, "0123456789."));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* As files are read: up to a byte 0. Of its own, for the sanitizer. */
	char *text = strndup((const char *)data, size);

	if (!text)
		return 0;
	check_gpu(text);
	check_lines(text);
	check_words(text);
	free(text);
	return 0;
}
