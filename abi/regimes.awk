# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Checks pid_space.tsv and regimes.tsv, and writes core/regimes.h of them:
#
#	awk -f abi/regimes.awk [-v tag=VERSION] abi/controls.tsv abi/pid_space.tsv abi/regimes.tsv
#
# With tag: writes the regime of that open driver, and the line that says so.
#
# Whatever cannot be is refused with FILE:LINE and a sentence, exit status 1.
# POSIX awk only, as gen.awk.

function refuse(sentence) {
	print FILENAME ":" FNR ": " sentence | "cat >&2"
	broken = 1
}

function read_control() {
	direction[$1] = $4
	if ($15 != "-")
		pointer[$1] = 1
}

# control, then the regimes, oldest first
function read_heading(    i) {
	if ($1 != "control" || NF < 2)
		refuse("the first line must be control and the names of regimes")
	for (i = 2; i <= NF; i++) {
		if ($i !~ /^R[0-9](-[a-z]+)?$/)
			refuse("a regime is named like R3 or R3-early, not \"" $i "\"")
		if ($i in regime_of)
			refuse("regime " $i " is there twice")
		regime_of[$i] = regimes
		regime[regimes++] = $i
	}
}

function read_pid_space(    i) {
	if (NF != regimes + 1) {
		refuse("a control has " regimes + 1 " columns, not " NF)
		return
	}
	if (!($1 in direction))
		refuse($1 " is not in controls.tsv")
	else if ($1 in spoken)
		refuse($1 " is there twice")
	spoken[$1]
	for (i = 2; i <= NF; i++) {
		if (!($i in meaning))
			refuse(regime[i - 2] " must be global, local or mixed, not \"" $i "\"")
		if ($i == "mixed" && (direction[$1] == "in" || !($1 in pointer)))
			refuse("mixed needs a layout with a pointer, which tells the numbers apart")
		if ($i != "global")
			elsewhere[i - 2] = elsewhere[i - 2] "\t\t[MPU_" $1 "] = MPU_PIDS_" toupper($i) ",\n"
	}
}

# "570.86.15" as MPU_DRIVER() has it; -1 if it is none.
function version(word,    part, n, i) {
	if (word !~ /^[1-9][0-9]*([.][0-9]+([.][0-9]+)?)?$/)
		return -1
	n = split(word, part, ".")
	for (i = 1; i <= n; i++)
		if (part[i] + 0 > 999)
			return -1
	return part[1] * 1000000 + part[2] * 1000 + part[3]
}

function read_range(    since) {
	if (NF != 4) {
		refuse("a range has 4 columns, not " NF)
		return
	}
	since = version($2)
	if ($1 != "open" && $1 != "proprietary")
		refuse("flavour must be open or proprietary, not \"" $1 "\"")
	if (since < 0)
		refuse("since must be a version like 570.86.15, not \"" $2 "\"")
	if (!($3 in regime_of))
		refuse("regime " $3 " is no column of pid_space.tsv")
	if ($4 == "")
		refuse("seen in is empty")
	if (ranges && $1 < flavour_before)
		refuse("open comes before proprietary")
	if (ranges && $1 == flavour_before && since <= since_before)
		refuse("rows must be sorted by version")
	if (ranges && $1 == flavour_before && $3 == regime_before)
		refuse("the row before is of regime " $3 " already")
	flavour_before = $1; since_before = since; regime_before = $3
	lived[$3] = 1
	if ($1 == "open" && since <= version(tag))
		answer = $3 " " FNR
	range_row[ranges++] = "\t{ " since ", " ($1 == "open") ", " regime_name($3) " },\t/* " $2 " */"
}

function regime_name(word) {
	word = toupper(word)
	gsub(/-/, "_", word)
	return "MPU_" word
}

