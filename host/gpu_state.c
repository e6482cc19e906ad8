// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of how a GPU is: see gpu_state.h.
 */
#include <stddef.h>

#include "host/gpu_state.h"

#define PREFIX		"mpu_gpu_"
#define MEGA		1000000

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
