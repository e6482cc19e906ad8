// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs in a container: issues the ioctl requests it is given and says what
 * came back, one line each.
 *
 *	probe REQUEST...	"0x2a 7" (returned) or "0x2a errno 25"
 *	probe exit STATUS	ends so
 *	probe sleep		until it is killed
 *
 * The descriptor is /dev/null, which answers ENOTTY to everything: any other
 * answer comes from the filter or from whoever listens to it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int fd, i;

	if (argc == 3 && !strcmp(argv[1], "exit"))
		return atoi(argv[2]);
	if (argc == 2 && !strcmp(argv[1], "sleep"))
		for (;;)
			pause();
	fd = open("/dev/null", O_RDWR);
	if (fd < 0) {
		perror("/dev/null");
		return 1;
	}
	for (i = 1; i < argc; i++) {
		long got = syscall(SYS_ioctl, fd, strtoul(argv[i], NULL, 0), NULL);

		if (got < 0)
			printf("%s errno %d\n", argv[i], errno);
		else
			printf("%s %ld\n", argv[i], got);
	}
	return 0;
}
