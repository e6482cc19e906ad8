// SPDX-License-Identifier: GPL-2.0-only
/*
 * Starting other programs: see process.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/fds.h"
#include "lib/path.h"
#include "lib/process.h"

extern char **environ;

/* @pipe: the end that is the program's, or -1 */
static int set_descriptors(posix_spawn_file_actions_t *actions, const int fd[3], int pipe)
{
	int i, from, ret = 0;

	for (i = 0; i < 3 && !ret; i++) {
		from = fd[i] == PROCESS_PIPE ? pipe : fd[i];
		ret = from == PROCESS_NULL ?
		      posix_spawn_file_actions_addopen(actions, i, "/dev/null",
						       O_RDWR, 0) :
		      posix_spawn_file_actions_adddup2(actions, from, i);
	}
	return ret;
}

static int set_daemon(posix_spawn_file_actions_t *actions)
{
	int ret = posix_spawn_file_actions_addchdir_np(actions, "/");

	if (!ret)
		ret = posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
	return ret;
}

/* A program keeps over exec what we block, as all threads but one do, and that we ignore SIGPIPE. */
static int set_attributes(posix_spawnattr_t *attributes, bool daemon)
{
	sigset_t set;

	sigemptyset(&set);
	posix_spawnattr_setsigmask(attributes, &set);
	sigaddset(&set, SIGPIPE);
	posix_spawnattr_setsigdefault(attributes, &set);
	return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK |
		POSIX_SPAWN_SETSIGDEF | (daemon ? POSIX_SPAWN_SETSID : 0));
}

/* A manager sets them for a service, not for daemons that it starts: lib/service.h. */
static bool is_of_manager(const char *variable)
{
	static const char *const names[] = { "NOTIFY_SOCKET=", "WATCHDOG_", "LISTEN_" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strncmp(variable, names[i], strlen(names[i])))
			return true;
	return false;
}

static char **daemon_environment(void)
{
	size_t i, n = 0;
	char **list;

	for (i = 0; environ[i]; i++)
		;
	list = calloc(i + 1, sizeof(*list));
	for (i = 0; list && environ[i]; i++)
		if (!is_of_manager(environ[i]))
			list[n++] = environ[i];
	return list;
}

static int spawn_program(pid_t *pid, const char *path,
			 const char *const *words, const int fd[3], int pipe,
			 bool daemon)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	char **variables = daemon ? daemon_environment() : environ;
	int ret = variables ? posix_spawn_file_actions_init(&actions) : ENOMEM;

	if (ret)
		goto free_variables;
	ret = posix_spawnattr_init(&attributes);
	if (ret)
		goto destroy_actions;
	ret = set_descriptors(&actions, fd, pipe) ?: set_attributes(&attributes, daemon);
	if (!ret && daemon)
		ret = set_daemon(&actions);
	if (!ret)
		ret = posix_spawnp(pid, path, &actions, &attributes,
				   (char *const *)words, variables);
	posix_spawnattr_destroy(&attributes);
destroy_actions:
	posix_spawn_file_actions_destroy(&actions);
free_variables:
	if (daemon)
		free(variables);
	return -ret;
}

static int start_program(struct process *process, const char *path,
			 const char *const *words, const int fd[3], bool daemon)
{
	bool piped = fd[0] == PROCESS_PIPE || fd[1] == PROCESS_PIPE || fd[2] == PROCESS_PIPE;
	int pipes[2] = { -1, -1 }, ret;

	if (piped && pipe2(pipes, O_CLOEXEC))
		return -errno;
	ret = spawn_program(&process->pid, path, words, fd, pipes[1], daemon);
	process->output = pipes[0];
	if (!piped)
		return ret;
	close(pipes[1]);
	if (ret)
		close(pipes[0]);
	return ret;
}

int process_start(struct process *process, const char *const *words, const int fd[3])
{
	return start_program(process, words[0], words, fd, false);
}

int process_start_self(struct process *process, const char *const *words, const int fd[3])
{
	return start_program(process, "/proc/self/exe", words, fd, true);
}

/* Return: 0 while @pid runs, else @pid; @status as by process_ended(). */
static pid_t wait_child(pid_t pid, int options, int *status)
{
	pid_t ended;

	do {
		ended = waitpid(pid, status, options);
	} while (ended < 0 && errno == EINTR);
	if (ended < 0)
		*status = -errno;
	else if (ended)
		*status = WIFEXITED(*status) ? WEXITSTATUS(*status) : -EINTR;
	return ended;
}

bool process_is_self(const char *path)
{
	struct stat self, other;

	return !stat("/proc/self/exe", &self) && !stat(path, &other) &&
	       self.st_dev == other.st_dev && self.st_ino == other.st_ino;
}

void process_own_path(char path[PATH_MAX])
{
	ssize_t len = readlink("/proc/self/exe", path, PATH_MAX - 1);

	path[len > 0 ? len : 0] = '\0';
	/* A package is being replaced: the new program has the name now. */
	if (path_ends(path, " (deleted)") && access(path, F_OK))
		*strrchr(path, ' ') = '\0';
}

bool process_ended(pid_t pid, int *status)
{
	return wait_child(pid, WNOHANG, status) != 0;
}

int process_wait(pid_t pid)
{
	int status;

	wait_child(pid, 0, &status);
	return status;
}

int process_run(const char *const *words, const int fd[3])
{
	struct process process;
	int ret = process_start(&process, words, fd);

	return ret ? ret : process_wait(process.pid);
}

int process_read(const char *const *words, const int fd[3], char *text, size_t size)
{
	struct process process;
	int ret = process_start(&process, words, fd);
	ssize_t length;

	*text = '\0';
	if (ret)
		return ret;
	length = fd_read_full(process.output, text, size - 1);
	text[length > 0 ? length : 0] = '\0';
	close(process.output);
	return process_wait(process.pid);
}

pid_t process_fork_aside(int *keep, size_t n)
{
	sigset_t all, before;
	pid_t pid;
	int null;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	pid = fork();
	if (pid) {
		if (pid < 0)
			pid = -errno;
		pthread_sigmask(SIG_SETMASK, &before, NULL);
		return pid;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	fd_close_others(keep, n, 0);
	return 0;
}

void process_leave(pid_t pid, unsigned int moment_ms)
{
	static _Atomic pid_t late;
	struct wait wait = wait_begin(1, moment_ms);
	int status;

	while (!process_ended(pid, &status))
		if (!wait_moment(&wait)) {
			kill(pid, SIGKILL);
			/* It is waited for with the next one: they must not add up to zombies. */
			pid = atomic_exchange(&late, pid);
			if (pid)
				process_ended(pid, &status);
			break;
		}
}

int process_try(int (*function)(void *arg), void *arg)
{
	pid_t pid = fork();
	int ret;

	if (!pid)
		_exit(-function(arg));
	if (pid < 0)
		return -errno;
	ret = process_wait(pid);
	return ret > 0 ? -ret : ret;
}

int signals_hold(const int *signals)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	while (*signals)
		sigaddset(&set, *signals++);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		return -errno;
	fd = signalfd(-1, &set, SFD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}
