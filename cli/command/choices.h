/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Words of which one has to be given: "one|two|three".
 */
#ifndef MPU_CLI_COMMAND_CHOICES_H
#define MPU_CLI_COMMAND_CHOICES_H

#include <stdbool.h>
#include <stddef.h>

/** choices_have() - is @word one of them? Without any | everything is */
bool choices_have(const char *choices, const char *word);

/** choices_say() - write "one, two or three". Return: @text */
const char *choices_say(const char *choices, char *text, size_t size);

/** choices_nearest() - find the name that @word may be a mistyped form of; or NULL */
const char *choices_nearest(const char *const *names, size_t n, const char *word);

#endif /* MPU_CLI_COMMAND_CHOICES_H */
