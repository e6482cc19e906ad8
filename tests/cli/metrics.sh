#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# mpu metrics against the simulated RM: into a file, and by HTTP. (Preloading forbids
# the sanitizers: this is the mpu that is shipped.)
set -eu
. tests/cli/lib.sh
# shellcheck disable=SC2086 # $simulated is words

unset MPU_ROOT
. tests/cli/simulated.sh
export NVSIM_VERSION=550.163.01 NVSIM_GONE="$T/gone"
touch "$T/out" "$T/err"

# Wrong usage.
for words in '--listen 127.0.0.1' '--listen localhost:80' '--listen 127.0.0.1:65536' \
	'--limit x' '--limit -1' '--textfile - --listen 127.0.0.1:80' \
	'--textfile - --from /a' one; do
	# shellcheck disable=SC2086 # words
	run 2 metrics $words
	one_sentence "see 'mpu metrics --help'"
done
run 1 metrics --listen 192.0.2.1:80
one_sentence 'cannot listen at 192[.]0[.]2[.]1:80'
run 1 metrics --listen /dev/pts/socket	# EPERM: -1
one_sentence 'cannot listen at /dev/pts/socket: '
run 1 metrics --textfile /nonexistent/file
says err 'cannot write /nonexistent/file'

# Without a driver there is an answer, too.
new_host
run 0 metrics --textfile -
says out '^mpu_driver_up 0$' '^mpu_build_info[{]version="[0-9.]+"[}] 1$'
says out '^mpu_engine_up[{]engine="notify"[}] [01]$'
says err 'no NVIDIA driver here'

# Findings on a host are the same as doctor's.
file /proc/sys/kernel/osrelease 6.1.0-18-amd64
file /sys/module/nvidia/version 580.159.04
file /sys/module/nvidia/taint OE
file /sys/module/mpu/version 1.2.3
file /sys/kernel/mpu/driver nvidia
file /sys/kernel/mpu/hook off
run 0 metrics --textfile -
says out "^mpu_node_info[{]engine=\"module\",driver=\"580.159.04\",flavour=\"open\",kernel=\"6.1.0-18-amd64\",version=\"$(cat VERSION)\"[}] 1\$"
says out '^mpu_node_finding[{]id="mpu-off",severity="problem"[}] 1$'
says out "^mpu_node_findings_timestamp_seconds [0-9]{10}\$"
sed -n 's/^mpu_node_finding{id="\(.*\)",severity="\(.*\)"} 1$/\1 \2/p' "$T/out" >"$T/told"
"$MPU" doctor -j >"$T/doctor" || test $? -eq 3
"$JSON" findings id <"$T/doctor" >"$T/ids"
"$JSON" findings verdict <"$T/doctor" | paste -d ' ' "$T/ids" - >"$T/want"
same "$T/told" "$T/want" "findings of metrics and of doctor"

unset MPU_ROOT
rm -f "$T/rm" "$T/hold"
mkfifo "$T/hold"
start "$T/one" --mem 300 --util 40
start "$T/two" --gpu 1 --mem 64
exec 3>"$T/hold"

# until_says FILE REGEX: wait for it
until_says()
{
	within 300 grep -q "$2" "$1" || fail "$1 does not say '$2' in 300 s"
}

# answers CODE PATH [REGEX]: it is answered so
answers()
{
	test "$(curl -s -o "$T/answer" -w '%{http_code}' "$url$2")" = "$1" && grep -q "${3:-^}" "$T/answer"
}
one=$(ready "$T/one")
ready "$T/two" >"$T/null"

# Into a file: once, whole, for all to read, and nothing beside it.
rm -rf "$T/textfile"
mkdir "$T/textfile"
echo old >"$T/textfile/mpu.prom"
simulates 0 metrics --processes --textfile "$T/textfile/mpu.prom"
silent err
cp "$T/textfile/mpu.prom" "$T/out"
says out '^mpu_driver_up 1$'
says out '^mpu_gpu_memory_used_bytes[{]gpu="0",uuid="GPU-[^"]+",model="[^"]+",hostname="[^"]+"[}] 314572800$'
says out '^mpu_gpu_processes[{]gpu="1",.*[}] 1$'
says out "^mpu_process_gpu_memory_bytes[{]gpu=\"0\",.*,mig=\"\",pid=\"$one\",.*[}] 314572800\$"
says out '^mpu_gpu_utilization_ratio[{]gpu="0",.*,gpu_engine="sm"[}] 0[.](3[5-9]|4[0-5])'
says out '^mpu_scrape_duration_seconds [0-9]+[.][0-9]{9}$'
is "what is in the folder of --textfile" ".mpu-metrics.lock
mpu.prom" "$(ls -A "$T/textfile")"
is "mode of its lock" 600 "$(stat -c %a "$T/textfile/.mpu-metrics.lock")"
is "mode of --textfile" 644 "$(stat -c %a "$T/textfile/mpu.prom")"
# The node exporter has metrics of itself by other names than these.
is "families that are not ours" "" \
	"$(sed -n 's/^# TYPE //p' "$T/out" | grep -v '^mpu_' || :)"
simulates 0 metrics --textfile -
is "processes, where they are not asked for" "" "$(grep '^mpu_process' "$T/out" || :)"
simulates 0 metrics --processes --limit 1 --textfile -
is "processes, where one is" 1 "$(grep -c '^mpu_process_gpu_memory_bytes{' "$T/out")"
says out '^mpu_omitted[{]kind="process"[}] 1$'
# A driver that hangs: the file says so, and so does the next one while a child still hangs.
echo hang >"$T/gone"
for time in first second; do
	name="mpu metrics --textfile while the driver hangs, $time"
	# shellcheck disable=SC2086 # words
	exits 1 timeout 300 $simulated "$MPU" metrics \
		--textfile "$T/textfile/mpu.prom"
	one_sentence 'the NVIDIA driver has not answered for 7 s'
	is "mpu_driver_up in the file" 0 "$(sed -n 's/^mpu_driver_up //p' "$T/textfile/mpu.prom")"
