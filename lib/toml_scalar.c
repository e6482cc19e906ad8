// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading the values of TOML that hold no others.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/toml_scalar.h"

int toml_refuse(struct toml_scan *scan, const char *what)
{
	size_t line = 1;
	const char *at;

	for (at = scan->text; at < scan->at; at++)
		line += *at == '\n';
	return why_fail(scan->why, -EINVAL, "line %zu: %s", line, what);
}

/* Bytes of the character at @at, 0 if it is none. */
static size_t utf8_length(const unsigned char *at)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t len = *at < 0x80 ? 1 : *at < 0xc0 ? 0 : *at < 0xe0 ? 2 :
		     *at < 0xf0 ? 3 : *at < 0xf8 ? 4 : 0;
	uint32_t c = len > 1 ? *at & (0x7f >> len) : *at;
	size_t i;

	for (i = 1; i < len; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (at[i] & 0x3f);
	}
	return len && c >= least[len] && c <= 0x10ffff && (c < 0xd800 || c > 0xdfff) ?
	       len : 0;
}

int toml_scan_check(struct toml_scan *scan, size_t len)
{
	const char *end = scan->text + len;

	for (scan->at = scan->text; scan->at < end;) {
		unsigned char c = (unsigned char)*scan->at;
		size_t n = utf8_length((const unsigned char *)scan->at);

		if (!n)
			return toml_refuse(scan, "this is not UTF-8");
		if (c == 0x7f || (c < ' ' && c != '\t' && c != '\n' &&
				  (c != '\r' || scan->at[1] != '\n')))
			return toml_refuse(scan, "a control character is here");
		scan->at += n;
	}
	scan->at = scan->text;
	return 0;
}

static char *put_utf8(char *out, uint32_t c)
{
	if (c < 0x80) {
		*out++ = (char)c;
		return out;
	}
	if (c < 0x800) {
		*out++ = (char)(0xc0 | c >> 6);
	} else {
		if (c < 0x10000) {
			*out++ = (char)(0xe0 | c >> 12);
		} else {
			*out++ = (char)(0xf0 | c >> 18);
			*out++ = (char)(0x80 | (c >> 12 & 0x3f));
		}
		*out++ = (char)(0x80 | (c >> 6 & 0x3f));
	}
	*out++ = (char)(0x80 | (c & 0x3f));
	return out;
}

