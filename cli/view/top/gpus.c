// SPDX-License-Identifier: GPL-2.0-only
/*
 * The GPUs on top of the screen: three lines for each of a few, or more where there is
 * room, two or one for each of some, or several on a line.
 */
#include <string.h>

#include "cli/view/top/internal.h"

#define LINE_COLUMNS	60	/* below, a GPU has no line of its own, however few there are */
#define WIDE_COLUMNS	38	/* below, it has no history */
#define LIST_LINES	22	/* that the list has before histories get several lines */
#define CHART_LINES	6	/* of a history, at most */
#define CHART_BAR	20	/* columns of the bar beside it, at least */
#define AXIS_COLUMNS	4	/* columns of the scale between them */

static const char *short_name(const struct gpu_processes *gpu)
{
	const char *name = gpu->gpu.name;

	return strncmp(name, "NVIDIA ", 7) ? name : name + 7;
}

static void draw_use_bar(struct screen *screen, int row, int column, int width,
			 const struct gpu_processes *gpu)
{
	uint32_t use = gpu->utilisation[RM_ENGINE_SM];

	if (gpu->has_utilisation)
		graph_bar(screen, row, column, width, use >= GRAPH_FULL ? STYLE_FULL : STYLE_USE,
			  (double)use / GRAPH_ALL);
}

static void draw_memory_bar(struct screen *screen, int row, int column, int width,
			    const struct gpu_processes *gpu)
{
	if (gpu->has_memory && gpu->memory_total)
		graph_bar(screen, row, column, width, STYLE_MEMORY,
			  (double)gpu->memory_used / (double)gpu->memory_total);
}

static void draw_history(const struct top *top, struct screen *screen, int row, int column,
			 int width, int height, size_t gpu, enum history_value value)
{
	graph_history(screen, row, column, width, height, &top->history,
		      usage_find_id(USAGE_BY_GPU, gpu, NULL), value,
		      value == HISTORY_SM ? GRAPH_ALL : top_memory_scale(top, gpu));
}

/* "63.2%"; "-": the driver does not say. */
static void format_use(char text[GRAPH_TEXT], const struct gpu_processes *gpu)
{
	strcpy(text, "-");
	if (!gpu->has_utilisation)
		return;
	graph_percent(text, gpu->utilisation[RM_ENGINE_SM]);
	strcat(text, "%");
}

/* "12.3/141.0G". */
static void format_memory(char text[GRAPH_TEXT], const struct gpu_processes *gpu)
{
	const double gib = 1 << 30;

	strcpy(text, "-");
	if (gpu->has_memory)
		snprintf(text, GRAPH_TEXT, "%.1f/%.1fG", (double)gpu->memory_used / gib,
			 (double)gpu->memory_total / gib);
}

static void draw_error(struct screen *screen, int row, int column, int width,
		       const struct gpu_processes *gpu)
{
	char text[64], line[96];

	snprintf(line, sizeof(line), "the driver refused: %s",
		 rm_error_text(gpu->error, text, sizeof(text)));
	screen_put(screen, row, column, width, STYLE_WARNING, line);
}

/* Puts a part of a title behind what stands there, if there is room for all of it. */
static void put_part(struct screen *screen, int row, int *column, const char *before,
		     const char *part)
{
	char text[GPU_STATE_TEXT + 8];
	int width = snprintf(text, sizeof(text), "%s%s", before, part);

	if (!part[0] || *column + width >= screen->columns)
		return;
	screen_put(screen, row, *column, width, STYLE_LABEL, text);
	*column += width + 2;
}

static void format_coders(char text[GPU_STATE_TEXT], const struct gpu_processes *gpu)
{
	text[0] = '\0';
	if (gpu->has_utilisation)
		snprintf(text, GPU_STATE_TEXT, "enc %u%% dec %u%%",
			 (gpu->utilisation[RM_ENGINE_ENCODER] + 50) / 100,
			 (gpu->utilisation[RM_ENGINE_DECODER] + 50) / 100);
}

/*
 * "GPU 0  H100  45 C  310 W of 700 W  tx 1.2 GB/s rx 90 MB/s  enc 0% dec 0%  1980 MHz  P0 ...":
 * what counts most comes first, as many parts as there is room for.
 */
