#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Completion offers exactly what the table has.
set -eu
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
# shellcheck source=deploy/completion/mpu
. deploy/completion/mpu

unset MPU_ROOT
PATH=$(dirname "$MPU"):$PATH
"$MPU" help -j >"$T/table"
touch "$T/out" "$T/err"

# offers FILE WORD...: completing the last of WORD... offers the lines of FILE
offers()
{
	local file=$1
	shift
	COMP_WORDS=(mpu "$@")
	COMP_CWORD=$#
	_mpu
	printf '%s\n' ${COMPREPLY[@]+"${COMPREPLY[@]}"} | sed '/^$/d' \
		>"$T/offered"
	same "$T/offered" "$file" "completion of 'mpu $*'"
}

"$JSON" commands name <"$T/table" >"$T/commands"
test "$(wc -l <"$T/commands")" -ge 8
offers "$T/commands" ''
offers "$T/commands" help ''
offers "$T/commands" -j ''
grep '^s' "$T/commands" >"$T/want"
offers "$T/want" s
: >"$T/none"
offers "$T/none" smi ''
offers "$T/none" no-such-command ''

while read -r command; do
	"$MPU" help -j "$command" | "$JSON" options name |
		sed 's/^/--/' >"$T/want"
	offers "$T/want" "$command" --
	# The words that an option can have, after its long and its short form.
	while read -r letter name value; do
		case $value in
		*'|'*)
			tr '|' '\n' <<<"$value" >"$T/want"
			offers "$T/want" "$command" "--$name" ''
			offers "$T/want" "$command" "-$letter" ''
			;;
		esac
	done < <(
		for column in letter name value; do
			"$MPU" help -j "$command" | "$JSON" options $column \
				>"$T/$column"
		done
		paste -d ' ' "$T/letter" "$T/name" "$T/value"
	)
done < <(commands_of false "$T/table")

# Commands whose words another table reads.
"$MPU" help -j configure | "$JSON" options name | sed 's/^/--/' >"$T/want"
printf '%s\n' --help --usage >>"$T/want"
offers "$T/want" configure --
printf '%s\n' docker containerd crio podman >"$T/want"
offers "$T/want" configure ''
for group in container cdi; do
	"$MPU" help -j $group | "$JSON" commands name >"$T/want"
	offers "$T/want" $group ''
done
printf '%s\n' --csv --help --usage >"$T/want"
offers "$T/want" container info --
offers "$T/want" container -r info info --

# Bash makes three words of --engine=value.
"$MPU" help -j up | "$JSON" options value | grep -w module |
	tr '|' '\n' >"$T/want"
offers "$T/want" up --engine = ''
offers "$T/want" up --engine =
grep '^m' "$T/want" >"$T/one"
offers "$T/one" up --engine = m

# The words of what mpu run runs are that command's: files, not commands, and
# not mpu's options.
mkdir -p "$T/folder"
touch "$T/folder/script.py"
(cd "$T" && ls) >"$T/files"
cd "$T"
offers files up --module ''
cd folder
echo script.py >../one
offers ../one run python3 scr
offers ../one run -- python3 scr
offers ../one run -u refuse python3 scr
offers ../one runtime -- runc scr
: >../none
offers ../none run ls -
offers ../none run -- ls --al
# Where bash-completion is there, the command's own completion is asked.
_command_offset()
{
	COMPREPLY=("word $1")
}
echo 'word 2' >../one
offers ../one run py
echo 'word 4' >../one
offers ../one run -j -- python3 scr

done_testing
