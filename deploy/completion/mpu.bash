# bash completion for mpu(8)                          -*- shell-script -*-
# SPDX-License-Identifier: GPL-2.0-only
#
# Asks mpu itself, which knows its commands and options.

# The command that mpu run or mpu runtime is given, from word $1 on: by its own
# completion, where bash-completion is there to find it.
_mpu_command()
{
	if [[ $(type -t _comp_command_offset) == function ]]; then
		_comp_command_offset "$1"
	elif [[ $(type -t _command_offset) == function ]]; then
		_command_offset "$1"
	elif ((COMP_CWORD == $1)); then
		mapfile -t COMPREPLY < <(compgen -c -- "${COMP_WORDS[COMP_CWORD]}")
	else
		mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
	fi
}

_mpu()
{
	local word=${COMP_WORDS[COMP_CWORD]} offers

	mapfile -t offers < <(mpu complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
	case ${offers[0]-} in
	:file) mapfile -t COMPREPLY < <(compgen -f -- "${word#=}") ;;
	:command*) _mpu_command "${offers[0]#* }" ;;
	*) COMPREPLY=("${offers[@]%%$'\t'*}") ;;
	esac
}

complete -F _mpu mpu
