// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading of the driver's files in /proc, as its nv-procfs.c and nv-caps.c write
 * them in 390 to 595.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "nvidia/internal.h"

static const char blanks[] = " \t\r\n\v\f";

/* Moves @text behind its next line; @line is "" if that is too long. */
bool procfs_line(const char **text, char line[PROCFS_LINE])
{
	size_t len = strcspn(*text, "\n");

	if (!**text)
		return false;
	snprintf(line, PROCFS_LINE, "%.*s", len < PROCFS_LINE ? (int)len : 0, *text);
	*text += len + ((*text)[len] == '\n');
	return true;
}

/*
 * Takes a number of at most @digits digits from the start of @at. Here and in what
 * others call, a number is set only if it is there.
 */
static bool take_number(const char **at, int base, int digits, uint32_t *number)
{
	uint64_t value = 0;
	const char *start = *at;

	for (; isxdigit((unsigned char)**at); (*at)++) {
		int c = tolower((unsigned char)**at);
		int digit = isdigit(c) ? c - '0' : c - 'a' + 10;

		if (digit >= base)
			break;
		if (*at - start == digits)
			return false;
		value = value * (unsigned int)base + (unsigned int)digit;
	}
	if (*at == start || value > UINT32_MAX)
		return false;
	*number = (uint32_t)value;
	return true;
}

static bool take_decimal(const char **at, uint32_t *number)
{
	return take_number(at, 10, 10, number);
}

static bool take_text(const char **at, const char *text)
{
	size_t len = strlen(text);

	if (strncmp(*at, text, len))
		return false;
	*at += len;
	return true;
}

static bool is_end(const char *at)
{
	return !at[strspn(at, blanks)];
}

static void copy_trimmed(char *to, size_t size, const char *text)
{
	size_t len;

	text += strspn(text, blanks);
	len = strlen(text);
	while (len && strchr(blanks, text[len - 1]))
		len--;
	snprintf(to, size, "%.*s", (int)len, text);
}

/* Reads what stands behind "KEY:", without the blanks around it; "" if there is none. */
static bool read_value(const char *text, const char *key, char *value, size_t size)
{
	char line[PROCFS_LINE];

	*value = '\0';
	while (procfs_line(&text, line)) {
		const char *at = line;

		if (take_text(&at, key) && take_text(&at, ":")) {
			copy_trimmed(value, size, at);
			return true;
		}
	}
	return false;
}

/* Reads a decimal number behind "KEY:"; without one @number stays as it is. */
bool procfs_number(const char *text, const char *key, uint32_t *number)
{
	char value[16];

	return read_value(text, key, value, sizeof(value)) && procfs_suffix(value, "", number);
}

/* Reads the decimal number behind a prefix, which must be all of @name: 7 of "gi7". */
bool procfs_suffix(const char *name, const char *prefix, uint32_t *number)
{
	uint32_t found;

	if (!take_text(&name, prefix) || !take_decimal(&name, &found) || *name)
		return false;
	*number = found;
	return true;
}

/*
 * Reads the name of a GPU's folder into the numbers of @gpu: "0000:3b:00.0". The domain has at
 * least four digits; NVML writes eight of them.
 */
bool procfs_address(const char *name, struct gpu *gpu)
{
	uint32_t domain, bus, slot, function;
	const char *at = name;

	if (!take_number(&at, 16, 8, &domain) || at - name < 4 ||
	    !take_text(&at, ":") || !take_number(&at, 16, 2, &bus) ||
	    !take_text(&at, ":") || !take_number(&at, 16, 2, &slot) ||
	    !take_text(&at, ".") || !take_number(&at, 16, 1, &function) || *at)
		return false;
	gpu->domain = domain;
	gpu->bus = (uint8_t)bus;
	gpu->slot = (uint8_t)slot;
	gpu->function = (uint8_t)function;
	return true;
}

/*
 * New drivers leave the line out as long as the UUID is not known, old ones put
 * '?' there.
 */
static void read_uuid(const char *text, char uuid[GPU_UUID])
{
	const char *at = uuid;

	read_value(text, "GPU UUID", uuid, GPU_UUID);
	if (!take_text(&at, "GPU-") || !*at || at[strspn(at, "0123456789abcdefABCDEF-")])
		*uuid = '\0';
}

/*
 * Reads the "information" of a GPU: its minor number, UUID and model. Returns false if it cannot be
 * used: it is excluded, or has no minor number.
 */
bool procfs_gpu(const char *text, struct gpu *gpu)
{
	char excluded[8];

	/* Its name before 455. */
	if (!read_value(text, "GPU Excluded", excluded, sizeof(excluded)))
		read_value(text, "Blacklisted", excluded, sizeof(excluded));
	if (!strcmp(excluded, "Yes"))
		return false;
	read_value(text, "Model", gpu->model, sizeof(gpu->model));
	read_uuid(text, gpu->uuid);
	return procfs_number(text, "Device Minor", &gpu->minor);
}

