/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Edits from a Tegra's lists of files, with the hooks that a container takes.
 */
#ifndef MPU_CONTAINER_CDI_DEVICES_CSV_H
#define MPU_CONTAINER_CDI_DEVICES_CSV_H

#include "container/cdi/recipe.h"

/**
 * cdi_csv_edits() - make the list
 * @recipe:	its installation, csv, compat and what is of hooks count
 *
 * Return: as csv_plan().
 */
int cdi_csv_edits(struct edits *edits, const struct cdi_recipe *recipe, char why[WHY_SIZE]);

#endif /* MPU_CONTAINER_CDI_DEVICES_CSV_H */
