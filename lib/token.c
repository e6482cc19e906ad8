// SPDX-License-Identifier: GPL-2.0-only
/*
 * A bearer token in a file: see token.h.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "lib/text_file.h"
#include "lib/token.h"

#define SCHEME	"Bearer "

/* Visible characters, and no others, are what a header can carry. */
static int take_text(struct token *token, const char *text, char why[WHY_SIZE])
{
	size_t n, i;

	while (isspace((unsigned char)*text))
		text++;
	n = strlen(text);
	while (n && isspace((unsigned char)text[n - 1]))
		n--;
	if (!n)
		return why_fail(why, -EINVAL, "%s: there is no token in it", token->path);
	if (n >= TOKEN_SIZE)
		return why_fail(why, -EFBIG, "%s: a token has %d characters at most",
				token->path, TOKEN_SIZE - 1);
	for (i = 0; i < n; i++)
		if (!isgraph((unsigned char)text[i]))
			return why_fail(why, -EINVAL, "%s: a token is one word of ASCII",
					token->path);
	memcpy(token->text, text, n);
	return 0;
}

int token_read(struct token *token, const char *path, char why[WHY_SIZE])
{
	struct text_file file;
	int ret = text_file_read(path, &file, why);

	*token = (struct token){ .path = path };
	if (!ret && !file.is_there)
		ret = why_fail(why, -ENOENT, "cannot read %s: there is no such file", path);
	if (!ret)
		ret = take_text(token, file.text, why);
	token->file = file.stat;
	text_file_free(&file);
	return ret;
}

/* One that is put in another's place, as Kubernetes does with secrets, is another. */
static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
	       a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Each of all bytes that there is room for is compared, whatever the others are. */
static bool is_equal(const char *text, const char *given)
{
	char padded[TOKEN_SIZE] = "";
	volatile unsigned char differ = strlen(given) >= TOKEN_SIZE;
	size_t i;

	memcpy(padded, given, strnlen(given, TOKEN_SIZE - 1));
	for (i = 0; i < TOKEN_SIZE; i++)
		differ |= (unsigned char)(padded[i] ^ text[i]);
	return !differ;
}

bool token_matches(struct token *token, const char *authorization)
{
	char why[WHY_SIZE];
	struct stat now;

	if (stat(token->path, &now) || !is_same(&now, &token->file))
		token_read(token, token->path, why);
	if (!token->text[0] || !authorization ||
	    strncasecmp(authorization, SCHEME, strlen(SCHEME)) != 0)
		return false;
	return is_equal(token->text, authorization + strlen(SCHEME));
}
