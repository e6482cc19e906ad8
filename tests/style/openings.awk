#!/usr/bin/awk -f
# SPDX-License-Identifier: GPL-2.0-only
#
# Reads C sources, and counts comments that begin with a pronoun, a preposition or a
# relative clause: sentences without a subject, which have to be read twice. Prints
# nothing if no more than LIMIT per cent of PART (product or tests) do, otherwise the
# share and each of them. In the product no sentence of a comment may begin with a relative
# clause, or with Of.
#
#	openings.awk -v part=product -v limit=8 FILE...

BEGIN {
	list = "what which who whom whose that those this these it its they their one of " \
		"by with without for from to in into on onto at as until before after " \
		"behind beneath under between through where how whether why"
	n = split(list, word, " ")
	for (i = 1; i <= n; i++)
		odd[word[i]]
}

# sentences TEXT: a line of a comment
function sentences(text)
{
	if (part == "product" &&
	    match(text, /(^|[.:?!] )(What|That|Those|One (that|which|who|whose)|Who|Whose|Whom|Of) /))
		print FILENAME ":" FNR ": begins a sentence: " substr(text, RSTART)
}

# comment TEXT: its first line
function comment(text,    first)
{
	total++
	first = tolower(text)
	sub(/[^a-z].*/, "", first)
	if (first in odd)
		found[++nr] = FILENAME ":" FNR ": " text
}

FNR == 1 { opened = 0 }
(FILENAME ~ /^tests\//) != (part == "tests") || /SPDX-/ { next }
/^[ \t]*(\/?\*|\/\/) / || /\/\* / {
	line = $0
	sub(/.*\/\* */, "", line)
	sub(/^[ \t]*(\*|\/\/) */, "", line)
	sentences(line)
}
opened {
	sub(/^[ \t]*\*?[ \t]*/, "")
	comment($0)
	opened = 0
	next
}
/^[ \t]*\/\*[ \t]*$/ { opened = 1; next }
/\/\* / {
	sub(/.*\/\* */, "")
	comment($0)
}

END {
	if (nr * 100 <= limit * total)
		exit
	for (i = 1; i <= nr; i++)
		print found[i]
	printf "%s: %d of %d comments, %.1f %%; at most %s %%\n", part, nr, total,
		nr * 100 / total, limit
}
