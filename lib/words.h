/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A list of strings that grows.
 */
#ifndef MPU_LIB_WORDS_H
#define MPU_LIB_WORDS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * struct words - strings, in the order in which they were added
 * @word:	each of its own memory; behind the last one stands NULL; NULL if @n
 *		is 0
 */
struct words {
	char **word;
	size_t n;
};

/** words_add() - add a copy of @text. Return: 0 or -ENOMEM. */
int words_add(struct words *words, const char *text);

/** words_add_format() - add a string that is put together as by printf() */
int words_add_format(struct words *words, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/** words_add_arguments() - likewise, as by vprintf() */
int words_add_arguments(struct words *words, const char *fmt, va_list args)
	__attribute__((format(printf, 2, 0)));

/**
 * words_split() - add the parts of @text between separators, without the blanks
 * around them; a part that is empty is left out
 *
 * Return: 0 or -ENOMEM.
 */
int words_split(struct words *words, const char *text, char separator);

/** words_have() - is @text one of them? */
bool words_have(const struct words *words, const char *text);

/** words_sort() - in the order of strcmp() */
void words_sort(struct words *words);

/** words_find() - of sorted words one that begins with @start; NULL: none does */
const char *words_find(const struct words *words, const char *start);

/** words_free() - give up all of them: the list is empty then */
void words_free(struct words *words);

#endif /* MPU_LIB_WORDS_H */