static void draw_title(struct screen *screen, int row, size_t index,
		       const struct gpu_processes *gpu)
{
	static const struct {
		const char *before;
		enum gpu_value one, other;
		const char *between;
	} parts[] = {
		{ "", GPU_TEMPERATURE, 0, NULL },
		{ "", GPU_POWER, GPU_POWER_LIMIT, " of " },
		{ "Xid ", GPU_XID, 0, NULL },
		{ "", GPU_THROTTLE, 0, NULL },
		{ "fan ", GPU_FAN, 0, NULL },
		{ "tx ", GPU_PCIE_SENT, GPU_PCIE_RECEIVED, " rx " },
		{ "", GPU_VALUES, 0, NULL },
		{ "", GPU_SM_CLOCK, 0, NULL },
		{ "", GPU_PSTATE, 0, NULL },
		{ "PCIe ", GPU_PCIE_GENERATION, GPU_PCIE_WIDTH, " x" },
	};
	char part[GPU_STATE_TEXT];
	int column = 1;
	size_t i;

	snprintf(part, sizeof(part), "GPU %zu  %s", index, short_name(gpu));
	put_part(screen, row, &column, "", part);
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (parts[i].one == GPU_VALUES)
			format_coders(part, gpu);
		else
			gpu_state_format_two(part, &gpu->state, parts[i].one, parts[i].between,
					     parts[i].other);
		if (parts[i].one != GPU_XID || gpu->state.value[GPU_XID])
			put_part(screen, row, &column, parts[i].before, part);
	}
	rm_format_address(part, sizeof(part), &gpu->gpu);
	put_part(screen, row, &column, "", part);
}

/* Temperature and power, for where there is no room for more. Return: how wide it is. */
static int draw_warmth(struct screen *screen, int row, int column, const struct gpu_processes *gpu)
{
	char text[GPU_STATE_TEXT];

	gpu_state_format(text, &gpu->state, GPU_TEMPERATURE);
	if (!text[0])
		return 0;
	screen_put_right(screen, row, column, 5, STYLE_PLAIN, text);
	gpu_state_format(text, &gpu->state, GPU_POWER);
	screen_put_right(screen, row, column + 5, 6, STYLE_PLAIN, text);
	return 12;
}

/* Formats how far back so many samples go: "22 s". */
void top_format_time(const struct top *top, int samples, char text[GRAPH_TEXT])
{
	double seconds = samples * top->interval;

	snprintf(text, GRAPH_TEXT, seconds < 600 ? "%.3g s" : "%.0f min",
		 seconds < 600 ? seconds : seconds / 60);
}

/* Draws what the height and the width of a history mean, to the left of it. */
static void draw_axis(const struct top *top, struct screen *screen, int row, int column,
		      int height, int samples, const char *full)
{
	char text[GRAPH_TEXT + 8];

	screen_put_right(screen, row, column, AXIS_COLUMNS, STYLE_FAINT, full);
	top_format_time(top, samples, text);
	strcat(text, " ago  0");
	screen_put_right(screen, row + height - 1, column - CHART_BAR, CHART_BAR + AXIS_COLUMNS,
			 STYLE_FAINT, text);
}

/* Draws utilisation and memory below a title, @height lines each. Return: samples of a history */
static int draw_tall(const struct top *top, struct screen *screen, int row, int height,
		      size_t index)
{
	const struct gpu_processes *gpu = &top->usage->gpus[index];
	int axis = height > 1 ? AXIS_COLUMNS + 1 : 0;
	int room = screen->columns - 34 - axis, bar = height > 1 ? CHART_BAR : room / 2;
	int history = room - bar < HISTORY_SAMPLES ? room - bar : HISTORY_SAMPLES;
	int memory_row = row + 1 + height;
	char text[GRAPH_TEXT], total[GRAPH_TEXT], line[2 * GRAPH_TEXT + 4];
	int column;

	bar = room - history;
	column = 33 + bar + axis;
	if (gpu->error) {
		draw_error(screen, row + 1, 3, screen->columns - 4, gpu);
		return history;
	}
	if (axis) {
		snprintf(total, sizeof(total), "%.0fG", (double)gpu->memory_total / (1 << 30));
		draw_axis(top, screen, row + 1, 33 + bar, height, history - 1, "100%");
		draw_axis(top, screen, memory_row, 33 + bar, height, history - 1, total);
	}
	screen_put(screen, row + 1, 3, 7, STYLE_PLAIN, "SM");
	format_use(text, gpu);
	screen_put_right(screen, row + 1, 10, 21, STYLE_PLAIN, text);
	draw_use_bar(screen, row + 1, 32, bar, gpu);
	draw_history(top, screen, row + 1, column, history, height, index, HISTORY_SM);
	screen_put(screen, memory_row, 3, 7, STYLE_PLAIN, "memory");
	graph_bytes(text, gpu->memory_used);
	graph_bytes(total, gpu->memory_total);
	snprintf(line, sizeof(line), "%s of %s", text, total);
	screen_put_right(screen, memory_row, 10, 21, STYLE_PLAIN, gpu->has_memory ? line : "-");
	draw_memory_bar(screen, memory_row, 32, bar, gpu);
	draw_history(top, screen, memory_row, column, history, height, index, HISTORY_MEMORY);
	return history;
}

