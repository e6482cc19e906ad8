// SPDX-License-Identifier: GPL-2.0-only
/*
 * The CPU time that one container may take: see budget.h.
 */
#include "engines/notify/budget.h"

u64 budget_charge(struct budget *budget, u64 now, u64 cpu)
{
	u64 share = (now - budget->charged) * budget->percent / 100;

	budget->taken += cpu - budget->cpu;
	budget->taken -= share < budget->taken ? share : budget->taken;
	budget->charged = now;
	budget->cpu = cpu;
	return budget->taken <= BUDGET_ADVANCE ? 0 :
	       (budget->taken - BUDGET_ADVANCE) * 100 / budget->percent;
}
