#!/usr/bin/awk -f
# SPDX-License-Identifier: GPL-2.0-only
#
# Reads a terminal's screen as `tmux capture-pane -p -e` prints it, and prints it as a
# picture: SVG with text in it. Of the styles it knows those that mpu top uses. Several
# screens, with form feeds between them, are shown by turns, for 5 seconds each; the second
# alone where nothing moves.
#
#	-v title=TEXT	of the picture: mpu top

BEGIN {
	WIDE = 8.43	# of a character of 14 pixels, in a monospaced font
	HIGH = 17
	ESC = sprintf("%c", 27)
	front = "#d8d8d8"
	back = "#1c1c1c"
	if (!title)
		title = "mpu top"
	colour["38;5;74"] = "#5fafd7"
	colour["38;5;175"] = "#d787af"
	colour["38;5;214"] = "#ffaf00"
}

# How many characters of UTF-8: bytes, without those that go on.
function count(text)
{
	gsub(/[\200-\277]/, "", text)
	return length(text)
}

# take_style STYLE: parameters of one SGR sequence; 0 is not the last only
function take_style(style,    part, i, n)
{
	if (style == "")
		style = "0"
	if (sub(/^0;/, "", style) || style == "0")
		bold = dim = reverse = ink = ""
	n = split(style, part, ";")
	for (i = 1; i <= n; i++) {
		if (part[i] == 38) {
			ink = colour[part[i] ";" part[i + 1] ";" part[i + 2]]
			i += 2
		} else if (part[i] == 39) {
			ink = ""
		} else if (part[i] == 1) {
			bold = 1
		} else if (part[i] == 2) {
			dim = 1
		} else if (part[i] == 7) {
			reverse = 1
		}
	}
}

function put(text,    wide, x, y, fill)
{
	wide = count(text) * WIDE
	x = 10 + column * WIDE
	y = 10 + line * HIGH
	column += count(text)
	if (text ~ /^ *$/ && !reverse)
		return
	gsub(/&/, "\\&amp;", text)
	gsub(/</, "\\&lt;", text)
	gsub(/>/, "\\&gt;", text)
	fill = reverse ? back : ink ? ink : dim ? "#8a8a8a" : front
	if (reverse)
		body = body sprintf("<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n",
			x, y, wide, HIGH, front)
	body = body sprintf("<text x=\"%.1f\" y=\"%d\" textLength=\"%.1f\" fill=\"%s\"%s>%s</text>\n",
		x, y + 13, wide, fill, bold ? " font-weight=\"bold\"" : "", text)
}

/^\f/ {
	screen[++screens] = body
	body = ""
	first = NR
	next
}

{
	column = 0
	line = NR - first - 1
	if (line >= lines)
		lines = line + 1
	rest = $0
	while (rest != "") {
		at = index(rest, ESC "[")
		if (!at) {
			put(rest)
			break
		}
		if (at > 1)
			put(substr(rest, 1, at - 1))
		rest = substr(rest, at + 2)
		match(rest, /^[0-9;]*/)
		take_style(substr(rest, 1, RLENGTH))
		rest = substr(rest, RLENGTH + 2)
	}
	if (column > widest)
		widest = column
}

END {
	width = int(widest * WIDE + 20.5)
	height = lines * HIGH + 20
	screen[++screens] = body
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" ", width, height
	printf "viewBox=\"0 0 %d %d\" font-family=\"monospace\" font-size=\"14\" ", width, height
	print "xml:space=\"preserve\">"
	printf "<title>%s</title>\n", title
	print "<style>text{white-space:pre}</style>"	# Chromium 156 knows no xml:space
	if (screens > 1)
		printf "<style>@media (prefers-reduced-motion:no-preference){g{animation:s %ds step-end infinite}}@keyframes s{0%%{opacity:1}%.1f%%{opacity:0}}</style>\n",
			5 * screens, 100 / screens
	printf "<rect width=\"100%%\" height=\"100%%\" rx=\"6\" fill=\"%s\"/>\n", back
	for (i = 1; i <= screens; i++)
		printf "<g opacity=\"%d\" style=\"animation-delay:%ds\">\n%s</g>\n", i == 2 || screens == 1,
			5 * (i - 1 - screens), screen[i]
	print "</svg>"
}
