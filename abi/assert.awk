# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Turns the rows that hold for one driver into a C file of static assertions
# against that driver's headers (not included), with #line to controls.tsv:
#
#	awk -f abi/assert.awk -v tag=595.45.04 -v list=FILE \
#		abi/exempt.tsv abi/controls.tsv
#
# The list says what the rows claim: "exported CMD PARAMS LINE" for a control
# that must be in the driver's table, "params PARAMS" for a type that no other
# control may take, "known STRUCTURE MEMBER" for a member that looks like a PID
# and is accounted for.

# -1, 0, 1: is version @a before, within, behind what @b says ("470" is all 470)?
function compare(a, b,    x, y, i, n) {
	split(a, x, ".")
	n = split(b, y, ".")
	for (i = 1; i <= n; i++)
		if (x[i] + 0 != y[i] + 0)
			return x[i] + 0 < y[i] + 0 ? -1 : 1
	return 0
}

function holds(drivers,    ranges, ends, i, n) {
	n = split(drivers, ranges, ",")
	for (i = 1; i <= n; i++) {
		split(ranges[i], ends, /[.][.]/)
		if (compare(tag, ends[1]) >= 0 && (ends[2] == "" || compare(tag, ends[2]) <= 0))
			return 1
	}
	return 0
}

function claim(what, condition) {
	print "#line " FNR " \"" FILENAME "\""
	print "_Static_assert(" condition ", \"" tag ": " what "\");"
}

function offset(type, member) {
	return "__builtin_offsetof(" type ", " member ")"
}

function size(type, member) {
	return "sizeof(((" type " *)0)->" member ")"
}

function known(type, member) {
	if (member != "-")
		print "known", type, member > list
}

# One PID per part: parts follow each other and fill the element.
function claim_parts(element, parts, pid,    part, type, i, n, from) {
	type = substr(parts, 1, index(parts, ":") - 1)
	split(substr(parts, index(parts, ":") + 1), part, ",")
	for (i = 1; i <= $11; i++) {
		from = offset(element, part[i])
		claim("pid of " part[i], from " + " offset(type, pid) " == " $10 + (i - 1) * $12)
	}
	claim("fields", from " + sizeof(" type ") == sizeof(" element ")")
	claim("blank", "-(int)" offset(type, pid) " == " $14 + 0 " && sizeof(" type ") == " \
	      substr($14, index($14, "+") + 1))
	return type
}

function claim_array(params, array, cap, element,    member, at) {
	if (array == "-") {
		claim("one element, the params", $7 " == 0 && " $8 " == " $3 " && " $9 " == 1")
		return
	}
	claim("stride", "sizeof(" element ") == " $8)
	if ($6 == "params") {
		claim("base", offset(params, array) " == " $7)
		claim("cap", size(params, array) " == " $9 " * " $8)
	} else {
		split(array, member, ":")
		split($6, at, ":")
		claim("at", offset(params, member[1]) " == " at[1] " && " size(params, member[1]) " == 8")
		if (at[2] != "")
			claim("size of the buffer", offset(params, member[2]) " == " at[2])
		claim("cap", cap " <= " $9)
	}
}

# @names: as the column of that name
function claim_row(names,    col, params, element, holder) {
	split(names, col, " ")
	params = col[1]
	element = holder = col[5] == "-" ? params : col[5]
	print "#ifdef " $1
	claim("cmd", $1 " == " $2)
	print "#endif"
	claim("size", "sizeof(" params ") == " $3)
	if ($5 != "-")
		claim("count", offset(params, col[2]) " == " $5 " && " size(params, col[2]) " == 4")
	claim_array(params, col[3], col[4], holder)
	if (col[6] != "-")
		holder = claim_parts(holder, col[6], col[7])
	else if (col[7] != "-")
		claim("pid", offset(holder, col[7]) " == " $10)
	if (col[7] != "-")
		claim("pid", size(holder, col[7]) " == 4")
	if ($15 != "-")
		claim("pointer", offset(holder, col[8]) " - " offset(holder, col[7]) " == " $15 \
		      " && " size(holder, col[8]) " == 8")
	if ($16 != "-")
		claim("time", offset(element, col[9]) " == " $16 " && " size(element, col[9]) " == 8")
	print "exported", $2, params, FNR > list
	known(params, col[2])
	known(params, col[3])
	known(holder, col[7])
	if ($15 != "-")
		known(holder, col[8])
}

BEGIN {
	FS = "\t"
	printf "" > list
}

/^#/ {
	next
}

FILENAME == ARGV[1] {
	n = split($2, member, ",")
	for (i = 1; i <= n; i++)
		known($1, member[i])
	next
}

$21 != "-" {
	names[$1] = $21
	print "params", substr($21, 1, index($21, " ") - 1) > list
}

$19 != "-" && holds($19) && $1 in names {
	claim_row(names[$1])
}
