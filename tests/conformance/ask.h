/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The actors' use of the GPU: become a GPU process, ask a control of the table. All
 * functions here run in the actor that actor_do() names.
 */
#ifndef MPU_TESTS_CONFORMANCE_ASK_H
#define MPU_TESTS_CONFORMANCE_ASK_H

#include <pthread.h>
#include <stdbool.h>

#include "core/controls.h"
#include "core/nvrm.h"
#include "core/row.h"
#include "nvidia/rm.h"
#include "tests/conformance/entry_path.h"
#include "tests/conformance/fixture.h"
#include "tests/conformance/host.h"

/*
 * The content of buffers where nobody has written. Two bytes of it are no number a
 * process has here, so that a word seen half written is not taken for one.
 */
#define FILL		0xee

/* The address of a question's params. */
enum place {
	PLACE_HEAP,		/* between guard bytes */
	PLACE_ODD,		/* the same, at an odd address */
	PLACE_NEW,		/* the array's pages have not been touched */
	PLACE_PAGE_END,		/* the next byte is not there */
	PLACE_TORN,		/* the last four bytes are not there */
	PLACE_READ_ONLY,
	PLACES,
};

/**
 * struct question - one control, asked and answered
 * @row:	index into mpu_rows
 * @path:	enum entry_path
 * @place:	enum place
 * @class:	GET_PIDS: whose objects; 0: the subdevice's
 * @count:	number of @pids
 * @pids:	whom to ask about, MPU_IN
 * @said:	stands in the params instead of the count, if @lie
 * @cmd:	stands instead of the row's number, if not 0
 * @size:	stands instead of the row's paramsSize, if not 0
 * @fail:	RM status with which the call is to end, 0: none
 * @sent:	params as they were sent
 * @ret:	0, negative errno, RM status
 * @spoilt:	a guard byte changed
 * @params:	as they came back
 * @array:	what stood at the row's user pointer
 */
struct question {
	u32 row;
	u32 path;
	u32 place;
	u32 class;
	u32 count;
	u32 pids[MPU_ASK_MAX];
	bool lie;
	u32 said;
	u32 cmd;
	u32 size;
	u32 fail;
	int ret;
	bool spoilt;
	u8 sent[MPU_PARAMS_MAX];
	u8 params[MPU_PARAMS_MAX];
	u8 array[72 * 776];	/* the largest is 72 * 704 */
};

/**
 * struct load - what a GPU process holds
 * @mib:	memory
 * @util:	percent on each engine
 * @class:	out: the compute class it has an object of
 */
struct load {
	u32 mib;
	u32 util[6];
	bool encoder;
	bool capture;
	u32 class;
};

/* Called within an actor: a client without a GPU, and any control asked by it. */
int client_open(void);
void client_close(void);
int client_ask(u32 path, u32 cmd, void *params, u32 size);

/* Requests for actor_do(); they return what the library returns. */
int gpu_open(void *unused);		/* a client and a subdevice, no more */
int gpu_start(void *load);		/* struct load */
int gpu_stop(void *unused);
int gpu_ask(void *question);		/* struct question; returns 0 */
int gpu_reserve(void *unused);		/* the profiler, GPU 0 */
int gpu_channel_error(void *unused);
int gpu_pattern(void *pattern);		/* u32 enum sim_pattern, of all */
int gpu_sleep(void *ms);		/* in the driver */
int gpu_accounting_on(void *unused);

/* The actor's client and objects, for cases that issue calls of their own. */
struct rm *gpu_client(void);
struct rm_gpu *gpu_board(void);
u32 gpu_object(u32 cmd);		/* the handle to ask a control of */
void question_compose(const struct question *q, u8 *params, void *array);
struct nv_control question_block(const struct question *q, const u8 *params);

/* Return: a userfaultfd for these pages, which nobody has touched, or negative errno. */
int pages_watch(u8 *from, size_t size);

/**
 * struct late_page - a page that comes when somebody reads it, after words elsewhere have
 * changed
 * @at:		the page, which nobody has touched
 * @word:	that change, or NULL
 * @value:	to these
 */
struct late_page {
	u8 *at;
	u8 content[LARGEST_PAGE];
	u32 *word[2];
	u32 value[2];
	int fd;
	pthread_t thread;
};

/* Return: 0 or negative errno. Only one may be open in a process. */
int late_page_open(struct late_page *page);
void late_page_close(struct late_page *page);

/* Returns where the pid of element @i, field @f stands, in the params or array. */
u32 row_pid_offset(const struct mpu_row *row, u32 i, u32 f);
/* The number of elements an answer says it holds, within the row's bounds. */
u32 question_count(const struct question *q);
u32 question_pid(const struct question *q, u32 i, u32 f);
/* The time stamp of sample @i, of a row that has them. */
u64 question_time(const struct question *q, u32 i);
const u8 *question_array(const struct question *q);

#endif /* MPU_TESTS_CONFORMANCE_ASK_H */
