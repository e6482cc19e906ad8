# SPDX-License-Identifier: GPL-2.0-only
# Prints small edits of a C file, one a line: the line's number, a tab, the line edited.
# Comments, declarations outside of functions, and lines that begin with a string or are a
# case are left alone. A statement that is one call on a line of its own goes.

function edit(text) {
	if (text != $0 && !(text in seen))
		print NR "\t" text
	seen[text]
}

# Replaces @old by @new where it stands first; both are plain text.
function replace(old, new,	at) {
	at = index($0, old)
	if (at)
		edit(substr($0, 1, at - 1) new substr($0, at + length(old)))
}

/\/\*/ { comment = 1 }

!comment && /^\t/ && !/^\t+("|#|case )/ {
	split("", seen)
	replace(" == ", " != ")
	replace(" != ", " == ")
	replace(" && ", " || ")
	replace(" || ", " && ")
	replace("!strcmp", "strcmp")
	replace("if (!", "if (")
	replace("if (strcmp", "if (!strcmp")
	replace(" < ", " <= ")
	replace(" > ", " >= ")
	replace(" + 1", " + 0")
	replace("return 0;", "return -22;")
	replace("return true", "return false")
	replace("return false", "return true")
	if (/^\t+[a-z_0-9]+\(.*\);$/ && !/^\t+(free|assert|close)/) {
		indent = $0
		sub(/[^\t].*/, "", indent)
		edit(indent ";")
	}
}

/\*\// { comment = 0 }
