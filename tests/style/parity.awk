#!/usr/bin/awk -f
# SPDX-License-Identifier: GPL-2.0-only
#
# Prints what a page and its translation have in common: the levels of its headings, the rows of its
# tables, the lines of its code without their comments, what it has in backquotes, and its figures.

# figures TEXT: prints each number that is not part of a word
function figures(text,    n)
{
	gsub(/[0-9]+ 月/, "", text)
	while (match(text, /[0-9][0-9.,]*/)) {
		n = substr(text, RSTART, RLENGTH)
		sub(/[.,]+$/, "", n)
		if (RSTART == 1 || substr(text, RSTART - 1, 1) !~ /[a-zA-Z_.]/)
			print "figure " n
		text = substr(text, RSTART + RLENGTH)
	}
}

/^```/ { fenced = !fenced; next }
/^    / || fenced {
	sub(/^ */, "")
	sub(/ *#.*/, "")
	if ($0 != "")
		print "line " $0
	next
}
/^#+ / { levels = levels " " length($1) }
/^\|/ { rows++ }
{ text = text " " $0 }

END {
	print "headings" levels
	print "rows " rows + 0
	gsub(/\]\([^)]*\)/, "]", text)
	n = split(text, part, "`")
	for (i = 1; i <= n; i++)
		if (i % 2) {
			figures(part[i])
		} else {
			gsub(/ +/, " ", part[i])
			print "code " part[i]
		}
}
