/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text that others have chosen, fit to be printed: names and command lines of processes, names of
 * containers and of control groups.
 */
#ifndef MPU_LIB_TEXT_H
#define MPU_LIB_TEXT_H

#include <stddef.h>

/**
 * text_character() - how many bytes the character has that begins here, and which it is
 *
 * Return: 0: this is not UTF-8; -1: it would be, if the text went on.
 */
int text_character(const char *text, unsigned int *value);

/**
 * text_clean() - replace by '?' what steers terminals, what is not seen or turns text around
 * (U+202E), each byte of it, and what is not UTF-8; a character that was cut at the end is dropped
 */
void text_clean(char *text);

/** text_copy() - likewise, in a copy */
void text_copy(char *to, size_t size, const char *text, size_t length);

/** text_clean_lines() - as text_clean(), of text with ends of lines, which stay */
void text_clean_lines(char *text);

/** text_bits() - write the names of the bits that a set has, the lowest first */
void text_bits(char *text, size_t size, unsigned int set, const char *const *names,
	       const char *between);

/** text_bit_find() - the other way: the bit of one of @n names; "all": all; 0: there is none */
unsigned int text_bit_find(const char *name, const char *const *names, unsigned int n);

/** text_truth() - read Go's words for yes (1) and no (0). Return: -1 if it is neither */
int text_truth(const char *text);

#endif /* MPU_LIB_TEXT_H */
