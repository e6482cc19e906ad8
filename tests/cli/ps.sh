#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# mpu ps on the simulated RM: GPU processes of a made-up host, in containers and not.
set -eu
. tests/cli/lib.sh
# shellcheck source=tests/cli/simulated.sh
. tests/cli/simulated.sh

NVSIM_VERSION=550.163.01
NVSIM_ROOT=$T/host
export NVSIM_VERSION NVSIM_ROOT
docker=$(printf 'd%063d' 1)
pod=$(printf 'f%063d' 2)
uid=0a1b2c3d-1111-2222-3333-444455556666
other=$(printf 'e%063d' 3)
other_uid=0a1b2c3d-1111-2222-3333-444455557777

# host_process PID CGROUP: the made-up host has this process, in this control group
host_process()
{
	mkdir -p "$MPU_ROOT/proc/$1"
	for file in stat status cmdline; do
		cat "/proc/$1/$file" >"$MPU_ROOT/proc/$1/$file"
	done
	file "/proc/$1/cgroup" "0::$2"
}

# ps STATUS OPTION...: as run does, with the simulated driver
ps()
{
	want=$1
	shift
	simulates "$want" ps "$@"
}

new_host
grep btime /proc/stat >"$T/btime"
file /proc/stat "$(cat "$T/btime")"
file /etc/passwd root:x:0:0::/root:/bin/sh
file "/var/lib/docker/containers/$docker/config.v2.json" '{"Name":"/web"}'
file "/var/log/containers/train-0_ml_main-$pod.log" ''

# Nobody yet. How the GPUs are, of which the kernel's log knows an error.
file /dev/kmsg '4,820,5114922,-;NVRM: Xid (PCI:0000:02:00): 79, pid=7, name=x'
ps 0 --gpus
says out '^ +0 +Simulated H100 +30 C +38 C +70 W of 700 W +1980 MHz +2619 MHz +P0 +4 x16 .* on +2 [+] 0 +1 [+] 0 +off +0 +0 +3 +[0-9.]+ PB +[0-9.]+ PB +16 [+] 25 +0 MiB$'
says out '^ +1 .* off +0 +79 +3 .* MiB$'
ps 0 --gpus --gpu 1
name="$name: only that one"
pass_or "another" no grep -q '^ +0 ' "$T/out"
# CSV has all digits of bytes, as JSON has: no fewer than a moment before, no more than one later.
for format in -j '--csv -o nvlink_received' -j; do
	# shellcheck disable=SC2086 # words
	ps 0 --gpus $format
	sed -n 's/.*"nvlink_received.*: //; s/^\([0-9]\{17\}\),*$/\1/p' "$T/out" >>"$T/carried"
done
is "bytes over NVLink" "6 $(sort -n "$T/carried")" "$(wc -l <"$T/carried") $(cat "$T/carried")"
ps 0 --gpus -j
values gpus state xid_last -- 0 79
values gpus state memory_temperature_celsius -- 38 38
values gpus state throttle_reasons -- gpu_idle gpu_idle
values gpus state fan_rpm -- null null
values gpus state memory_reserved_bytes -- 0 0
# Links carry and lose data, in the layouts of each branch; older ones say nothing. Only of 580 it is
# known how it is asked for energy.
running=$simulated	# a driver has its version from its first moment
for version in 595.45.04 580.159.04 570.86.16 535.274.02 470.256.02; do
	simulated="$running NVSIM_STATE=$T/rm.$version NVSIM_VERSION=$version"
	ps 0 --gpus -j
	values gpus state pcie_replays_total -- 3 3
	"$JSON" gpus state energy_joules_total <"$T/out" >"$T/energy"
	is "energy, $version" "$(test "$version" = 580.159.04 && echo 2 || echo 0)" \
		"$(awk -v now="$(date +%s)" '$1 > 70 * now && $1 < 70.5 * now' "$T/energy" | wc -l)"
	errors='16 16 25 25 26 26'
	test "$version" != 470.256.02 || errors='null null null null null null'
	is "errors of NVLink, $version" "$errors" "$(for which in crc_errors replays recoveries; do
		"$JSON" gpus state nvlink_${which}_total <"$T/out"
	done | tr '\n' ' ' | sed 's/ $//')"
	"$JSON" gpus state nvlink_received_bytes_total <"$T/out" >"$T/received"
	"$JSON" gpus state nvlink_sent_bytes_total <"$T/out" | paste - "$T/received" >"$T/carried"
	is "what it carried, $version" 2 "$(awk '
		$1 == "null" && $2 == "null" || $1 > 0 && $2 / $1 > 1.9 && $2 / $1 < 2.1' \
		"$T/carried" | wc -l)"
