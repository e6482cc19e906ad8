/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files that containerd reads: its main one, and what that imports.
 */
#ifndef MPU_CONTAINER_SETUP_CONTAINERD_FILES_H
#define MPU_CONTAINER_SETUP_CONTAINERD_FILES_H

#include "container/setup/engine.h"

/**
 * containerd_files() - as setup_engine.files: each file is read once, and those that it
 * imports after all that are known by then
 */
int containerd_files(const char *main, struct strv *list);

/**
 * containerd_locate() - as setup_engine.locate: the main file itself, or, where that
 * imports others, a file of our own that is read after all of them
 */
int containerd_locate(const char *main, const char *drop_in, struct setup_place *place);

#endif /* MPU_CONTAINER_SETUP_CONTAINERD_FILES_H */
