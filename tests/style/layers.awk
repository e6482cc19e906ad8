#!/usr/bin/awk -f
# SPDX-License-Identifier: GPL-2.0-only
#
# Reads lines "FILE:#include "HEADER"" (paths from the top folder) and prints, one a
# line, what is wrong with them: an arrow to a folder that is not below, or past its door,
# or files that include each other in a circle. With -v picture=yes it prints instead the folders that
# ship, and the arrows between them that no other two say, for Graphviz; lines
# "FILE:SIZE" give the lines of each file.
#
# A folder knows those below: of the floors of the tree, and of the floors inside of its
# own top folder. Folders on one floor do not know each other. A folder that is not named
# here is part of the one that it is in. A folder has one header for the others, its door:
# FOLDER/NAME/NAME.h. Each header of abi/, core/ and lib/ is one; tests come in everywhere.

function build(inside, text,    floors, floor, i, n, folder)
{
	floors = split(text, floor, "|")
	for (i = 1; i <= floors; i++)
		for (n = split(floor[i], folder, " "); n; n--)
			height[inside folder[n]] = i
}

BEGIN {
	FS = "[:\"]"
	build("", "core|lib|nvidia|engines|container host|cli|tests")
	build("engines/", ".|module bpf notify")
	build("container/", "image|request|plan|oci rootfs setup|cdi|.")
	build("cli/", "command|doctor|engine nvidia view|view/top|.")
	# Folders that are not part of the command, and the ones that they know.
	knows["engines/module/kernel"] = knows["engines/bpf/programs"] = "core"
	knows["sim"] = "core"
	knows["sim/load"] = "core nvidia sim"
	door["engines/bpf/programs"] = "engines/bpf/programs/state.h"
}

function folder_of(path)
{
	sub("/[^/]*$", "", path)
	return path
}

# The innermost folder with a name here that a file is in.
function layer_of(path)
{
	while (path ~ /\//) {
		path = folder_of(path)
		if (path in height || path in knows)
			return path
	}
	return ""
}

function top_of(folder)
{
	sub("/.*", "", folder)
	return folder
}

# Its floor inside of its top folder.
function floor_of(folder)
{
	return height[folder ~ /\// ? folder : folder "/."]
}

# A folder inside an engine is that engine's alone; tests know everything.
function is_below(to, from)
{
	if (from in knows)
		return index(" " knows[from] " ", " " to " ")
	if (to in knows && from != "tests")
		return index(to, from "/") == 1
	if (top_of(to) == top_of(from))
		return floor_of(to) < floor_of(from)
	return height[top_of(to)] < height[top_of(from)]
}

function is_door(header, folder,    name)
{
	if (folder ~ /^(core|lib|sim|tests)/)
		return 1
	name = folder
	sub(".*/", "", name)
	return header == (folder in door ? door[folder] : folder "/" name ".h")
}

function is_shipped(folder)
{
	return folder !~ /^(sim|tests)/
}

# A source and its header are one; but a door has parts in internal.h, which includes it.
function unit_of(path,    part, n)
{
	n = split(path, part, "/")
	if (n > 1 && part[n] == part[n - 1] ".h")
		return path
	sub("[.][^/]*$", "", path)
	return path
}

$2 ~ /^[0-9]+$/ {
	size[layer_of($1)] += $2
	next
}

{
	if ($3 !~ /\//)	# of the same folder
		$3 = folder_of($1) "/" $3
	from = layer_of($1)
	to = layer_of($3)
	if (from == "" || to == "")
		next
	if (from != to && is_shipped(from))
		arrow[from, to]
	if (from != to && from != "tests" && !is_door($3, to))
		wrong[$1 " includes " $3 ": not the door of " to "/"]
	if (from != to && !is_below(to, from))
		wrong[$1 " includes " $3 ": " to "/ is not below " from "/"]
	if (unit_of($1) != unit_of($3))
		next_of[unit_of($1)] = next_of[unit_of($1)] " " unit_of($3)
}

# Adds to wrong[] the ways back to @start, which is the least of its circle.
function follow(unit, start, way,    next_unit, n)
{
	if (unit in seen)
		return
	seen[unit]
	for (n = split(next_of[unit], next_unit, " "); n; n--)
		if (next_unit[n] == start)
			wrong["a circle of includes: " way " " start]
		else if (next_unit[n] > start)
			follow(next_unit[n], start, way " " next_unit[n])
}

# Is there a way from one folder to another by a third?
function is_said(from, to,    folder)
{
	for (folder in size)
		if (((from, folder) in arrow) &&
		    (((folder, to) in arrow) || is_said(folder, to)))
			return 1
	return 0
}

# Draws a box around each top folder that has others in it, with the lines of all.
function draw(    folder, pair, end, top, sum, inner)
{
	for (folder in size) {
		if (!is_shipped(folder) || folder == "")
			continue
		top = top_of(folder)
		sum[top] += size[folder]
		inner[top] += folder != top
		printf "\t\"%s\" [label=\"%s/\\n%.1fk\"];\n", folder, folder,
			size[folder] / 1000
		printf "\tsubgraph \"cluster_%s\" { \"%s\" }\n", top, folder
	}
	for (top in inner)
		if (inner[top])
			printf "\tsubgraph \"cluster_%s\" { bgcolor=\"#eef4fb\"; " \
				"label=\"%s/ in all\\n%.1fk\" }\n", top, top, sum[top] / 1000
		else
			printf "\tsubgraph \"cluster_%s\" { color=white }\n", top
	for (pair in arrow) {
		split(pair, end, SUBSEP)
		if (!is_said(end[1], end[2]))
			printf "\t\"%s\" -> \"%s\";\n", end[1], end[2]
	}
}

END {
	for (unit in next_of) {
		split("", seen)
		follow(unit, unit, unit)
	}
	if (picture)
		draw()
	else
		for (line in wrong)
			print line
}
