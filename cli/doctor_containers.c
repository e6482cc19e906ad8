// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu doctor: what the driver does in a container.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/doctor.h"
#include "cli/finding.h"
#include "engines/engine.h"
#include "lib/host.h"
#include "nvidia/calibrate.h"
#include "nvidia/infer.h"
#include "nvidia/rm.h"

static const char *obstacle(enum calibrate_step step)
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

/* Local and global as in core/view.h. */
enum speaks { NEITHER, LOCAL, GLOBAL, BOTH };

static const char *const speaks_text[] = {
	"a number that is neither the container's nor the host's",
	"the container's PID", "the host's PID",
	"the container's PID and the host's",
};

static const char *const speaks_word[] = {
	"neither", "local", "global", "both",
};

static enum speaks speaks(const struct observation *sight)
{
	return (sight->found_as & (AS_TGID | AS_TID) ? LOCAL : 0) |
	       (sight->found_as & AS_GLOBAL ? GLOBAL : 0);
}

static struct json_object *regimes(u32 possible)
{
	struct json_object *list = json_object_new_array();
	u32 i;

	for (i = 0; i < MPU_REGIMES; i++)
		if (possible & 1u << i)
			json_object_array_add(list,
				json_object_new_string(mpu_regime_names[i]));
	return list;
}

static void add_measurement(struct json_object *answer,
			    const struct calibration *c)
{
	struct json_object *one = json_object_new_object();

	json_add(one, "list", speaks_word[speaks(&c->seen.list)]);
	json_add(one, "input", c->step == CALIBRATE_DONE ?
		 speaks_word[speaks(&c->seen.input)] : NULL);
	json_add_number(one, "others", c->seen.others);
	json_object_object_add(answer, "measured", one);
}

/* Of the driver itself: there is no engine between. */
static void add_speech(struct json_object *answer, const struct calibration *c)
{
	struct json_object *measured = json_object_object_get(answer, "measured");
	struct json_object *looked_up = json_object_new_object();
	struct json_object *list = json_object_new_array();
	bool known = c->looked_up < MPU_REGIMES;
	u32 i;

	json_add(measured, "client", speaks(&c->seen.list) != LOCAL ? NULL :
		 c->tid ? "thread" : "process");
	json_object_object_add(measured, "finds_others",
			json_object_new_boolean(c->seen.finds_outsider));
	json_object_object_add(measured, "regimes", regimes(c->possible));
	json_add(looked_up, "flavour", flavour_names[c->driver.flavour]);
	json_add(looked_up, "version",
		 c->driver.version[0] ? c->driver.version : NULL);
	json_add(looked_up, "regime",
		 known ? mpu_regime_names[c->looked_up] : NULL);
	json_object_object_add(answer, "looked_up", looked_up);
	for (i = 0; i < MPU_CONTROLS; i++) {
		const struct control_speech *on = &c->control[i];
		struct json_object *one = json_object_new_object();

		json_add(one, "control", mpu_control_names[i]);
		json_add(one, "measured",
			 on->measured ? mpu_speech_names[on->speech] : NULL);
		json_add(one, "looked_up",
			 known ? mpu_speech_names[on->looked_up] : NULL);
		json_add(one, "used", mpu_speech_names[on->speech]);
		json_object_array_add(list, one);
	}
	json_object_object_add(answer, "controls", list);
}

static void judge_containers(struct json_object *list,
			     const struct calibration *c, bool up)
{
	bool done = c->step == CALIBRATE_DONE;
	bool good = infer_is_translated(c) > 0;
	const char *todo;

	if (good && !done)
		todo = obstacle(c->step);
	else if (good)
		todo = up ? NOTHING :
		       "'mpu up' for utilisation, accounting and sessions, which no driver translates";
	else
		todo = up ?
		       "report it with the output of 'mpu doctor -j' and 'mpu status -aj'" :
		       "sudo mpu up";
	finding_add(list, "containers", good ? FINE : up ? PROBLEM : NOTE, todo,
		"measured %s: a container's process list holds %s%s; its memory is found by %s",
		up ? "through MPU" : "without MPU",
		speaks_text[speaks(&c->seen.list)],
		c->seen.others ? " and processes of others" : "",
		done ? speaks_text[speaks(&c->seen.input)] :
		"a number that could not be measured");
}

/* "R3-early or R3" */
static void name_regimes(char *text, size_t size, u32 possible)
{
	size_t len = 0;
	u32 i;

	snprintf(text, size, "like no driver that is known");
	for (i = 0; i < MPU_REGIMES && len < size; i++)
		if (possible & 1u << i)
			len += (size_t)snprintf(text + len, size - len, "%s%s",
						len ? " or " : "",
						mpu_regime_names[i]);
}

static void judge_version_of(struct json_object *list,
			     const struct calibration *c)
{
	char name[96];

	name_regimes(name, sizeof(name), c->possible);
	if (infer_contradicts_version(c))
		finding_add(list, "regime", NOTE,
			"report it with the output of 'mpu doctor -j'; engines go by what is measured",
			"measured %s, but version %s, %s flavour, should be %s",
			name, c->driver.version,
			flavour_names[c->driver.flavour],
			mpu_regime_names[c->looked_up]);
	else if (c->looked_up < MPU_REGIMES)
		finding_add(list, "regime", FINE, NOTHING,
			"measured %s; version %s, %s flavour, is %s", name,
			c->driver.version, flavour_names[c->driver.flavour],
			mpu_regime_names[c->looked_up]);
	else
		finding_add(list, "regime", NOTE,
			"run 'mpu doctor' on the host to compare",
			"measured %s; the driver's version or flavour is not known",
			name);
}

void doctor_containers(struct json_object *list, struct json_object *answer)
{
	const struct engine *engine;
	struct calibration c;
	char dev[96], text[64];
	bool up;
	int ret;

	if (host_is_other()) {
		finding_add(list, "containers", NOTE, "unset MPU_ROOT to measure",
			"not measured: MPU_ROOT names another system's files");
		return;
	}
	ret = host_path(dev, sizeof(dev), "/dev");
	if (!ret)
		ret = calibrate_run(&c, dev, NULL, NULL);
	if (ret) {
		finding_add(list, "containers", NOTE, "see the end of 'dmesg'",
			"not measured: the probe did not answer (%s)",
			strerror(-ret));
		return;
	}
	if (!host_is_initial())
		finding_add(list, "namespace", NOTE,
			"run 'mpu doctor' on the host for the whole truth",
			"this is inside a container: what is called host below is this container");
	if (c.step < CALIBRATE_MEMORY) {
		finding_add(list, "containers", NOTE, obstacle(c.step),
			"not measured: %s",
			rm_error(c.error, text, sizeof(text)));
		return;
	}
	engine = engine_current();
	up = engine && engine->everywhere;
	add_measurement(answer, &c);
	judge_containers(list, &c, up);
	if (up)
		return;
	judge_version_of(list, &c);
	add_speech(answer, &c);
}

void doctor_print_controls(struct json_object *answer)
{
	struct json_object *list = json_object_object_get(answer, "controls");
	size_t i;

	if (!list)
		return;
	printf("\n%-56s %-9s %-11s %s\n", "whose PIDs", "measured",
	       "by version", "used");
	for (i = 0; i < json_object_array_length(list); i++) {
		struct json_object *one = json_object_array_get_idx(list, i);
		const char *measured = json_text(one, "measured");
		const char *looked_up = json_text(one, "looked_up");

		printf("%-56s %-9s %-11s %s\n", json_text(one, "control"),
		       measured ? measured : "-", looked_up ? looked_up : "-",
		       json_text(one, "used"));
	}
}
