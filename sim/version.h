/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Facts about driver versions: abi/regimes.tsv and abi/pid_space.tsv.
 */
#ifndef MPU_SIM_VERSION_H
#define MPU_SIM_VERSION_H

#include "sim/sim.h"

/** sim_regime_of() - how a driver of this flavour and version treats namespaces */
enum mpu_regime sim_regime_of(const struct sim_config *config);

/** sim_pid_space_of() - whose numbers a control speaks to a namespace */
enum mpu_pid_space sim_pid_space_of(const struct sim *sim, u32 cmd);

#endif /* MPU_SIM_VERSION_H */
