// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu fleet: many nodes' answers of mpu doctor, digested.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/fleet.h"
#include "cli/fleet_read.h"

static int read_file(struct fleet *fleet, const char *name, char *buffer)
{
	bool standard = !strcmp(name, "-");
	FILE *file = standard ? stdin : fopen(name, "re");
	int ret;

	if (!file)
		return fleet_refuse(fleet, name, strerror(errno));
	ret = fleet_read(fleet, file, standard ? "standard input" : name, buffer);
	if (!standard)
		fclose(file);
	return ret;
}

/* What the words name, counted. Return: an exit status. */
static int open_fleet(struct fleet *fleet, const struct tool_call *call)
{
	char *buffer = malloc(FLEET_DOCUMENT + 1);
	char why[WHY_SIZE] = "no memory";
	struct words only = { 0 };
	int ret = buffer ? tool_values(call, "only", &only) : -ENOMEM;
	size_t i;

	*fleet = (struct fleet){ 0 };
	for (i = 0; !ret && i < call->n_words; i++)
		ret = read_file(fleet, call->words[i], buffer);
	if (!ret)
		ret = fleet_count(fleet, &only, why);
	free(buffer);
	words_free(&only);
	if (ret == -EINVAL)
		return tool_fail_usage(call, "%s", why);
	return ret ? tool_fail(call, CLI_FAILED, "%s", why) : CLI_DONE;
}

/* What could not be read, if it is not part of the answer. Return: @status, or failed. */
static int close_fleet(struct fleet *fleet, const struct tool_call *call,
		       bool said, int status)
{
	size_t i;

	for (i = 0; !said && i < fleet->refused.n; i++)
		tool_fail(call, CLI_FAILED, "%s", fleet->refused.word[i]);
	if (fleet->refused.n && status != CLI_USAGE)
		status = CLI_FAILED;
	fleet_free(fleet);
	return status;
}

static int run_report(const struct tool_call *call)
{
	bool json = tool_is_on(call, "json");
	struct fleet fleet;
	int status = open_fleet(&fleet, call);

	if (!status) {
		fleet_print_report(&fleet, json);
		status = fleet_has_problem(&fleet) ? CLI_NO : CLI_DONE;
	}
	return close_fleet(&fleet, call, json, status);
}

static bool is_chosen(const struct fleet *fleet, const struct fleet_node *node)
{
	(void)fleet;
	return node->chosen;
}

static int run_nodes(const struct tool_call *call)
{
	bool json = tool_is_on(call, "json");
	struct fleet fleet;
	int status;

	if (tool_is_on(call, "unlike") && tool_is_on(call, "kinds"))
		return tool_fail_usage(call, "--unlike and --kinds: give one of them");
	status = open_fleet(&fleet, call);
	if (!status)
		fleet_print_nodes(&fleet,
				  tool_is_on(call, "unlike") ? fleet_is_unlike :
				  tool_is_on(call, "kinds") ? fleet_is_first :
				  is_chosen, json);
	return close_fleet(&fleet, call, json, status);
}

#define ONLY { "only", 'o', "COLUMN=VALUE", NULL, \
	"nodes that have this; given again: that, too" }
#define JSON { "json", 'j', NULL, NULL, "answer in JSON" }

static const struct tool_option report_options[] = {
	ONLY, JSON, { .name = NULL },
};

static const struct tool_option nodes_options[] = {
	ONLY,
	{ "unlike", 'u', NULL, NULL,
	  "nodes that have another version or engine than most" },
	{ "kinds", 'k', NULL, NULL,
	  "one node of each kind: of those with the same versions and engine" },
	JSON, { .name = NULL },
};

static const struct tool_command commands[] = {
	{ "report", "FILE...", report_options, NULL, run_report,
	  "say how many nodes have which engine, versions and findings" },
	{ "nodes", "FILE...", nodes_options, NULL, run_nodes,
	  "list nodes by name, one a line" },
	{ .name = NULL },
};

const struct tool tool_fleet = {
	.top = { "mpu fleet", NULL, NULL, commands, NULL,
		 "digest what 'mpu doctor -j' has said on many nodes" },
	.style = TOOL_MPU,
	.usage_status = CLI_USAGE,
};
