#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Programs by NVIDIA's names, and commands of mpu with a manual page of their own: what
# each of them takes is what its help says, wrong ones are one sentence, and the manual
# page knows them.
set -eu
. tests/cli/lib.sh

unset MPU_ROOT
pages=$(echo man/mpu-*.8)
links=$T/links
rm -rf "$links"
mkdir "$links"
names="nvidia-cdi-hook nvidia-container-cli nvidia-container-runtime-hook nvidia-ctk"
for link in $names; do
	ln -s "$(realpath "$MPU")" "$links/$link"
done
PATH=$links:$(dirname "$(realpath "$MPU")"):$PATH

# commands, listed WORD...: commands and options that its help lists
commands()
{
	"$@" --help | awk '/^commands:/ { on = 1; next } !NF { on = 0 } on && /^  [^ ]/ { print $1 }'
}

listed()
{
	"$@" --help | awk '/^options:/ { on = 1; next }
		on && /^  (-., |    )--/ { sub(/^  (-., |    )/, ""); sub(/[ =[].*/, ""); print }'
}

# walk_help WORD...: a line for each command and group below it, itself first
walk_help()
{
	echo "$*"
	for command in $(commands "$@"); do
		walk_help "$@" "$command"
	done
}

{
	walk | while read -r line; do
		! has_page "${line%% *}" || echo "mpu $line"
	done
	for link in "$links"/*; do
		walk_help "${link##*/}"
	done
} >"$T/walked"
cp "$T/walked" "$T/known"

touch "$T/out" "$T/err"
# shellcheck disable=SC2086 # $line and $pages are words
while read -r line; do
	name="$line --no-such-option"
	got=0
	$line --no-such-option >"$T/out" 2>"$T/err" </dev/null || got=$?
	case $line in
	mpu*) is "$name: its status" 2 "$got" ;;
	nvidia-container-runtime-hook*) is "$name: its status" 2 "$got" ;;
	*) is "$name: its status" 1 "$got" ;;
	esac
	is "$name: lines" 1 "$(wc -l <"$T/err")"
	says err 'unrecognized option .--no-such-option'
	name="$line no-such-command"
	if test -n "$(commands $line)"; then
		if $line no-such-command >"$T/out" 2>"$T/err" </dev/null; then
			test "$line" = nvidia-cdi-hook || fail "no error"
		fi
		# Documents of a later time may name hooks that nobody knows today.
		case $line in
		nvidia-cdi-hook) says err "warning: 'no-such-command' is not known" ;;
		*)
			says err "there is no command 'no-such-command'"
			case $line in mpu*) ;; *) says err '^usage: ' ;; esac
			;;
		esac
	fi
	# The manual has a section for each, which names its options, and no others; the
	# same command by another name stands there once.
	section=$line
	case $line in
	"nvidia-ctk cdi "*) section="mpu ${line#nvidia-ctk }" ;;
	"mpu container"*) section="nvidia-container-cli${line#mpu container}" ;;
	esac
	grep -qx "$section" "$T/known" || section=$line
	awk -v section=".Ss $section" '
		/^\.S[hs] / { on = ($0 == section) }
		on && /^\.It Fl/ {
			for (i = 3; i <= NF; i++)
				if ($i == "Fl" && $(i - 1) == "Fl" && !given[NR]++)
					print "--" $(i + 1)
		}' $pages >"$T/shown"
	listed $line | grep -vx -e --help -e --json -e --usage -e --version >"$T/want" || :	# none
	same "$T/shown" "$T/want" "options of '$line' in $pages"
	# mpu has letters for none of these, NVIDIA's programs have some.
	case $line in mpu*)
		is "letters that the help of '$line' lists" 'V h j ' "$($line --help |
			sed -n 's/^  -\(.\), --.*/\1/p' | LC_ALL=C sort | tr '\n' ' ')"
		test "$section" != "$line" || is "letters of '$line' in $pages" '' "$(awk \
			-v section=".Ss $section" '/^\.S[hs] / { on = ($0 == section) }
			on && /^\.It Fl . /' $pages)"
		;;
	esac
done <"$T/walked"
# shellcheck disable=SC2086 # words
sed -n 's/^\.Ss //p' $pages >"$T/shown"
awk 'NR == FNR { group[$0]; next } $0 in group' "$T/shown" "$T/walked" >"$T/found"
same "$T/shown" "$T/found" "sections of $pages"

# Each key of config.toml stands in one table, with what it is by default.
nvidia-ctk config default | sed 's/^user = .*/user = ""/' |	# SUSE has another
	awk '/^[[]/ { table = substr($1, 2, length($1) - 2) "." } / = / { print table $0 }' >"$T/want"
awk -F '`' '/^[|] key [|]/ { on = 1 } !NF { on = 0 } on && NF > 4 { print $2 " = " $4 }' \
	docs/requests.md >"$T/shown"
same "$T/shown" "$T/want" "keys of config.toml in docs/requests.md"

done_testing