bool procfs_major(const char *line, char name[PROCFS_NAME], uint32_t *major)
{
	size_t len;

	line += strspn(line, blanks);
	if (!take_decimal(&line, major) || !*line || !strchr(blanks, *line))
		return false;
	line += strspn(line, blanks);
	len = strcspn(line, blanks);
	snprintf(name, PROCFS_NAME, "%.*s", len < PROCFS_NAME ? (int)len : 0, line);
	return *name;
}

bool procfs_majors(const char *devices, struct majors *majors)
{
	const struct {
		const char *name;
		uint32_t *major;
	} known[] = {
		{ "nvidia", &majors->nvidia },	/* 550 and newer */
		{ "nvidia-frontend", &majors->nvidia },
		{ "nvidia-uvm", &majors->uvm },
		{ "nvidia-caps", &majors->caps },
		{ "nvidia-caps-imex-channels", &majors->imex },
		{ "nvidia-nvswitch", &majors->nvswitch },
	};
	char line[PROCFS_LINE], name[PROCFS_NAME];
	bool found = false;
	uint32_t major;
	size_t i;

	*majors = (struct majors){ 0 };
	/* Behind them stand block devices, with numbers of their own. */
	while (procfs_line(&devices, line) && strcmp(line, "Block devices:")) {
		if (!procfs_major(line, name, &major))
			continue;
		for (i = 0; i < sizeof(known) / sizeof(*known); i++) {
			if (strcmp(name, known[i].name))
				continue;
			*known[i].major = major;
			found = true;
		}
	}
	return found;
}

/* Reads a line of /proc/driver/nvidia-caps/mig-minors: "gpu0/gi1/ci0/access 13". */
bool procfs_cap(const char *line, struct cap *cap, uint32_t *minor)
{
	*cap = (struct cap){ 0 };
	if (take_text(&line, "config")) {
		cap->kind = CAP_CONFIG;
	} else if (take_text(&line, "monitor")) {
		cap->kind = CAP_MONITOR;
	} else {
		if (!take_text(&line, "gpu") || !take_decimal(&line, &cap->gpu) ||
		    !take_text(&line, "/gi") ||
		    !take_decimal(&line, &cap->gpu_instance))
			return false;
		cap->kind = CAP_GPU_INSTANCE;
		if (take_text(&line, "/ci")) {
			cap->kind = CAP_COMPUTE_INSTANCE;
			if (!take_decimal(&line, &cap->compute_instance))
				return false;
		}
		if (!take_text(&line, "/access"))
			return false;
	}
	return take_text(&line, " ") && take_decimal(&line, minor) && is_end(line);
}

bool procfs_cap_find(const char *mig_minors, const struct cap *cap, uint32_t *minor)
{
	char line[PROCFS_LINE];
	uint32_t number;
	struct cap found;

	while (procfs_line(&mig_minors, line)) {
		if (!procfs_cap(line, &found, &number) ||
		    found.kind != cap->kind || found.gpu != cap->gpu ||
		    found.gpu_instance != cap->gpu_instance ||
		    found.compute_instance != cap->compute_instance)
			continue;
		*minor = number;
		return true;
	}
	return false;
}

/* Writes "/proc/driver/nvidia/capabilities/gpu0/mig/gi1/ci0/access". */
void procfs_cap_path(const struct cap *cap, char path[128])
{
	static const char folder[] = "/proc/driver/nvidia/capabilities";

	switch (cap->kind) {
	case CAP_CONFIG:
		snprintf(path, 128, "%s/mig/config", folder);
		break;
	case CAP_MONITOR:
		snprintf(path, 128, "%s/mig/monitor", folder);
		break;
	case CAP_GPU_INSTANCE:
		snprintf(path, 128, "%s/gpu%u/mig/gi%u/access", folder, cap->gpu,
			 cap->gpu_instance);
		break;
	case CAP_COMPUTE_INSTANCE:
		snprintf(path, 128, "%s/gpu%u/mig/gi%u/ci%u/access", folder,
			 cap->gpu, cap->gpu_instance, cap->compute_instance);
		break;
	}
}

/* Reads "7" or "channel7". -EINVAL: it is no number; -ERANGE: no channel can have it. */
int procfs_imex_channel(const char *text, uint32_t *channel)
{
	take_text(&text, "channel");
	if (!*text || text[strspn(text, "0123456789")])
		return -EINVAL;
	return take_decimal(&text, channel) && *channel < IMEX_CHANNELS ? 0 : -ERANGE;
}
