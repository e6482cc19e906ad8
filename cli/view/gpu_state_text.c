// SPDX-License-Identifier: GPL-2.0-only
/*
 * How GPUs are, as people read it: see gpu_state_text.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/view/gpu_state_text.h"
#include "cli/view/gpu_usage_text.h"

/* Formats a rate in units of a thousand, as links are sold. */
static void format_rate(char text[GPU_STATE_TEXT], uint64_t bytes)
{
	static const char *const units[] = { "B/s", "kB/s", "MB/s", "GB/s" };
	double rate = (double)bytes;
	size_t i = 0;

	for (; rate >= 1000 && i < 3; i++)
		rate /= 1000;
	snprintf(text, GPU_STATE_TEXT, i && rate < 10 ? "%.1f %s" : "%.0f %s", rate, units[i]);
}

static void format_reasons(char text[GPU_STATE_TEXT], uint64_t reasons)
{
	size_t length = 0;
	int i;

	text[0] = '\0';
	for (i = 0; i < GPU_THROTTLES; i++)
		if (reasons >> i & 1 && length < GPU_STATE_TEXT)
			length += (size_t)snprintf(text + length, GPU_STATE_TEXT - length,
						   "%s%s", length ? ", " : "",
						   gpu_throttle_names[i]);
}

void gpu_state_format(char text[GPU_STATE_TEXT], const struct gpu_state *state,
		      enum gpu_value value)
{
	static const char *const units[GPU_VALUES] = {
		[GPU_TEMPERATURE] = " C", [GPU_MEMORY_TEMPERATURE] = " C",
		[GPU_FAN] = " rpm", [GPU_SM_CLOCK] = " MHz", [GPU_MEMORY_CLOCK] = " MHz",
	};
	uint64_t n = state->value[value];

	text[0] = '\0';
	if (!gpu_state_has(state, value))
		return;
	switch (value) {
	case GPU_POWER:
	case GPU_POWER_LIMIT:
		snprintf(text, GPU_STATE_TEXT, "%" PRIu64 " W", (n + 500) / 1000);
		break;
	case GPU_PSTATE:
		snprintf(text, GPU_STATE_TEXT, "P%" PRIu64, n);
		break;
	case GPU_THROTTLE:
		format_reasons(text, n);
		break;
	case GPU_PCIE_SENT:
	case GPU_PCIE_RECEIVED:
		format_rate(text, n);
		break;
	case GPU_ECC:
	case GPU_MIG:
		snprintf(text, GPU_STATE_TEXT, "%s", n ? "on" : "off");
		break;
	default:
		snprintf(text, GPU_STATE_TEXT, "%" PRIu64 "%s", n,
			 units[value] ? units[value] : "");
	}
}

void gpu_state_format_two(char text[GPU_STATE_TEXT], const struct gpu_state *state,
			  enum gpu_value one, const char *between, enum gpu_value other)
{
	char second[GPU_STATE_TEXT];
	size_t length;

	gpu_state_format(text, state, one);
	length = strlen(text);
	if (!between || !length)
		return;
	gpu_state_format(second, state, other);
	if (second[0])
		snprintf(text + length, GPU_STATE_TEXT - length, "%s%s", between, second);
}

void gpu_state_format_slow(char text[GPU_STATE_TEXT], const struct gpu_state *state)
{
	text[0] = '\0';
	if (gpu_state_has(state, GPU_THROTTLE))
		format_reasons(text, state->value[GPU_THROTTLE] & ~(1u << GPU_THROTTLE_IDLE));
}

/* A column, and what it has: one value, or two with something between them. */
#define COLUMNS(X)						\
	X("TEMP", true, 0, GPU_TEMPERATURE, NULL, 0)		\
	X("MEM TEMP", true, 7, GPU_MEMORY_TEMPERATURE, NULL, 0)	\
	X("POWER", true, 0, GPU_POWER, " of ", GPU_POWER_LIMIT)	\
	X("FAN", true, 6, GPU_FAN, NULL, 0)			\
	X("SM CLOCK", true, 0, GPU_SM_CLOCK, NULL, 0)		\
	X("MEM CLOCK", true, 5, GPU_MEMORY_CLOCK, NULL, 0)	\
	X("STATE", false, 0, GPU_PSTATE, NULL, 0)		\
	X("PCIE", false, 0, GPU_PCIE_GENERATION, " x", GPU_PCIE_WIDTH) \
	X("SENT", true, 3, GPU_PCIE_SENT, NULL, 0)		\
	X("RECEIVED", true, 3, GPU_PCIE_RECEIVED, NULL, 0)	\
	X("ECC", false, 8, GPU_ECC, NULL, 0)			\
	X("ERRORS", true, 1, GPU_ECC_CORRECTED, " + ", GPU_ECC_UNCORRECTED) \
	X("ROWS", true, 4, GPU_ROWS_CORRECTABLE, " + ", GPU_ROWS_UNCORRECTABLE) \
	X("PAGES", true, 4, GPU_RETIRED_PAGES, NULL, 0)		\
	X("MIG", false, 8, GPU_MIG, NULL, 0)			\
	X("MPS", true, 8, GPU_MPS_CLIENTS, NULL, 0)		\
	X("XID", true, 1, GPU_XID, NULL, 0)

#define COLUMN(title, right, rank, one, between, other) { title, right, rank, false },
#define CELL(title, right, rank, one, between, other) add_cell(table, state, one, between, other);

static const struct table_column columns[] = {
	TABLE_TIME,
	{ "GPU", true, 0, false },
	{ "NAME", false, 9, false },
	COLUMNS(COLUMN)
	{ "HELD DOWN BY", false, 0, false },
};

const struct table_kind usage_gpus_table = { columns, sizeof(columns) / sizeof(columns[0]) };

/* Rates have units of many sizes; all else has one, and begins with its number. */
static void add_cell(struct table *table, const struct gpu_state *state, enum gpu_value one,
		     const char *between, enum gpu_value other)
{
	char text[GPU_STATE_TEXT];

	gpu_state_format_two(text, state, one, between, other);
	if (text[0] && (one == GPU_PCIE_SENT || one == GPU_PCIE_RECEIVED))
		table_add_number(table, (double)state->value[one], text);
	else
		table_add_text(table, text);
}

static void add_gpu(struct table *table, const struct usage *usage, size_t index)
{
	const struct gpu_state *state = &usage->gpus[index].state;
	char text[GPU_STATE_TEXT];

	usage_add_time(table, usage);
	table_add(table, "%zu", index);
	table_add_text(table, usage->gpus[index].gpu.name);
	COLUMNS(CELL)
	gpu_state_format_slow(text, state);
	table_add_text(table, text);
}

bool usage_print_gpus(const struct usage *usage, const char *wanted,
		      const struct table_view *view)
{
	struct table table = { .kind = &usage_gpus_table };
	size_t i;

	for (i = 0; i < usage->n_gpus; i++)
		if (!wanted || usage_is_gpu(usage, i, wanted))
			add_gpu(&table, usage, i);
	return table_print(&table, view);
}
