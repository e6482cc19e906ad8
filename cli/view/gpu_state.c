// SPDX-License-Identifier: GPL-2.0-only
/*
 * States of GPUs: names for programs, and text for people.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/view/internal.h"
#include "lib/text.h"

/* --- For programs --- */

#define PREFIX		"mpu_gpu_"
#define MEGA		1000000
#define FLIT		16	/* bytes */
#define KNOWN_REASONS	((1u << GPU_THROTTLES) - 1 - (1u << GPU_THROTTLE_IDLE))

const struct gpu_value_name gpu_value_names[GPU_VALUES] = {
	[GPU_TEMPERATURE] = { PREFIX "temperature_celsius", "Temperature of the GPU.", 1, 0, false },
	[GPU_MEMORY_TEMPERATURE] = { PREFIX "memory_temperature_celsius",
		"Temperature of the GPU's memory.", 1, 0, false },
	[GPU_POWER] = { PREFIX "power_watts", "Power that the GPU draws.", 1, 3, false },
	[GPU_POWER_LIMIT] = { PREFIX "power_limit_watts",
		"Power that the GPU is held below.", 1, 3, false },
	[GPU_FAN] = { PREFIX "fan_rpm", "Turns of the GPU's fan in a minute.", 1, 0, false },
	[GPU_SM_CLOCK] = { PREFIX "sm_clock_hertz", "Clock of the GPU's processors.", MEGA, 0, false },
	[GPU_MEMORY_CLOCK] = { PREFIX "memory_clock_hertz", "Clock of the GPU's memory.",
		MEGA, 0, false },
	[GPU_PSTATE] = { PREFIX "performance_state",
		"Performance state of the GPU: 0 is the fastest.", 1, 0, false },
	[GPU_PCIE_GENERATION] = { PREFIX "pcie_generation",
		"Generation of PCIe that the GPU's link runs at.", 1, 0, false },
	[GPU_PCIE_WIDTH] = { PREFIX "pcie_lanes", "Lanes of the GPU's PCIe link.", 1, 0, false },
	[GPU_PCIE_GENERATION_MAX] = { PREFIX "pcie_generation_max",
		"Generation of PCIe that the GPU can run at.", 1, 0, false },
	[GPU_PCIE_WIDTH_MAX] = { PREFIX "pcie_lanes_max", "Lanes of PCIe that the GPU has.",
		1, 0, false },
	[GPU_PCIE_SENT] = { PREFIX "pcie_sent_bytes_per_second",
		"What the GPU sent over PCIe within 20 ms, as for a second.", 1, 0, false },
	[GPU_PCIE_RECEIVED] = { PREFIX "pcie_received_bytes_per_second",
		"What the GPU received over PCIe within 20 ms, as for a second.", 1, 0, false },
	[GPU_PCIE_REPLAYS] = { PREFIX "pcie_replays_total",
		"Packets that the GPU sent again over PCIe, since its last reset.", 1, 0, true },
	[GPU_NVLINK_SENT] = { PREFIX "nvlink_sent_bytes_total",
		"Data that the GPU sent over all NVLinks, since its last reset.", FLIT, 0, true },
	[GPU_NVLINK_RECEIVED] = { PREFIX "nvlink_received_bytes_total",
		"Data that the GPU received over all NVLinks, since its last reset.", FLIT, 0, true },
	[GPU_NVLINK_CRC_ERRORS] = { PREFIX "nvlink_crc_errors_total",
		"Flits that arrived broken over the GPU's NVLinks.", 1, 0, true },
	[GPU_NVLINK_REPLAYS] = { PREFIX "nvlink_replays_total",
		"Packets that the GPU sent again over NVLink.", 1, 0, true },
	[GPU_NVLINK_RECOVERIES] = { PREFIX "nvlink_recoveries_total",
		"Times that an NVLink of the GPU was set up again after errors.", 1, 0, true },
	[GPU_MEMORY_RESERVED] = { PREFIX "memory_reserved_bytes",
		"Memory of the GPU that the driver and ECC keep, and no client can have.",
		1024, 0, false },
	[GPU_ENERGY] = { PREFIX "energy_joules_total",
		"Energy that the GPU took since the driver was loaded.", 1, 3, true },
	[GPU_ECC] = { PREFIX "ecc_enabled", "1: the GPU's memory corrects errors (ECC).", 1, 0, false },
	[GPU_ECC_CORRECTED] = { PREFIX "ecc_corrected_errors_total",
		"Errors of the GPU's memories that were corrected, ever.", 1, 0, true },
	[GPU_ECC_UNCORRECTED] = { PREFIX "ecc_uncorrected_errors_total",
		"Errors of the GPU's memories that were not corrected, ever.", 1, 0, true },
	[GPU_ROWS_CORRECTABLE] = { PREFIX "remapped_rows_correctable",
		"Rows of memory replaced after errors that were corrected.", 1, 0, false },
	[GPU_ROWS_UNCORRECTABLE] = { PREFIX "remapped_rows_uncorrectable",
		"Rows of memory replaced after errors that were not corrected.", 1, 0, false },
	[GPU_ROWS_PENDING] = { PREFIX "row_remap_pending",
		"1: a reset of the GPU will replace rows of its memory.", 1, 0, false },
	[GPU_ROWS_FAILED] = { PREFIX "row_remap_failed",
		"1: there was no row left to replace one of the GPU's memory.", 1, 0, false },
	[GPU_RETIRED_PAGES] = { PREFIX "retired_pages",
		"Pages of the GPU's memory that are not used any more.", 1, 0, false },
	[GPU_MIG] = { PREFIX "mig_enabled", "1: the GPU is split into instances (MIG).", 1, 0, false },
	[GPU_MPS_CLIENTS] = { PREFIX "mps_clients", "Clients of the GPU's MPS server.", 1, 0, false },
	[GPU_XID] = { PREFIX "xid_last",
		"Number of the last Xid error of the GPU in the kernel's log; 0: none.", 1, 0, false },
	[GPU_XID_TIME] = { PREFIX "xid_last_timestamp_seconds",
		"When the last Xid error of the GPU was.", 1, 0, false },
};

