// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cases that need a driver and no GPU: that it is hooked, and that a client which has
 * nothing gets the driver's own answers, whatever comes and goes meanwhile.
 */
#include "tests/conformance/suite.h"

/* --- the hooks --- */

/* Functions of the driver; of each release one entry or two. */
static const char *const functions[] = {
	"os_memcpy_from_user", "os_memcpy_to_user", "os_find_ns_pid",
	"nvidia_unlocked_ioctl", "nvidia_frontend_unlocked_ioctl",
	"nvidia_frontend_compat_ioctl", "rm_ioctl",
};

#define FUNCTIONS	(sizeof(functions) / sizeof(functions[0]))
#define COPIES		0x03u
#define ENTRIES		0x38u
#define RM_IOCTL	0x40u

/* Does the line name this function, and the module? */
static bool names(const char *line, const char *function, const char *module)
{
	const char *word = strstr(line, function);

	return word && (word == line || word[-1] == ' ') &&
	       strchr(" \t\n+", word[strlen(function)]) &&
	       strstr(word, module);
}

/* Returns the functions that a file of the kernel's lists, a bit each. */
static u32 listed_in(const char *path, const char *module)
{
	char line[512];
	u32 i, found = 0;
	FILE *f = fopen(path, "re");

	while (f && fgets(line, sizeof(line), f))
		for (i = 0; strstr(line, module) && i < FUNCTIONS; i++)
			if (names(line, functions[i], module))
				found |= 1u << i;
	if (f)
		fclose(f);
	return found;
}

ALONE("root: the driver is hooked", MAYBE, ON_MODULE)
{
	u32 there = listed_in("/proc/kallsyms", driver_name());
	u32 traced = listed_in("/sys/kernel/tracing/enabled_functions", driver_name());
	u32 probed = listed_in("/sys/kernel/debug/kprobes/list", driver_name());

	check(there & ENTRIES && (there & COPIES) == COPIES &&
	      there & RM_IOCTL, "the driver has functions 0x%x only", there);
	check((traced & ~RM_IOCTL) == (there & ~RM_IOCTL),
	      "of functions 0x%x, 0x%x are hooked", there, traced);
	check(probed & RM_IOCTL, "rm_ioctl() is not watched");
	check(!strcmp(host_read_text("/sys/kernel/mpu/arguments"), "driver\n"),
	      "arguments are taken from the %s", host_read_text("/sys/kernel/mpu/arguments"));
}

/* --- answers --- */

/* Controls of a client. The second number of a pair is one that RM refuses. */
static const struct {
	u32 cmd, size;
} asked[] = {
	{ 0x0000013e, 776 },		/* SYSTEM_GET_BUILD_VERSION_V2 */
	{ 0x0000013e, 775 },
	{ 0x00000201, 128 },		/* GPU_GET_ATTACHED_IDS */
	{ 0x00000214, 384 },		/* GPU_GET_PROBED_IDS: 580, 450, 390 */
	{ 0x00000214, 256 },
	{ 0x00000214, 128 },
	{ 0x00000204, 4 },		/* GPU_GET_DEVICE_IDS */
	{ 0x000007ff, 16 },
};

#define ASKED (sizeof(asked) / sizeof(asked[0]))

/*
 * Answers of the controls above and of all rows of the table: the status, and a sum of
 * the bytes.
 */
struct answers {
	u32 path;
	u32 rounds;		/* rounds; all must be like the first */
	int changed;		/* first difference, or 0 */
	int ret[ASKED + MPU_ROWS];
	u32 sum[ASKED + MPU_ROWS];
};

static u32 sum_of(const u8 *bytes, u32 size)
{
	u32 sum = 2166136261u;

	while (size--)
		sum = (sum ^ *bytes++) * 16777619u;
	return sum;
}

static int ask_client(u32 path, u32 cmd, u32 size, u32 *sum)
{
	static u8 params[MPU_PARAMS_MAX];
	int ret;

	memset(params, 0, size);
	/* The caller by its own number, wherever a control asks for one. */
	if (cmd == 0xb03)
		mpu_put32(params, 4, (u32)getpid());
	ret = bare_client_ask(path, cmd, params, size);
	*sum = sum_of(params, size);
	return ret;
}

static int ask_all(void *arg)
{
	struct answers *a = arg;
	u32 i, round, cmd, size, sum;
	int ret = bare_client_open();

	if (ret)
		return ret;
	for (round = 0; round < a->rounds; round++)
		for (i = 0; i < ASKED + MPU_ROWS; i++) {
			cmd = i < ASKED ? asked[i].cmd : mpu_rows[i - ASKED].cmd;
			size = i < ASKED ? asked[i].size : mpu_rows[i - ASKED].size;
			ret = ask_client(a->path, cmd, size, &sum);
			if (!round) {
				a->ret[i] = ret;
				a->sum[i] = sum;
			} else if (ret != a->ret[i] || sum != a->sum[i]) {
				a->changed = (int)cmd;
			}
		}
	bare_client_close();
	return 0;
}

/* Actors: on the host, in a container, and in a container inside of that. */
#define SEERS 3

static bool open_fixture(struct actor **seer)
{
	seer[0] = actor_new(NULL, SAME_NAMESPACE, NULL, 0);
	seer[1] = actor_new(NULL, NEW_CONTAINER, NULL, 0);
	seer[2] = NULL;
	if (!case_failed())
		seer[2] = actor_new(seer[1], NEW_CONTAINER, NULL, 0);
	return !case_failed();
}

