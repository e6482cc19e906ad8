// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calibration: the judgement.
 */
#include <stdio.h>
#include <string.h>

#include "nvidia/calibrate.h"

#define BIT(regime)	(1u << (regime))

/* Not measured. */
#define UNHEARD		0xff

enum mpu_regime judge_version(const struct identity *driver)
{
	enum mpu_regime regime = MPU_REGIMES;
	unsigned int part[3] = { 0 };
	size_t i;
	u32 version;

	if (sscanf(driver->version, "%3u.%3u.%3u", &part[0], &part[1],
		   &part[2]) < 2 || driver->flavour == FLAVOUR_UNKNOWN)
		return regime;
	version = MPU_DRIVER(part[0], part[1], part[2]);
	for (i = 0; i < sizeof(mpu_ranges) / sizeof(mpu_ranges[0]); i++)
		if (mpu_ranges[i].open == (driver->flavour == FLAVOUR_OPEN) &&
		    mpu_ranges[i].since <= version)
			regime = mpu_ranges[i].regime;
	return regime;
}

/* One that finds the probe by both is not understood. */
static u8 heard(const struct sight *sight)
{
	bool global = sight->self & AS_GLOBAL;
	bool local = sight->self & (AS_TGID | AS_TID);

	if (global == local)
		return UNHEARD;
	return global ? MPU_SPEAKS_GLOBAL : MPU_SPEAKS_LOCAL;
}

/*
 * The probe does no work that shows. Whoever else does is out of its sight, and
 * has a number that no process of its namespace can have.
 */
static u8 heard_samples(const struct observed *seen)
{
	if (seen->left)
		return MPU_SPEAKS_MIXED;
	return seen->strangers ? MPU_SPEAKS_GLOBAL : UNHEARD;
}

/*
 * No process of the probe's is accounted: that takes a channel. So in a list of
 * local numbers there is none; it counts only if there could have been one.
 */
static u8 heard_accounts(const struct observed *seen, u32 possible)
{
	if (seen->accounted)
		return MPU_SPEAKS_GLOBAL;
	if (seen->accounts.answered && seen->accounted_outside &&
	    possible & BIT(MPU_R3_EARLY))
		return MPU_SPEAKS_LOCAL;
	return UNHEARD;
}

/* Take it down, and leave only the regimes that have it so. */
static void hear(struct calibration *c, u8 control, u8 speech)
{
	u32 regime;

	if (speech == UNHEARD)
		return;
	c->control[control].speech = speech;
	c->control[control].measured = true;
	for (regime = 0; regime < MPU_REGIMES; regime++)
		if (mpu_regime_speech[regime][control] != speech)
			c->possible &= ~BIT(regime);
}

/*
 * What tells regimes apart beside their speech. The room for an address came
 * with 570.86.15 in both flavours, as did os_is_init_ns(); RM takes params of
 * its own size only, so the room is as good as measured, and it goes first.
 */
static void narrow(struct calibration *c)
{
	const struct observed *seen = &c->seen;
	u32 since_570 = BIT(MPU_R3_EARLY) | BIT(MPU_R3) | BIT(MPU_R4);
	u32 before = REGIMES_ALL & ~since_570;
	bool room = seen->pointers;

	if (!seen->samples.answered && seen->has_symbol < 0)
		return;
	if (!seen->samples.answered)
		room = seen->has_symbol;
	c->possible &= room ? since_570 | BIT(MPU_R0) : before;
}

/* A client was its thread until it became its process with R4. */
static void tell_threads(struct calibration *c)
{
	u8 self = c->seen.list.self & (AS_TGID | AS_TID);

	if (heard(&c->seen.list) != MPU_SPEAKS_LOCAL)
		return;
	c->tid = self == AS_TID;
	if (self == AS_TID)
		c->possible &= ~BIT(MPU_R4);
	else if (self == AS_TGID)
		c->possible &= BIT(MPU_R4);
}

/*
 * Of a control that was not measured. A number wrongly taken for global hides a
 * process; wrongly taken for local it shows a stranger: in doubt, global.
 */
static u8 speech_of(const struct calibration *c, u32 control)
{
	u8 speech = MPU_SPEAKS_GLOBAL;
	u32 possible = c->possible;
	u32 regime;

	if (c->looked_up < MPU_REGIMES &&
	    (!possible || possible & BIT(c->looked_up)))
		return mpu_regime_speech[c->looked_up][control];
	for (regime = 0; regime < MPU_REGIMES; regime++) {
		if (!(possible & BIT(regime)))
			continue;
		speech = mpu_regime_speech[regime][control];
		if (speech == MPU_SPEAKS_GLOBAL)
			break;
	}
	return speech;
}

void judge(struct calibration *c)
{
	const struct observed *seen = &c->seen;
	struct verdict_on *one = c->control;
	u32 i;

	memset(c->control, 0, sizeof(c->control));
	c->looked_up = judge_version(&c->driver);
	c->possible = REGIMES_ALL;
	c->tid = false;
	hear(c, seen->list.control, heard(&seen->list));
	hear(c, seen->input.control, heard(&seen->input));
	hear(c, seen->samples.control, heard_samples(seen));
	tell_threads(c);
	narrow(c);
	hear(c, seen->accounts.control, heard_accounts(seen, c->possible));
	for (i = 0; i < MPU_CONTROLS; i++, one++) {
		if (!one->measured)
			one->speech = speech_of(c, i);
		one->looked_up = c->looked_up < MPU_REGIMES ?
			mpu_regime_speech[c->looked_up][i] : one->speech;
	}
}

bool judge_disagrees(const struct calibration *c)
{
	return c->looked_up < MPU_REGIMES &&
	       !(c->possible & BIT(c->looked_up));
}

static bool is_local(const struct sight *sight)
{
	return heard(sight) == MPU_SPEAKS_LOCAL;
}

int judge_container(const struct calibration *c)
{
	const struct observed *seen = &c->seen;

	if (!seen->list.answered)
		return -1;
	return is_local(&seen->list) && !seen->others && !seen->left &&
	       !seen->finds_outsider &&
	       (!seen->input.answered || is_local(&seen->input));
}