/* \uXXXX or \UXXXXXXXX, from behind the letter. */
static int read_code(struct toml_scan *scan, size_t digits, char **out)
{
	char hex[9] = "";
	uint32_t c;

	memcpy(hex, scan->at, strnlen(scan->at, digits));
	if (strspn(hex, "0123456789abcdefABCDEF") != digits)
		return toml_refuse(scan, "hexadecimal digits should be here");
	c = (uint32_t)strtoul(hex, NULL, 16);
	if (!c || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return toml_refuse(scan, "there is no such character, or it is NUL");
	scan->at += digits;
	*out = put_utf8(*out, c);
	return 0;
}

/* Reads the character behind a backslash. */
static int read_escape(struct toml_scan *scan, bool lines, char **out)
{
	static const char letters[] = "btnfr\"\\", meant[] = "\b\t\n\f\r\"\\";
	const char *end = scan->at + strspn(scan->at, " \t\r");
	char letter = *scan->at;
	const char *found;

	if (lines && *end == '\n') {
		scan->at = end + strspn(end, " \t\r\n");
		return 0;
	}
	found = letter ? strchr(letters, letter) : NULL;
	if (!found && letter != 'u' && letter != 'U')
		return toml_refuse(scan, "no escape in a string is written like this");
	scan->at++;
	if (!found)
		return read_code(scan, letter == 'u' ? 4 : 8, out);
	*(*out)++ = meant[found - letters];
	return 0;
}

/*
 * Reads the quotes at the end of a string, if @quotes stand there. A string of several
 * lines may have two more before them, which belong to it.
 */
static bool end_string(struct toml_scan *scan, char quote, size_t quotes, char **out)
{
	size_t n = 0;

	while (n < (quotes == 1 ? 1 : 5) && scan->at[n] == quote)
		n++;
	if (n < quotes)
		return false;
	scan->at += n;
	for (; n > quotes; n--)
		*(*out)++ = quote;
	return true;
}

int toml_scan_string(struct toml_scan *scan, bool lines)
{
	char quote = *scan->at, *out = scan->buffer;
	int ret = 0;

	lines = lines && scan->at[1] == quote && scan->at[2] == quote;
	scan->at += lines ? 3 : 1;
	if (lines && scan->at[0] == '\r')
		scan->at++;
	if (lines && scan->at[0] == '\n')
		scan->at++;
	while (!ret && !end_string(scan, quote, lines ? 3 : 1, &out)) {
		char c = *scan->at;

		if (!c || (!lines && (c == '\n' || c == '\r')))
			return toml_refuse(scan, "a string does not end");
		scan->at++;
		if (c == '\\' && quote == '"')
			ret = read_escape(scan, lines, &out);
		else
			*out++ = c;
	}
	*out = '\0';
	return ret;
}

/* Reads what @pattern says, in which 'd' is a digit. */
static bool matches(const char **at, const char *pattern)
{
	const char *s = *at;

	for (; *pattern; pattern++, s++)
		if (*pattern == 'd' ? *s < '0' || *s > '9' : *s != *pattern)
			return false;
	*at = s;
	return true;
}

static bool is_time(const char *at)
{
	if (!matches(&at, "dd:dd:dd"))
		return false;
	if (matches(&at, ".d"))
		at += strspn(at, "0123456789");
	return !*at;
}

/* Takes the zone off: what follows it is not a time of any sort. */
static bool is_date(char *word)
{
	const char *at = word;
	char *zone;

	if (!matches(&at, "dddd-dd-dd"))
		return is_time(word);
	if (!*at)
		return true;
	if (!strchr("Tt ", *at))
		return false;
	zone = word + (++at - word);
	zone += strcspn(zone, "Zz+-");
	at = zone;
	if (*zone && strcmp(zone, "Z") && strcmp(zone, "z") &&
	    !((matches(&at, "+dd:dd") || matches(&at, "-dd:dd")) && !*at))
		return false;
	*zone = '\0';
	return is_time(word + 11);
}

/* Skips digits, between which one underscore may stand; NULL: there are none. */
static const char *skip_digits(const char *at, const char *digits)
{
	if (!*at || !strchr(digits, *at))
		return NULL;
	for (at++; *at; at++)
		if (!strchr(digits, *at) &&
		    !(*at == '_' && at[-1] != '_' && at[1] && strchr(digits, at[1])))
			break;
	return at;
}

static const char decimal[] = "0123456789";

/* Skips the fraction and the exponent of a number; NULL: they are not right. */
static const char *skip_fraction(const char *at)
{
	if (at && *at == '.')
		at = skip_digits(at + 1, decimal);
	if (at && (*at == 'e' || *at == 'E')) {
		at++;
		at = skip_digits(at + (*at == '+' || *at == '-'), decimal);
	}
	return at;
}

static void remove_underscores(char *word)
{
	char *out = word;

	for (; *word; word++)
		if (*word != '_')
			*out++ = *word;
	*out = '\0';
}

static int make_integer(struct toml_scan *scan, char *digits, int base,
			struct json_object **value)
{
	long long number;

	remove_underscores(digits);
	errno = 0;
	number = strtoll(digits, NULL, base);
	if (errno)
		return toml_refuse(scan, "a number is too large");
	*value = json_object_new_int64(number);
	return 0;
}

/* Reads a number out of @word, which it changes. */
static int read_number(struct toml_scan *scan, char *word,
		       struct json_object **value)
{
	static const struct {
		const char *prefix, *digits;
		int base;
	} bases[] = {
		{ "0x", "0123456789abcdefABCDEF", 16 },
		{ "0o", "01234567", 8 }, { "0b", "01", 2 },
	};
	char *digits = word + (*word == '+' || *word == '-');
	const char *end;
	size_t i;

	for (i = 0; i < sizeof(bases) / sizeof(*bases); i++) {
		if (strncmp(word, bases[i].prefix, 2) != 0)
			continue;
		end = skip_digits(word + 2, bases[i].digits);
		if (end && !*end)
			return make_integer(scan, word + 2, bases[i].base, value);
	}
	end = skip_digits(digits, decimal);
	if (end && *digits == '0' && end - digits > 1)
		end = NULL;
	if (end && !*end)
		return make_integer(scan, word, 10, value);
	end = skip_fraction(end);
	if ((!end || *end) && strcmp(digits, "inf") != 0 && strcmp(digits, "nan") != 0)
		return toml_refuse(scan, "this is not a value: is a string without quotes meant?");
	remove_underscores(word);
	*value = json_object_new_double(strtod(word, NULL));
	return 0;
}

/* Up to where a value without quotes ends. */
static size_t word_length(const char *at)
{
	static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-_.:";
	size_t len = strspn(at, word);
	const char *date = at;

	/* A date and a time with a blank between them. */
	if (matches(&date, "dddd-dd-dd d"))
		len = 11 + strspn(at + 11, word);
	return len;
}

int toml_scan_scalar(struct toml_scan *scan, struct json_object **value)
{
	const char *start = scan->at;
	size_t len = word_length(start);
	int ret = 0;

	*value = NULL;
	if (*start == '"' || *start == '\'') {
		ret = toml_scan_string(scan, true);
		if (!ret)
			*value = json_object_new_string(scan->buffer);
		return ret;
	}
	if (!len)
		return toml_refuse(scan, "a value should be here");
	memcpy(scan->buffer, start, len);
	scan->buffer[len] = '\0';
	if (!strcmp(scan->buffer, "true") || !strcmp(scan->buffer, "false"))
		*value = json_object_new_boolean(*start == 't');
	else if (is_date(scan->buffer))
		*value = json_object_new_string_len(start, (int)len);
	else
		ret = read_number(scan, scan->buffer, value);
	if (!ret)
		scan->at = start + len;
	return ret;
}
