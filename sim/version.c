// SPDX-License-Identifier: GPL-2.0-only
/*
 * The meaning of a driver version: its number, how it treats PID namespaces, and whose
 * PIDs its controls use.
 */
#include "core/table.h"
#include "sim/version.h"

enum mpu_regime sim_regime_of(const struct sim_config *config)
{
	enum mpu_regime regime = mpu_regime_of(config->flavour == SIM_OPEN, config->version);

	return regime < MPU_REGIMES ? regime : MPU_R0;
}

enum mpu_pid_space sim_pid_space_of(const struct sim *sim, u32 cmd)
{
	const struct mpu_row *row = mpu_row_of(cmd);

	return row ? mpu_regime_pid_space[sim->regime][row->control] : MPU_PIDS_GLOBAL;
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
	config->version = MPU_DRIVER(part[0], part[1], part[2]);
	return true;
}
