# SPDX-License-Identifier: GPL-2.0-only
# What `mpu fleet report` has to say of a plan (plan.awk), stated by itself: lines
# "COLUMN<tab>VALUE<tab>NODES". Reads the plan, then a file with a line "NAME<tab>STATE"
# for each node where mpu.ko is up or off; VERSION is MPU's.
BEGIN { FS = OFS = "\t" }
FNR == NR && !plan { plan = FILENAME }
FILENAME == plan { line[$1] = $0; next }
{ state[$1] = $2 }

function has(column, value) { nodes[column OFS value]++ }
function found(id) { has("finding", id) }

END {
	for (name in line) {
		split(line[name], is, FS)
		up = name in state
		has("kernel", is[2])
		has("driver", is[3] == "-" ? "none" : is[3])
		has("flavour", is[4] == "-" ? "none" : is[4])
		has("mpu", VERSION)
		has("engine", up ? "module" : "none")
		found("containers-unmeasured")
		if (is[3] == "-")
			found("driver-absent")
		if (is[5] == "unknown")
			found("lockdown-unknown")
		else if (is[5] != "none")
			found("lockdown-on")
		if (is[6] == "Y")
			found("signatures-enforced")
		if (is[7] == "no")
			found("headers-absent")
		if (is[8] != "built")
			found(is[8] == "no" ? "dkms-unregistered" : "dkms-unbuilt")
		if (is[12] == 0)
			found("ftrace-off")
		if (is[13] == "yes")
			found("docker-untold")
		if (up && is[3] == "-")
			found("mpu-waiting")
		else if (up && state[name] == "off")
			found("mpu-off")
		if (up)
			continue
		if (is[9] == "no")
			found("engine-module-unusable")
		if (is[10] == "no")
			found("engine-bpf-unusable")
		if (is[11] == "no")
			found("engine-notify-unusable")
		if (is[9] is[10] is[11] == "nonono")
			found("engine-auto-none")
	}
	for (one in nodes)
		print one, nodes[one]
}
