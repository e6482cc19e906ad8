/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The other names of this program: one file is also a runtime, a hook and more,
 * by the name of the link that it was called through.
 */
#ifndef MPU_CLI_APPLETS_H
#define MPU_CLI_APPLETS_H

/**
 * names_find() - find what this program is by a name
 * @argv0:	as main() has it
 *
 * Return: what to call with the words that main() has, ended by NULL, for an exit
 * status; or NULL: mpu itself.
 */
int (*names_find(const char *argv0))(char **words);

#endif /* MPU_CLI_APPLETS_H */
