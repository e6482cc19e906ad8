// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters by libseccomp, and a machine that runs them.
 */
#include <errno.h>
#include <json-c/json.h>
#include <linux/audit.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/unit/engines/notify/filter.h"

#define ARGS 6

static struct json_object *get(struct json_object *object, const char *key)
{
	struct json_object *value = NULL;

	json_object_object_get_ex(object, key, &value);
	return value;
}

static const char *text_of(struct json_object *object, const char *key)
{
	const char *text = json_object_get_string(get(object, key));

	return text ? text : "";
}

static size_t length(struct json_object *array)
{
	return array ? json_object_array_length(array) : 0;
}

static int action_of(const char *name, struct json_object *error, uint32_t *is)
{
	uint32_t number = error ? (uint32_t)json_object_get_int(error) : EPERM;
	static const struct { const char *name; uint32_t is; } known[] = {
		{ "SCMP_ACT_ALLOW", SCMP_ACT_ALLOW },
		{ "SCMP_ACT_LOG", SCMP_ACT_LOG },
		{ "SCMP_ACT_NOTIFY", SCMP_ACT_NOTIFY },
		{ "SCMP_ACT_KILL", SCMP_ACT_KILL },
		{ "SCMP_ACT_KILL_THREAD", SCMP_ACT_KILL_THREAD },
		{ "SCMP_ACT_KILL_PROCESS", SCMP_ACT_KILL_PROCESS },
		{ "SCMP_ACT_TRAP", SCMP_ACT_TRAP },
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(name, known[i].name)) {
			*is = known[i].is;
			return 0;
		}
	*is = strcmp(name, "SCMP_ACT_TRACE") ? SCMP_ACT_ERRNO(number) : SCMP_ACT_TRACE(number);
	return strcmp(name, "SCMP_ACT_TRACE") && strcmp(name, "SCMP_ACT_ERRNO");
}

static int condition_of(struct json_object *arg, struct scmp_arg_cmp *is)
{
	static const char *const known[] = { "", "SCMP_CMP_NE", "SCMP_CMP_LT",
		"SCMP_CMP_LE", "SCMP_CMP_EQ", "SCMP_CMP_GE", "SCMP_CMP_GT",
		"SCMP_CMP_MASKED_EQ" };
	const char *op = text_of(arg, "op");
	unsigned int i;

	is->arg = (unsigned int)json_object_get_int(get(arg, "index"));
	is->datum_a = json_object_get_uint64(get(arg, "value"));
	is->datum_b = json_object_get_uint64(get(arg, "valueTwo"));
	for (i = 1; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(op, known[i])) {
			is->op = (enum scmp_compare)i;
			return is->arg >= ARGS;
		}
	return 1;
}

/* Two conditions on one argument: each is a rule of its own. */
static int add_rule(scmp_filter_ctx ctx, uint32_t action, int nr, struct json_object *args)
{
	struct scmp_arg_cmp cmp[ARGS];
	unsigned int seen = 0, n = (unsigned int)length(args), i;
	int ret = 0, twice = 0;

	if (n > ARGS)
		return -1;
	for (i = 0; i < n; i++) {
		if (condition_of(json_object_array_get_idx(args, i), &cmp[i]))
			return -1;
		twice |= (int)(seen >> cmp[i].arg & 1);
		seen |= 1u << cmp[i].arg;
	}
	if (!twice)
		return seccomp_rule_add_array(ctx, action, nr, n, cmp);
	for (i = 0; i < n && !ret; i++)
		ret = seccomp_rule_add_array(ctx, action, nr, 1, &cmp[i]);
	return ret;
}

static int add_entry(scmp_filter_ctx ctx, uint32_t standard, struct json_object *entry)
{
	struct json_object *names = get(entry, "names");
	uint32_t action;
	size_t i;

	if (action_of(text_of(entry, "action"), get(entry, "errnoRet"), &action))
		return -1;
	if (action == standard)
		return 0;
	for (i = 0; i < length(names); i++) {
		int nr = seccomp_syscall_resolve_name(json_object_get_string(
				json_object_array_get_idx(names, i)));

		if (nr != __NR_SCMP_ERROR && add_rule(ctx, action, nr, get(entry, "args")))
			return -1;
	}
	return 0;
}

static int add_architectures(scmp_filter_ctx ctx, struct json_object *list)
{
	size_t i;

	for (i = 0; i < length(list); i++) {
		const char *name = json_object_get_string(json_object_array_get_idx(list, i));
		uint32_t arch = !strcmp(name, "SCMP_ARCH_X86_64") ?
				SCMP_ARCH_X86_64 :
				!strcmp(name, "SCMP_ARCH_X86") ? SCMP_ARCH_X86 :
				!strcmp(name, "SCMP_ARCH_X32") ? SCMP_ARCH_X32 :
				!strcmp(name, "SCMP_ARCH_AARCH64") ? SCMP_ARCH_AARCH64 :
				!strcmp(name, "SCMP_ARCH_ARM") ? SCMP_ARCH_ARM :
				0;
		int ret = arch ? seccomp_arch_add(ctx, arch) : 0;

		if (ret && ret != -EEXIST)
			return -1;
	}
	return 0;
}