done
simulated=$running
ps 0 -j
values gpus state --
ps 2 --gpus --by user
says err 'gpus.*by'
ps 0
says out '^no GPU processes$'
ps 0 --by user
says out '^no GPU processes$'
ps 0 --by gpu
says out '^0 +Simulated H100 +0 +0 MiB +0 MiB +81920 MiB'
ps 0 -j
values processes pid --
silent err

rm -f "$T/hold"
mkfifo "$T/hold"
start "$T/one" --mem 300 --util 40
start "$T/two" --gpu 1 --mem 64
start "$T/three" --gpu 1 --graphics --mem 32
start "$T/four" --gpu 1 --mem 16
exec 3>"$T/hold"
one=$(ready "$T/one") two=$(ready "$T/two")
three=$(ready "$T/three") four=$(ready "$T/four")
host_process "$one" "/system.slice/docker-$docker.scope"
host_process "$two" "/kubepods/pod$uid/$pod"
host_process "$three" /system.slice/display.service
sort -n >"$T/pids" <<-END
	$two
	$three
	$four
END

# Each process, on each GPU; one whose number nobody has on the host has ended.
ps 0
silent err
says out "^0 +$one +root +web +300 MiB +40 +40 .* [^ ]*nvsim-load-dynamic --mem 300 --util 40$"
says out "^1 +$two +root +ml/train-0/main +64 MiB +0 +- .* --gpu 1 --mem 64$"
says out "^1 +$three +root +display.service +32 MiB +0 +- "
says out "^1 +$four +- +- +16 MiB +0 +- +- +\(has ended\)$"
name="no encoder is busy: no column"
pass_or "there is one" no grep -q 'ENC%' "$T/out"
# The name of a process is its own choice.
printf '\033[31m\376\n' >"$MPU_ROOT/proc/$one/comm"
ps 0 --raw
says out "^ +$one +C +300 MiB +[?][[]31m[?]"
ps 0 -j
# shellcheck disable=SC2046 # numbers
values processes pid -- "$one" $(cat "$T/pids")
# As json-c lays out the rest.
says out '^  "processes": [[]$' '^      "pid": ' '^    },$' '^  []]$'
values gpus memory_used -- 314572800 117440512
values gpus memory_total -- 85899345920 85899345920
values gpus utilization encoder -- 0.00 0.00
json gpus utilisation sm
says values '^39\.[0-9][0-9]$' '^0.00$'

ps 0 -j --gpu 0
values processes container -- web
values processes id -- "$docker"
values processes kind -- docker
values processes use -- compute
values processes started -- "$(awk -v tick="$(getconf CLK_TCK)" '
	FILENAME ~ /btime/ { start = $2 }
	FILENAME ~ /stat$/ { sub(/.*\) /, ""); print start + int($20 / tick) }' \
	"$T/btime" "/proc/$one/stat")"
# Its groups stand before its numbers.
awk '/^Groups:/ { for (i = 0; i < 5000; i++) $0 = $0 " " 100000 + i }
	/^NS(tg|p)id:/ { $0 = $0 "\t7" } 1' "/proc/$one/status" >"$MPU_ROOT/proc/$one/status"
ps 0 -j --gpu 0
values processes own_pid -- 7
host_process "$one" "/system.slice/docker-$docker.scope"
ps 0 -j --namespace ml
values processes pid -- "$two"
values processes pod -- train-0
values processes pod_uid -- $uid
ps 0 -j --pid "$four"
values processes gone -- true
values processes user -- null
for filter in "-C web" "-C d0000000" "-g GPU-53494d00-0000-4000-8000-000000000000" \
	"-g 0000:01:00.0 -U root" "-p $one"; do
	# shellcheck disable=SC2086 # words
	ps 0 -j $filter
	values processes pid -- "$one"
done
ps 0 -j -P ml/train-0
values processes pid -- "$two"
ps 0 -j -P other/train-0
values processes pid --
ps 0 -U nobody
says out '^no GPU process matches$'

