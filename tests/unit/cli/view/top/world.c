// SPDX-License-Identifier: GPL-2.0-only
/*
 * A reading made by hand.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/cli/view/top/world.h"

struct world world;
struct top top;

int world_start(void)
{
	world_small(&world);
	top_begin(&top, 1);
	world_take(&world, &top);
	return 0;
}

int world_stop(void)
{
	top_free(&top);
	world_end(&world);
	return 0;
}

enum top_step press(unsigned int key)
{
	return top_press(&top, key, 80);
}

void world_begin(struct world *world, size_t room)
{
	*world = (struct world){
		.room = room,
		.usage = { .time_us = (14 * 3600 + 3 * 60 + 22) * 1000000ull,
			   .driver = "580.65.06" },
		.owner = {
			[WORLD_DOCKER] = {
				.kind = OWNER_DOCKER, .container = "trainer",
				.id = "1111111111111111111111111111111111111111111111111111111111111111",
			},
			[WORLD_POD] = {
				.kind = OWNER_CONTAINERD, .container = "main",
				.pod = "llama-0", .namespace = "ml",
				.pod_uid = "00000000-0000-0000-0000-000000000001",
				.id = "2222222222222222222222222222222222222222222222222222222222222222",
			},
			[WORLD_POD_SIDE] = {
				.kind = OWNER_CONTAINERD, .container = "side",
				.pod = "llama-0", .namespace = "ml",
				.pod_uid = "00000000-0000-0000-0000-000000000001",
				.id = "3333333333333333333333333333333333333333333333333333333333333333",
			},
			[WORLD_UNIT] = { .kind = OWNER_UNIT, .unit = "render.service" },
			[WORLD_NAMELESS] = {
				.kind = OWNER_CONTAINER,
				.id = "4444444444444444444444444444444444444444444444444444444444444444",
			},
		},
	};
	world->process = calloc(room, sizeof(*world->process));
	world->usage.processes = calloc(room, sizeof(*world->usage.processes));
	if (!world->process || !world->usage.processes)
		abort();
}

void world_add_gpu(struct world *world)
{
	struct gpu_processes *gpu = &world->usage.gpus[world->usage.n_gpus];

	*gpu = (struct gpu_processes){
		.gpu = { .minor = (int)world->usage.n_gpus, .fd = -1,
			 .bus = (u8)(world->usage.n_gpus + 1), .name = "NVIDIA H100" },
		.has_memory = true, .memory_total = 80ull << 30, .has_utilisation = true,
	};
	world->usage.n_gpus++;
}

struct host_process *world_add(struct world *world, size_t gpu, pid_t pid, enum world_owner owner,
			       uint32_t sm, uint64_t mib, const char *command)
{
	size_t i = world->usage.n_processes++;
	struct host_process *process = &world->process[i];

	if (i >= world->room || gpu >= world->usage.n_gpus)
		abort();
	*process = (struct host_process){
		.pid = pid, .own_pid = pid % 100, .user = "root",
		.started_us = world->usage.time_us - 3661 * 1000000ull,
		.owner = &world->owner[owner],
	};
	snprintf(process->name, sizeof(process->name), "%.15s", command);
	snprintf(process->command, sizeof(process->command), "%s", command);
	world->usage.processes[i] = (struct usage_process){
		.gpu = gpu, .gpu_instance = ~0u, .compute_instance = ~0u,
		.use = GPU_COMPUTE, .has_memory = true, .memory = mib << 20,
		.utilisation[RM_ENGINE_SM] = sm * 100, .process = process,
	};
	world->usage.gpus[gpu].utilisation[RM_ENGINE_SM] += sm * 100;
	world->usage.gpus[gpu].memory_used += mib << 20;
	return process;
}

void world_small(struct world *world)
{
	struct host_process *anna;

	world_begin(world, 6);
	world_add_gpu(world);
	world_add_gpu(world);
	world_add(world, 0, 1001, WORLD_DOCKER, 60, 20480, "python3 train.py");
	world_add(world, 0, 1002, WORLD_DOCKER, 5, 512, "python3 load.py");
	anna = world_add(world, 0, 1003, WORLD_NOBODY, 0, 256, "jupyter");
	anna->uid = 1000;
	strcpy(anna->user, "anna");
	world_add(world, 1, 1004, WORLD_POD, 90, 61440, "vllm serve");
	world_add(world, 1, 1005, WORLD_POD_SIDE, 2, 1024, "dcgm");
	world_add(world, 1, 1006, WORLD_UNIT, 3, 2048, "blender");
}

void world_take(struct world *world, struct top *top)
{
	world->usage.uses = &world->uses;
	host_uses_begin(&world->uses);
	top_take(top, &world->usage);
}

void world_end(struct world *world)
{
	free(world->process);
	free(world->usage.processes);
	recent_free(&world->uses);
}

pid_t world_start_child(void)
{
	pid_t pid = fork();

	if (pid < 0)
		abort();
	if (!pid) {
		signal(SIGTERM, SIG_DFL);
		for (;;)
			pause();
	}
	return pid;
}

const char *world_text(const struct screen *screen)
{
	static char *text;
	FILE *stream;
	size_t size;

	free(text);
	stream = open_memstream(&text, &size);
	if (!stream || screen_print(screen, stream) || fclose(stream))
		abort();
	return text;
}
