// SPDX-License-Identifier: GPL-2.0-only
/*
 * One process, or the GPUs, with all that is known of them: on a screen of their own.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/view/top/internal.h"
#include "lib/host.h"
#include "lib/proc.h"

#define WHOLE_COMMAND		4096
#define LABEL_WIDTH	17
#define PARENTS		16	/* more are not named */

/* --- A page of labels and texts --- */

/* Puts a label and its text, on as many lines as that takes; of no text, nothing. */
void page_put(struct page *page, const char *label, const char *text)
{
	int width = page->screen->columns - LABEL_WIDTH - 2, last = page->screen->rows - 1;
	char part[SCREEN_PART];
	size_t at, length;

	for (at = 0; text[at] && page->row < last && width > 0; at += length) {
		length = screen_take(page->screen, part, text + at, width);
		/* Break at a blank, where there is one. */
		if (text[at + length] && strrchr(part, ' '))
			length = (size_t)(strrchr(part, ' ') - part) + 1;
		part[length] = '\0';
		if (page->skip-- > 0)
			continue;
		screen_put(page->screen, page->row, 1, LABEL_WIDTH, STYLE_LABEL, at ? "" : label);
		screen_put(page->screen, page->row++, LABEL_WIDTH + 1, width, STYLE_PLAIN, part);
	}
}

void page_put_title(struct page *page, const char *text)
{
	int width = page->screen->columns;

	screen_paint(page->screen, page->row, 0, width, STYLE_TITLE);
	screen_put(page->screen, page->row++, 1, width - 2, STYLE_TITLE, text);
	page->row++;
}

/* --- A process --- */

/* The whole command line; that of a reading is cut. */
static void put_command(struct page *page, const struct host_process *process)
{
	char text[WHOLE_COMMAND];
	int i, n = host_read(text, sizeof(text), "/proc/%d/cmdline", process->pid);

	for (i = 0; i + 1 < n; i++)
		if (!text[i])
			text[i] = ' ';
	page_put(page, "command", n > 0 ? text : process->command);
}

static void put_folder(struct page *page, pid_t pid)
{
	char path[256], folder[WHOLE_COMMAND];
	ssize_t n;

	if (host_path(path, sizeof(path), "/proc/%d/cwd", pid))
		return;
	n = readlink(path, folder, sizeof(folder) - 1);
	if (n < 0)
		return;
	folder[n] = '\0';
	page_put(page, "folder", folder);
}

static void put_parents(struct page *page, pid_t pid)
{
	char text[WHOLE_COMMAND] = "";
	struct proc_stat stat;
	size_t length = 0;
	int i;

	if (proc_stat_of(pid, &stat))
		stat.parent = 0;
	for (i = 0; stat.parent > 0 && i < PARENTS; i++) {
		pid_t parent = stat.parent;

		if (proc_stat_of(parent, &stat) || (!stat.parent && parent != 1))
			break;
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%.31s %d",
					   i ? ", of " : "", stat.name, parent);
	}
	page_put(page, "child of", text);
}

/* Memory of the machine, and time of its processors. */
static void put_host_use(struct page *page, pid_t pid)
{
	unsigned long long seconds;
	struct proc_stat stat;
	char text[GRAPH_TEXT];

	if (proc_stat_of(pid, &stat))
		return;
	graph_bytes(text, stat.pages * (uint64_t)sysconf(_SC_PAGESIZE));
	page_put(page, "host memory", text);
	seconds = stat.ticks / (unsigned long long)sysconf(_SC_CLK_TCK);
	snprintf(text, sizeof(text), "%llu:%02llu:%02llu", seconds / 3600, seconds / 60 % 60,
		 seconds % 60);
	page_put(page, "processor time", text);
}

/* The kernel's own figure, of the control group: dmem, where there is that (6.14). */
static void put_dmem(struct page *page, pid_t pid)
{
	char text[4096], current[1024], *group;
	int n = host_read(text, sizeof(text), "/proc/%d/cgroup", pid);

	group = n > 0 ? strstr(text, "0::/") : NULL;
	if (!group || (group != text && group[-1] != '\n'))
		return;
	group += 3;
	group[strcspn(group, "\n")] = '\0';
	n = host_read(current, sizeof(current), "/sys/fs/cgroup%s/dmem.current", group);
	for (; n > 0; n--)
		if (current[n - 1] == '\n')
			current[n - 1] = ' ';
	page_put(page, "group's dmem", current);
}

static void put_owner(struct page *page, const struct host_process *process)
{
	const struct owner *owner = process->owner;
	char name[OWNER_FULL];

	usage_name(name, owner);
	page_put(page, owner->container[0] || owner->id[0] ? "container" : "unit or job", name);
	if (owner->kind >= OWNER_CONTAINER)
		page_put(page, "runtime", owner_kind_names[owner->kind]);
	page_put(page, "container's id", owner->id);
	owner_name_pod(name, owner);
	page_put(page, "pod", name);
	page_put(page, "user", process->user);
}