# Other columns, and another order; equal rows stay as they were.
ps 0 --columns pid,type,memory,gpu --sort gpu,-memory
name="$name: its lines"
sed 's/  */ /g' "$T/out" | tr '\n' ';' >"$T/lines"
says lines "^ *PID TYPE MEMORY GPU; *$one C 300 MiB 0; *$two C 64 MiB 1; *$three G 32 MiB 1; *$four C 16 MiB 1;\$"
ps 0 --columns memory --sort memory
is "memory from the least on" "MEMORY 16 MiB 32 MiB 64 MiB 300 MiB" \
	"$(tr -s ' \n' ' ' <"$T/out" | sed 's/^ //; s/ $//')"
ps 0 --by container --columns container,processes --sort -container
is "containers backwards" "web ml/train-0/main display.service -" \
	"$(awk 'NR > 1 { print $1 }' "$T/out" | tr '\n' ' ' | sed 's/ $//')"
ps 0 --gpus --sort -gpu --columns gpu,state
is "GPUs backwards" "GPU STATE 1 P0 0 P0" "$(tr -s ' \n' ' ' <"$T/out" | sed 's/^ //; s/ $//')"
for option in --columns --sort; do
	ps 2 $option pid,nothing
	one_sentence "there is no column 'nothing' here: there are time, gpu, pid, own_pid, "
	ps 2 $option ''
	ps 2 $option pid -j
	json error
done
ps 2 --csv -j

# CSV has all columns, each with a number; what has a comma in it is quoted.
printf 'x "y",\0--z' >"$MPU_ROOT/proc/$two/cmdline"
ps 0 --csv --sort -gpu,-memory
silent err
says out '^time,gpu,pid,own_pid,user,container,pod,type,memory,sm,mem,enc,dec,since,command'
says out "^[0-9]{10},1,$two,$two,root,ml/train-0/main,ml/train-0,C,67108864,0,0,0,0,[0-9]{10},\"x \"\"y\"\", --z\""
is "the first PID" "$two" "$(sed -n 2p "$T/out" | cut -d , -f 3)"
ps 0 --csv --columns pid,memory --pid "$four"
is "two columns" "pid,memory $four,16777216" "$(tr '\n' ' ' <"$T/out" | sed 's/ $//')"
ps 0 --csv -U nobody --columns pid
is "none" pid "$(cat "$T/out")"
for begin in = + - @; do
	printf '%s1,cmd' $begin >"$MPU_ROOT/proc/$two/cmdline"
	ps 0 --csv --columns command --pid "$two"
	is "no formula" "\"'${begin}1,cmd\"" "$(sed -n 2p "$T/out")"
done
ps 0 --csv --by gpu --columns gpu,memory,total
is "sums" "gpu,memory,total 0,314572800,85899345920 1,117440512,85899345920" \
	"$(tr '\n' ' ' <"$T/out" | sed 's/ $//')"
cat "/proc/$two/cmdline" >"$MPU_ROOT/proc/$two/cmdline"

# Again and again, until nobody reads it: titles of CSV come once.
ps 2 --watch=0
one_sentence "invalid value '0' for --watch: use seconds, from 0.1 to 3600"
for options in '--csv --columns pid' '--columns pid'; do
	name="mpu ps --watch $options"
	# shellcheck disable=SC2086 # words
	simulated "$MPU" ps -w0.1 -p "$one" $options 2>"$T/err" | head -n 7 >"$T/out"
	silent err
	is "its lines" "$(case $options in
		--csv*) printf 'pid\n'; for _ in 1 2 3 4 5 6; do echo "$one"; done ;;
		*) for _ in 1 2; do printf '%*s\n%s\n\n' "${#one}" PID "$one"; done
		   printf '%*s\n' "${#one}" PID ;;
	esac)" "$(cat "$T/out")"
done

# Sums.
ps 0 --by container
says out '^web +docker +1 +300 MiB +40 +40' '^ml/train-0/main +containerd +1 +64 MiB +0 +-'
says out '^display.service +unit +1 +32 MiB +0 +-'
ps 0 --by pod
says out '^ml/train-0 +containerd +1 +64 MiB +0 +-' '^display.service +unit +1 +32 MiB'
says out '^- +- +1 +300 MiB +40 +40 +root$' '^- +ended +1 +16 MiB'
ps 0 -j --by pod
values sums pod -- null train-0 null null
values sums memory -- 314572800 67108864 33554432 16777216
ps 0 -j --by user
values sums processes -- 3 1
values sums user -- root null
ps 0 -j --by gpu --user root
values sums processes -- 1 2
values sums memory -- 314572800 100663296
ps 0 --by gpu
says out '^1 +Simulated H100 +3 +112 MiB +112 MiB +81920 MiB +0'

