#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# mpu top against the simulated RM, preloaded: in a terminal, tmux, whose screen and
# keys these tests have; and as plain text.
# (tests/unit/cli/view/top has what is shown of which figures.)
set -eu
. tests/cli/lib.sh
# shellcheck source=tests/cli/simulated.sh
. tests/cli/simulated.sh

unset MPU_ROOT NO_COLOR
LC_ALL=C.UTF-8
NVSIM_VERSION=580.65.06
XDG_CONFIG_HOME=$T/config
export LC_ALL NVSIM_VERSION XDG_CONFIG_HOME
touch "$T/out" "$T/err"

# soon COMMAND...: within five minutes it succeeds
soon()
{
	pass_or "not within 300 s: $*" within 300 "$@"
}

# terminal ARG...: tmux, with a server for each terminal: one that ends is not met again
terminals=0
terminal()
{
	tmux -u -S "$T/tmux$terminals" -f /dev/null "$@"
}

# in_terminal WIDTH HEIGHT TERM COMMAND: run a command in a new one; the shell that it
# runs in says how it ended, and what became of the terminal
in_terminal()
{
	test -x "$(command -v tmux)" || { fail "install tmux"; done_testing; exit 1; }
	terminals=$((terminals + 1))
	terminal new-session -d -x "$1" -y "$2" "
		trap : INT
		stty -a >$T/before
		$simulated TERM=$3 NVSIM_GONE=$T/gone $4
		echo \"ended with \$?\"
		stty -a >$T/after
		sleep 600"
}

# on_screen REGEX: a line of the terminal is of that kind; its text stays in out
on_screen()
{
	terminal capture-pane -p >"$T/out"
	grep -Eq -- "$1" "$T/out"
}

shows()
{
	soon on_screen "$1"
}

keys()
{
	terminal send-keys "$@"
}

# ends STATUS: mpu top has ended so, and the terminal is as it was
ends()
{
	shows "^ended with $1\$"
	soon test -s "$T/after"
	is "the terminal's settings" "$(cat "$T/before")" "$(cat "$T/after")"
	terminal display-message -p '#{cursor_flag} #{alternate_on} #{mouse_any_flag}' >"$T/out"
	says out '^1 0 0$'
	terminal kill-server
	rm -f "$T/after"
}

trap 'terminal kill-server 2>/dev/null || :' EXIT	# of a test that failed
rm -f "$T/rm" "$T/hold"
mkfifo "$T/hold"
start "$T/one" --mem 3000 --util 60
start "$T/two" --gpu 1 --graphics --mem 64 --util 95
exec 3>"$T/hold"
first=$(ready "$T/one") second=$(ready "$T/two")

# As plain text.
name="mpu top -B"
simulated "$MPU" top -B -t 2 -i 0.1 >"$T/out" 2>"$T/err" || fail "exit $?"
silent err
is "snapshots" 2 "$(grep -c '^ mpu top .* driver 580.65.06  2 GPUs  2 processes' "$T/out")"
says out "^ +0 +$first +$first .* (59|60)\\.[0-9] .* 2\\.9 GiB "
says out "^ +1 +$second +$second .* 9[45]\\.[0-9] .* 64 MiB "
name="mpu top -B, COLUMNS=40"
(export COLUMNS=40; simulated "$MPU" top -B -t 1) >"$T/out" 2>"$T/err" || fail "exit $?"
pass_or "a line is longer" no grep -q '.\{41\}' "$T/out"
name="mpu top -B, ASCII"
(export LC_ALL=C; simulated "$MPU" top -B -t 1) >"$T/out" 2>"$T/err" || fail "exit $?"
pass_or "not ASCII alone" no env LC_ALL=C grep -q '[^ -~]' "$T/out"
says out ' (59|60)\.[0-9]% #+\.+'
name="mpu top -B into a pipe that closes"
simulated "$MPU" top -B -i 0.1 2>"$T/err" | head -n 1 >"$T/out"
says out '^ mpu top'

# Commands that must fail.
run 1 top -B
one_sentence "no NVIDIA driver here"
run 1 top
one_sentence "no NVIDIA driver here"
run 2 top -i 0
one_sentence "invalid value '0' for --interval: use seconds, from 0.1 to 3600"
run 2 top -i 1x
run 2 top -B -t 0
one_sentence "invalid value '0' for --times: use a number"
run 2 top -t 5
one_sentence "is for --batch"
run 2 top -p 1x
run 1 top -j
json error
silent err
name="mpu top into a pipe"
got=0
simulated "$MPU" top </dev/null >"$T/out" 2>"$T/err" || got=$?
is "its exit" 1 "$got"
one_sentence "no terminal: 'mpu top -B' .*'mpu ps'"

# In a terminal: lists, keys, help, questions.
name="mpu top in a terminal"
in_terminal 80 24 xterm-256color "$MPU top"
shows "^> +1 +$second "
says out "^ +0 +$first " '^   SM +(59|60)\.[0-9]% █' '^q quit  h help'
keys t
shows '^>- GPU 0 Simulated'
says out '^   - user '
keys Enter
shows '^>\+ GPU 0 Simulated'
keys 3
shows '^ CONTAINER '
keys F1
shows '^ q F10, Ctrl-C +quit'
keys x
keys 1 / 9 9 9
shows 'no process is as you want them'
keys C-u
keys -l 'gpu=0 type=c'
shows '^Only processes with .*: gpu=0 type=c_'
says out '1 of 2 processes with' "^> +0 +$first "
pass_or "GPU 1 is shown" no grep -q "^. +1 +$second " "$T/out"
keys Escape
shows "^ +1 +$second |^> +1 +$second "
keys Home
shows "^> +1 +$second "
keys Down
shows "^> +0 +$first "

