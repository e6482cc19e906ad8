/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Exit statuses of all programs in here. A command that becomes another program, or
 * waits for one, ends with that one's.
 */
#ifndef MPU_CLI_COMMAND_EXIT_H
#define MPU_CLI_COMMAND_EXIT_H

enum cli_exit {
	CLI_DONE,
	CLI_FAILED,
	/* The command line is wrong; nvidia-container-cli, -ctk and -cdi-hook: CLI_FAILED. */
	CLI_USAGE,
	CLI_NO,		/* asked a question, and the answer is no */
};

#endif /* MPU_CLI_COMMAND_EXIT_H */
