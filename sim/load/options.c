// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command line of nvsim-load: one table for --help and for reading it.
 */
#include <errno.h>
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nvidia/nvidia.h"
#include "sim/load/options.h"
#include "sim/interface.h"

static const char *const patterns[] = {
	[SIM_ALTERNATING] = "alternating", [SIM_MIXED] = "mixed",
	[SIM_BURSTY] = "bursty", [SIM_IDLE] = "idle", [SIM_PATTERNS] = NULL,
};

/**
 * struct row - one option
 * @argument:	what --help calls its argument; NULL: it has none, and sets a bool
 * @help:	may have several lines
 * @member:	offset in struct options: of a bool, a u32, or a string
 * @max:	the argument is a number from @min to this; 0: it is none
 * @words:	the argument is one of these, and its index is what counts
 */
static const struct row {
	const char *name;
	const char *argument;
	const char *help;
	size_t member;
	u32 min, max;
	const char *const *words;
} rows[] = {
#define MEMBER(name)	.member = offsetof(struct options, name)
	{ "gpu", "N", "which GPU (0)", MEMBER(gpu), .max = RM_GPUS - 1 },
	{ "mem", "MIB", "memory to hold (64)", MEMBER(mib), .max = 1 << 20 },
	{ "graphics", NULL, "a 3D program, not a compute one", MEMBER(graphics) },
	{ "mps", NULL, "a client of the MPS server", MEMBER(mps) },
	{ "no-channel", NULL, "memory only, like nvidia-smi's own client",
	  MEMBER(no_channel) },
	{ "no-subdevice", NULL, "without a subdevice object",
	  MEMBER(no_subdevice) },
	{ "clients", "N", "N RM clients in one process (1)", MEMBER(clients),
	  .min = 1, .max = CLIENTS_MAX },
	{ "children", "N", "N processes, each a load of its own",
	  MEMBER(children), .min = 1, .max = 2000 },
	{ "thread", NULL, "allocate in a second thread", MEMBER(thread) },
	{ "thread-exits", NULL, "allocate in a second thread, which then ends",
	  MEMBER(thread_exits) },
	{ "orphan", NULL, "the process that allocated ends, its child\n"
	  "keeps the descriptors", MEMBER(orphan) },
	{ "util", "PERCENT", "show in utilisation samples", MEMBER(util),
	  .max = 100 },
	{ "pattern", "NAME", "who shows when, on this GPU: alternating (by turns),\n"
	  "mixed (at random), bursty (in runs), idle (nobody)",
	  MEMBER(pattern), .words = patterns },
	{ "encoder", NULL, "hold an encoder session", MEMBER(encoder) },
	{ "capture", NULL, "hold a frame buffer capture session",
	  MEMBER(capture) },
	{ "account", NULL, "turn accounting mode on first (needs root)",
	  MEMBER(account) },
	{ "profiler", NULL, "reserve the profiler's counters", MEMBER(profiler) },
	{ "error", NULL, "have had a channel error", MEMBER(error) },
	{ "dev", "DIR", "where the device nodes are (/dev)", MEMBER(dev) },
	{ "help", NULL, "print this", .member = 0 },
};

#define ROWS	(sizeof(rows) / sizeof(rows[0]))
#define HELP	(ROWS - 1)

static void print_help(void)
{
	const char *line, *end;
	char option[32];
	size_t i;

	puts("usage: nvsim-load [OPTION]...");
	for (i = 0; i < ROWS; i++) {
		snprintf(option, sizeof(option), "--%s %s", rows[i].name,
			 rows[i].argument ? rows[i].argument : "");
		for (line = rows[i].help; *line; line = end + !!*end) {
			end = strchrnul(line, '\n');
			printf("  %-16s%.*s\n", line == rows[i].help ? option : "",
			       (int)(end - line), line);
		}
	}
}

static u32 read_number(const struct row *row, const char *text)
{
	char *end;
	unsigned long n;

	errno = 0;
	n = strtoul(text, &end, 10);
	if (errno || !*text || *text == '-' || *end || n < row->min || n > row->max) {
		fprintf(stderr, "nvsim-load: --%s %s: must be a number from %u to %u\n",
			row->name, text, row->min, row->max);
		exit(2);
	}
	return (u32)n;
}

static u32 read_word(const struct row *row, const char *text)
{
	u32 i;

	for (i = 0; row->words[i]; i++)
		if (!strcmp(text, row->words[i]))
			return i;
	fprintf(stderr, "nvsim-load: --%s %s: must be one of", row->name, text);
	for (i = 0; row->words[i]; i++)
		fprintf(stderr, " %s", row->words[i]);
	fputc('\n', stderr);
	exit(2);
}

static void read_option(const struct row *row, void *member, const char *text)
{
	if (!row->argument)
		*(bool *)member = true;
	else if (row->words)
		*(u32 *)member = read_word(row, text);
	else if (row->max)
		*(u32 *)member = read_number(row, text);
	else
		*(const char **)member = text;
}

void options_read(struct options *options, int argc, char **argv)
{
	struct option known[ROWS + 1] = { 0 };
	int i;

	for (i = 0; i < (int)ROWS; i++)
		known[i] = (struct option){
			.name = rows[i].name,
			.has_arg = !!rows[i].argument,
			.val = i,
		};
	while ((i = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (i == '?')
			exit(2);
		if (i == HELP) {
			print_help();
			exit(0);
		}
		read_option(&rows[i], (char *)options + rows[i].member, optarg);
	}
	if (optind < argc) {
		fprintf(stderr, "nvsim-load: %s: not an option; see --help\n", argv[optind]);
		exit(2);
	}
	options->thread |= options->thread_exits;
}
