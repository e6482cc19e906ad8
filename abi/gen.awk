# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Checks controls.tsv and exempt.tsv, and writes one of two files of them:
#
#	awk -f abi/gen.awk -v out=header|docs abi/controls.tsv abi/exempt.tsv
#
# Whatever cannot be is refused with FILE:LINE and a sentence, exit status 1.
# POSIX awk only: gawk --posix, mawk and busybox awk give the same bytes.

function refuse(sentence) {
	print FILENAME ":" FNR ": " sentence | "cat >&2"
	broken = 1
}

# The value of a decimal or 0x number; -1 if @word is none.
function number(word,    i, value) {
	if (word ~ /^(0|[1-9][0-9]*)$/)
		return word + 0
	if (word !~ /^0x[0-9a-f]+$/ || length(word) > 10)
		return -1
	for (i = 3; i <= length(word); i++)
		value = value * 16 + index("0123456789abcdef", substr(word, i, 1)) - 1
	return value
}

# Column @what as a number that fits its member of struct mpu_row.
function field(what, word, low, high,    value) {
	value = number(word)
	if (value < low || value > high) {
		refuse(what " must be a number from " low " to " high ", not \"" word "\"")
		return low
	}
	return value
}

# The same for an offset, which may be absent.
function offset(what, word) {
	return word == "-" ? NONE : field(what, word, 0, NONE - 1)
}

# Do @a_len bytes at @a and @b_len bytes at @b touch?
function overlap(a, a_len, b, b_len) {
	return a < b + b_len && b < a + a_len
}

# "390..390,515.43.04..": ranges of driver versions.
function check_drivers(word,    ranges, i, n, version) {
	version = "[0-9]+([.][0-9]+)*"
	n = split(word, ranges, ",")
	for (i = 1; i <= n; i++)
		if (ranges[i] !~ "^" version "[.][.](" version ")?$")
			refuse("drivers must be FIRST..LAST or FIRST.., not \"" ranges[i] "\"")
}

# Everything the rule takes for granted about where a row's words stand.
function check_places(    array, last) {
	array = row["cap"] * row["stride"]
	last = row["pid"] + (row["fields"] - 1) * row["step"]
	if (row["ptr"] == NONE && row["base"] + array > row["size"])
		refuse("the last element ends at " row["base"] + array \
		       ", behind the params (" row["size"] ")")
	if (row["ptr"] != NONE && row["base"])
		refuse("base must be 0 in a user buffer")
	if (row["ptr"] != NONE && row["ptr"] + 8 > row["size"])
		refuse("the address of the user buffer is not inside the params (" row["size"] ")")
	if (row["ptr"] != NONE && row["count"] == NONE && row["bytes"] == NONE)
		refuse("at must be ADDRESS:SIZE, for there is no count that tells the size " \
		       "of the user buffer")
	if (row["bytes"] != NONE &&
	    (row["bytes"] + 4 > row["size"] || overlap(row["bytes"], 4, row["ptr"], 8)))
		refuse("the size of the user buffer is not inside the params (" row["size"] \
		       "), or inside its address")
	if (row["count"] != NONE && row["count"] + 4 > row["size"])
		refuse("count is not inside the params (" row["size"] ")")
	if (row["count"] != NONE && row["ptr"] == NONE &&
	    overlap(row["count"], 4, row["base"], array))
		refuse("count is inside the array")
	if (row["count"] != NONE && row["ptr"] != NONE &&
	    overlap(row["count"], 4, row["ptr"], 8))
		refuse("count is inside the address of the user buffer")
	if (row["fields"] > 1 && row["step"] < 4)
		refuse("step must be 4 or more: the PIDs of an element overlap")
	if (last + 4 > row["stride"])
		refuse("the last PID ends at " last + 4 ", behind its element (" row["stride"] ")")
	check_blank(last)
	if (row["pointer"] != NONE)
		check_pointer(last)
	if (row["time"] != NONE)
		check_time()
}