/*
 * Draws a GPU on a line or a part of it: its use and memory as numbers, and as many bars and
 * histories of them as there is room for; before them, where no title has these, its number, name,
 * temperature and power. Return: as draw_tall()
 */
static int draw_line(const struct top *top, struct screen *screen, int row, int column, int width,
		     size_t index, bool has_title)
{
	const struct gpu_processes *gpu = &top->usage->gpus[index];
	bool is_line = width >= LINE_COLUMNS, is_wide = width >= WIDE_COLUMNS;
	int use = is_wide ? 6 : 4, memory = is_line ? 13 : is_wide ? 12 : 5;
	int end = column + width - use - memory - (is_line ? 6 : is_wide ? 3 : 2), part;
	char text[GRAPH_TEXT];

	snprintf(text, sizeof(text), "%zu", index);
	if (!has_title)
		screen_put_right(screen, row, column, 2, STYLE_LABEL, text);
	column += 3;
	if (is_line && !has_title) {
		screen_put(screen, row, column, 12, STYLE_LABEL, short_name(gpu));
		column += 13;
	}
	if (gpu->error) {
		draw_error(screen, row, column, width - 3, gpu);
		return 0;
	}
	if (is_line && !has_title)
		column += draw_warmth(screen, row, column, gpu);
	part = (end - column) / (is_line ? 4 : is_wide ? 2 : 1);
	format_use(text, gpu);
	if (!is_wide && gpu->has_utilisation)
		snprintf(text, sizeof(text), "%u%%", (gpu->utilisation[RM_ENGINE_SM] + 50) / 100);
	screen_put_right(screen, row, is_line ? column : column + part + 1, use, STYLE_PLAIN, text);
	draw_use_bar(screen, row, is_line ? column + use + 1 : column, part, gpu);
	column += use + part + 2;
	draw_history(top, screen, row, column, is_wide ? part : 0, 1, index, HISTORY_SM);
	column += is_wide ? part + 1 : 0;
	format_memory(text, gpu);
	if (!is_wide && gpu->has_memory)
		snprintf(text, sizeof(text), "%.0fG", (double)gpu->memory_used / (1 << 30));
	screen_put_right(screen, row, column, memory, STYLE_PLAIN, text);
	column += memory + 1;
	draw_memory_bar(screen, row, column, is_line ? part : 0, gpu);
	draw_history(top, screen, row, column + part + 1, is_line ? part : 0, 1, index, HISTORY_MEMORY);
	return is_wide ? part : 0;
}

/*
 * Returns how many GPUs a line must hold, so that all fit; never more than are
 * readable.
 */
static int fields_on_line(const struct screen *screen, int n, int rows)
{
	static const int fields[] = { 1, 2, 4, 8 };
	size_t i = 0;

	while (i + 1 < sizeof(fields) / sizeof(fields[0]) &&
	       screen->columns / fields[i + 1] >= 20 && (n + fields[i] - 1) / fields[i] > rows)
		i++;
	return fields[i];
}

/* Returns how many lines a history has; 0: there is no room for one on a line of its own. */
static int chart_lines(const struct screen *screen, int n, int rows)
{
	int room = screen->rows - LIST_LINES < rows ? screen->rows - LIST_LINES : rows;
	int lines = (room / n - 1) / 2;

	if (3 * n > rows || screen->columns < LINE_COLUMNS)
		return 0;
	return lines < 1 ? 1 : lines < CHART_LINES ? lines : CHART_LINES;
}

/* @samples: receives how many a history has, 0: there is none. Return: how many lines they take */
int top_draw_gpus(const struct top *top, struct screen *screen, int row, int rows, int *samples)
{
	int i, n = (int)top->usage->n_gpus, used = 0;
	int fields = fields_on_line(screen, n, rows), chart, lines;
	bool is_line = fields == 1 && screen->columns >= LINE_COLUMNS;

	*samples = 0;
	if (!n) {
		screen_put(screen, row, 1, screen->columns - 2, STYLE_WARNING,
			   "no GPU here: RM lists none whose device node this process may open");
		return 1;
	}
	chart = top->is_printed && 3 * n <= rows ? 1 : chart_lines(screen, n, rows);
	lines = chart ? 1 + 2 * chart : is_line && 2 * n <= rows ? 2 : 1;
	for (i = 0; i < n; i++) {
		int line = lines * (i / fields);
		int width = screen->columns / fields, drawn;

		if (line >= rows)
			break;
		if (lines > 1)
			draw_title(screen, row + line, (size_t)i, &top->usage->gpus[i]);
		if (chart)
			drawn = draw_tall(top, screen, row + line, chart, (size_t)i);
		else
			drawn = draw_line(top, screen, row + line + lines - 1, i % fields * width,
					  width - (fields > 1), (size_t)i, lines > 1);
		*samples = drawn > *samples ? drawn : *samples;
		used = line + lines;
	}
	return used;
}
