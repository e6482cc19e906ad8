/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text that others have chosen: names and command lines of processes.
 */
#ifndef MPU_HOST_TEXT_H
#define MPU_HOST_TEXT_H

#include <stddef.h>

/**
 * text_clean() - make it fit to be printed: replace by '?' what steers terminals, what
 * is not seen or turns text around (U+202E), each byte of it, and what is not UTF-8; a character that was cut at the end is dropped
 */
void text_clean(char *text);

/** text_copy() - copy @length bytes, as far as there is room, and clean them */
void text_copy(char *to, size_t size, const char *text, size_t length);

#endif /* MPU_HOST_TEXT_H */
