#!/usr/bin/awk -f
# SPDX-License-Identifier: GPL-2.0-only
#
# Reads documents, and prints what they name, one a line:
#
#	link	FILE	TARGET[#ANCHOR]	a link that does not leave the tree
#	anchor	FILE	ANCHOR		a heading, as GitHub makes anchors of them
#	path	FILE	PATH		`a/b`, in a folder of the tree
#	source	FILE	NAME		`a.c`
#	program	FILE	PATH WORDS	`a/b --option`, or an indented line of it
#	function FILE	NAME		`name()`
#	option	FILE	--NAME		`--name`, with what may follow
#	command	FILE	WORDS		`mpu ...`, or an indented line of it

# name_words TEXT: what somebody may type
function name_words(text)
{
	if (text ~ /^(sudo )?mpu [a-z-]/)
		print "command\t" FILENAME "\t" text
	else if (text ~ /^[a-z]+\/[a-z\/-]+ /)
		print "program\t" FILENAME "\t" text
}

function name_parts(text,    part, i, n)
{
	n = split(text, part, "`")
	for (i = 2; i <= n; i += 2) {
		if (part[i] ~ /^[a-z][a-zA-Z0-9_.-]*(\/[a-zA-Z0-9_.*-]+)+\/?$/)
			print "path\t" FILENAME "\t" part[i]
		else if (part[i] ~ /^[a-z][a-z0-9_-]*\.(c|h|sh|awk|tsv|mk)$/)
			print "source\t" FILENAME "\t" part[i]
		else if (part[i] ~ /^[a-z_][a-z0-9_]*\(\)$/)
			print "function\t" FILENAME "\t" substr(part[i], 1, length(part[i]) - 2)
		else if (match(part[i], /^--[a-z][a-z-]*/))
			print "option\t" FILENAME "\t" substr(part[i], 1, RLENGTH)
		else
			name_words(part[i])
	}
}

function name_links(text,    target)
{
	while (match(text, /\]\([^)]*\)/)) {
		target = substr(text, RSTART + 2, RLENGTH - 3)
		if (target !~ /^[a-z]+:/)
			print "link\t" FILENAME "\t" target
		text = substr(text, RSTART + RLENGTH)
	}
}

FNR == 1 { fenced = 0 }
/^```/ { fenced = !fenced; next }

/^#+ / && !fenced {
	anchor = tolower($0)
	sub(/^#+ /, "", anchor)
	gsub(/[][!-,.\/:-@\\^`{-~]|（|）|，|、|：|“|”/, "", anchor)
	gsub(/ /, "-", anchor)
	print "anchor\t" FILENAME "\t" anchor
}

/^    / || fenced {
	line = $0
	sub(/^ */, "", line)
	sub(/ *#.*/, "", line)
	name_words(line)
	next
}

{
	name_parts($0)
	name_links($0)
}
