// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs in a container, and says what is in there. Static: nothing else need be in its
 * image.
 *
 *	look QUESTION...	answers each, one line after the other:
 *
 *	nodes			"/dev/nvidia0 c 195:0 666" for each of the driver
 *	open=PATH		"PATH open", or "PATH errno N"
 *	device=MAJOR:MINOR	the same of a node that it makes itself
 *	write=PATH		the same, for writing
 *	file=PATH		"PATH DEVICE:INODE SIZE", links followed; "PATH errno N"
 *	link=PATH		"PATH -> TEXT", "PATH no link"
 *	text=PATH		"PATH: LINE" for each line of a file
 *	names=PATH		"PATH: NAME" for each entry of a folder
 *	mounts			"PATH OPTIONS" of every mount, sorted by path
 *	mount=PATH		"PATH OPTIONS" of the mount at this place, "PATH none"
 *	variable=NAME		"NAME=VALUE", "NAME unset"
 *	ioctl=REQUEST		"REQUEST RESULT", or "REQUEST errno N", of /dev/null
 *	exit=STATUS		ends so
 *	sleep			until it is killed
 *
 * Lines of a folder and nodes are sorted.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static void say_nodes(const char *folder)
{
	struct dirent **entry;
	int i, n = scandir(folder, &entry, NULL, alphasort);
	struct stat node;
	char path[512];

	for (i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, entry[i]->d_name);
		if (!strncmp(entry[i]->d_name, "nvidia", 6) ||
		    !strncmp(entry[i]->d_name, "channel", 7)) {
			if (lstat(path, &node))
				printf("%s errno %d\n", path, errno);
			else if (S_ISDIR(node.st_mode))
				say_nodes(path);
			else
				printf("%s %c %u:%u %o\n", path, S_ISCHR(node.st_mode) ? 'c' : '?',
				       major(node.st_rdev), minor(node.st_rdev),
				       node.st_mode & 0777);
		}
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
}

static void say_open(const char *name, const char *path, int flags)
{
	int fd = open(path, flags | O_NONBLOCK);

	if (fd < 0)
		printf("%s errno %d\n", name, errno);
	else
		printf("%s open\n", name);
	if (fd >= 0)
		close(fd);
}

static void say_device(const char *number)
{
	static const char path[] = "/dev/look";
	unsigned int major, minor;

	if (sscanf(number, "%u:%u", &major, &minor) != 2 ||
	    mknod(path, S_IFCHR | 0666, makedev(major, minor))) {
		printf("%s mknod errno %d\n", number, errno);
		return;
	}
	say_open(number, path, O_RDWR);
	unlink(path);
}

static void say_file(const char *path)
{
	struct stat file;

	if (stat(path, &file))
		printf("%s errno %d\n", path, errno);
	else
		printf("%s %u:%llu %lld\n", path, (unsigned int)file.st_dev,
		       (unsigned long long)file.st_ino, (long long)file.st_size);
}

static void say_link(const char *path)
{
	char text[4096];
	ssize_t len = readlink(path, text, sizeof(text));

	if (len < 0)
		printf("%s no link\n", path);
	else
		printf("%s -> %.*s\n", path, (int)len, text);
}

static void say_text(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[4096];

	if (!file) {
		printf("%s errno %d\n", path, errno);
		return;
	}
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		printf("%s: %s\n", path, line);
	}
	fclose(file);
}

static void say_names(const char *path)
{
	struct dirent **entry;
	int i, n = scandir(path, &entry, NULL, alphasort);

	if (n < 0) {
		printf("%s errno %d\n", path, errno);
		return;
	}
	for (i = 0; i < n; i++) {
		if (entry[i]->d_name[0] != '.')
			printf("%s: %s\n", path, entry[i]->d_name);
		free(entry[i]);
	}
	free(entry);
}

/* The last one there covers those before it. */
static void say_mount(const char *path)
{
	FILE *file = fopen("/proc/self/mountinfo", "r");
	char line[8192], at[4096], options[512], last[512] = "none";

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "%*s %*s %*s %*s %4095s %511s", at, options) == 2 &&
		    !strcmp(at, path))
			strcpy(last, options);
	if (file)
		fclose(file);
	printf("%s %s\n", path, last);
}

static int compare_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/*
 * Prints the mounts. A file system that as a whole may not be written is "ro" in any of
 * its mounts.
 */
static void say_mounts(void)
{
	FILE *file = fopen("/proc/self/mountinfo", "r");
	char line[8192], at[4096], options[512], *rest, *mount[1024];
	size_t i, n = 0;

	while (file && n < 1024 && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%*s %*s %*s %*s %4095s %511s", at, options) != 2)
			continue;
		rest = strstr(line, " - ");
		if (rest && sscanf(rest, " - %*s %*s r%1[o]", line) == 1)
			options[1] = 'o';
		if (asprintf(&mount[n], "%s %s", at, options) >= 0)
			n++;
	}
	if (file)
		fclose(file);
	qsort(mount, n, sizeof(*mount), compare_text);
	for (i = 0; i < n; i++) {
		puts(mount[i]);
		free(mount[i]);
	}
}

static void say_variable(const char *name)
{
	const char *value = getenv(name);

	if (value)
		printf("%s=%s\n", name, value);
	else
		printf("%s unset\n", name);
}

/*
 * /dev/null answers ENOTTY to everything: any other answer comes from the filter or from
 * whoever listens to it.
 */
static void say_ioctl(const char *request)
{
	int fd = open("/dev/null", O_RDWR);
	long got = syscall(SYS_ioctl, fd, strtoul(request, NULL, 0), NULL);

	if (got < 0)
		printf("%s errno %d\n", request, errno);
	else
		printf("%s %ld\n", request, got);
	close(fd);
}

static int answer(const char *question)
{
	const char *equals = strchr(question, '=');
	const char *what = equals ? equals + 1 : "";
	size_t len = equals ? (size_t)(equals - question) : strlen(question);

#define IS(word) (len == strlen(word) && !memcmp(question, word, len))
	if (IS("nodes"))
		say_nodes("/dev");
	else if (IS("open"))
		say_open(what, what, O_RDWR);
	else if (IS("device"))
		say_device(what);
	else if (IS("write"))
		say_open(what, what, O_WRONLY);
	else if (IS("file"))
		say_file(what);
	else if (IS("link"))
		say_link(what);
	else if (IS("text"))
		say_text(what);
	else if (IS("names"))
		say_names(what);
	else if (IS("mounts"))
		say_mounts();
	else if (IS("mount"))
		say_mount(what);
	else if (IS("variable"))
		say_variable(what);
	else if (IS("ioctl"))
		say_ioctl(what);
	else if (IS("exit"))
		exit(atoi(what));
	else if (IS("sleep"))
		for (;;)
			pause();
	else
		return 2;
#undef IS
	return 0;
}

int main(int argc, char **argv)
{
	int i, ret;

	for (i = 1; i < argc; i++) {
		ret = answer(argv[i]);
		if (ret) {
			fprintf(stderr, "look: what is '%s'?\n", argv[i]);
			return ret;
		}
		fflush(stdout);
	}
	return 0;
}
