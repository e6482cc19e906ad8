/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Actors ask, and what comes back is compared with what the host is told.
 */
#ifndef MPU_TESTS_CONFORMANCE_ANSWER_H
#define MPU_TESTS_CONFORMANCE_ANSWER_H

#include "tests/conformance/ask.h"
#include "tests/conformance/fixture.h"

/**
 * question_ask() - have an actor ask; what comes back is in @q
 * Return: false if it could not be asked; the case is failed.
 */
bool question_ask(struct actor *seer, struct question *q);

/** question_ask_host() - the same question, by global numbers, from the host */
bool question_ask_host(struct actor *host, const struct actor *seer,
		       const struct question *q, struct question *answer);

/**
 * answer_is_right() - is this what @seer may see of what the host was told?
 *
 * Byte by byte: what is visible is as the host has it but for the numbers,
 * what is not leaves no trace. Time stamps of samples are not compared.
 * Return: false, and the case is failed.
 */
bool answer_is_right(const struct actor *seer, const struct question *q,
		     const struct question *host);

/** question_is_unchanged() - did @q come back as it was sent? Else the case is failed */
bool question_is_unchanged(const struct actor *seer, const struct question *q);

/**
 * answer_hides_strangers() - does no word of @q name a process @seer cannot see?
 * Else the case is failed.
 */
bool answer_hides_strangers(const struct actor *seer, const struct question *q);

#endif /* MPU_TESTS_CONFORMANCE_ANSWER_H */
