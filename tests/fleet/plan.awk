# SPDX-License-Identifier: GPL-2.0-only
# Plans NODES nodes: half of them alike, the others with every kernel, driver, flavour
# and lockdown there is in turn, and with what differs from host to host. Reads
# tests/vm/kernels.tsv, tests/conformance/regimes.tsv and abi/regimes.tsv; a line for
# each node, words split by a tab. Kernels that are used only by their names are left out:
#
#	name kernel driver flavour lockdown signatures headers dkms mpu.ko BTF seccomp
#	ftrace docker
BEGIN {
	FS = OFS = "\t"
	drivers = 0
	lockdowns = split("none integrity confidentiality unknown", lockdown, " ")
}
/^#/ || !NF { next }
FILENAME ~ /kernels/ && $4 ~ /required|optional/ { kernel[kernels++] = $1 ".0-1-amd64" }
FILENAME ~ /conformance/ {
	match($4, /version=[0-9.]*/)
	add(substr($4, RSTART + 8, RLENGTH - 8),
	    $4 ~ /flavour=open/ ? "open" : "proprietary")
}
FILENAME ~ /^abi/ { add($2, $1) }

function add(version, its_flavour)
{
	driver[drivers] = version
	flavour[drivers++] = its_flavour
}

function every(n, yes, no)
{
	return i % n == n - 1 ? yes : no
}

END {
	if (!kernels || !drivers)
		exit 1
	for (i = 0; i < NODES; i++) {
		odd = (i - 1) / 2
		k = i % 2 ? odd % kernels : 1
		d = i % 2 ? int(odd / kernels) % drivers : 0
		l = i % 2 ? int(odd / kernels / drivers) % lockdowns : 0
		gone = i % 97 == 96
		print sprintf("node%04d", i), kernel[k], gone ? "-" : driver[d],
			gone ? "-" : flavour[d], lockdown[l + 1],
			every(10, "Y", "N"), every(3, "no", "yes"),
			i % 8 == 7 ? "registered" : every(5, "no", "built"),
			every(7, "no", "yes"), every(9, "no", "yes"),
			every(11, "no", "yes"), every(61, 0, 1), every(4, "yes", "no")
	}
}
