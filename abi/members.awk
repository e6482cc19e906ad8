# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Prints "STRUCTURE MEMBER" for every member of the given C headers whose name
# looks like a PID's. Members of nested structures count for the outer one.

# The words of a structure's body: types and constants are in capitals.
function declare(line,    word) {
	while (match(line, /[A-Za-z0-9_]+/)) {
		word = substr(line, RSTART, RLENGTH)
		line = substr(line, RSTART + RLENGTH)
		if (word ~ /[a-z]/ && word ~ /(^|_)pid([A-Z_]|$)|Pid([A-Z]|$)|PID|[Pp]roc(ess)?_?I[dD]/)
			member[members++] = word
	}
}

# Its end, and the name unless the tag gave one.
function report(rest,    i) {
	if (name == "" && match(rest, /[A-Za-z0-9_]+/))
		name = substr(rest, RSTART, RLENGTH)
	for (i = 0; i < members; i++)
		print name, member[i]
	members = 0
	name = ""
}

# @line without its comments; @comment: one is still open.
function code(line,    rest) {
	if (comment) {
		if (!match(line, /[*]\//))
			return ""
		line = substr(line, RSTART + 2)
		comment = 0
	}
	sub(/\/\/.*/, "", line)
	while (match(line, /\/[*]/)) {
		rest = substr(line, RSTART + 2)
		line = substr(line, 1, RSTART - 1)
		comment = !match(rest, /[*]\//)
		if (!comment)
			line = line " " substr(rest, RSTART + 2)
	}
	return line
}

FNR == 1 {
	depth = members = comment = 0
	name = ""
}

{
	line = code($0)
}

# Neither directives nor the braces of a linkage are a structure.
line ~ /^[ \t]*#/ || line ~ /^[ \t]*extern/ || !depth && line ~ /^[ \t]*}/ {
	next
}

!depth && match(line, /struct[ \t]+[A-Za-z0-9_]+/) {
	name = substr(line, RSTART + 6, RLENGTH - 6)
	gsub(/[ \t]/, "", name)
}

{
	while (match(line, /[{}]/)) {
		brace = RSTART
		if (depth)
			declare(substr(line, 1, brace - 1))
		depth += substr(line, brace, 1) == "{" ? 1 : -1
		line = substr(line, brace + 1)
		if (!depth)
			report(line)
	}
	if (depth)
		declare(line)
	else if (line ~ /;/)
		name = ""
}
