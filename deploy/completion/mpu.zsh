#compdef mpu
# SPDX-License-Identifier: GPL-2.0-only
#
# zsh completion for mpu(8). Asks mpu itself, which knows its commands and options.

local -a offers
offers=("${(@f)$(mpu complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
case $offers[1] in
'') return 1 ;;
:file)
	compset -P '--*='
	_files
	;;
:command*)
	shift ${offers[1]#* } words
	((CURRENT -= ${offers[1]#* }))
	_normal
	;;
*)
	offers=("${(@)${(@)offers//:/\\:}/$'\t'/:}")
	_describe mpu offers
	;;
esac
