// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls of 32-bit programs: see suite.h.
 */
#include <spawn.h>

#include "tests/conformance/conformance32.h"
#include "tests/conformance/suite.h"

/* --- memory --- */

static struct {
	struct room_call *call;	/* is there as long as anybody uses it */
	unsigned int users;
	u32 used;
	int fd;
} room;

static int open_room(void)
{
	int fd = memfd_create("room", MFD_CLOEXEC), err;
	void *at = MAP_FAILED;

	if (fd >= 0 && !ftruncate(fd, ROOM_SIZE))
		at = mmap((void *)(uintptr_t)ROOM_AT, ROOM_SIZE, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0);
	if (at == MAP_FAILED) {
		err = -errno;
		if (fd >= 0)
			close(fd);
		return err;
	}
	room.call = at;
	room.fd = fd;
	room.used = sizeof(*room.call);
	return 0;
}

void *compat_alloc(u32 size)
{
	u32 from;

	if (!room.users && open_room())
		return NULL;
	from = (room.used + 15) & ~15u;
	if (size > ROOM_SIZE - from)
		return NULL;
	room.used = from + size;
	room.users++;
	return (u8 *)room.call + from;
}

void compat_free(void)
{
	if (--room.users)
		return;
	munmap(room.call, ROOM_SIZE);
	close(room.fd);
}

/* --- calls --- */

#if defined(__x86_64__)

long compat_call(u32 nr, int fd, u32 request, void *low)
{
	long ret = nr;

	__asm__ volatile("int $0x80" : "+a"(ret) : "b"((long)fd), "c"((long)request), "d"(low) :
			 "memory", "r8", "r9", "r10", "r11");
	return (int)ret;
}

#else

#define PROGRAM	"/conformance32"

/* Makes the call in @room.call, on this file, and ends. */
static int run_program(int fd)
{
	char *argv[] = { (char *)PROGRAM, NULL }, *none[] = { NULL };
	posix_spawn_file_actions_t files;
	int ret = posix_spawn_file_actions_init(&files);
	pid_t pid;

	if (ret)
		return -ret;
	ret = posix_spawn_file_actions_adddup2(&files, room.fd, ROOM_FD);
	if (!ret)
		ret = posix_spawn_file_actions_adddup2(&files, fd, CALL_FD);
	if (!ret)
		ret = posix_spawn(&pid, PROGRAM, &files, NULL, argv, none);
	posix_spawn_file_actions_destroy(&files);
	if (ret)
		return -ret;
	/* An actor's children are reaped for it: that it has ended is all there is. */
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return 0;
}

long compat_call(u32 nr, int fd, u32 request, void *low)
{
	long ret;

	if (!compat_alloc(0))
		return -ENOMEM;
	*room.call = (struct room_call){ nr, request, (u32)(uintptr_t)low, -EIO };
	ret = run_program(fd);
	if (!ret)
		ret = room.call->result;
	compat_free();
	return ret;
}

#endif