function check_blank(last) {
	if (!row["blank_len"])
		return
	if (row["pid"] + row["blank_off"] < 0 ||
	    last + row["blank_off"] + row["blank_len"] > row["stride"])
		refuse("blank reaches out of its element (" row["stride"] ")")
	if (row["fields"] > 1 &&
	    (row["blank_len"] > row["step"] ||
	     overlap(row["blank_off"], row["blank_len"], row["step"], 4) ||
	     overlap(row["blank_off"], row["blank_len"], -row["step"], 4)))
		refuse("blank reaches into the next PID of the element")
}

function check_pointer(last) {
	if (row["pointer"] < 4)
		refuse("pointer is inside the PID")
	if (last + row["pointer"] + 8 > row["stride"])
		refuse("pointer is not inside its element (" row["stride"] ")")
	if (row["fields"] > 1 && overlap(row["pointer"], 8, row["step"], 4))
		refuse("pointer is inside the next PID of the element")
}

# A record's time is zeroed with it; a sample's stands in front of the PIDs and what
# belongs to them.
function check_time() {
	if ($4 == "in" && (row["time"] < row["pid"] + row["blank_off"] ||
	    row["time"] + 8 > row["pid"] + row["blank_off"] + row["blank_len"]))
		refuse("time of a record must be inside what is blanked with it")
	if ($4 == "in" && (row["cap"] != 1 || overlap(row["blank_off"], row["blank_len"], 0, 4)))
		refuse("a record is the only element, and keeps its PID")
	if ($4 == "in")
		return
	if (row["time"] + 8 > row["pid"] + (row["blank_off"] < 0 ? row["blank_off"] : 0))
		refuse("time must stand before the PIDs and what is blanked with them")
	if (row["cap"] == 1 || row["drop"] || !row["blank_len"])
		refuse("a row with time has several elements, which are blanked")
}

function compare(a, b) {
	return a < b ? -1 : a > b
}

# Sorted, and every (cmd, size) means one layout, or one per stride.
function check_order(    cmd, size, stride, order) {
	cmd = row["cmd"]; size = row["size"]; stride = row["stride"]
	if ((cmd in control_of) && control_of[cmd] != $1)
		refuse("command " $2 " is already called " control_of[cmd])
	control_of[cmd] = $1
	order = !rows ? 1 : compare(cmd, before["cmd"])
	if (!order)
		order = compare(size, before["size"])
	if (!order && (row["ptr"] == NONE || before["ptr"] == NONE || stride == before["stride"]))
		refuse("a second layout of command " $2 " with size " $3)
	else if (order < 0 || !order && stride < before["stride"])
		refuse("rows must be sorted by cmd, size, stride")
	before["cmd"] = cmd; before["size"] = size
	before["stride"] = stride; before["ptr"] = row["ptr"]
}

function check_words() {
	if ($1 !~ /^NV[0-9A-F]+_CTRL_[A-Z0-9_]+$/)
		refuse("control must be an RM macro like NV2080_CTRL_CMD_GPU_GET_PIDS, not \"" $1 "\"")
	if ($2 !~ /^0x[0-9a-f]+$/ || length($2) != 10)
		refuse("cmd must be 0x and eight hexadecimal digits, not \"" $2 "\"")
	if ($4 != "in" && $4 != "out" && $4 != "own")
		refuse("dir must be in, out or own, not \"" $4 "\"")
	if ($4 == "in" && ($6 != "params" || row["fields"] != 1 || $13 $15 != "--"))
		refuse("a row with dir in has its PIDs in the params, one per element, " \
		       "and neither none nor pointer")
	if ($4 == "in" && ($14 == "-") != ($16 == "-"))
		refuse("a row with dir in has both blank and time, or neither")
	if ($4 != "in" && $13 == "-")
		refuse("a row with dir " $4 " needs none: drop or a number")
	if ($13 == "drop" && (row["fields"] != 1 || $14 != "-" || $15 != "-"))
		refuse("a row that drops elements has one PID in each and neither blank nor pointer")
	if ((row["fields"] > 1) != ($12 != "-"))
		refuse("step must be given if there are several fields, and only then")
	if ($17 != "yes" && $17 != "-")
		refuse("ended must be yes or -, not \"" $17 "\"")
	if ($18 != "yes" && $18 != "-")
		refuse("native must be yes or -, not \"" $18 "\"")
	if ($19 != "-")
		check_drivers($19)
	if ($20 == "")
		refuse("asked by is empty")
}