# A job has a name of its own. (tests/unit/host has whose names are believed.)
host_process "$four" /system.slice/slurmstepd.scope/job_42/step_0/user/task_0
ps 0 --by pod
says out '^job 42[.]0 +slurm +1 +16 MiB'
ps 0 -j --pid "$four"
values processes kind -- slurm
values processes job -- 42
values processes step -- 0

# Containers of two pods may be called the same: one name tells them apart, and is taken.
file "/var/log/containers/chat-1_web_main-$other.log" ''
host_process "$four" "/kubepods/pod$other_uid/$other"
ps 0 --csv --by container --columns container,pod --sort container --gpu 1
is "both" "container,pod display.service, ml/train-0/main,ml/train-0 web/chat-1/main,web/chat-1" \
	"$(tr '\n' ' ' <"$T/out" | sed 's/ $//')"
for filter in ml/train-0/main train-0/main; do
	ps 0 -j -C "$filter"
	values processes pid -- "$two"
done
for word in ml/train-0/main train-0/main ml/train-0 train-0 f0000000; do
	simulates 3 why "$word"
	says out '^container:  ml/train-0/main, containerd$' "^process:    PID $two$" '^translated: no: no engine'
done
simulates 3 why -j train-0
values pod -- train-0
simulates 1 why main
one_sentence "'main' may be one of 2 containers: (ml/train-0/main \(f0{11}\)|, |web/chat-1/main \(e0{11}\)){3}; name one"
mkdir "$MPU_ROOT/proc/4000000"	# and nothing in there, as with hidepid=1
simulates 1 why 4000000
one_sentence 'process 4000000 is hidden from this user: ask as root'
rmdir "$MPU_ROOT/proc/4000000"
for word in 4000000 $((4294967296 + two)); do
	simulates 1 why "$word"
	one_sentence "no process has PID $word, and no container"
done
simulates 1 why chat-1/mai
one_sentence "no container or pod that runs this name or id"

# Completion knows what is there.
while IFS='|' read -r words last wanted; do
	# shellcheck disable=SC2086 # words
	simulates 0 complete -- $words "$last"
	is "$name" "$wanted" "$(cut -f 1 "$T/out" | sort | tr '\n' ' ')"
done <<'END'
ps --container||ml/train-0/main web web/chat-1/main 
ps -jC|w|web web/chat-1/main 
top|--container=ml|--container=ml/train-0/main 
ps --pod||ml/train-0 web/chat-1 
top -n||ml web 
ps --user||root 
ps --gpu||0 1 
ps --gpu|0,|0,0 0,1 
ps --sort|gpu,-mem|gpu,-mem gpu,-memory 
ps --by pod --columns|us|used user 
ps --by=user --columns|us|used user 
ps -G -o|sm|sm_clock 
ps --by nothing --sort|co|command container 
why|ml|ml/train-0/main 
why -j|web|web web/chat-1/main 
END
simulates 0 complete -- why ml
is "the id of a container stands beside it" "ml/train-0/main	(f00000000000)" "$(cat "$T/out")"

# As wide as the terminal: the command is cut, the least columns are left out, then names are cut.
for COLUMNS in 80 40; do
	export COLUMNS
	ps 0
	name="$COLUMNS columns"
	pass_or "a line is longer" awk "length > $COLUMNS { exit 1 }" "$T/out"
	test "$COLUMNS" = 40 || says out "^1 +$two +.*ml/train-0/main +64 MiB +0 "
done
says out "^1 +$two +ml/[^ ]{1,6}~ +64 MiB +0 +.{4,7}~$"
# Some characters are two columns wide, and some none.
COLUMNS=12
printf 'x你你你你你你' >"$MPU_ROOT/proc/$two/cmdline"
ps 0 --columns command
says out "^x(你){5}~$"
printf 'xyé你你你你你你你' >"$MPU_ROOT/proc/$two/cmdline"
ps 0 --columns command,gpu
says out "^xyé你~   1$"
printf 'ne\314\201e 你你你你你' >"$MPU_ROOT/proc/$two/cmdline"
ps 0 --columns command
says out "^ne$(printf '\314\201')e (你){3}~$"
# A character that turns a line around, or is not seen, is shown.
printf 'x\342\200\256\342\200\213y' >"$MPU_ROOT/proc/$two/cmdline"
COLUMNS=160
ps 0
says out "^1 +$two +.* x[?]{6}y\$"
cat "/proc/$two/cmdline" >"$MPU_ROOT/proc/$two/cmdline"
COLUMNS=160
ps 0
says out ' --mem 300 --util 40$'
unset COLUMNS

