# SPDX-License-Identifier: GPL-2.0-only
#
# fish completion for mpu(8). Asks mpu itself, which knows its commands and options.

function __mpu_complete
	set -l words (commandline -opc) (commandline -ct)
	set -l offers (mpu complete -- $words[2..-1] 2>/dev/null)
	switch "$offers[1]"
	case :file
		set -l before (string match -r '^--[^=]*=' -- $words[-1])
		printf '%s\n' "$before"(__fish_complete_path (string replace -- "$before" '' $words[-1]))
	case ':command *'
		set -l at (math (string split ' ' -- $offers[1])[2] + 1)
		complete -C "$words[$at..-1]"
	case '*'
		printf '%s\n' $offers
	end
end

complete -c mpu -f -a '(__mpu_complete)'