function read_blank(    part) {
	row["blank_off"] = row["blank_len"] = 0
	if ($14 == "-")
		return
	if ($14 !~ /^-?[0-9]+[+][0-9]+$/) {
		refuse("blank must be OFFSET+LENGTH, not \"" $14 "\"")
		return
	}
	split($14, part, "+")
	row["blank_off"] = part[1] + 0
	row["blank_len"] = part[2] + 0
	if (row["blank_off"] < -32768 || row["blank_off"] > 32767 ||
	    row["blank_len"] < 1 || row["blank_len"] > 65535)
		refuse("blank does not fit: OFFSET -32768 to 32767, LENGTH 1 to 65535")
}

# "16" or "16:4": the address of a user buffer, and its size in bytes.
function read_at(    part) {
	row["ptr"] = row["bytes"] = NONE
	if ($6 == "params")
		return
	if (split($6, part, ":") > 2)
		refuse("at must be params, ADDRESS or ADDRESS:SIZE, not \"" $6 "\"")
	row["ptr"] = field("at", part[1], 0, NONE - 1)
	if ($6 ~ /:/)
		row["bytes"] = field("at", part[2], 0, NONE - 1)
}

function read_control(    word) {
	row["cmd"] = field("cmd", $2, 0, 4294967295)
	row["size"] = field("size", $3, 4, 1048576)	# RMAPI_PARAM_COPY_MAX_PARAMS_SIZE
	row["count"] = offset("count", $5)
	read_at()
	row["base"] = field("base", $7, 0, NONE - 1)
	row["stride"] = field("stride", $8, 4, 65535)
	row["cap"] = field("cap", $9, 1, 65535)
	row["pid"] = field("pid", $10, 0, NONE - 1)
	row["fields"] = field("fields", $11, 1, 255)
	row["step"] = $12 == "-" ? 0 : field("step", $12, 0, NONE - 1)
	row["drop"] = $13 == "drop"
	row["none"] = $13 == "drop" || $13 == "-" ? 0 : field("none", $13, 0, 4294967295)
	read_blank()
	row["pointer"] = offset("pointer", $15)
	row["time"] = offset("time", $16)
	check_words()
	check_places()
	check_order()
	if (!($1 in index_of)) {
		if (controls > 255)
			refuse("more than 256 controls: the index does not fit")
		index_of[$1] = controls
		name[controls++] = $1
		if ($2 !~ /^0x0080/ && split($21, word, " ") != 9)
			refuse("names must be nine words, split by one space")
	} else if ($21 != "-") {
		refuse("names stand in the first row of a control")
	}
	if (row["size"] > params_max)
		params_max = row["size"]
	if ($4 == "in" && row["cap"] > ask_max)
		ask_max = row["cap"]
	if ($4 == "out" && row["cap"] > list_max)
		list_max = row["cap"]
	if ($4 != "in" && !row["drop"] && row["cap"] > places_max)
		places_max = row["cap"]
	if (row["fields"] > fields_max)
		fields_max = row["fields"]
	header_row[rows] = header()
	docs_row[rows++] = docs()
}

