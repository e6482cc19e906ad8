// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu doctor: what the kernel of this host allows.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "cli/command/command.h"
#include "cli/doctor/internal.h"
#include "lib/host.h"

#define SIGN_IT		"sign mpu.ko; DKMS does it with its own key, which is trusted after 'mokutil --import /var/lib/dkms/mok.pub' and a reboot"

/*
 * Reads an option of the kernel's configuration: 'y', 'm', 'n', or '?' if no copy of it
 * is readable.
 */
static char read_config(const char *release, const char *option)
{
	FILE *file = host_fopen("/boot/config-%s", release);
	size_t len = strlen(option);
	char line[512], answer = '?';

	if (!file)
		file = host_fopen("/lib/modules/%s/config", release);
	if (!file)
		file = host_fopen("/lib/modules/%s/build/.config", release);
	if (!file)
		return answer;
	for (answer = 'n'; fgets(line, sizeof(line), file);)
		if (!strncmp(line, option, len) && line[len] == '=')
			answer = line[len + 1];
	fclose(file);
	return answer;
}

/* The file is like "none [integrity] confidentiality"; the mode is in brackets. */
static void check_lockdown(struct findings *findings)
{
	char text[128], *mode;

	if (host_read(text, sizeof(text), "/sys/kernel/security/lockdown") <= 0) {
		if (host_exists("/sys/kernel/security/lsm"))
			finding_add(findings, FOUND_LOCKDOWN_OK, NOTHING,
				"none: this kernel has no such thing");
		else
			finding_add(findings, FOUND_LOCKDOWN_UNKNOWN,
				"run 'mpu doctor' as root on the host, with securityfs mounted, to know",
				"not known: /sys/kernel/security is not readable here");
		return;
	}
	mode = strchr(text, '[');
	mode = mode ? mode + 1 : text;
	mode[strcspn(mode, "]")] = '\0';
	if (!strcmp(mode, "none"))
		finding_add(findings, FOUND_LOCKDOWN_OK, NOTHING, "none");
	else
		finding_add(findings, FOUND_LOCKDOWN_ON, SIGN_IT,
			"%s: the kernel takes signed modules only", mode);
}

static void check_signatures(struct findings *findings, const char *release)
{
	char text[16];
	bool known = host_read(text, sizeof(text), "/sys/module/module/parameters/sig_enforce") > 0;

	if (known ? text[0] == 'Y' : read_config(release, "CONFIG_MODULE_SIG_FORCE") == 'y')
		finding_add(findings, FOUND_SIGNATURES_ENFORCED, SIGN_IT,
			"enforced: the kernel refuses unsigned modules");
	else if (known || read_config(release, "CONFIG_MODULE_SIG") == 'n')
		finding_add(findings, FOUND_SIGNATURES_OK, NOTHING,
			"not enforced by the kernel itself");
	else
		finding_add(findings, FOUND_SIGNATURES_UNKNOWN,
			"if 'mpu up' fails with a key error, sign mpu.ko",
			"not known: this kernel does not tell, and no copy of its configuration is readable");
}

/* An EFI variable has four bytes of attributes before its value. */
static void check_secure_boot(struct findings *findings)
{
	char text[16];
	int n;

	if (!host_exists("/sys/firmware/efi")) {
		finding_add(findings, FOUND_SECURE_BOOT_OK, NOTHING,
			"no: this system did not boot by EFI");
		return;
	}
	n = host_read(text, sizeof(text),
		      "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c");
	if (n < 5)
		finding_add(findings, FOUND_SECURE_BOOT_UNKNOWN,
			"run 'mpu doctor' as root on the host to know",
			"not known: the EFI variable is not readable here");
	else if (text[4] == 1)
		finding_add(findings, FOUND_SECURE_BOOT_ON, SIGN_IT, "on");
	else
		finding_add(findings, FOUND_SECURE_BOOT_OK, NOTHING, "off");
}

