// SPDX-License-Identifier: GPL-2.0-only
/*
 * Devices that a container is to be allowed.
 */
#include <errno.h>
#include <stdlib.h>

#include "container/rootfs/device_rules.h"

int device_rules_add(struct device_rules *rules, uint32_t major, uint32_t minor)
{
	struct device_rule *rule;
	size_t i;

	for (i = 0; i < rules->n; i++)
		if (rules->rule[i].major == major && rules->rule[i].minor == minor)
			return 0;
	rule = reallocarray(rules->rule, rules->n + 1, sizeof(*rule));
	if (!rule)
		return -ENOMEM;
	rule[rules->n++] = (struct device_rule){ major, minor };
	rules->rule = rule;
	return 0;
}

void device_rules_free(struct device_rules *rules)
{
	free(rules->rule);
	*rules = (struct device_rules){ NULL, 0 };
}