static void put_gpu_use(struct page *page, const struct usage *usage,
			const struct usage_process *one)
{
	char label[32], text[160], memory[GRAPH_TEXT] = "-", sm[GRAPH_TEXT] = "-";

	if (one->has_memory)
		graph_bytes(memory, one->memory);
	if (usage->gpus[one->gpu].has_utilisation)
		graph_percent(sm, one->utilisation[RM_ENGINE_SM]);
	snprintf(label, sizeof(label), "GPU %zu", one->gpu);
	snprintf(text, sizeof(text), "%s, SM %s %%, for%s%s%s", memory, sm,
		 one->use & GPU_COMPUTE ? " compute" : "",
		 one->use & GPU_GRAPHICS ? " graphics" : "", one->use & GPU_MPS ? " mps" : "");
	page_put(page, label, text);
}

static const struct host_process *find_process(const struct top *top)
{
	size_t i;

	for (i = 0; i < top->usage->n_processes; i++)
		if (top->usage->processes[i].process->pid == top->detail)
			return top->usage->processes[i].process;
	return NULL;
}

static void draw_process(const struct top *top, struct page *page)
{
	const struct host_process *process = find_process(top);
	char text[64];
	size_t i;

	snprintf(text, sizeof(text), "process %d", top->detail);
	page_put_title(page, text);
	if (!process || process->is_gone) {
		page_put(page, "", process ? usage_gone_text() : "uses no GPU any more");
		return;
	}
	put_command(page, process);
	put_folder(page, process->pid);
	put_parents(page, process->pid);
	put_owner(page, process);
	snprintf(text, sizeof(text), "%d", process->own_pid);
	if (process->own_pid && process->own_pid != process->pid)
		page_put(page, "PID in there", text);
	put_host_use(page, process->pid);
	for (i = 0; i < top->usage->n_processes; i++)
		if (top->usage->processes[i].process == process)
			put_gpu_use(page, top->usage, &top->usage->processes[i]);
	put_dmem(page, process->pid);
}

/* --- The GPUs --- */

static const struct { const char *label; enum gpu_value one, other; const char *between; }
lines[] = {
	{ "temperature", GPU_TEMPERATURE, GPU_MEMORY_TEMPERATURE, ", memory " },
	{ "power", GPU_POWER, GPU_POWER_LIMIT, " of " },
	{ "fan", GPU_FAN, 0, NULL },
	{ "clocks", GPU_SM_CLOCK, GPU_MEMORY_CLOCK, ", memory " },
	{ "state", GPU_PSTATE, 0, NULL },
	{ "held down by", GPU_THROTTLE, 0, NULL },
	{ "PCIe", GPU_PCIE_GENERATION, GPU_PCIE_WIDTH, " x" },
	{ "sent, received", GPU_PCIE_SENT, GPU_PCIE_RECEIVED, ", " },
	{ "PCIe replays", GPU_PCIE_REPLAYS, 0, NULL },
	{ "NVLink sent", GPU_NVLINK_SENT, GPU_NVLINK_RECEIVED, ", received " },
	{ "NVLink errors", GPU_NVLINK_CRC_ERRORS, GPU_NVLINK_REPLAYS, " broken flits, replays " },
	{ "reserved", GPU_MEMORY_RESERVED, 0, NULL },
	{ "energy", GPU_ENERGY, 0, NULL },
	{ "ECC", GPU_ECC, 0, NULL },
	{ "errors ever", GPU_ECC_CORRECTED, GPU_ECC_UNCORRECTED, " corrected, not corrected " },
	{ "rows replaced", GPU_ROWS_CORRECTABLE, GPU_ROWS_UNCORRECTABLE,
	  " of corrected errors, others " },
	{ "pages retired", GPU_RETIRED_PAGES, 0, NULL },
	{ "MIG", GPU_MIG, 0, NULL },
	{ "clients of MPS", GPU_MPS_CLIENTS, 0, NULL },
	{ "last Xid", GPU_XID, 0, NULL },
};

static void draw_gpu(struct page *page, const struct gpu_processes *gpu)
{
	char text[GPU_STATE_TEXT];
	size_t i;

	page_put(page, "UUID", gpu->gpu.uuid);
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		gpu_state_format_two(text, &gpu->state, lines[i].one, lines[i].between,
				     lines[i].other);
		page_put(page, lines[i].label, text[0] ? text : "-");
	}
}

static void draw_gpus(const struct top *top, struct page *page)
{
	size_t i, gpu = top->detail_gpu < top->usage->n_gpus ? top->detail_gpu : 0;
	char text[160], address[RM_ADDRESS];

	for (i = gpu; i < top->usage->n_gpus && page->row < page->screen->rows - 2; i++) {
		const struct gpu_processes *one = &top->usage->gpus[i];

		rm_format_address(address, sizeof(address), &one->gpu);
		snprintf(text, sizeof(text), "GPU %zu  %s  %s", i, one->gpu.name, address);
		page_put_title(page, text);
		draw_gpu(page, one);
		page->row++;
	}
}

void top_draw_detail(const struct top *top, struct screen *screen)
{
	struct page page = { .screen = screen, .skip = top->detail ? top->skip : 0 };

	if (top->detail)
		draw_process(top, &page);
	else
		draw_gpus(top, &page);
	screen_put(screen, screen->rows - 1, 0, screen->columns - 1, STYLE_FAINT,
		   top->detail ? "up, down: more; any other key ends this" :
		   "up, down: the other GPUs; any other key ends this");
}