function read_exempt() {
	if ($1 !~ /^[A-Za-z0-9_*]+$/)
		refuse("where must be the name of a structure, not \"" $1 "\"")
	if ($2 !~ /^[A-Za-z0-9_]+(,[A-Za-z0-9_]+)*$/)
		refuse("members must be names split by commas, not \"" $2 "\"")
	if ($3 == "")
		refuse("reason is empty")
	if (($1, $2) in exempt_line)
		refuse($1 "." $2 " is already exempted in line " exempt_line[$1, $2])
	exempt_line[$1, $2] = FNR
	exempt_row[exempts++] = "| " code($1) " | " code($2) " | " $3 " |"
}

function place(member, value) {
	return "." member " = " (value == NONE ? "MPU_NO_OFFSET" : value) ", "
}

function header(    text) {
	text = "\t{\n\t\t.cmd = " $2 ", .size = " $3 ", .control = " index_of[$1] ",\n"
	text = text "\t\t.dir = " ($4 == "in" ? "MPU_IN" : "MPU_OUT") ", "
	text = text ".own = " ($4 == "own") ", .drop = " row["drop"] ", "
	text = text ".fields = " row["fields"] ", " place("step", row["step"]) "\n"
	text = text "\t\t" place("count", row["count"]) place("ptr", row["ptr"])
	text = text place("bytes", row["bytes"]) "\n"
	text = text "\t\t" place("base", row["base"]) place("stride", row["stride"])
	text = text place("cap", row["cap"]) place("pid", row["pid"]) "\n"
	text = text "\t\t.blank_off = " row["blank_off"] ", .blank_len = " row["blank_len"] ", "
	text = text place("pointer", row["pointer"]) "\n"
	text = text "\t\t" place("time", row["time"]) ".ended = " ($17 == "yes") ", "
	text = text ".native = " ($18 == "yes") ", .since = " ($19 == "-" ? 0 : int($19)) ", "
	text = text ".none = " ($13 ~ /^(drop|-)$/ ? 0 : $13) ",\n\t},"
	gsub(/, \n/, ",\n", text)
	return text
}

function code(word) {
	return "`" word "`"
}

function docs(    pids, fate) {
	pids = row["cap"] == 1 ? "@" row["base"] + row["pid"] : row["cap"] " x " row["stride"] " bytes"
	if (row["cap"] > 1) {
		pids = pids (row["ptr"] == NONE ? " @" row["base"] : " in the buffer at *@" row["ptr"])
		pids = pids (row["count"] == NONE ? "" : ", count @" row["count"])
		if (row["stride"] > 4)
			pids = pids ", PID +" row["pid"]
		if (row["fields"] > 1)
			pids = pids " and " row["fields"] - 1 " more, every " row["step"]
	}
	if ($4 == "in")
		fate = "is asked about as a PID nobody has"
	else if (row["drop"])
		fate = "leaves the list"
	else
		fate = "becomes " $13
	if (row["time"] != NONE && $4 != "in")
		fate = "becomes one of the caller's own in the same column, or " $13
	if (row["time"] != NONE && $4 == "in")
		fate = fate "; a record from before the process, by the time at @" row["time"] \
		       ", is \"not found\""
	else if (row["blank_len"] > 4)
		fate = fate ", with " row["blank_len"] " bytes around it zeroed"
	if (row["pointer"] != NONE)
		fate = fate "; the kernel address at +" row["pointer"] " is always zeroed"
	return "| " code($1) " | " $2 " | " $3 " | " $4 " | " pids " | " fate " | " \
	       ($19 == "-" ? "not known" : $19) " | " $20 " |"
}

# The interfaces of the controls: their numbers without the last byte.
function each_interface(    text, i, one, seen) {
	for (i = 0; i < rows; i++) {
		one = substr(header_row[i], index(header_row[i], "0x"), 8)
		if (!(one in seen))
			text = text " X(" one ")"
		seen[one] = 1
	}
	return text
}