done
rm "$T/gone"
# status WANTED PATH OPTION...: what curl is answered
status()
{
	want=$1 path=$2
	shift 2
	is "$path $*" "$want" "$(curl -s -o "$T/out" -w '%{http_code}' "$@" "$url$path")"
}

: >"$T/log"
$simulated "$MPU" metrics --listen 127.0.0.1:0 --history "$T/usage.db" 2>"$T/log" 3>&- &
server=$!
name="mpu metrics by HTTP"
until_says "$T/log" '^mpu metrics: http://.*/metrics$'
url=$(sed -n 's,^mpu metrics: \(http.*\)/metrics$,\1,p' "$T/log")
within 300 answers 200 /metrics '^mpu_node_info' || fail "no findings in 300 s"
status 200 /metrics
says out '^mpu_node_finding[{]id="containers-(ok|untranslated)",severity="(ok|note)"[}] 1$'
says out '^mpu_driver_up 1$' '^mpu_scrape_failures_total 0$'
says out '^mpu_metrics_cpu_seconds_total [0-9]+[.][0-9]+$' '^mpu_metrics_resident_memory_bytes [0-9]+$'

# The page for people: whatever others call themselves is text there.
python3 - "$T/usage.db" <<'END'
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1])
db.execute("INSERT INTO usage VALUES (?, 'GPU-x', 'plain', '', '', '', ?, 36000, 0, 0, 0, 0, 0, 0)",
           (int(time.time()) // 3600 * 3600, "</td><script>alert('\"x\"')</script>&amp;"))
db.commit()
END
status 200 /
says out '^<div><table><tr><th>GPU<th>NAME<th class=n>PROCESSES' '^<tr><td>1<td>Simulated H100<td class=n>1'
says out '<td>&#60;/td&#62;&#60;script&#62;alert[(]&#39;&#34;x&#34;&#39;[)]&#60;/script&#62;&#38;amp;<td class=n>10[.]00'
lacks out '<script' 'nvsim-load'
status 200 / --head
says out '^Content-Type: text/html; charset=utf-8'
status 200 /metrics

# A GPU that is lost keeps its labels, and what it does not say is not there.
grep '^mpu_gpu_up{gpu="1"' "$T/out" | sed 's/1$/0/' >"$T/want"
echo lost >"$T/gone"
# A page is given to others for a while.
within 300 answers 200 /metrics '^mpu_gpu_up{gpu="1".* 0$' || fail "it is not lost in 300 s"
status 200 /metrics
is "series of a GPU that is lost" "$(cat "$T/want")" "$(grep '^mpu_gpu_up{gpu="1"' "$T/out")"
is "other series of it" "" \
	"$(grep '{gpu="1"' "$T/out" | grep -v '^mpu_gpu_up\|^mpu_gpu_info\|^mpu_gpu_xid' || :)"
rm "$T/gone"
status 200 /metrics --head
says out '^Content-Type: text/plain; version=0[.]0[.]4; charset=utf-8'
status 200 /metrics -H 'Accept: application/openmetrics-text' --compressed
says out '^# TYPE mpu_scrape_failures_total counter$'
status 200 /healthz
status 200 /livez
status 200 /
says out '<a href="metrics">'
status 404 /metrics/x
status 405 /metrics -d x
status 405 /metrics -X DELETE
kill "$server"
got=0
wait "$server" || got=$?
is "exit after SIGTERM" 0 "$got"
is "lines that it said" 1 "$(wc -l <"$T/log")"

# In a pod: another one, which is nobody, hands on what the node's says at a socket.
# serve: on the node
serve()
{
	: >"$T/node.log"
	$simulated "$MPU" metrics --listen "$T/socket" --keep 0 --history "$T/none/usage.db" \
		2>"$T/node.log" 3>&- &
	server=$!
	until_says "$T/node.log" "http://unix:$T/socket:/metrics$"
}
serve
install "$MPU" "$T"
setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all --bounding-set=-all \
	"$T/mpu" metrics --from "$T/socket" --listen '[::]:0' 2>"$T/pod.log" 3>&- &
pod=$!
until_says "$T/pod.log" '^mpu metrics: http://.*/metrics$'
url=http://127.0.0.1:$(sed -n 's,.*:\([0-9]*\)/metrics$,\1,p' "$T/pod.log")
status 200 /metrics --compressed
is "history of --keep 0" "no" "$(test -e "$T/none" && echo yes || echo no)"
says out '^mpu_driver_up 1$' '^mpu_gpu_up[{]gpu="1",.*[}] 1$' '^mpu_scrape_duration_seconds'
test ! -e /proc/net/if_inet6 ||
	ok "both families" curl -gsf -o "$T/out" "$(echo "$url" | sed 's/127.0.0.1/[::1]/')/metrics"
kill "$server"
wait "$server" || :
within 300 answers 503 /metrics || fail "the node's page is given for 300 s"
status 503 /healthz
status 200 /livez
is "that it is said once" 1 "$(grep -c "no answer at $T/socket" "$T/pod.log")"
serve
ok "the node's is there again" within 300 curl -sf -o "$T/out" "$url/metrics"
kill "$server" "$pod"

exec 3>&-
wait
done_testing