static void check_ftrace(struct findings *findings)
{
	char text[16];

	if (host_read(text, sizeof(text), "/proc/sys/kernel/ftrace_enabled") <= 0)
		finding_add(findings, FOUND_FTRACE_ABSENT,
			"boot a kernel built with CONFIG_DYNAMIC_FTRACE; those of the distributions are",
			"this kernel has none, and engine module needs it");
	else if (text[0] == '0')
		finding_add(findings, FOUND_FTRACE_OFF,
			"sysctl kernel.ftrace_enabled=1, and remove the line that sets it to 0 from /etc/sysctl.d",
			"switched off: kernel.ftrace_enabled is 0");
	else
		finding_add(findings, FOUND_FTRACE_OK, NOTHING, "available and on");
}

static void check_kprobes(struct findings *findings)
{
	int built = host_has_symbol("register_kprobe");
	char text[16];
	bool readable = host_read(text, sizeof(text), "/sys/kernel/debug/kprobes/enabled") > 0;

	if (!built)
		finding_add(findings, FOUND_KPROBES_ABSENT,
			"boot a kernel built with CONFIG_KPROBES; those of the distributions are",
			"this kernel has none, and engine module needs them");
	else if (readable && text[0] == '0')
		finding_add(findings, FOUND_KPROBES_OFF,
			"echo 1 >/sys/kernel/debug/kprobes/enabled",
			"switched off");
	else if (built > 0)
		finding_add(findings, FOUND_KPROBES_OK, NOTHING, "available%s",
			readable ? " and on" : "");
	else
		finding_add(findings, FOUND_KPROBES_UNKNOWN,
			"run 'mpu doctor' as root on the host to know",
			"not known: /proc/kallsyms is not readable here");
}

static void check_headers(struct findings *findings, const char *release)
{
	char todo[512];

	if (host_exists("/lib/modules/%s/build/Makefile", release)) {
		finding_add(findings, FOUND_HEADERS_OK, NOTHING, "present for %s", release);
		return;
	}
	snprintf(todo, sizeof(todo),
		 "install linux-headers-%s (Debian, Ubuntu) or kernel-devel-%s (Fedora, RHEL)",
		 release, release);
	finding_add(findings, FOUND_HEADERS_ABSENT, todo,
		"missing for %s: mpu.ko cannot be built here", release);
}

/* A module that is built lies in /var/lib/dkms/mpu/VERSION/RELEASE/ARCH/module. */
static void check_dkms(struct findings *findings, const char *release)
{
	DIR *dir = host_opendir("/var/lib/dkms/mpu");
	char version[64] = "", todo[512];
	bool built = false;
	struct dirent *one;

	while (dir && !built && (one = readdir(dir))) {
		if (one->d_name[0] < '0' || one->d_name[0] > '9')
			continue;
		snprintf(version, sizeof(version), "%.60s", one->d_name);
		built = host_exists("/var/lib/dkms/mpu/%s/%s", one->d_name, release);
	}
	if (dir)
		closedir(dir);
	if (built) {
		finding_add(findings, FOUND_DKMS_OK, NOTHING,
			"mpu %s is built for %s, and will be for the next kernel",
			version, release);
	} else if (version[0]) {
		snprintf(todo, sizeof(todo),
			 "dkms install mpu/%s -k %s; its log is below /var/lib/dkms/mpu/%s/build",
			 version, release, version);
		finding_add(findings, FOUND_DKMS_UNBUILT, todo,
			"mpu %s is registered, but not built for %s", version,
			release);
	} else {
		finding_add(findings, FOUND_DKMS_UNREGISTERED,
			"install dkms, then MPU: kernel updates bring their own mpu.ko",
			"mpu is not registered");
	}
}

void doctor_kernel(struct findings *findings)
{
	struct utsname name;
	char release[128];

	host_release(release, sizeof(release));
	finding_add(findings, FOUND_KERNEL_OK, NOTHING, "%s%s%s", release,
		uname(&name) ? "" : ", ", uname(&name) ? "" : name.machine);
	check_lockdown(findings);
	check_signatures(findings, release);
	check_secure_boot(findings);
	/* A kernel without modules needs none of the other checks. */
	if (!host_exists("/proc/modules"))
		return;
	check_ftrace(findings);
	check_kprobes(findings);
	check_headers(findings, release);
	check_dkms(findings, release);
}