function write_header(    i) {
	print "/* SPDX-License-Identifier: GPL-2.0-only OR MIT */"
	print "/* Written by abi/gen.awk from abi/controls.tsv: edit that, then `make generate`. */"
	print "#ifndef MPU_CORE_CONTROLS_H\n#define MPU_CORE_CONTROLS_H\n"
	print "#include \"row.h\"\n"
	print "#define MPU_NEWEST " newest "\t/* branch of the newest driver the rows were compared with */"
	print "#define MPU_ROWS " rows
	print "#define MPU_ASK_MAX " ask_max "\t/* elements of the largest question */"
	print "#define MPU_LIST_MAX " list_max "\t/* elements of the longest answer */"
	print "#define MPU_PLACES_MAX " places_max "\t/* elements of the longest that keeps them all */"
	print "#define MPU_FIELDS_MAX " fields_max "\t/* PIDs of one element */"
	print "#define MPU_PARAMS_MAX " params_max "\t/* bytes of the largest params */\n"
	print "#define MPU_EACH_INTERFACE(X)" each_interface() "\n"
	print "/* Indices of mpu_control_names[]. */"
	print "enum mpu_control {"
	for (i = 0; i < controls; i++)
		print "\tMPU_" name[i] ","
	print "\tMPU_CONTROLS\n};\n"
	print "/* Sorted by cmd, size, stride. */"
	print "static const struct mpu_row mpu_rows[MPU_ROWS] __attribute__((__unused__)) = {"
	for (i = 0; i < rows; i++)
		print header_row[i]
	print "};\n\n#ifndef __bpf__"
	print "static const char *const mpu_control_names[MPU_CONTROLS]"
	print "\t__attribute__((__unused__)) = {"
	for (i = 0; i < controls; i++)
		print "\t\"" name[i] "\","
	print "};\n#endif\n\n#endif /* MPU_CORE_CONTROLS_H */"
}

function write_docs(    i) {
	print "<!-- Written by abi/gen.awk from abi/controls.tsv and abi/exempt.tsv:"
	print "     edit those, then `make generate`. -->"
	print "# RM controls that carry PIDs\n"
	print "One line per layout: " controls " controls in " rows " layouts. `@` is an offset in"
	print "the params, `+` one in an element, in bytes. A layout is chosen by command and"
	print "exact paramsSize; where the PIDs stand in a user buffer, also by the driver's"
	print "branch. How the lines are checked: [abi.md](abi.md).\n"
	print "| control | cmd | size | dir | PIDs | a PID that the caller must not see |" \
	      " drivers | asked by |"
	print "|---|---|---|---|---|---|---|---|"
	for (i = 0; i < rows; i++)
		print docs_row[i]
	print "\n## Names that look like PIDs and are left alone\n"
	print "| structure | members | why |"
	print "|---|---|---|"
	for (i = 0; i < exempts; i++)
		print exempt_row[i]
}

BEGIN {
	FS = "\t"
	CONVFMT = "%.10g"	# mawk's integers end at 2^31
	NONE = 65535	# MPU_NO_OFFSET
	rows = controls = exempts = 0
	if (out != "header" && out != "docs") {
		print "gen.awk: say -v out=header or -v out=docs" | "cat >&2"
		broken = 1
		exit 1
	}
}

FILENAME == ARGV[1] && /^# newest branch: [0-9]+$/ {
	newest = $0
	sub(/.*: /, "", newest)
}

/^#/ {
	next
}

FILENAME == ARGV[1] && NF != 21 {
	refuse("a control has 21 columns, not " NF)
	next
}

FILENAME == ARGV[1] {
	read_control()
	next
}

NF != 3 {
	refuse("an exemption has 3 columns, not " NF)
	next
}

{
	read_exempt()
}

END {
	if (!broken && !rows) {
		print "gen.awk: no rows" | "cat >&2"
		broken = 1
	}
	if (!broken && newest == "") {
		print ARGV[1] ": the newest branch is not named" | "cat >&2"
		broken = 1
	}
	close("cat >&2")
	if (broken)
		exit 1
	if (out == "header")
		write_header()
	else
		write_docs()
}
