#!/usr/bin/awk -f
# SPDX-License-Identifier: GPL-2.0-only
#
# Adds up what gcov says of files, by folder of the product.

/^File '/ {
	file = substr($2, 2, length($2) - 2)
	next
}
/^Lines executed:/ && file ~ /^[a-z].*[.]c$/ && file !~ /^(tests|build)\// {
	folder = file
	sub(/\/[^\/]*$/, "", folder)
	split($0, part, /[:% ]+/)
	ran[folder] += part[3] * part[5] / 100
	lines[folder] += part[5]
	file = ""
}

END {
	for (folder in lines)
		printf "%5.1f %% of %6d lines  %s\n", ran[folder] * 100 / lines[folder],
			lines[folder], folder | "LC_ALL=C sort -k 6"
}