# An error is said in one sentence.
ps 1 --gpu 7
one_sentence "there is no such GPU here"
ps 1 --gpu 0,7
one_sentence "--gpu 7: there is no such GPU here"
ps 1 --gpu 7 -j
json error
# A name that others have chosen steers no terminal, and JSON is JSON.
ps 1 --gpu "$(printf 'x\377\342\200\256\033[2J')"
says err '^mpu ps: --gpu x[?]{5}\[2J: there is no such GPU'
ps 1 --gpu "$(printf 'x\377\342\200\256\033[2J')" -j
says out '"--gpu x[?]{4}.u001b\[2J: there is no such GPU'
ps 2 --pid x
one_sentence "invalid value '.*' for --pid: use a number from 1 on; see 'mpu ps --help'"
ps 2 --by nobody
one_sentence "invalid value 'nobody' for --by: use container, pod, user or gpu"
# In a container that nobody translates for, the same PIDs are the host's: they live.
for option in '' -j '--by user'; do
	name="mpu ps $option in another PID namespace"
	# shellcheck disable=SC2086 # words
	(
		unset MPU_ROOT
		simulated unshare -Ur --pid --fork --mount-proc "$MPU" ps $option
	) >"$T/out" 2>"$T/err" || fail "exit $?"
	case $option in
	-j) values processes gone -- null null null null ;;
	*) says out '\(not in this PID namespace\)$|^\(not in this PID namespace\)' ;;
	esac
	pass_or "says that they have ended" no grep -q 'has ended' "$T/out"
	test "$option" = -j ||
		says err '^mpu ps: 4 of these PIDs are not in this PID namespace: .*sudo mpu up'
done

# until_said COMMAND...: runs it, and ends it when it has said that the driver hangs
until_said()
{
	rm -f "$T/err"
	"$@" 2>"$T/err" &
	within 300 grep -qs 'driver has not answered' "$T/err" || :
	kill $!
}

# A driver that hangs: it is said, and can be left; what it keeps does not keep our output open.
echo hang >"$T/gone"
for command in ps 'ps --raw' 'top -B' doctor; do
	name="mpu $command while the driver hangs"
	# shellcheck disable=SC2086 # words
	if (
		unset MPU_ROOT
		NVSIM_GONE=$T/gone until_said $simulated "$MPU" $command
	) | cat >"$T/out"; then pass; else fail "exit $?"; fi
	says err "^mpu ${command%% *}: the NVIDIA driver has not answered for 7 s"
done
# A GPU that is lost is called so, and its figures are not 0.
echo lost >"$T/gone"
for option in '--by gpu' '--by gpu -j' '--gpu 1' '--gpu 1 -j' '--gpu 1 --by user -j'; do
	name="mpu ps $option while a GPU is lost"
	# shellcheck disable=SC2086 # words
	if (
		unset MPU_ROOT
		NVSIM_GONE=$T/gone simulated "$MPU" ps $option
	) >"$T/out" 2>"$T/err"; then fail "exits with 0"; else pass; fi
	case $option in
	--gpu*-j) says out '"(processes|sums)": null' ;;
	--gpu*) says out '^GPU processes: not known, as no GPU has answered' ;;
	*-j) says out '"error": "GPU is lost'
		says out '"processes": null'
		says out '"memory": null' ;;
	*) says err '^mpu ps: GPU 1: .*GPU is lost'
		says out '^1 +(- *)+$' ;;
	esac
done
name="mpu ps --gpu 0 while another GPU is lost"
if (
	unset MPU_ROOT
	NVSIM_GONE=$T/gone simulated "$MPU" ps --gpu 0
) >"$T/out" 2>"$T/err"; then silent err; else fail "exits with $?"; fi
name="mpu top while the GPU that is asked for is lost"
if (
	unset MPU_ROOT
	NVSIM_GONE=$T/gone simulated timeout 300 "$MPU" top -B --gpu 1 2>&1
) | grep -q 'who uses the GPUs is not known'; then pass; else fail "it is not said"; fi
rm "$T/gone"
exec 3>&-
wait

unset NVSIM_ROOT
new_host
run 1 ps
one_sentence "no NVIDIA driver here"
run 1 ps -j
json error
silent err
mkdir -p "$MPU_ROOT/dev"
: >"$MPU_ROOT/dev/nvidiactl"
run 1 ps
one_sentence "no client"

done_testing
