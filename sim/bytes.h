/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writing into params: what core/env.h does not have, for there is no libc here.
 */
#ifndef MPU_SIM_BYTES_H
#define MPU_SIM_BYTES_H

#include "core/env.h"

static inline void sim_fill(void *buf, u8 byte, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		((u8 *)buf)[i] = byte;
}

static inline void sim_put16(void *buf, u32 off, u32 value)
{
	((u8 *)buf)[off] = value;
	((u8 *)buf)[off + 1] = value >> 8;
}

static inline u32 sim_text_length(const char *text)
{
	u32 n = 0;

	while (text[n])
		n++;
	return n;
}

/** sim_put_text() - copy a string, at most @room bytes with its end */
static inline void sim_put_text(void *to, const char *from, u32 room)
{
	u32 n = sim_text_length(from);
	u32 i;

	if (n >= room)
		n = room - 1;
	for (i = 0; i < n; i++)
		((u8 *)to)[i] = from[i];
	((u8 *)to)[n] = 0;
}

#endif /* MPU_SIM_BYTES_H */
