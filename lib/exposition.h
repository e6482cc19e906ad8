/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prometheus' text format (version 0.0.4): families of metrics, each with its
 * samples, in a text that grows.
 */
#ifndef MPU_LIB_EXPOSITION_H
#define MPU_LIB_EXPOSITION_H

#include <stddef.h>
#include <stdint.h>

#define EXPOSITION_TYPE		"text/plain; version=0.0.4; charset=utf-8"

struct exposition_text {
	char *bytes;	/* terminated; NULL: nothing has been written */
	size_t length;
	size_t room;
};

/**
 * struct exposition - families of metrics, from a structure of zeros on
 * @labels:	of the samples that follow
 * @family:	the name that they are written by
 * @error:	-ENOMEM: something did not fit, and nothing is added any more
 */
struct exposition {
	struct exposition_text text;
	struct exposition_text labels;
	const char *family;
	int error;
};

/**
 * struct exposition_label - a label of a sample
 * @value:	any bytes: what is not UTF-8, or a control character, is written as '?', as
 *		it would have the whole text refused
 */
struct exposition_label {
	const char *name;
	const char *value;
};

/**
 * exposition_family() - begin a family; samples of another are not added to it later
 * @name:	kept, not copied
 * @type:	"gauge" or "counter"
 * @help:	a sentence, without backslashes and newlines
 */
void exposition_family(struct exposition *exposition, const char *name,
		       const char *type, const char *help);

/** exposition_labels() - set the labels of the samples that follow; there is one */
void exposition_labels(struct exposition *exposition,
		       const struct exposition_label *label, size_t labels);

/** exposition_sample() - add a sample, with these labels, to the family */
void exposition_sample(struct exposition *exposition, uint64_t value);

/** exposition_sample_in() - likewise; @value is in units of 10 to the power of -@decimals */
void exposition_sample_in(struct exposition *exposition, uint64_t value, unsigned int decimals);

/** exposition_sample_of() - likewise, with a label more, in which nothing has to be escaped */
void exposition_sample_of(struct exposition *exposition, const char *name,
			  const char *of, uint64_t value, unsigned int decimals);

/** exposition_one() - a family with one sample, which has no labels */
void exposition_one(struct exposition *exposition, const char *name,
		    const char *type, const char *help, uint64_t value,
		    unsigned int decimals);

void exposition_free(struct exposition *exposition);

#endif /* MPU_LIB_EXPOSITION_H */
