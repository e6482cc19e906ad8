// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures whether containers get their own PIDs: see measured.h.
 */
#include "cli/engine/measured.h"
#include "engines/engines.h"
#include "lib/host.h"
#include "nvidia/calibrate.h"
#include "nvidia/driver.h"
#include "nvidia/infer.h"

enum measured measure_engine(const struct engine_place *place)
{
	struct calibration found;
	char dev[96];
	int seen;

	if (!place->driver[0] || host_is_other() || !driver_is_used(place->driver) ||
	    host_path(dev, sizeof(dev), "/dev") ||
	    calibrate_run(&found, dev, NULL, NULL))
		return NOT_MEASURED;
	seen = infer_is_translated(&found);
	return seen < 0 ? NOT_MEASURED : seen ? RIGHT : WRONG;
}