function write(    i) {
	print "/* SPDX-License-Identifier: GPL-2.0-only OR MIT */"
	print "/*\n * Written by abi/regimes.awk from abi/regimes.tsv and abi/pid_space.tsv: edit"
	print " * those, then `make generate`.\n */"
	print "#ifndef MPU_CORE_REGIMES_H\n#define MPU_CORE_REGIMES_H\n"
	print "#include \"controls.h\"\n"
	print "/* The PID space of the numbers that a driver gives to a process in a PID namespace. */"
	print "enum mpu_pid_space {"
	for (i = 1; i <= pid_spaces; i++)
		print "\tMPU_PIDS_" toupper(pid_space_name[i]) ",\t/* " meaning[pid_space_name[i]] " */"
	print "\tMPU_PID_SPACES\n};\n"
	print "/* The ways in which drivers treat PID namespaces, in the order they came. */"
	print "enum mpu_regime {"
	for (i = 0; i < regimes; i++)
		print "\t" regime_name(regime[i]) ","
	print "\tMPU_REGIMES\n};\n"
	print "#define MPU_DRIVER(a, b, c) ((a) * 1000000u + (b) * 1000u + (c))\n"
	print "/* First versions, of each flavour in ascending order. */"
	print "static const struct mpu_range {"
	print "\tu32 since;\t/* MPU_DRIVER() */"
	print "\tu8 open;\n\tu8 regime;"
	print "} mpu_ranges[" ranges "] __attribute__((__unused__)) = {"
	for (i = 0; i < ranges; i++)
		print range_row[i]
	print "};\n"
	print "/* The regime of a driver of this flavour and version; MPU_REGIMES: it is not known. */"
	print "static __always_inline enum mpu_regime mpu_regime_of(bool open, u32 version)\n{"
	print "\tenum mpu_regime regime = MPU_REGIMES;\n\tu32 i;\n"
	print "\tfor (i = 0; i < " ranges "; i++)"
	print "\t\tif (mpu_ranges[i].open == open && mpu_ranges[i].since <= version)"
	print "\t\t\tregime = mpu_ranges[i].regime;"
	print "\treturn regime;\n}\n"
	print "/* enum mpu_pid_space, by regime and control: global where nothing is said. */"
	print "static const u8 mpu_regime_pid_space[MPU_REGIMES][MPU_CONTROLS]"
	print "\t__attribute__((__unused__)) = {"
	for (i = 0; i < regimes; i++)
		if (i in elsewhere)
			print "\t[" regime_name(regime[i]) "] = {\n" elsewhere[i] "\t},"
	print "};\n\n#ifndef __bpf__"
	print "static const char *const mpu_pid_space_names[MPU_PID_SPACES]"
	print "\t__attribute__((__unused__)) = {"
	for (i = 1; i <= pid_spaces; i++)
		print "\t\"" pid_space_name[i] "\","
	print "};\n"
	print "static const char *const mpu_regime_names[MPU_REGIMES]"
	print "\t__attribute__((__unused__)) = {"
	for (i = 0; i < regimes; i++)
		print "\t\"" regime[i] "\","
	print "};\n#endif\n\n#endif /* MPU_CORE_REGIMES_H */"
}

BEGIN {
	FS = "\t"
	CONVFMT = "%.10g"	# mawk's integers end at 2^31
	regimes = ranges = 0
	pid_spaces = split("global local mixed", pid_space_name, " ")
	meaning["global"] = "the initial namespace's"
	meaning["local"] = "the caller's"
	meaning["mixed"] = "global where a kernel address stands beside them"
}

/^#/ {
	next
}

FILENAME == ARGV[1] {
	read_control()
	next
}

FILENAME == ARGV[2] && !regimes {
	read_heading()
	next
}

FILENAME == ARGV[2] {
	read_pid_space()
	next
}

{
	read_range()
}

END {
	for (i = 0; !broken && i < regimes; i++)
		if (!(regime[i] in lived)) {
			print ARGV[3] ": no driver has regime " regime[i] | "cat >&2"
			broken = 1
		}
	close("cat >&2")
	if (broken)
		exit 1
	if (tag)
		print answer
	else
		write()
}
