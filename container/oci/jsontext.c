// SPDX-License-Identifier: GPL-2.0-only
/*
 * JSON as text: a checker (RFC 8259, bounded depth), and walking what it
 * checked.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "container/oci/jsontext.h"

#define DEPTH 128	/* an OCI configuration has 8 */

/*
 * The checker. Each part moves @at over what it accepts, or says in @wrong
 * what it did not.
 */
struct check {
	const char *at;
	const char *end;
	const char *wrong;
};

static bool check_value(struct check *c, int depth);

static bool wrong(struct check *c, const char *what)
{
	c->wrong = what;
	return false;
}

static char peek(const struct check *c)
{
	return c->at < c->end ? *c->at : '\0';
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_space(struct check *c)
{
	while (is_space(peek(c)))
		c->at++;
}

static bool accept(struct check *c, char what)
{
	if (peek(c) != what)
		return false;
	c->at++;
	return true;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int hex(char c)
{
	if (is_digit(c))
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool check_escape(struct check *c)
{
	int i;

	if (peek(c) == 'u') {
		c->at++;
		for (i = 0; i < 4; i++, c->at++)
			if (hex(peek(c)) < 0)
				return wrong(c, "\\u needs four hex digits");
		return true;
	}
	if (!peek(c) || !strchr("\"\\/bfnrt", *c->at))
		return wrong(c, "unknown escape in a string");
	c->at++;
	return true;
}

static bool check_string(struct check *c)
{
	if (!accept(c, '"'))
		return wrong(c, "a string should be here");
	while (!accept(c, '"')) {
		if (c->at == c->end)
			return wrong(c, "a string does not end");
		if ((unsigned char)*c->at < 0x20)
			return wrong(c, "control character in a string");
		if (*c->at++ == '\\' && !check_escape(c))
			return false;
	}
	return true;
}

static bool check_digits(struct check *c)
{
	if (!is_digit(peek(c)))
		return wrong(c, "a digit should be here");
	while (is_digit(peek(c)))
		c->at++;
	return true;
}

static bool check_number(struct check *c)
{
	accept(c, '-');
	if (!accept(c, '0') && !check_digits(c))
		return false;
	if (accept(c, '.') && !check_digits(c))
		return false;
	if (accept(c, 'e') || accept(c, 'E')) {
		if (!accept(c, '-'))
			accept(c, '+');
		return check_digits(c);
	}
	return true;
}

static bool check_word(struct check *c, const char *word)
{
	size_t len = strlen(word);

	if ((size_t)(c->end - c->at) < len || memcmp(c->at, word, len))
		return wrong(c, "this is no JSON value");
	c->at += len;
	return true;
}

/* The members or elements of what is open, up to its bracket. */
static bool check_inside(struct check *c, bool object, int depth)
{
	char close = object ? '}' : ']';

	if (depth > DEPTH)
		return wrong(c, "nested too deeply");
	skip_space(c);
	if (accept(c, close))
		return true;
	do {
		skip_space(c);
		if (object) {
			if (!check_string(c))
				return false;
			skip_space(c);
			if (!accept(c, ':'))
				return wrong(c, "a colon should be here");
		}
		if (!check_value(c, depth))
			return false;
	} while (accept(c, ','));
	return accept(c, close) ||
	       wrong(c, "a comma or a closing bracket should be here");
}

/* With the white space around it. */
static bool check_value(struct check *c, int depth)
{
	bool fine;

	skip_space(c);
	switch (peek(c)) {
	case '{':
	case '[':
		fine = check_inside(c, *c->at++ == '{', depth + 1);
		break;
	case '"':
		fine = check_string(c);
		break;
	case 't':
		fine = check_word(c, "true");
		break;
	case 'f':
		fine = check_word(c, "false");
		break;
	case 'n':
		fine = check_word(c, "null");
		break;
	default:
		if (c->at == c->end)
			return wrong(c, "the text ends early");
		if (*c->at != '-' && !is_digit(*c->at))
			return wrong(c, "this is no JSON value");
		fine = check_number(c);
	}
	skip_space(c);
	return fine;
}

static size_t line_of(const char *text, const char *at)
{
	size_t line = 1;

	for (; text < at; text++)
		line += *text == '\n';
	return line;
}

int jsontext_check(const char *text, size_t len, struct jsontext *value,
		   char *why, size_t size)
{
	struct check c = { .at = text, .end = text + len };

	if (check_value(&c, 0) && c.at < c.end)
		wrong(&c, "something follows the end");
	if (c.wrong) {
		snprintf(why, size, "line %zu: %s", line_of(text, c.at),
			 c.wrong);
		return -EINVAL;
	}
	while (is_space(*text))
		text++;
	while (is_space(c.end[-1]))
		c.end--;
	*value = (struct jsontext){ text, c.end };
	return 0;
}

struct jsontext jsontext_inside(struct jsontext value)
{
	return (struct jsontext){ value.at + 1, value.end - 1 };
}

static const char *end_of_string(const char *at)
{
	for (at++; *at != '"'; at++)
		at += *at == '\\';
	return at + 1;
}

static const char *end_of_value(const char *at, const char *end)
{
	size_t depth = 0;

	do {
		if (*at == '"') {
			at = end_of_string(at);
			continue;
		}
		if (*at == '{' || *at == '[')
			depth++;
		else if (*at == '}' || *at == ']')
			depth--;
		at++;
	} while (depth || (at < end && *at != ',' && !is_space(*at)));
	return at;
}

static struct jsontext take(struct jsontext *rest)
{
	struct jsontext taken;

	while (rest->at < rest->end && (is_space(*rest->at) ||
					*rest->at == ',' || *rest->at == ':'))
		rest->at++;
	if (rest->at == rest->end)
		return (struct jsontext){ 0 };
	taken.at = rest->at;
	taken.end = *rest->at == '"' ? end_of_string(rest->at) :
				       end_of_value(rest->at, rest->end);
	rest->at = taken.end;
	return taken;
}

bool jsontext_next(struct jsontext *rest, struct jsontext *key,
		   struct jsontext *value)
{
	const char *at;

	*key = (struct jsontext){ 0 };
	*value = take(rest);
	if (!value->at)
		return false;
	for (at = rest->at; at < rest->end && is_space(*at); at++)
		;
	if (at < rest->end && *at == ':') {
		*key = *value;
		*value = take(rest);
	}
	return true;
}

/* Added to characters above 127 that are escaped: they equal no byte. */
#define ESCAPED	0x10000

/* One byte, or one escaped character. */
static int decode(const char **at)
{
	static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
	const char *p = *at, *letter;
	int i, c = 0;

	if (*p != '\\') {
		*at = p + 1;
		return (unsigned char)*p;
	}
	*at = p + 2;
	letter = strchr(letters, p[1]);
	if (letter)
		return meant[letter - letters];
	if (p[1] != 'u')
		return p[1];
	*at = p + 6;
	for (i = 2; i < 6; i++)
		c = c << 4 | hex(p[i]);
	return c < 0x80 ? c : c + ESCAPED;
}

bool jsontext_equal(struct jsontext value, const char *string)
{
	const char *at;

	if (!jsontext_is(value, '"'))
		return false;
	at = value.at + 1;
	while (at < value.end - 1) {
		if (!*string || decode(&at) != (unsigned char)*string)
			return false;
		string++;
	}
	return !*string;
}

bool jsontext_u64(struct jsontext value, uint64_t *number)
{
	const char *at;

	*number = 0;
	for (at = value.at; at < value.end; at++)
		if (!is_digit(*at) ||
		    __builtin_mul_overflow(*number, 10, number) ||
		    __builtin_add_overflow(*number, *at - '0', number))
			return false;
	return value.at < value.end;
}

/*
 * A letter in any case, and the two other characters that Unicode takes for
 * one: long s and the sign for Kelvin, escaped or in UTF-8.
 */
static int fold(const char **at)
{
	const char *p = *at;
	int c = decode(at);

	if (c == ESCAPED + 0x17f)
		return 's';
	if (c == ESCAPED + 0x212a)
		return 'k';
	if (c == 0xc5 && p[1] == '\xbf') {
		*at = p + 2;
		return 's';
	}
	if (c == 0xe2 && p[1] == '\x84' && p[2] == '\xaa') {
		*at = p + 3;
		return 'k';
	}
	return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
}

/* Is it this string to a reader that does not look at case? */
static bool resembles(struct jsontext value, const char *string)
{
	const char *at = value.at + 1;

	while (at < value.end - 1)
		if (!*string || fold(&at) != fold(&string))
			return false;
	return !*string;
}

int jsontext_member(struct jsontext object, const char *name,
		    struct jsontext *value)
{
	struct jsontext rest = jsontext_inside(object);
	struct jsontext key, candidate;

	*value = (struct jsontext){ 0 };
	while (jsontext_next(&rest, &key, &candidate)) {
		if (!resembles(key, name))
			continue;
		if (value->at || !jsontext_equal(key, name))
			return -EEXIST;
		*value = candidate;
	}
	return 0;
}
