# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Gives the checks of the real nvidia-smi what they share: the questions, and what
# its answers mean. To be sourced; POSIX sh and awk, for busybox too.

# smi_questions: the questions that end in a list of processes.
# shellcheck disable=SC2034 # used by those who source this
smi_questions="table pids apps pmon accounted accounting"

# smi_arguments QUESTION: what nvidia-smi is started with. (Words, to be split.)
smi_arguments()
{
	case $1 in
	table) ;;
	list) echo "-L" ;;
	pids) echo "-q -d PIDS" ;;
	apps) echo "--query-compute-apps=gpu_uuid,pid,used_memory" \
		"--format=csv,noheader" ;;
	pmon) echo "pmon -c 1 -s um" ;;
	accounted) echo "--query-accounted-apps=gpu_uuid,pid,max_memory_usage" \
		"--format=csv,noheader" ;;
	accounting) echo "-q -d ACCOUNTING" ;;
	*) echo "smi_arguments: no question $1" >&2; return 1 ;;
	esac
}

# smi_driver VERSION: the module that has the symbols of a driver of that age, with
# BTF if it was made with it.
smi_driver()
{
	case $1 in
	3* | 4* | 5[0-2]* | 530* | 535.[0-9].* | 535.[0-9][0-9].* | \
		535.10[0-9].*) echo nvsim-oldest.ko ;;
	535*) echo nvsim-old.ko ;;
	*) echo nvsim.ko ;;
	esac
}

# smi_processes QUESTION <ANSWER: "GPU PID MIB" of every process in the answer,
# sorted; MIB is "-" where nvidia-smi has none. GPU N of the simulated RM has PCI
# bus N + 1, and N as the end of its UUID. (550 finds no bus number in the list
# of processes unless the GPU is in sysfs as well.)
smi_processes()
{
	awk -v question="$1" '
	function say(gpu, pid, mib) {
		sub(/ *MiB/, "", mib)
		print gpu, pid, mib ~ /^[0-9]+$/ ? mib : "-"
	}
	# |    0   N/A  N/A     27130      C   nvsim-load        300MiB |
	question == "table" && /^\| +[0-9]+ / && list {
		for (i = 3; i < NF; i++)
			if ($i ~ /^(M?C|G|M?C\+G|M\+C)$/ && $(i - 1) ~ /^[0-9]+$/) {
				say($2, $(i - 1), $(NF - 1))
				break
			}
	}
	/^\| Processes:/ { list = 1 }
	question ~ /^(pids|accounting)$/ && $1 == "GPU" && NF == 2 {
		split($2, bus, ":")
		gpu = bus[2] - 1
	}
	question ~ /^(pids|accounting)$/ && /Process ID +:/ { pid = $NF }
	question == "pids" && /Used GPU Memory +:/ ||
	question == "accounting" && /Max [Mm]emory [Uu]sage +:/ {
		sub(/.*: */, "")
		say(gpu, pid, $0)
	}
	question ~ /^(apps|accounted)$/ {
		split($0, field, /, */)
		sub(/.*-0*/, "", field[1])
		say(field[1] + 0, field[2], field[3])
	}
	question == "pmon" && $2 == "gpu" {
		for (i = 2; i <= NF; i++)
			if ($i == "fb")
				column = i - 1
	}
	question == "pmon" && $1 ~ /^[0-9]+$/ && $2 != "-" {
		say($1, $2, $column)
	}' | sort -n
}

# smi_names COMMAND: "NAMESPACE HOST-PID OWN-PID" of each of its processes: its PID
# namespace, and its number on the host and in there
smi_names()
{
	for process in /proc/[0-9]*; do
		test "$(cat "$process/comm" 2>/dev/null)" = "$1" || continue
		echo "$(readlink "$process/ns/pid")" \
			"$(awk '$1 == "NSpid:" { print $2, $NF }' "$process/status")"
	done
}

# smi_own NAMESPACE NAMES-FILE <FIGURES: of lines of tests/smi/figures.c on the
# host those of processes of that namespace, by their numbers there, and of whole
# GPUs
smi_own()
{
	awk -v wanted="$1" '
		FNR == NR { if ($1 == wanted) own[$2] = $3; next }
		$3 == "-" { print }
		$3 in own { $3 = own[$3]; print }' "$2" -
}

# smi_generations ARCHITECTURE: those that there are for it
smi_generations()
{
	awk -F '\t' -v architecture="$1" '!/^#/ && $5 ~ architecture { print $1 }' \
		tests/smi/generations
}

# smi_files ARCHITECTURE: sets where that is which runs there: what tests/runner/fetch has
# left, programs of ours, and the folder of libraries there.
# shellcheck disable=SC2034 # used by those who source this
smi_files()
{
	cache=${MPU_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/mpu}/smi
	libraries=/usr/lib/x86_64-linux-gnu
	programs=${O:-build}
	if test "$1" = arm64; then
		cache=$cache-arm64 libraries=/usr/lib/aarch64-linux-gnu
		programs=$programs/arm64
	fi
	mpu=$programs/mpu load=$programs/sim/nvsim-load figures=$programs/smi/figures
}

# smi_build KERNEL...: what the cells on these take, and make has not built
smi_build()
{
	tests/vm/modules "$@"
	case "$vm_host $*" in
	*arm64*)
		APT_ARCH=arm64 tests/runner/fetch smi
		tests/vm/programs arm64 mpu sim/nvsim-load smi/figures
		;;
	esac
}

# smi_cells NAME <PLAN: run the cells (tests/runner/cells), show what failed, and add up;
# logs go to O/smi/NAME
smi_cells()
{
	sum=${O:-build}/smi/$1.sum
	tests/runner/cells "smi/$1" | tee "$sum"
	grep -h -A 20 '^not ok ' "${O:-build}/smi/$1"/* || true	# none, mostly
	tail -n 1 "$sum"
	tail -n 1 "$sum" | grep -q ' 0 failed'
}
