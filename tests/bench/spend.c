// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures what a command takes:
 *
 *	spend FILE COMMAND...	runs it, adds "MICROSECONDS KIBIBYTES CPU" to FILE, ends as
 *				it does
 *
 * The kibibytes are the most memory that it, or a process that it waited for, had at
 * once; a program that it became (execve) counts, too. CPU: microseconds of it, which
 * depend less on what else the machine does.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(const struct timeval *time)
{
	return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

int main(int argc, char **argv)
{
	double begun = now();
	struct rusage usage;
	int status;
	FILE *file;
	pid_t pid;

	if (argc < 3)
		return 2;
	/* A child that shares memory until then begins with none of ours. */
	pid = vfork();
	if (!pid) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
		return 127;
	begun = now() - begun;
	file = fopen(argv[1], "ae");
	if (!file || fprintf(file, "%.0f %ld %.0f\n", begun, usage.ru_maxrss,
			     1e6 * (seconds(&usage.ru_utime) + seconds(&usage.ru_stime))) < 0 ||
	    fclose(file))
		return 127;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}
