# SPDX-License-Identifier: GPL-2.0-only
# Writes docs/figures.md from the rows of figures.c and of top/list.c: make generate.

# Returns the text in quotes behind this.
function quoted(behind,    text)
{
	if (!match(row, behind "\"[^\"]*"))
		return ""
	text = substr(row, RSTART, RLENGTH)
	sub(/.*"/, "", text)
	return text
}

function code(text)
{
	return text == "" ? "" : "`" text "`"
}

BEGIN {
	EXTRA = "[.]column = [{] \"[^\"]*\", [a-z]*, [0-9]*, true"
	print "# The figures of a process"
	print ""
	print "A column that `mpu ps` shows only where `--columns` or `--csv` asks for it has a * behind its"
	print "name. `make generate` writes this page from `cli/view/figures.c` and `cli/view/top/list.c`."
	print ""
	print "| `mpu ps --columns` | `mpu ps --json` | `mpu top`, key | metric | |"
	print "|---|---|---|---|---|"
}

# Writes the row that has been read, if one has.
function take_row(    column, name, is_time, word)
{
	is_time = row ~ /TABLE_TIME/
	column = is_time ? "TIME" : quoted("[.]column = [{] ")
	name = tolower(column)
	gsub(/ /, "_", name)
	gsub(/%/, "", name)
	if (row != "")
		print "| " code(name) (is_time || row ~ EXTRA ? " *" : "") " | " \
			code(quoted("[.]member = ")) " | " \
			code(quoted("[.]top = [{] \"[^\"]*\", [0-9]*, ")) " | " \
			code(quoted("[.]metric = ")) " | " quoted("[.]help = ") " |"
	split(row, word, /[][]/)
	title[word[2]] = quoted("[.]top = [{] ")
	row = ""
}

/^\t\[FIGURE_/ || /^};/ { take_row() }
/^\t\[FIGURE_/ || row != "" { row = row $0 }

/^\t{ FIGURE_/ && !is_listed++ {
	print ""
	print "The columns of `mpu top` from left to right, and how wide the screen has to be for them:"
	print ""
	print "| column | processes | tree | containers, pods, users |"
	print "|---|---|---|---|"
}
/^\t{ FIGURE_/ {
	split($0, word, /[{}, \t]+/)
	line = "| " title[word[2]]
	for (i = 3; i <= 7; i += 2)
		line = line " | " (word[i] == "NEVER" ? "never" : word[i] ? word[i] : "always")
	print line " |"
}
