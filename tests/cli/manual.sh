#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The man page, and the commands that the documents show, agree with the table of
# commands: each command and option stands in the page, and nothing else does.
# shellcheck disable=SC2016 # `words` of Markdown
set -eu
. tests/cli/lib.sh

unset MPU_ROOT
page=man/mpu.8
touch "$T/out" "$T/err"

# Contents of the table: a line for each command and whether it takes words, one for
# each option of a command, one for each word that an option can have. Commands with a
# page of their own are compared with that by tools.sh.
"$MPU" help -j >"$T/table"
"$JSON" commands name <"$T/table" >"$T/names"
"$JSON" commands argument <"$T/table" >"$T/arguments"
while read -r command; do
	"$MPU" help -j "$command" | "$JSON" commands name | tr '\n' ' '
	echo
done <"$T/names" >"$T/groups"
paste -d ' ' "$T/names" "$T/arguments" "$T/groups" |
	awk '{ print $1, $2 == "null" && NF == 2 ? "no" : "yes" }' >"$T/commands"
# Commands for which all after the first word is another command's.
paste -d ' ' "$T/names" "$T/arguments" | sed -n 's/ .*[.][.][.]$//p' >"$T/runs"
rm -f "$T/options" "$T/words" "$T/own"
while read -r command; do
	! has_page "$command" || continue
	echo "$command" >>"$T/own"
	options "$command" >"$T/rows"
	awk -F '|' -v command="$command" '{ print $1, $2, command }' "$T/rows" >>"$T/options"
	awk -F '|' 'NF > 4 { for (i = 3; i < NF; i++) print $2, $i }' "$T/rows" >>"$T/words"
done <"$T/names"
mv "$T/own" "$T/names"
sort -u -o "$T/words" "$T/words"
name="the table"
if test -s "$T/options" && test -s "$T/words"; then pass; else fail "is empty"; fi

# The man page.
sed -n '/^\.Sh COMMANDS/,/^\.Sh OPTIONS/p' $page | awk '
	/^\.Bl/ { depth++ } /^\.El/ { depth-- }
	/^\.It Cm/ && depth == 1 { print $3, / Ar / ? "yes" : "no" }' >"$T/shown"
same "$T/shown" "$T/commands" "commands in $page, and which take words"
# Which commands take an option stands below it, if not all do.
sed -n '/^\.Sh OPTIONS/,/^\.Sh ENV/p' $page >"$T/section"
awk -v names="$(cat "$T/names")" '
	function take(list,    n, i, command) {
		n = split(list, command, "[ ,\n]+")
		for (i = 1; option != "" && i <= n; i++)
			if (command[i] != "")
				print option, command[i]
		option = ""
	}
	/^\.Pq Cm/ { take(substr($0, 8)) }
	/^\.Pq all but Cm/ {
		others = names
		sub("(^|\n)" $NF "(\n|$)", "\n", others)
		take(others)
	}
	/^\.It Fl/ || /^\.El/ { take(names) }
	/^\.It Fl/ { option = $3 == "Fl" ? " " $4 : $3 " " $7 }' "$T/section" >"$T/shown"
same "$T/shown" "$T/options" "options in $page, and who takes them"
awk '/^\.It Fl/ { option = $3 == "Fl" ? $4 : $7 }
	/^\.It Fl/ || /^\.Cm/ {
		for (i = /^\.It/ ? 8 : 2; i <= NF; i++)
			if ($i ~ /^[a-z0-9]+$/)
				print option, $i
	}' "$T/section" | sort -u | comm -12 - "$T/words" >"$T/shown"
same "$T/shown" "$T/words" "words of options in $page"

# The manual explains the counters of all engines.
sed -n '/^\.It Cm status/,/^\.It Cm doctor/p' $page |
	awk '/^\.Bl/ { on = 1 } /^\.El/ { on = 0 } on && /^\.It Cm/ { print $3 }' |
	sort >"$T/shown"
sed -n 's/^	X(MPU_[A-Z_]*, "\(.*\)").*/\1/p' core/counters.h | sort >"$T/counters"
same "$T/shown" "$T/counters" "counters in $page"
for word in restarts abandoned refused waiting worker_answers; do
	name="$word of engine notify in $page"
	cp $page "$T/out"
	says out "^\\.(Cm|Pq Cm) $word( |\$)"
