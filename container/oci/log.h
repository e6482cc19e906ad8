/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Logging by mpu-runtime: as its command line says, and as config.toml says.
 */
#ifndef MPU_CONTAINER_OCI_LOG_H
#define MPU_CONTAINER_OCI_LOG_H

#include "container/oci/runtime_args.h"

/**
 * oci_runtime_log() - log a sentence where the command line says, as runc does
 * it: whoever called shows the last error that is found there
 * @level:	"error", "warning", "info" or "debug"
 */
void oci_runtime_log(const struct oci_runtime *runtime, const char *level,
		     const char *text);

#endif /* MPU_CONTAINER_OCI_LOG_H */