static int export(scmp_filter_ctx ctx, struct filter *filter)
{
	int fd = memfd_create("filter", MFD_CLOEXEC);
	off_t size;

	if (fd < 0 || seccomp_export_bpf(ctx, fd))
		return -1;
	size = lseek(fd, 0, SEEK_END);
	filter->code = malloc((size_t)size);
	filter->len = (size_t)size / sizeof(struct sock_filter);
	if (pread(fd, filter->code, (size_t)size, 0) != size)
		return -1;
	return close(fd);
}

static int make(struct json_object *profile, struct filter *filter)
{
	struct json_object *entries = get(profile, "syscalls");
	scmp_filter_ctx ctx;
	uint32_t standard;
	size_t i;
	int ret;

	if (action_of(text_of(profile, "defaultAction"),
		      get(profile, "defaultErrnoRet"), &standard))
		return -1;
	ctx = seccomp_init(standard);
	ret = add_architectures(ctx, get(profile, "architectures"));
	for (i = 0; i < length(entries) && !ret; i++)
		ret = add_entry(ctx, standard, json_object_array_get_idx(entries, i));
	if (!ret)
		ret = export(ctx, filter);
	seccomp_release(ctx);
	return ret;
}

int filter_make(const char *text, size_t len, struct filter *filter)
{
	struct json_tokener *tokener = json_tokener_new();
	struct json_object *config = json_tokener_parse_ex(tokener, text, (int)len);
	struct json_object *profile = get(get(config, "linux"), "seccomp");
	int ret = 0;

	*filter = (struct filter){ 0 };
	if (!config)
		ret = -1;
	else if (profile)
		ret = make(profile, filter);
	json_object_put(config);
	json_tokener_free(tokener);
	return ret;
}

void filter_free(struct filter *filter)
{
	free(filter->code);
}

/* Runs the instructions of classic BPF that libseccomp uses. */
unsigned int filter_run(const struct filter *filter, const struct seccomp_data *data)
{
	unsigned int a = 0;
	size_t pc;

	if (!filter->len)
		return SECCOMP_RET_ALLOW;
	for (pc = 0; pc < filter->len; pc++) {
		const struct sock_filter *i = &filter->code[pc];

		switch (i->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			memcpy(&a, (const char *)data + i->k, sizeof(a));
			break;
		case BPF_ALU | BPF_AND | BPF_K:
			a &= i->k;
			break;
		case BPF_JMP | BPF_JA:
			pc += i->k;
			break;
		case BPF_JMP | BPF_JEQ | BPF_K:
			pc += a == i->k ? i->jt : i->jf;
			break;
		case BPF_JMP | BPF_JGT | BPF_K:
			pc += a > i->k ? i->jt : i->jf;
			break;
		case BPF_JMP | BPF_JGE | BPF_K:
			pc += a >= i->k ? i->jt : i->jf;
			break;
		case BPF_RET | BPF_K:
			return i->k;
		default:
			abort();
		}
	}
	abort();
}

static const struct { unsigned int arch; int ioctl; } abis[] = {
	{ AUDIT_ARCH_X86_64, 16 },
	{ AUDIT_ARCH_X86_64, 0x40000000 + 514 },	/* x32 */
	{ AUDIT_ARCH_I386, 54 },
};

static unsigned int compare(const struct filter *before, const struct filter *after,
			    const struct seccomp_data *data, int ioctl, char *why, size_t size)
{
	unsigned int was = filter_run(before, data);
	unsigned int is = filter_run(after, data);
	unsigned int request = data->args[1] & 0x3fff00ff;
	unsigned int should = was;

	if (ioctl && (request == 0x20002a || request == 0x1000d3) &&
	    (was == SECCOMP_RET_ALLOW || was == SECCOMP_RET_LOG))
		should = SECCOMP_RET_USER_NOTIF;
	if (is == should)
		return 0;
	snprintf(why, size, "arch %#x, call %d(%#llx, %#llx, %#llx): was %#x, is %#x instead of %#x",
		 data->arch, data->nr, (unsigned long long)data->args[0],
		 (unsigned long long)data->args[1],
		 (unsigned long long)data->args[2], was, is, should);
	return 1;
}

unsigned int filter_compare(const struct filter *before,
			    const struct filter *after, char *why, size_t size)
{
	static const unsigned long long request[] = {
		0, 0x5400, 0xc0204600, 0x40ff4600, 0xffffffffc0204600,
		0x1000054ff, 0x12345600, 0xc0104600, 0x802c5400, 0x205400
	};
	static const unsigned long long fd[] = { 0, 1, 5, 0xffffffff };
	struct seccomp_data data = { 0 };
	unsigned int differ = 0, abi, low, i, j;
	int nr;

	for (abi = 0; abi < sizeof(abis) / sizeof(abis[0]); abi++) {
		data.arch = abis[abi].arch;
		data.nr = abis[abi].ioctl;
		for (low = 0; low < 256; low++)
			for (i = 0; i < sizeof(request) / sizeof(*request); i++)
				for (j = 0; j < 8; j++) {
					data.args[0] = fd[j & 3];
					data.args[1] = (request[i] & ~0xffull) | low;
					data.args[2] = j >> 2 ? 7 : 0;
					differ += compare(before, after, &data, 1, why, size);
				}
		/* Whatever else a process may call. */
		for (nr = 0; nr < 1024; nr++)
			for (i = 0; i < sizeof(request) / sizeof(*request); i++) {
				data.nr = nr | (abis[abi].ioctl & 0x40000000);
				data.args[0] = request[i] & 0xffff;
				if (data.nr != abis[abi].ioctl)
					differ += compare(before, after, &data, 0, why, size);
			}
	}
	return differ;
}
