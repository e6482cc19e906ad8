// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a fuzz target many times, without libFuzzer: its seeds, with a few bytes of
 * them changed, taken out, doubled or taken from another one. The same ones each
 * time.
 */
#include "tests/container/random.h"

#define LONGEST	4096
#define RUNS	20000u

static uint32_t state = 1;

static uint32_t roll(size_t sides)
{
	state = state * 1664525 + 1013904223;
	return sides ? (uint32_t)((state >> 8) % sides) : 0;
}

static size_t count_seeds(void)
{
	size_t n = 0;

	while (random_seeds[n])
		n++;
	return n;
}

/* Puts @n bytes of @from at @at, where @old bytes stand. */
static size_t replace(uint8_t *data, size_t size, size_t at, size_t old, const void *from, size_t n)
{
	uint8_t copy[LONGEST];

	if (size - old + n > LONGEST)
		return size;
	memcpy(copy, from, n);
	memmove(data + at + n, data + at + old, size - at - old);
	memcpy(data + at, copy, n);
	return size - old + n;
}

static size_t change(uint8_t *data, size_t size)
{
	static const char interesting[] = "\0\xff\n\"\\/:= 019-";
	const char *other = random_seeds[roll(count_seeds())];
	size_t at = roll(size + 1), n = roll(size - at + 1);
	uint8_t byte = (uint8_t)roll(256);

	switch (roll(5)) {
	case 0:
		return replace(data, size, at, 0, &byte, 1);
	case 1:
		return replace(data, size, at, at < size,
			       &interesting[roll(sizeof(interesting) - 1)], 1);
	case 2:
		return replace(data, size, at, n, "", 0);
	case 3:
		return replace(data, size, at, 0, data + at, n);
	default:
		n = strlen(other) < LONGEST ? roll(strlen(other) + 1) : 0;
		return replace(data, size, at, 0, other, n);
	}
}

int main(void)
{
	size_t seeds = count_seeds();
	uint8_t data[LONGEST];
	unsigned int run;

	for (run = 0; run < RUNS; run++) {
		const char *seed = random_seeds[run % seeds];
		size_t size = strnlen(seed, LONGEST);
		uint32_t changes = roll(6);

		memcpy(data, seed, size);
		while (changes--)
			size = change(data, size);
		LLVMFuzzerTestOneInput(data, size);
	}
	printf("%sok 1 - %u inputs: %u taken\n",
	       random_taken < RUNS / 20 ? "not " : "", RUNS, random_taken);
	return random_taken < RUNS / 20;
}
