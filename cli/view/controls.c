// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu controls: the table of RM controls that carry PIDs.
 */
#include <stdio.h>

#include "cli/view/internal.h"
#include "core/controls.h"
#include "core/row.h"

static const char *direction(const struct mpu_row *row)
{
	return row->dir == MPU_IN ? "in" : "out";
}

static const char *invisible(const struct mpu_row *row)
{
	if (row->dir == MPU_IN)
		return "asked as nobody";
	if (row->time != MPU_NO_OFFSET)
		return "idle, of own";
	return row->drop ? "left out" : "blanked";
}

static void print_row(const struct mpu_row *row)
{
	char array[32];

	snprintf(array, sizeof(array), "%u x %u%s", row->cap, row->stride,
		 row->ptr == MPU_NO_OFFSET ? "" : " by pointer");
	printf("%08x  %6u  %-3s  %-20s  %4u  %-16s  %s\n", row->cmd, row->size, direction(row),
	       array, row->fields, invisible(row), mpu_control_names[row->control]);
}

static struct json_object *describe(const struct mpu_row *row)
{
	struct json_object *one = json_object_new_object();
	char cmd[16];

	snprintf(cmd, sizeof(cmd), "0x%08x", row->cmd);
	member_add_text(one, "name", mpu_control_names[row->control]);
	member_add_text(one, "cmd", cmd);
	member_add_number(one, "size", row->size);
	member_add_text(one, "direction", direction(row));
	member_add_number(one, "capacity", row->cap);
	member_add_number(one, "stride", row->stride);
	member_add_number(one, "pids_per_element", row->fields);
	member_add_bool(one, "by_pointer", row->ptr != MPU_NO_OFFSET);
	member_add_text(one, "invisible", invisible(row));
	return one;
}

static int run_controls(const struct command_call *call)
{
	struct json_object *list;
	size_t i;

	if (command_wants_json(call)) {
		list = json_object_new_array();
		for (i = 0; i < MPU_ROWS; i++)
			json_object_array_add(list, describe(&mpu_rows[i]));
		command_print_json(list);
		return CLI_DONE;
	}
	printf("%-8s  %6s  %-3s  %-20s  %4s  %-16s  %s\n", "cmd", "size",
	       "dir", "elements x bytes", "pids", "invisible", "control");
	for (i = 0; i < MPU_ROWS; i++)
		print_row(&mpu_rows[i]);
	return CLI_DONE;
}

const struct command command_controls = {
	.name = "controls", .run = run_controls,
	.what = "list the driver controls whose PIDs are translated",
};
