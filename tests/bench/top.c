// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures what a second of mpu top costs with 10,000 processes of 1,000 containers on 16 GPUs:
 * processor time of what is done with a reading, and of drawing 80x24, for each list.
 */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/clock.h"
#include "tests/unit/cli/view/top/world.h"

#define GPUS		16
#define CONTAINERS	1000
#define PROCESSES	10000
#define TIMES		20

static struct owner owners[CONTAINERS];

/* Ten processes each, of one user, on one GPU. */
static void add_container(struct world *world, size_t gpu, unsigned int container)
{
	struct owner *owner = &owners[container];
	unsigned int i = container * PROCESSES / CONTAINERS;
	struct host_process *process;

	*owner = world->owner[WORLD_POD];
	snprintf(owner->id, sizeof(owner->id), "%064x", container * 77777);
	snprintf(owner->pod_uid, sizeof(owner->pod_uid),
		 "00000000-0000-0000-0000-%012x", container / 2);
	for (; i < (container + 1) * PROCESSES / CONTAINERS; i++) {
		process = world_add(world, gpu, (pid_t)(100000 + i), WORLD_POD, i % 7,
				    i % 1000, "python3 train.py --some --options");
		process->owner = owner;
		process->uid = container % 30;
	}
}

static void fill(struct world *world)
{
	unsigned int gpu, container;

	world_begin(world, PROCESSES);
	for (gpu = 0; gpu < GPUS; gpu++)
		world_add_gpu(world);
	for (gpu = 0; gpu < GPUS; gpu++)
		for (container = gpu; container < CONTAINERS; container += GPUS)
			add_container(world, gpu, container);
}

static double milliseconds(uint64_t since_ns)
{
	return (double)(clock_thread_ns() - since_ns) / 1e6 / TIMES;
}

int main(void)
{
	static const char *const names[ROWS_MODES] = {
		"processes", "tree", "containers", "pods", "users", "parents",
	};
	static struct screen screen;
	unsigned int mode, i;
	uint64_t begin;

	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return 1;
	screen_resize(&screen, 24, 80);
	fill(&world);
	top_begin(&top, 1);
	for (mode = 0; mode < ROWS_MODES; mode++) {
		double update;

		top_press(&top, '1' + mode, 80);
		begin = clock_thread_ns();
		for (i = 0; i < TIMES; i++)
			world_take(&world, &top);
		update = milliseconds(begin);
		begin = clock_thread_ns();
		for (i = 0; i < TIMES; i++)
			top_draw(&top, &screen);
		printf("%-10s  update %5.2f ms, draw %5.2f ms\n", names[mode], update,
		       milliseconds(begin));
	}
	top_free(&top);
	world_end(&world);
	screen_free(&screen);
	return 0;
}
