// SPDX-License-Identifier: GPL-2.0-only
/*
 * The suite's command line.
 */
#include <getopt.h>

#include "tests/conformance/suite.h"

struct options options = { .regime = MPU_REGIMES, .engine = "none", .loops = 20 };

/* Return: MPU_REGIMES: none is called that. */
static enum mpu_regime regime_named(const char *name)
{
	enum mpu_regime regime = MPU_R0;

	while (regime < MPU_REGIMES && strcmp(name, mpu_regime_names[regime]))
		regime++;
	return regime;
}

bool options_read(int argc, char **argv)
{
	static const struct option known[] = {
		{ "driver", required_argument, NULL, 'd' },
		{ "options", required_argument, NULL, 'o' },
		{ "engine", required_argument, NULL, 'e' },
		{ "engine-file", required_argument, NULL, 'f' },
		{ "engine-options", required_argument, NULL, 'p' },
		{ "regime", required_argument, NULL, 'r' },
		{ "reference", required_argument, NULL, 't' },
		{ "loops", required_argument, NULL, 'n' },
		{ "only", required_argument, NULL, 'c' },
		{ "tell", no_argument, NULL, 's' },
		{ "list", no_argument, NULL, 'l' },
		{ NULL, 0, NULL, 0 },
	};
	int o;

	while ((o = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (o) {
		case 'd': options.driver = optarg; break;
		case 'o': options.driver_options = optarg; break;
		case 'e': options.engine = optarg; break;
		case 'f': options.engine_file = optarg; break;
		case 'p': options.engine_options = optarg; break;
		case 'r': options.regime = regime_named(optarg); break;
		case 't': options.reference = optarg; break;
		case 'n': options.loops = atoi(optarg); break;
		case 'c': options.only = optarg; break;
		case 's': options.tell = true; break;
		case 'l': options.list = true; break;
		default: return false;
		}
	}
	if (options.list)
		return true;
	if (!options.driver || options.regime == MPU_REGIMES) {
		fprintf(stderr, "conformance: --driver FILE and --regime NAME "
				"(of abi/regimes.tsv) are needed\n");
		return false;
	}
	return true;
}