# Another order; the mouse, as a terminal that knows it (SGR) writes: a click on the line of
# a row, and the wheel.
keys '>'
shows ' SM % +[*]MEMORY'
keys '<'
shows '[*]SM % +MEMORY'
row=$(grep -n "^[> ] +1 +$second " "$T/out" -E | cut -d : -f 1)
keys -l "$(printf '\033[<0;5;%dM\033[<0;5;%dm' "$row" "$row")"
shows "^> +1 +$second "
keys -l "$(printf '\033[<65;5;%dM' "$row")"
shows "^> +0 +$first "
terminal display-message -p '#{mouse_any_flag} #{mouse_sgr_flag}' >"$T/out"
says out '^1 1$'
keys m
shows 'the mouse is the terminal'
terminal display-message -p '#{mouse_any_flag} #{mouse_sgr_flag}' >"$T/out"
says out '^0 0$'
keys m
shows 'the mouse selects rows'
terminal resize-window -x 130 -y 40
shows 'OWN PID'
shows "^> +0 +$first "
shows 'CPU % +RAM .*AGE'
shows "^> +0 +$first .* [0-9.]+ +[0-9]+ MiB .*[0-9]+:[0-9][0-9]:[0-9][0-9] "
terminal resize-window -x 40 -y 10
shows ' driver 58. every 1 s$'	# and no screen of before, of which the terminal shows a part
says out "^> +0 +$first "
terminal resize-window -x 39 -y 10
shows 'needs 40 columns'
terminal resize-window -x 80 -y 24
shows "^> +0 +$first "

# A signal, after two questions.
keys k
shows "^Signal for PID $first, nvsim-load.*: TERM_"
keys -l 15
shows "^Signal for PID $first, nvsim-load.*: 15_"
keys Enter
shows "^Send SIGTERM .15. to PID $first, nvsim-load.*y/n"
keys y
shows "^SIGTERM sent to PID $first"
shows '1 process '

# The driver goes, and comes back.
keys -l -- -
touch "$T/gone"
shows 'the driver does not answer'
says out '^ no NVIDIA driver here: '
rm "$T/gone"
shows "^> +1 +$second "

# Settings stay; a line that says nothing known is named.
keys 3 W
shows "settings are kept in $T/config/mpu/toprc"
keys F10
ends 0
printf 'colour red\n' >>"$T/config/mpu/toprc"
in_terminal 100 24 xterm-256color "$MPU top"
shows '^ CONTAINER +PROCS'
shows "^.*/config/mpu/toprc: line [0-9]+ says nothing|says nothing known, and is ignored"
keys q
ends 0
rm -r "$T/config"

# Ctrl-C, SIGTERM, a terminal that is closed.
in_terminal 80 24 vt100 "$MPU top"
shows "^> +1 +$second "
keys C-c
ends 0
in_terminal 80 24 xterm-256color "sh -c 'echo \$\$ >$T/pid; exec $MPU top'"
shows "^> +1 +$second "
kill "$(cat "$T/pid")"
ends 0
in_terminal 80 24 xterm-256color "sh -c 'echo \$\$ >$T/pid; exec $MPU top'"
shows "^> +1 +$second "
terminal kill-server
name="mpu top whose terminal was closed"
soon no kill -0 "$(cat "$T/pid")" 2>/dev/null

# A driver that hangs, from the start on or later: it is said, keys work, and it may come back.
echo hang >"$T/gone"
in_terminal 80 24 vt100 "$MPU top"
shows "the NVIDIA driver has not answered for [0-9]+ s"
keys h
shows 'its keys, and what it shows'
keys q q
ends 0
in_terminal 80 24 vt100 "$MPU top"
shows "the NVIDIA driver has not answered for "
rm "$T/gone"
shows "^> +1 +$second "
echo hang >"$T/gone"
shows "the NVIDIA driver has not answered for "
keys C-c
ends 0
rm "$T/gone"

# Colours: none where none are wanted, or the terminal has none.
for scenario in 'xterm-256color|' 'xterm-256color|NO_COLOR=1' 'vt100|'; do
	name="colours of $scenario"
	in_terminal 80 24 "${scenario%%|*}" "env ${scenario#*|} $MPU top"
	shows "^> +1 +$second "
	colours=$(terminal capture-pane -p -e | grep -c "$(printf '\033')"'\[38;5;' || :)
	case $scenario in
	*256color'|') if test "$colours" -gt 0; then pass; else fail "none"; fi ;;
	*) is "lines with colours" 0 "$colours" ;;
	esac
	keys q
	ends 0
done

# Terminals that have no screen.
for term in dumb no-such-terminal; do
	in_terminal 80 24 $term "$MPU top"
	shows "^mpu top: the terminal '$term' "
	test $term = dumb || shows 'TERM=xterm-256color'
	ends 1
done

exec 3>&-
wait
trap - EXIT
done_testing
