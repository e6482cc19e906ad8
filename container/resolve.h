/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Resolves a container and the settings of the machine to a list of edits: for the
 * runtime wrapper, and for commands that show the list.
 */
#ifndef MPU_CONTAINER_RESOLVE_H
#define MPU_CONTAINER_RESOLVE_H

#include "container/plan/plan.h"
#include "container/request/request.h"

/**
 * struct gpus - a container, and what it is to be given
 * @by_cli:	nvidia-container-cli is to make the edits, and not the container's runtime
 * @request:	what it asks for; if that is no GPU, there are no edits
 * @mode:	what gives it
 * @edits:	what is to be edited in config.json: of MODE_LEGACY the first is the hook
 *		that has nvidia-container-cli make others
 */
struct gpus {
	const struct container *container;
	const struct settings *settings;
	bool by_cli;
	struct request request;
	enum mode mode;
	struct edits edits;
};

/**
 * gpus_plan() - find out
 * @setting:	instead of the settings' mode, NULL: that
 *
 * Return: 0, or negative errno and a sentence in @why. Either way gpus_free() is
 * to follow.
 */
int gpus_plan(struct gpus *gpus, const struct container *container,
	      const struct settings *settings, const char *setting, char why[WHY_SIZE]);

/** gpus_plan_hook() - what the hook of MODE_LEGACY has nvidia-container-cli make */
int gpus_plan_hook(struct gpus *gpus, const struct container *container,
		   const struct settings *settings, char why[WHY_SIZE]);

void gpus_free(struct gpus *gpus);

#endif /* MPU_CONTAINER_RESOLVE_H */
