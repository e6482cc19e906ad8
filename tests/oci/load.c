// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs in a container, of its image's own loader: which file does each library
 * come from?
 *
 *	load LIBRARY...		"LIBRARY PATH DEVICE:INODE", or "LIBRARY not found"
 *	load - LIBRARY...	likewise, with no environment
 */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void say(const char *name)
{
	void *library = dlopen(name, RTLD_LAZY);
	struct link_map *map;
	struct stat file;

	if (!library || dlinfo(library, RTLD_DI_LINKMAP, &map) || stat(map->l_name, &file))
		printf("%s not found\n", name);
	else
		printf("%s %s %u:%llu\n", name, map->l_name,
		       (unsigned int)file.st_dev, (unsigned long long)file.st_ino);
}

int main(int argc, char **argv)
{
	static char *const none[] = { NULL };
	int i;

	if (argc > 1 && !strcmp(argv[1], "-")) {
		execve(argv[0], argv + 1, none);
		return 1;
	}
	for (i = 1; i < argc; i++)
		say(argv[i]);
	return 0;
}