done
name="mandoc -Tlint $page"
if command -v mandoc >/dev/null; then
	mandoc -Tlint -W warning $page >"$T/out" 2>"$T/err" || :
	pass_or "warnings" test ! -s "$T/out"
else
	skip "install mandoc"
fi
name="groff $page"
if command -v groff >/dev/null; then
	groff -ww -mdoc -Tutf8 -z $page >"$T/out" 2>&1 || :
	pass_or "warnings" test ! -s "$T/out"
else
	skip "install groff"
fi

# Options of all commands, those of commands below a group with the group's name.
walk | while read -r words; do
	# shellcheck disable=SC2086 # words
	options $words | awk -F '|' -v command="${words%% *}" '{ print $1 ? $1 : "-", $2, command }'
done | sort -u >"$T/all_options"

# The documents. unknown_in FILE...: commands they show that mpu does not have
unknown_in()
{
	awk -f tests/style/docs.awk "$@" | awk -F '\t' '
		FILENAME == ARGV[1] {
			split($0, option, " ")
			takes[option[3], "-" option[1]]
			takes[option[3], "--" option[2]]
			next
		}
		FILENAME == ARGV[2] {
			split($0, command, " ")
			words[command[1]]
			next
		}
		FILENAME == ARGV[3] {
			runs[$1]
			next
		}
		$1 == "command" {
			sub(/^sudo /, "", $3)
			n = split($3, word, " ")
			at = word[2]
			if (!(at in words))
				print $2 ": " $3
			for (i = 3; at in words && i <= n; i++) {
				if (word[i] == "--" || (at in runs &&
				    word[i] !~ /^-/ && word[i - 1] !~ /^-/))
					break
				if (word[i] ~ /^--/ && !((at, word[i]) in takes))
					print $2 ": " $3
				for (k = 2; word[i] ~ /^-[a-zA-Z]/ && k <= length(word[i]); k++)
					if (!((at, "-" substr(word[i], k, 1)) in takes))
						print $2 ": " $3
			}
		}' "$T/all_options" "$T/commands" "$T/runs" -
}

cat >"$T/bad.md" <<-'END'
	`mpu nosuch` `mpu up --nosuch` `mpu down --module FILE` `sudo mpu status -ax`
	`mpu up --module FILE` `mpu status -aj` `mpu run --cpu 25 ls --all`
	    mpu run -- ls -Z
	`mpu cdi generate --output x` `mpu cdi list --outputs`
END
unknown_in "$T/bad.md" | sed 's/.*: //' >"$T/shown"
printf '%s\n' 'mpu nosuch' 'mpu up --nosuch' 'mpu down --module FILE' \
	'mpu status -ax' 'mpu cdi list --outputs' >"$T/want"
same "$T/shown" "$T/want" "commands that mpu does not have are found"
unknown_in README.md README.zh.md CONTRIBUTING.md docs/*.md >"$T/shown"
: >"$T/none"
same "$T/shown" "$T/none" "commands that the documents show"

# Every finding of doctor that is not fine is explained, and no other. A name that varies
# is NAME there.
sed -n 's/^\tX([A-Z_]*, "\(.*\)", "\(.*\)", [NP][A-Z]*).*/\1-\2/p' cli/doctor/doctor.h |
	sed 's/%s/NAME/' >"$T/want"
sed -n '/^## The findings/,/^## /s/^| [^a-z]\([a-zA-Z-]*\).*/\1/p' docs/fleet.md >"$T/shown"
same "$T/shown" "$T/want" "findings in docs/fleet.md"

# Their subjects are headings of troubleshooting, in each language.
sed -n 's/^\tX([A-Z_]*, "\(.*\)", "[^"]*", [NP][A-Z]*).*/\1/p' cli/doctor/doctor.h |
	sed 's/^engine-%s/engine-module\nengine-bpf\nengine-notify/
		s/^%s/docker\ncontainerd\ncrio\npodman/' | LC_ALL=C sort -u >"$T/want"
for page in docs/troubleshooting.md docs/troubleshooting.zh.md; do
	sed -n 's/^## //p' $page | tr -s ', ' '\n' | LC_ALL=C sort -u |
		LC_ALL=C comm -12 - "$T/want" >"$T/shown"
	same "$T/shown" "$T/want" "subjects of findings that are headings of $page"
done

awk -f cli/view/figures.awk cli/view/figures.c cli/view/top/list.c >"$T/want"
same docs/figures.md "$T/want" "docs/figures.md, which make generate writes"

done_testing