static bool answers_of(struct actor *seer, u32 path, struct answers *a)
{
	int ret;

	memset(a, 0, sizeof(*a));
	a->path = path;
	a->rounds = 2;
	ret = actor_do(seer, ask_all, a, sizeof(*a));
	check_or(false, !ret, "no client: %d", ret);
	check_or(false, !a->changed, "0x%x is answered otherwise each time", a->changed);
	return true;
}

static bool same_answers(const struct answers *a, const struct answers *b, const char *when)
{
	u32 i;

	for (i = 0; i < ASKED + MPU_ROWS; i++)
		check_or(false, a->ret[i] == b->ret[i] && a->sum[i] == b->sum[i],
			 "0x%x: 0x%x, %s 0x%x, or other bytes", i < ASKED ? asked[i].cmd :
			 mpu_rows[i - ASKED].cmd, a->ret[i], when, b->ret[i]);
	return true;
}

/* Before, with and after the engine; on every way that this kernel has. */
ALONE("root: the driver's answers, on every way", R0_UP, 0)
{
	static struct answers plain[SEERS], with[SEERS][ENTRY_PATHS], now;
	struct actor *seer[SEERS];
	u32 i, path;

	if (!open_fixture(seer))
		return;
	for (i = 0; i < SEERS; i++)
		for (path = 0; path < ENTRY_PATHS; path++)
			if (actor_has_entry_path(seer[i], path) &&
			    !answers_of(seer[i], path, &with[i][path]))
				return;
	if (!engine_must_stop())
		return;
	for (i = 0; i < SEERS; i++) {
		if (!answers_of(seer[i], ENTRY_PLAIN, &plain[i]))
			return;
		for (path = 0; path < ENTRY_PATHS; path++)
			if (with[i][path].rounds &&
			    !same_answers(&plain[i], &with[i][path], "with the engine"))
				return;
	}
	if (!engine_must_start())
		return;
	for (i = 0; i < SEERS; i++)
		if (!answers_of(seer[i], ENTRY_PLAIN, &now) ||
		    !same_answers(&plain[i], &now, "again with it"))
			return;
}

/* --- traffic --- */

static void begin_traffic(struct actor **seer, struct answers *a)
{
	u32 i;

	for (i = 0; i < SEERS; i++) {
		memset(&a[i], 0, sizeof(a[i]));
		a[i].path = i == 1 ? ENTRY_XFER : ENTRY_PLAIN;
		a[i].rounds = 60;
		actor_begin(seer[i], ask_all, &a[i], sizeof(a[i]));
	}
}

ALONE("root: engine under traffic", R0_UP, ON_MODULE | ON_BPF)
{
	static struct answers a[SEERS];
	struct actor *seer[SEERS];
	u32 i, loop;

	if (!loops_wanted() || !open_fixture(seer))
		return;
	begin_traffic(seer, a);
	for (loop = 0; loop < options.loops && engine_must_stop() && engine_must_start(); loop++)
		;
	for (i = 0; i < SEERS; i++) {
		int ret = actor_end(seer[i], &a[i], sizeof(a[i]));

		check(!ret, "no client: %d", ret);
		check(!a[i].changed, "0x%x was answered otherwise", a[i].changed);
	}
}

/*
 * Clients that come and go; between two drivers there is nobody to open. The
 * simulated driver knows less than the real one: it says what it always says, @usual.
 */
struct visits {
	int usual;
	u32 wanted;
	u32 answered;
	u32 refused;
	int ret;
};

static int visit(void *arg)
{
	struct visits *v = arg;
	u32 sum;

	for (v->ret = v->usual; v->answered < v->wanted && v->ret == v->usual;) {
		int ret = bare_client_open();

		if (ret == -ENXIO || ret == -ENODEV || ret == -ENOENT) {
			v->refused++;
			usleep(1000);
			continue;
		}
		v->ret = ret ? ret : ask_client(ENTRY_PLAIN, asked[0].cmd, asked[0].size, &sum);
		if (!ret)
			bare_client_close();
		v->answered++;
	}
	return 0;
}

/* The driver is unloaded as soon as nobody is inside, and comes back. */
static bool driver_returns(void)
{
	int tries = 100000, ret;

	while ((ret = host_unload_module(driver_name())) == -EAGAIN && --tries)
		usleep(500);
	check_or(false, !ret, "the driver does not unload: %s", strerror(-ret));
	return driver_must_load(options.driver, options.driver_options);
}

ALONE("root: driver under traffic", R0_UP, 0)
{
	struct visits v[SEERS], first = { .wanted = 1 };
	struct actor *seer[SEERS];
	u32 i, loop;

	if (!loops_wanted() || !open_fixture(seer))
		return;
	check(!actor_do(seer[0], visit, &first, sizeof(first)) && first.ret >= 0,
	      "no client: %d", first.ret);
	for (i = 0; i < SEERS; i++) {
		v[i] = (struct visits){ .usual = first.ret, .wanted = 50 };
		actor_begin(seer[i], visit, &v[i], sizeof(v[i]));
	}
	for (loop = 0; loop < options.loops && driver_returns(); loop++)
		;
	for (i = 0; i < SEERS; i++) {
		int ret = actor_end(seer[i], &v[i], sizeof(v[i]));

		check(!ret && v[i].ret == first.ret, "a call ended with %d, not %d",
		      ret ? ret : v[i].ret, first.ret);
	}
	/*
	 * Engine bpf refuses containers until then, which the next case does not
	 * expect.
	 */
	if (engine_on(ON_BPF))
		engine_must_attach(driver_name());
}
