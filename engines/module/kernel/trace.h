/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one trace point: a translated call, when it returns. No PID is in it.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM mpu

#if !defined(MPU_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define MPU_TRACE_H

#include <linux/tracepoint.h>

#include "core/counters.h"

/* So that whoever reads the format of the event knows their numbers. */
#define MPU_TRACE_ENUM(counter, name) TRACE_DEFINE_ENUM(counter);
MPU_EACH_COUNTER(MPU_TRACE_ENUM)
TRACE_DEFINE_ENUM(MPU_COUNTERS);
#undef MPU_TRACE_ENUM

/* Each ends with a comma, hence one more behind them. */
#define MPU_TRACE_NAME(counter, name) { counter, name },

TRACE_EVENT(mpu_control,
	TP_PROTO(u32 cmd, u32 size, u32 outcome, u32 seen, u32 hidden),
	TP_ARGS(cmd, size, outcome, seen, hidden),
	TP_STRUCT__entry(
		__field(u32, cmd)
		__field(u32, size)
		__field(u32, outcome)
		__field(u32, seen)
		__field(u32, hidden)
	),
	TP_fast_assign(
		__entry->cmd = cmd;
		__entry->size = size;
		__entry->outcome = outcome;
		__entry->seen = seen;
		__entry->hidden = hidden;
	),
	TP_printk("cmd=%#x size=%u outcome=%s seen=%u hidden=%u",
		  __entry->cmd, __entry->size,
		  __print_symbolic(__entry->outcome,
				   MPU_EACH_COUNTER(MPU_TRACE_NAME)
				   { MPU_COUNTERS, "none" }),
		  __entry->seen, __entry->hidden)
);

#endif /* MPU_TRACE_H */

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
