/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A list of strings that grows, or the program ends: see xalloc.h.
 */
#ifndef MPU_LIB_STRV_H
#define MPU_LIB_STRV_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * struct strv - strings, in the order in which they were added
 * @word:	behind the last one stands NULL; NULL if @n is 0
 */
struct strv {
	char **word;
	size_t n;
};

void strv_add(struct strv *words, const char *text);
void strv_add_format(struct strv *words, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/** strv_add_once() - unless it is one of them */
void strv_add_once(struct strv *words, const char *text);
void strv_add_all(struct strv *words, const struct strv *more);

/** strv_split() - add the parts between separators, without blanks around them, or empty ones */
void strv_split(struct strv *words, const char *text, char separator);

bool strv_have(const struct strv *words, const char *text);

/** strv_sort() - in the order of strcmp() */
void strv_sort(struct strv *words);

/** strv_sort_once() - likewise, and keep one of those that are equal */
void strv_sort_once(struct strv *words);

/** strv_join() - all of them, with @between in between, to be freed */
char *strv_join(const struct strv *words, const char *between);

/** strv_find() - of sorted words one that begins with @start; NULL: none does */
const char *strv_find(const struct strv *words, const char *start);

void strv_free(struct strv *words);

#endif /* MPU_LIB_STRV_H */
