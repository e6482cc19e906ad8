/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Measures whether containers get their own PIDs, whatever an engine says of itself.
 */
#ifndef MPU_CLI_ENGINE_MEASURED_H
#define MPU_CLI_ENGINE_MEASURED_H

struct engine_place;

enum measured { NOT_MEASURED, WRONG, RIGHT };

/**
 * measure_engine() - ask the driver as a container does
 * @place:	of the engine that is up
 *
 * A GPU that nobody uses is not woken up for the question.
 */
enum measured measure_engine(const struct engine_place *place);

#endif /* MPU_CLI_ENGINE_MEASURED_H */
