#!/usr/bin/awk -f
# SPDX-License-Identifier: GPL-2.0-only
#
# Reads lines "FILE:#include "HEADER"" (paths from the top folder) and prints, one a
# line, what is wrong with them: an arrow to a room that is not below, or files that
# include each other in a circle. With -v picture=yes also the arrows between rooms, for
# Graphviz.
#
# A room is a folder; what lies in folders inside of it is of that room, too. Rooms
# of one floor do not know each other. The picture has the rooms that ship.

BEGIN {
	FS = "[:\"]"
	floors = split("core|lib|nvidia|engines|engines/module engines/bpf " \
		"engines/notify container|host|cli|tests", floor, "|")
	for (i = 1; i <= floors; i++)
		for (n = split(floor[i], room, " "); n; n--)
			height[room[n]] = i
	# What is no part of the command, and whom it knows.
	knows["engines/module/kernel"] = knows["engines/bpf/programs"] = "core"
	knows["sim"] = "core"
	knows["sim/load"] = "core nvidia sim"
	# The one seam: the seccomp rules of a container are engine notify's filter.
	seam["container", "engines/notify/filter.h"]
}

function folder_of(path)
{
	sub("/[^/]*$", "", path)
	return path
}

function room_of(path)
{
	while (path ~ /\//) {
		path = folder_of(path)
		if (path in height || path in knows)
			return path
	}
	return ""
}

# A room inside an engine is that engine's alone; tests know everything.
function is_below(to, from)
{
	if (from in knows)
		return index(" " knows[from] " ", " " to " ")
	if (to in knows && from != "tests")
		return index(to, from "/") == 1
	return height[to] < height[from]
}

function is_shipped(room)
{
	return room !~ /^(sim|tests)/
}

# A source and its header are one.
function unit_of(path)
{
	sub("[.][^/]*$", "", path)
	return path
}

{
	if ($3 !~ /\//)	# of the same folder
		$3 = folder_of($1) "/" $3
	from = room_of($1)
	to = room_of($3)
	if (from == "" || to == "")
		next
	if (from != to && is_shipped(from))
		arrow[from, to]
	if (from != to && !is_below(to, from) && !((from, $3) in seam))
		print $1 " includes " $3 ": " to "/ is not below " from "/"
	if (unit_of($1) != unit_of($3))
		next_of[unit_of($1)] = next_of[unit_of($1)] " " unit_of($3)
}

# Everything that leads back to @start, which is the least of its circle.
function follow(unit, start, way,    next_unit, n)
{
	if (unit in seen)
		return
	seen[unit]
	for (n = split(next_of[unit], next_unit, " "); n; n--)
		if (next_unit[n] == start)
			print "a circle of includes: " way " " start
		else if (next_unit[n] > start)
			follow(next_unit[n], start, way " " next_unit[n])
}

END {
	for (unit in next_of) {
		split("", seen)
		follow(unit, unit, unit)
	}
	for (pair in arrow)
		if (picture) {
			split(pair, end, SUBSEP)
			print "\t\"" end[1] "\" -> \"" end[2] "\";"
		}
}
