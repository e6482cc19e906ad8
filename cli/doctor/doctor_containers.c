// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu doctor: what the driver does in a container.
 */
#include <stdio.h>
#include <string.h>

#include "cli/command/command.h"
#include "cli/doctor/internal.h"
#include "lib/host.h"
#include "lib/text.h"
#include "nvidia/nvidia.h"

/* Returns why the measurement ended at a step, and what to do about it. */
static const char *explain_step(enum calibrate_step step)
{
	switch (step) {
	case CALIBRATE_NAMESPACE:
		return "no PID namespace could be made: run it as root";
	case CALIBRATE_DRIVER:
		return "no NVIDIA driver to ask: see 'driver' above";
	case CALIBRATE_GPU:
		return "no GPU may be used from here: give this user or container its device node";
	case CALIBRATE_LIST:
		return "the driver refused the list of processes: see the end of 'dmesg'";
	default:
		return "the driver gave no GPU memory to measure with: free some and try again";
	}
}

/* The numbers by which a container finds itself. */
enum whose { NEITHER, LOCAL, GLOBAL, BOTH };

static const char *const whose_text[] = {
	"a number that is neither the container's nor the host's",
	"the container's PID", "the host's PID",
	"the container's PID and the host's",
};

static const char *const whose_names[] = {
	"neither", "local", "global", "both",
};

static enum whose whose_numbers(const struct observation *answer)
{
	return (answer->found_as & (AS_TGID | AS_TID) ? LOCAL : 0) |
	       (answer->found_as & AS_GLOBAL ? GLOBAL : 0);
}

static void check_translation(struct findings *findings, const struct measurement *measurement)
{
	const struct calibration *c = &measurement->found;
	bool up = measurement->through_engine;
	bool done = c->step == CALIBRATE_DONE;
	bool good = infer_is_translated(c) > 0;
	const char *todo;

	if (good && !done)
		todo = explain_step(c->step);
	else if (good)
		todo = up ? NOTHING :
		       "'mpu up' for utilisation, accounting and sessions, which no driver translates";
	else
		todo = up ?
		       "report it with the output of 'mpu doctor -j' and 'mpu status -aj'" :
		       "sudo mpu up";
	finding_add(findings, good ? FOUND_CONTAINERS_OK :
		up ? FOUND_CONTAINERS_WRONG : FOUND_CONTAINERS_UNTRANSLATED, todo,
		"measured %s: a container's process list holds %s%s; its memory is found by %s",
		up ? "through MPU" : "without MPU",
		whose_text[whose_numbers(&c->seen.list)],
		c->seen.others ? " and processes of others" : "",
		done ? whose_text[whose_numbers(&c->seen.input)] :
		"a number that could not be measured");
}

static void check_regime(struct findings *findings, const struct calibration *c)
{
	char name[96] = "like no driver that is known";

	if (c->possible)	/* "R3-early or R3" */
		text_bits(name, sizeof(name), c->possible, mpu_regime_names, " or ");
	if (infer_contradicts_version(c))
		finding_add(findings, FOUND_REGIME_ANOTHER,
			"report it with the output of 'mpu doctor -j'; engines go by what is measured",
			"measured %s, but version %s, %s flavour, should be %s",
			name, c->driver.version,
			flavour_names[c->driver.flavour],
			mpu_regime_names[c->looked_up]);
	else if (c->looked_up < MPU_REGIMES)
		finding_add(findings, FOUND_REGIME_OK, NOTHING,
			"measured %s; version %s, %s flavour, is %s", name,
			c->driver.version, flavour_names[c->driver.flavour],
			mpu_regime_names[c->looked_up]);
	else
		finding_add(findings, FOUND_REGIME_UNKNOWN,
			"run 'mpu doctor' on the host to compare",
			"measured %s; the driver's version or flavour is not known",
			name);
}

void doctor_containers(struct findings *findings, bool through_engine,
		       struct measurement *measurement)
{
	struct calibration *c = &measurement->found;
	char dev[96], text[64];
	int ret;

