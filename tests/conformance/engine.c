// SPDX-License-Identifier: GPL-2.0-only
/*
 * The engines in the suite: see suite.h.
 */
#include <sys/syscall.h>

#include "engines/notify/internal.h"
#include "tests/conformance/suite.h"

/* --- starting and stopping --- */

/* The engine is to be started with --unknown pass. */
static bool passing;

static int start_module(void)
{
	const char *params = options.engine_options;
	char text[64];

	snprintf(text, sizeof(text), "%s%s", params ? params : "", passing ? " unknown=pass" : "");
	return host_load_module(options.engine_file, text);
}

/* Does as mpu down. */
static int stop_module(void)
{
	int tries = 1000, ret, fd;

	do {
		fd = open("/sys/module/mpu/parameters/drain", O_WRONLY | O_CLOEXEC);
		dprintf(fd, "5");
		close(fd);
		ret = host_unload_module("mpu");
	} while (ret == -EAGAIN && --tries && !usleep(5000));
	return ret;
}

static int start_notify(void)
{
	return agent_start(options.engine_file, passing ? "pass" : "refuse");
}

/* Run mpu: its complaints are worth reading, its standard output is not. */
static int run_mpu(char *const argv[])
{
	int status, null;
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (!pid) {
		null = open("/dev/null", O_WRONLY | O_CLOEXEC);
		dup2(null, STDOUT_FILENO);
		execv(argv[0], argv);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		return -EIO;
	return 0;
}

static int start_bpf(void)
{
	return run_mpu((char *[]){ (char *)options.engine_file, "up", "--engine",
		"bpf", "--unknown", passing ? "pass" : "refuse", NULL });
}

static int stop_bpf(void)
{
	return run_mpu((char *[]){ (char *)options.engine_file, "down", NULL });
}

static const struct engine {
	const char *name;
	unsigned int bit;
	int (*start)(void);
	int (*stop)(void);
} engines[] = {
	{ "module", ON_MODULE, start_module, stop_module },
	{ "notify", ON_NOTIFY, start_notify, agent_stop },
	{ "bpf", ON_BPF, start_bpf, stop_bpf },
};

static const struct engine *engine;

bool engine_choose(const char *name)
{
	size_t i;

	engine = NULL;
	for (i = 0; i < sizeof(engines) / sizeof(engines[0]); i++)
		if (!strcmp(engines[i].name, name))
			engine = &engines[i];
	return engine || !strcmp(name, "none");
}

bool engine_on(unsigned int which)
{
	return engine && engine->bit & which;
}

int engine_start(void)
{
	return engine ? engine->start() : 0;
}

int engine_start_passing(void)
{
	int ret;

	passing = true;
	ret = engine_start();
	passing = false;
	return ret;
}

int engine_stop(void)
{
	return engine ? engine->stop() : 0;
}

/* --- what an engine cannot do, as its documentation says --- */

/* Linux before 6.9 has no PIDFD_THREAD. */
static bool kernel_is_old(void)
{
	int fd = (int)syscall(SYS_pidfd_open, getpid(), PIDFD_THREAD);

	if (fd >= 0)
		close(fd);
	return fd < 0;
}

#define EVERY_KERNEL	NULL

static const char *const reads_again = "the driver reads the arguments again, or waits for them";
static const char *const forgets =
	"whose a number was before its process ended is known to mpu.ko alone";
static const char *const not_the_hosts =
	"it looks at calls of containers alone: RMDebugRusdPolling=1 is for that";

static const struct limit {
	const char *name;
	unsigned int engines;
	unsigned int regimes;		/* where it cannot */
	bool (*kernel)(void);		/* only on those */
	const char *why;
} limits[] = {
	{ "table: channel error report", ON_NOTIFY, R0_UP, EVERY_KERNEL,
	  "RM looks it up by who asks, and we are not: it is refused" },
	{ "accounting: ended processes", ON_NOTIFY | ON_BPF, R0_UP,
	  EVERY_KERNEL, forgets },
	{ "accounting: numbers of ended processes again", ON_NOTIFY | ON_BPF,
	  R0_UP, EVERY_KERNEL, forgets },
	{ "lifecycle: opener's number is a stranger's", ON_NOTIFY | ON_BPF,
	  R0_UP, EVERY_KERNEL, forgets },
	{ "lifecycle: main thread gone", ON_NOTIFY, R0_UP, kernel_is_old,
	  "nobody can take a descriptor of such a process: it is refused" },
	{ "page: a container allocates it with processes", ON_NOTIFY, R0_UP,
	  EVERY_KERNEL, "its filter cannot tell one allocation from others" },
	{ "page: a container allocates it where it seemed to ask for another class",
	  ON_NOTIFY | ON_BPF, R0_UP, EVERY_KERNEL, reads_again },
	{ "page: the host asks for processes", ON_NOTIFY | ON_BPF, R0_UP,
	  EVERY_KERNEL, not_the_hosts },
	{ "races: a thread rewrites the arguments", ON_NOTIFY | ON_BPF, R0_UP,
	  EVERY_KERNEL, reads_again },
	{ "races: rewritten questions about memory", ON_NOTIFY | ON_BPF, R0_UP,
	  EVERY_KERNEL, reads_again },
	{ "races: arguments change while they are read", ON_BPF, R0_UP,
	  EVERY_KERNEL, reads_again },
};

const char *engine_limit(const struct test_case *c)
{
	const struct limit *l;

	for (l = limits; l < limits + sizeof(limits) / sizeof(limits[0]); l++)
		if (!strcmp(l->name, c->name) && engine_on(l->engines) &&
		    l->regimes & IN(options.regime) && (l->kernel == EVERY_KERNEL || l->kernel()))
			return l->why;
	return NULL;
}

/* --- what an engine says of itself --- */

#define SYSFS "/sys/kernel/mpu/"

/* "mpu status -j --all --quick"; "" if it said nothing. */
static char status_text[32768];

void engine_look(void)
{
	char command[128];
	size_t n = 0;
	FILE *f;

	if (!engine_on(ON_BPF))
		return;
	snprintf(command, sizeof(command), "%s status -j --all --quick", options.engine_file);
	f = popen(command, "re");
	if (f) {
		n = fread(status_text, 1, sizeof(status_text) - 1, f);
		pclose(f);
	}
	status_text[n] = '\0';
}

/* The text after the first "@key": in @json; "" if there is none. */
static const char *json_after(const char *json, const char *key)
{
	char quoted[80];
	const char *at;

	snprintf(quoted, sizeof(quoted), "\"%s\":", key);
	at = strstr(json, quoted);
	if (!at)
		return "";
	at += strlen(quoted);
	return at + strspn(at, " \n\t");
}

const char *engine_driver(void)
{
	static char name[64];
	const char *at;

	engine_look();
	if (engine_on(ON_MODULE))
		at = host_read_text(SYSFS "driver");
	else
		at = json_after(status_text, "driver");
	if (*at == '"')
		at++;
	snprintf(name, sizeof(name), "%s", at);
	name[strcspn(name, "\", \n")] = '\0';
	return strcmp(name, "null") ? name : "none";
}

long engine_calls(void)
{
	engine_look();
	return atol(engine_on(ON_MODULE) ? host_read_text(SYSFS "calls") :
		    json_after(status_text, "calls"));
}

long engine_missed(void)
{
	engine_look();
	return atol(json_after(status_text, "missed"));
}

long engine_counter(u32 row, const char *name)
{
	const char *control = mpu_control_names[mpu_rows[row].control];
	char path[256];

	if (!engine_on(ON_MODULE))
		return atol(json_after(json_after(status_text, control), name));
	snprintf(path, sizeof(path), SYSFS "controls/%s/%s", control, name);
	return *host_read_text(path) ? atol(host_read_text(path)) : -1;
}
