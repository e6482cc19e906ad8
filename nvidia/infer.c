// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calibration: the inference.
 */
#include <stdio.h>
#include <string.h>

#include "nvidia/internal.h"

#define BIT(regime)	(1u << (regime))

/* PID space of a control that was not measured. */
#define UNKNOWN		0xff

enum mpu_regime infer_regime_by_version(const struct driver *driver)
{
	unsigned int part[3] = { 0 };

	if (sscanf(driver->version, "%3u.%3u.%3u", &part[0], &part[1],
		   &part[2]) < 2 || driver->flavour == FLAVOUR_UNKNOWN)
		return MPU_REGIMES;
	return mpu_regime_of(driver->flavour == FLAVOUR_OPEN,
			     MPU_DRIVER(part[0], part[1], part[2]));
}

/* An answer that holds the insider by a global and by a local number is ambiguous. */
static u8 pid_space_of_answer(const struct observation *answer)
{
	bool global = answer->found_as & AS_GLOBAL;
	bool local = answer->found_as & (AS_TGID | AS_TID);

	if (global == local)
		return UNKNOWN;
	return global ? MPU_PIDS_GLOBAL : MPU_PIDS_LOCAL;
}

/*
 * The insider does no work, so no sample is its own. A process that does is not
 * visible to it, and any number of that process is a global one.
 */
static u8 pid_space_of_samples(const struct observations *seen)
{
	if (seen->others_with_pointer)
		return MPU_PIDS_MIXED;
	return seen->others_without_pointer ? MPU_PIDS_GLOBAL : UNKNOWN;
}

/*
 * The insider is not accounted: that takes a channel. So a list of
 * local numbers is empty; that an empty one was seen counts only if the outsider
 * saw a process in it.
 */
static u8 pid_space_of_accounts(const struct observations *seen, u32 possible)
{
	if (seen->accounted)
		return MPU_PIDS_GLOBAL;
	if (seen->accounts.answered && seen->accounted_outside && possible & BIT(MPU_R3_EARLY))
		return MPU_PIDS_LOCAL;
	return UNKNOWN;
}

/* Record what a control was measured to speak; drop regimes that contradict it. */
static void record_pid_space(struct calibration *c, u8 control, u8 pid_space)
{
	u32 regime;

	if (pid_space == UNKNOWN)
		return;
	c->control[control].pid_space = pid_space;
	c->control[control].measured = true;
	for (regime = 0; regime < MPU_REGIMES; regime++)
		if (mpu_regime_pid_space[regime][control] != pid_space)
			c->possible &= ~BIT(regime);
}

/*
 * Samples have room for a kernel address from 570.86.15 on, in both flavours, and
 * the kernel interface has os_is_init_ns() from there on, too. RM takes params of
 * its own size only, so that room is as good as measured; the symbol is asked
 * where no samples were answered.
 */
static void narrow_by_pointers(struct calibration *c)
{
	const struct observations *seen = &c->seen;
	u32 since_570 = BIT(MPU_R3_EARLY) | BIT(MPU_R3) | BIT(MPU_R4);
	u32 before = REGIMES_ALL & ~since_570;
	bool room = seen->pointers;

	if (!seen->samples.answered && seen->has_symbol < 0)
		return;
	if (!seen->samples.answered)
		room = seen->has_symbol;
	c->possible &= room ? since_570 | BIT(MPU_R0) : before;
}

/* Before R4 the driver knows a client by its thread, from then on by its process. */
static void narrow_by_thread(struct calibration *c)
{
	u8 self = c->seen.list.found_as & (AS_TGID | AS_TID);

	if (pid_space_of_answer(&c->seen.list) != MPU_PIDS_LOCAL)
		return;
	c->tid = self == AS_TID;
	if (self == AS_TID)
		c->possible &= ~BIT(MPU_R4);
	else if (self == AS_TGID)
		c->possible &= BIT(MPU_R4);
}

/*
 * The PID space of a control that was not measured. A number wrongly taken for global
 * hides a process; wrongly taken for local it shows a stranger: in doubt, global.
 */
static u8 assume_pid_space(const struct calibration *c, u32 control)
{
	u8 pid_space = MPU_PIDS_GLOBAL;
	u32 possible = c->possible;
	u32 regime;

	if (c->looked_up < MPU_REGIMES && (!possible || possible & BIT(c->looked_up)))
		return mpu_regime_pid_space[c->looked_up][control];
	for (regime = 0; regime < MPU_REGIMES; regime++) {
		if (!(possible & BIT(regime)))
			continue;
		pid_space = mpu_regime_pid_space[regime][control];
		if (pid_space == MPU_PIDS_GLOBAL)
			break;
	}
	return pid_space;
}

void infer_pid_space(struct calibration *c)
{
	const struct observations *seen = &c->seen;
	struct control_pid_space *one = c->control;
	u32 i;

	memset(c->control, 0, sizeof(c->control));
	c->looked_up = infer_regime_by_version(&c->driver);
	c->possible = REGIMES_ALL;
	c->tid = false;
	record_pid_space(c, seen->list.control, pid_space_of_answer(&seen->list));
	record_pid_space(c, seen->input.control, pid_space_of_answer(&seen->input));
	record_pid_space(c, seen->samples.control, pid_space_of_samples(seen));
	narrow_by_thread(c);
	narrow_by_pointers(c);
	record_pid_space(c, seen->accounts.control, pid_space_of_accounts(seen, c->possible));
	for (i = 0; i < MPU_CONTROLS; i++, one++) {
		if (!one->measured)
			one->pid_space = assume_pid_space(c, i);
		one->looked_up = c->looked_up < MPU_REGIMES ?
			mpu_regime_pid_space[c->looked_up][i] : one->pid_space;
	}
}

bool infer_contradicts_version(const struct calibration *c)
{
	return c->looked_up < MPU_REGIMES && !(c->possible & BIT(c->looked_up));
}

static bool is_local(const struct observation *answer)
{
	return pid_space_of_answer(answer) == MPU_PIDS_LOCAL;
}

int infer_is_translated(const struct calibration *c)
{
	const struct observations *seen = &c->seen;

	if (!seen->list.answered)
		return -1;
	return is_local(&seen->list) && !seen->others && !seen->others_with_pointer &&
	       !seen->finds_outsider &&
	       (!seen->input.answered || is_local(&seen->input));
}
