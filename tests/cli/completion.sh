#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Completion offers exactly what the table has: mpu complete, as bash asks it for every
# command; and in a real zsh and fish.
#
# shellcheck disable=SC2086 # $words is words
set -eu
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
# shellcheck source=deploy/completion/mpu.bash
. deploy/completion/mpu.bash

unset MPU_ROOT
scripts=$PWD/deploy/completion
PATH=$(dirname "$MPU"):$PATH
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

walk >"$T/walked"
grep -v ' ' "$T/walked" >"$T/commands"
offers "$T/commands" ''
offers "$T/commands" help ''
offers "$T/commands" -j ''
offers "$T/commands" -- ''
grep '^s' "$T/commands" >"$T/want"
offers "$T/want" s
: >"$T/none"
offers "$T/none" down ''
offers "$T/none" no-such-command ''
offers "$T/none" configure docker ''

while read -r words; do
	options $words >"$T/rows"
	# Another name of an option has no sentence, and is not offered.
	awk -F '|' '$NF != "null" { print "--" $2 }' "$T/rows" >"$T/want"
	offers "$T/want" $words --
	offers "$T/want" $words -j --
	"$MPU" help -j $words | "$JSON" commands name >"$T/want"
	test ! -s "$T/want" || {
		offers "$T/want" $words ''
		offers "$T/want" $words --help ''
		offers "$T/want" help $words ''
	}
	# The words that an option can have, after its long and its short form.
	awk -F '|' -v OFS='|' 'NF > 4 { $1 = $1; print }' "$T/rows" >"$T/choices"
	while IFS='|' read -r letter option values; do
		tr '|' '\n' <<<"${values%|*}" >"$T/want"
		offers "$T/want" $words "--$option" ''
		offers "$T/want" $words "--$option" = ''
		offers "$T/want" $words "--$option" =
		test -z "$letter" || offers "$T/want" $words "-$letter" ''
	done <"$T/choices"
done <"$T/walked"

printf '%s\n' docker containerd crio podman all >"$T/want"
offers "$T/want" configure ''
offers "$T/want" configure --name x ''
printf '%s\n' --csv --help --json --version >"$T/want"
offers "$T/want" container --root info info --
echo module >"$T/one"
offers "$T/one" up --engine = m
offers "$T/one" up -fe m

# The words of what mpu run runs are that command's: files, not commands, and
# not mpu's options.
mkdir -p "$T/folder"
touch "$T/folder/script.py"
(cd "$T" && ls) >"$T/files"
cd "$T"
offers files up --module ''
offers files up --module =
offers files cdi validate a ''
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

# Lines that both other shells must complete: what is written, and what it becomes.
cat >../lines <<'END'
mpu stat|mpu status
mpu cdi val|mpu cdi validate
mpu ps --na|mpu ps --namespace
mpu up -e no|mpu up -e notify
mpu up --engine=no|mpu up --engine=notify
mpu up --module scr|mpu up --module script.py
mpu up --module=scr|mpu up --module=script.py
mpu run -- cat scr|mpu run -- cat script.py
mpu run -j -- shellch|mpu run -j -- shellcheck
mpu down n|mpu down n
END

# fish says what it would offer for the last word, behind a tab its sentence.
if command -v fish >../null; then
	while IFS='|' read -r line want; do
		found=$(HOME=$T fish -c "source $scripts/mpu.fish; complete -C '$line'" |
			sed 's/\t.*//')
		is "fish: $line" "${want#"${line% *} "}" "${found:-${line##* }}"
	done <../lines
else
	name=fish
	skip "install fish"
fi

# zsh completes in a terminal alone.
if command -v zsh >../null && command -v tmux >../null; then
	mkdir -p ../functions
	cp "$scripts/mpu.zsh" ../functions/_mpu
	terminal="tmux -S $T/tmux -f /dev/null"
	trap '$terminal kill-server 2>/dev/null || :' EXIT	# of a test that failed
	$terminal new-session -d -x 100 -y 30 "env ZDOTDIR=$T zsh -f"
	$terminal send-keys -l "fpath=($T/functions \$fpath); autoload -U compinit; compinit -u -D; PS1='> '; clear"
	$terminal send-keys Enter
	shows_line()
	{
		found=$($terminal capture-pane -p | sed -n 's/^> *//; s/[ /]*$//; 1p')
		test "$found" = "$want"
	}
	while IFS='|' read -r line want; do
		$terminal send-keys C-u C-l
		$terminal send-keys -l "$line"
		$terminal send-keys Tab
		within 60 shows_line || :	# it is told
		is "zsh: $line" "$want" "$found"
	done <../lines
	$terminal kill-server
else
	name=zsh
	skip "install zsh and tmux"
fi

done_testing