	*measurement = (struct measurement){ .through_engine = through_engine };
	if (host_is_other()) {
		finding_add(findings, FOUND_CONTAINERS_UNMEASURED, "unset MPU_ROOT to measure",
			"not measured: MPU_ROOT names another system's files");
		return;
	}
	ret = host_path(dev, sizeof(dev), "/dev");
	if (!ret)
		ret = calibrate_run(c, dev, NULL, NULL);
	if (ret) {
		finding_add(findings, FOUND_CONTAINERS_UNMEASURED, "see the end of 'dmesg'",
			"not measured: the probe did not answer (%s)",
			strerror(-ret));
		return;
	}
	if (!host_is_initial())
		finding_add(findings, FOUND_NAMESPACE_CONTAINER,
			"run 'mpu doctor' on the host for the whole truth",
			"this is inside a container: what is called host below is this container");
	if (c->step < CALIBRATE_MEMORY) {
		finding_add(findings, FOUND_CONTAINERS_UNMEASURED, explain_step(c->step),
			"not measured: %s",
			rm_error_text(c->error, text, sizeof(text)));
		return;
	}
	measurement->made = true;
	check_translation(findings, measurement);
	if (!through_engine)
		check_regime(findings, c);
}

static struct json_object *describe_regimes(u32 possible)
{
	struct json_object *list = json_object_new_array();
	u32 i;

	for (i = 0; i < MPU_REGIMES; i++)
		if (possible & 1u << i)
			json_object_array_add(list, json_object_new_string(mpu_regime_names[i]));
	return list;
}

/* Returns what a control speaks by the driver's version; NULL: that is not known. */
static const char *looked_up_name(const struct calibration *c, u32 control)
{
	return c->looked_up < MPU_REGIMES ?
	       mpu_pid_space_names[c->control[control].looked_up] : NULL;
}

/* Returns what a control was measured to speak; NULL: it was not measured. */
static const char *measured_name(const struct calibration *c, u32 control)
{
	return c->control[control].measured ?
	       mpu_pid_space_names[c->control[control].pid_space] : NULL;
}

static struct json_object *describe_controls(const struct calibration *c)
{
	struct json_object *list = json_object_new_array();
	u32 i;

	for (i = 0; i < MPU_CONTROLS; i++) {
		struct json_object *one = json_object_new_object();

		member_add_text(one, "control", mpu_control_names[i]);
		member_add_text(one, "measured", measured_name(c, i));
		member_add_text(one, "looked_up", looked_up_name(c, i));
		member_add_text(one, "used", mpu_pid_space_names[c->control[i].pid_space]);
		json_object_array_add(list, one);
	}
	return list;
}

static struct json_object *describe_version(const struct calibration *c)
{
	struct json_object *one = json_object_new_object();

	member_add_text(one, "flavour", flavour_names[c->driver.flavour]);
	member_add_text(one, "version", c->driver.version[0] ? c->driver.version : NULL);
	member_add_text(one, "regime", c->looked_up < MPU_REGIMES ?
			mpu_regime_names[c->looked_up] : NULL);
	return one;
}

void doctor_add_measurement(struct json_object *answer, const struct measurement *measurement)
{
	const struct calibration *c = &measurement->found;
	struct json_object *one;
	enum whose list = whose_numbers(&c->seen.list);

	if (!measurement->made)
		return;
	one = json_object_new_object();
	member_add_text(one, "list", whose_names[list]);
	member_add_text(one, "input", c->step == CALIBRATE_DONE ?
			whose_names[whose_numbers(&c->seen.input)] : NULL);
	member_add_number(one, "others", c->seen.others);
	json_object_object_add(answer, "measured", one);
	if (measurement->through_engine)
		return;
	member_add_text(one, "client", list != LOCAL ? NULL : c->tid ? "thread" : "process");
	member_add_bool(one, "finds_others", c->seen.finds_outsider);
	json_object_object_add(one, "regimes", describe_regimes(c->possible));
	json_object_object_add(answer, "looked_up", describe_version(c));
	json_object_object_add(answer, "controls", describe_controls(c));
}

void doctor_print_measurement(const struct measurement *measurement)
{
	const struct calibration *c = &measurement->found;
	const char *measured, *looked_up;
	u32 i;

	if (!measurement->made || measurement->through_engine)
		return;
	printf("%-56s %-9s %-11s %s\n", "whose PIDs", "measured", "by version", "used");
	for (i = 0; i < MPU_CONTROLS; i++) {
		measured = measured_name(c, i);
		looked_up = looked_up_name(c, i);
		printf("%-56s %-9s %-11s %s\n", mpu_control_names[i],
		       measured ? measured : "-", looked_up ? looked_up : "-",
		       mpu_pid_space_names[c->control[i].pid_space]);
	}
	putchar('\n');
}