const char *gpu_value_key(enum gpu_value value)
{
	return gpu_value_names[value].metric + sizeof(PREFIX) - 1;
}

/* --- For people --- */

/* Formats what a link carries in units of a thousand, as links are sold. */
static void format_carried(char text[GPU_STATE_TEXT], uint64_t bytes, const char *per)
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB", "PB" };
	double n = (double)bytes;
	size_t i = 0;

	for (; n >= 1000 && i < 5; i++)
		n /= 1000;
	snprintf(text, GPU_STATE_TEXT, i && n < 10 ? "%.1f %s%s" : "%.0f %s%s", n, units[i], per);
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
		/* Idleness is no reason to tell. */
		text_bits(text, GPU_STATE_TEXT, (unsigned int)n & KNOWN_REASONS,
			  gpu_throttle_names, ", ");
		break;
	case GPU_PCIE_SENT:
	case GPU_PCIE_RECEIVED:
		format_carried(text, n, "/s");
		break;
	case GPU_NVLINK_SENT:
	case GPU_NVLINK_RECEIVED:
		format_carried(text, n * FLIT, "");
		break;
	case GPU_MEMORY_RESERVED:
		snprintf(text, GPU_STATE_TEXT, "%" PRIu64 " MiB", n >> 10);
		break;
	case GPU_ENERGY:
		snprintf(text, GPU_STATE_TEXT, "%.1f kWh", (double)n / 3.6e9);
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

/*
 * A column, and what it has: one value, or two with something between them. Programs read CSV by
 * position: newer ones stand at the end.
 */
