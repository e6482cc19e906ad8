// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two texts of JSON side by side: see same.h.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/oci/same.h"

enum place { ROOT, LINUX, SECCOMP, SYSCALLS, ENTRY, NAMES, ELSEWHERE };

static const char *skip(const char *at)
{
	return at + strspn(at, " \t\r\n,:");
}

/* Returns the place behind a value. */
static const char *end_of(const char *at)
{
	int depth = 0;

	do {
		if (*at == '"') {
			for (at++; *at != '"'; at++)
				at += *at == '\\';
		}
		depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
		at++;
	} while (depth || !strchr(" \t\r\n,:]}", *at));
	return at;
}

static bool is_end(const char *at)
{
	return *at == '}' || *at == ']';
}

static unsigned int hex(const char *at)
{
	char digits[5] = { at[0], at[1], at[2], at[3] };

	return (unsigned int)strtoul(digits, NULL, 16);
}

/* Reads one character of a string, in UTF-8. Return: the place behind it. */
static const char *decode(const char *at, char utf8[5])
{
	static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
	const char *letter;
	unsigned int c, low;
	size_t n = 0;

	memset(utf8, 0, 5);
	if (*at != '\\') {
		do
			utf8[n++] = *at++;
		while (n < 4 && (*at & 0xc0) == 0x80);
		return at;
	}
	letter = strchr(letters, at[1]);
	if (letter || at[1] != 'u') {
		utf8[0] = letter ? meant[letter - letters] : at[1];
		return at + 2;
	}
	c = hex(at + 2);
	at += 6;
	low = (c & 0xfc00) == 0xd800 && at[0] == '\\' && at[1] == 'u' ? hex(at + 2) : 0;
	if ((low & 0xfc00) == 0xdc00) {
		c = 0x10000 + ((c & 0x3ff) << 10 | (low & 0x3ff));
		at += 6;
	}
	if (c < 0x80) {
		utf8[0] = (char)c;
	} else if (c < 0x800) {
		utf8[0] = (char)(0xc0 | c >> 6);
		utf8[1] = (char)(0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		utf8[0] = (char)(0xe0 | c >> 12);
		utf8[1] = (char)(0x80 | (c >> 6 & 0x3f));
		utf8[2] = (char)(0x80 | (c & 0x3f));
	} else {
		utf8[0] = (char)(0xf0 | c >> 18);
		utf8[1] = (char)(0x80 | (c >> 12 & 0x3f));
		utf8[2] = (char)(0x80 | (c >> 6 & 0x3f));
		utf8[3] = (char)(0x80 | (c & 0x3f));
	}
	return at;
}

static bool same_string(const char *a, const char *b)
{
	char from_a[5], from_b[5];

	for (a++, b++; *a != '"' && *b != '"';) {
		a = decode(a, from_a);
		b = decode(b, from_b);
		if (memcmp(from_a, from_b, sizeof(from_a)) != 0)
			return false;
	}
	return *a == *b;
}

static bool is(const char *string, const char *text)
{
	char from[5];

	for (string++; *string != '"'; text++) {
		string = decode(string, from);
		if (!*text || from[0] != *text || from[1])
			return false;
	}
	return !*text;
}

/* The value of a member, or NULL. */
static const char *find(const char *object, const char *name)
{
	const char *at;

	for (at = skip(object + 1); !is_end(at); at = skip(end_of(at))) {
		const char *value = skip(end_of(at));

		if (is(at, name))
			return value;
		at = value;
	}
	return NULL;
}

static bool is_ioctl(const char *name)
{
	return *name == '"' && is(name, "ioctl");
}

static bool names_ioctl_alone(const char *entry)
{
	const char *at, *names = find(entry, "names");
	bool ioctl = false;

	for (at = skip(names + 1); !is_end(at); at = skip(end_of(at))) {
		ioctl = is_ioctl(at);
		if (!ioctl)
			return false;
	}
	return ioctl;
}

/*
 * Members that the edit may add or replace. @replaced: there was no profile, or
 * no list in it.
 */
static bool is_edited(enum place place, const char *name, bool replaced)
{
	return (place == LINUX && replaced && is(name, "seccomp")) ||
	       (place == SECCOMP && replaced && is(name, "syscalls")) ||
	       (place == SECCOMP && (is(name, "listenerPath") ||
				     is(name, "flags")));
}

static enum place place_of(enum place place, const char *name)
{
	if (place == ROOT && is(name, "linux"))
		return LINUX;
	if (place == LINUX && is(name, "seccomp"))
		return SECCOMP;
	if (place == SECCOMP && is(name, "syscalls"))
		return SYSCALLS;
	return place == ENTRY && is(name, "names") ? NAMES : ELSEWHERE;
}

static const char *next_member(const char *at, enum place place, bool replaced)
{
	for (at = skip(at); !is_end(at) && is_edited(place, at, replaced);)
		at = skip(end_of(skip(end_of(at))));
	return at;
}

static const char *next_element(const char *at, enum place place)
{
	for (at = skip(at); !is_end(at); at = skip(end_of(at)))
		if (!(place == SYSCALLS && names_ioctl_alone(at)) &&
		    !(place == NAMES && is_ioctl(at)))
			break;
	return at;
}

static const char *compare(const char *a, const char *b, enum place place);

static const char *compare_arrays(const char *a, const char *b, enum place place)
{
	const char *differs;

	a = next_element(a + 1, place);
	b = next_element(b + 1, place);
	while (!is_end(a) && !is_end(b)) {
		differs = compare(a, b, place == SYSCALLS ? ENTRY : ELSEWHERE);
		if (differs)
			return differs;
		a = next_element(end_of(a), place);
		b = next_element(end_of(b), place);
	}
	return is_end(a) && is_end(b) ? NULL : b;
}

static const char *compare_objects(const char *a, const char *b, enum place place)
{
	const char *part = place == LINUX ? find(a, "seccomp") :
			   place == SECCOMP ? find(a, "syscalls") : NULL;
	bool replaced = !part || *part == 'n';
	const char *differs;

	a = next_member(a + 1, place, replaced);
	b = next_member(b + 1, place, replaced);
	while (!is_end(a) && !is_end(b)) {
		if (!same_string(a, b))
			return b;
		differs = compare(skip(end_of(a)), skip(end_of(b)), place_of(place, a));
		if (differs)
			return differs;
		a = next_member(end_of(skip(end_of(a))), place, replaced);
		b = next_member(end_of(skip(end_of(b))), place, replaced);
	}
	return is_end(a) && is_end(b) ? NULL : b;
}

static const char *compare(const char *a, const char *b, enum place place)
{
	size_t len = (size_t)(end_of(a) - a);

	if (*a != *b)
		return b;
	if (*a == '{')
		return compare_objects(a, b, place);
	if (*a == '[')
		return compare_arrays(a, b, place);
	if (*a == '"')
		return same_string(a, b) ? NULL : b;
	return (size_t)(end_of(b) - b) == len && !memcmp(a, b, len) ? NULL : b;
}

const char *same_config(const char *before, const char *after)
{
	return compare(skip(before), skip(after), ROOT);
}
