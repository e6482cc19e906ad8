/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A bearer token (RFC 6750) in a file: whoever knows it is let in.
 */
#ifndef MPU_LIB_TOKEN_H
#define MPU_LIB_TOKEN_H

#include <stdbool.h>
#include <sys/stat.h>

#include "lib/why.h"

/* Room for a token; Kubernetes' are of about a thousand characters. */
#define TOKEN_SIZE	4096

/**
 * struct token - a token
 * @path:	of its file; kept, not copied
 * @file:	as it was when it was read
 * @text:	"": there is none, and nobody is let in
 */
struct token {
	const char *path;
	struct stat file;
	char text[TOKEN_SIZE];
};

/**
 * token_read() - read it: the file without the white space around
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int token_read(struct token *token, const char *path, char why[WHY_SIZE]);

/**
 * token_matches() - may whoever says this come in?
 * @authorization: the header of that name; NULL: there is none
 *
 * The file is read again if it has changed. How long it takes does not tell how much
 * of a token is right.
 */
bool token_matches(struct token *token, const char *authorization);

#endif /* MPU_LIB_TOKEN_H */
