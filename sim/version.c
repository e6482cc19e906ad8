// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a driver version means: its number, and how it treats namespaces.
 */
#include "sim/sim.h"

/*
 * Open driver tags by regime, in ascending order; a version belongs to the
 * last line that is not above it. Vulkan beta branches (.43, .123) run ahead
 * of the release numbers around them, hence the steps back.
 */
static const struct {
	u32 since;
	u32 regime;
} regimes[] = {
	{ SIM_VERSION(535, 43, 24), SIM_R1 },
	{ SIM_VERSION(535, 54, 3), SIM_R0 },
	{ SIM_VERSION(535, 113, 1), SIM_R1 },
	{ SIM_VERSION(565, 57, 1), SIM_R2 },
	{ SIM_VERSION(570, 86, 15), SIM_R3 },
	{ SIM_VERSION(570, 148, 8), SIM_R4 },
	{ SIM_VERSION(575, 51, 2), SIM_R3 },
	{ SIM_VERSION(575, 57, 8), SIM_R4 },
};

u32 sim_regime_of(u32 flavour, u32 version)
{
	u32 regime = SIM_R0;
	u32 i;

	if (flavour == SIM_PROPRIETARY)
		return SIM_R0;
	for (i = 0; i < sizeof(regimes) / sizeof(regimes[0]); i++)
		if (version >= regimes[i].since)
			regime = regimes[i].regime;
	return regime;
}

bool sim_parse_version(struct sim_config *config, const char *text)
{
	u32 part[3] = { 0, 0, 0 };
	u32 parts = 0, digits = 0, i;

	for (i = 0; i < sizeof(config->version_text); i++) {
		char c = text[i];

		config->version_text[i] = c;
		if (c >= '0' && c <= '9' && digits < 3) {
			part[parts] = part[parts] * 10 + (u32)(c - '0');
			digits++;
			continue;
		}
		if (!digits)
			return false;
		parts++;
		digits = 0;
		if (!c)
			break;
		if (c != '.' || parts == 3)
			return false;
	}
	if (i == sizeof(config->version_text) || parts < 2 || part[2] > 99)
		return false;
	config->version = SIM_VERSION(part[0], part[1], part[2]);
	return true;
}