#define COLUMNS(X)						\
	X("TEMP", true, 0, GPU_TEMPERATURE, NULL, 0)		\
	X("MEM TEMP", true, 7, GPU_MEMORY_TEMPERATURE, NULL, 0)	\
	X("POWER", true, 0, GPU_POWER, " of ", GPU_POWER_LIMIT)	\
	X("FAN", true, 6, GPU_FAN, NULL, 0)			\
	X("SM CLOCK", true, 0, GPU_SM_CLOCK, NULL, 0)		\
	X("MEM CLOCK", true, 5, GPU_MEMORY_CLOCK, NULL, 0)	\
	X("STATE", false, 1, GPU_PSTATE, NULL, 0)		\
	X("PCIE", false, 1, GPU_PCIE_GENERATION, " x", GPU_PCIE_WIDTH) \
	X("SENT", true, 3, GPU_PCIE_SENT, NULL, 0)		\
	X("RECEIVED", true, 3, GPU_PCIE_RECEIVED, NULL, 0)	\
	X("ECC", false, 8, GPU_ECC, NULL, 0)			\
	X("ERRORS", true, 1, GPU_ECC_CORRECTED, " + ", GPU_ECC_UNCORRECTED) \
	X("ROWS", true, 4, GPU_ROWS_CORRECTABLE, " + ", GPU_ROWS_UNCORRECTABLE) \
	X("PAGES", true, 4, GPU_RETIRED_PAGES, NULL, 0)		\
	X("MIG", false, 8, GPU_MIG, NULL, 0)			\
	X("MPS", true, 8, GPU_MPS_CLIENTS, NULL, 0)		\
	X("XID", true, 1, GPU_XID, NULL, 0)			\
	X("HELD DOWN BY", false, 0, GPU_THROTTLE, NULL, 0)	\
	X("REPLAYS", true, 2, GPU_PCIE_REPLAYS, NULL, 0)	\
	X("NVLINK SENT", true, 3, GPU_NVLINK_SENT, NULL, 0)	\
	X("NVLINK RECEIVED", true, 3, GPU_NVLINK_RECEIVED, NULL, 0) \
	X("NVLINK ERRORS", true, 2, GPU_NVLINK_CRC_ERRORS, " + ", GPU_NVLINK_REPLAYS) \
	X("RESERVED", true, 9, GPU_MEMORY_RESERVED, NULL, 0)	\
	X("ENERGY", true, 3, GPU_ENERGY, NULL, 0)

#define COLUMN(title, right, rank, one, between, other) { title, right, rank, false },
#define CELL(title, right, rank, one, between, other) add_cell(table, state, one, between, other);

static const struct table_column columns[] = {
	TABLE_TIME,
	{ "GPU", true, 0, false },
	{ "NAME", false, 9, false },
	COLUMNS(COLUMN)
};

const struct table_kind usage_gpus_table = { columns, sizeof(columns) / sizeof(columns[0]), 0 };

/*
 * Bytes of links have units of many sizes, and more digits than a double keeps; all else has one
 * unit, and begins with its number.
 */
static void add_cell(struct table *table, const struct gpu_state *state, enum gpu_value one,
		     const char *between, enum gpu_value other)
{
	char text[GPU_STATE_TEXT], bytes[24];

	gpu_state_format_two(text, state, one, between, other);
	snprintf(bytes, sizeof(bytes), "%" PRIu64, state->value[one] * gpu_value_names[one].times);
	table_add_cell(table, text, text[0] && (one == GPU_PCIE_SENT || one == GPU_PCIE_RECEIVED ||
						one == GPU_NVLINK_SENT || one == GPU_NVLINK_RECEIVED) ?
		       bytes : text);
}

static void add_gpu(struct table *table, const struct usage *usage, size_t index)
{
	const struct gpu_state *state = &usage->gpus[index].state;

	usage_add_time(table, usage);
	table_add_index(table, index);
	table_add_text(table, usage->gpus[index].gpu.name);
	COLUMNS(CELL)
}

void usage_print_gpus(const struct usage *usage, const char *wanted, const struct table_view *view)
{
	struct table table = { .kind = &usage_gpus_table };
	size_t i;

	for (i = 0; i < usage->n_gpus; i++)
		if (!wanted || usage_is_gpu(usage, i, wanted))
			add_gpu(&table, usage, i);
	table_print(&table, view);
}
