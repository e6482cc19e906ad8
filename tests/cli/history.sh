#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# mpu usage: what mpu metrics has recorded of the simulated RM, and of a file made by hand.
set -eu
. tests/cli/lib.sh
# shellcheck disable=SC2086 # $simulated is words

unset MPU_ROOT
. tests/cli/simulated.sh
export NVSIM_VERSION=550.163.01 TZ=UTC
file=$T/usage.db
rm -f "$file"* "$T/rm" "$T/hold"
touch "$T/out" "$T/err"

# usage STATUS ARG...: of that file
usage()
{
	want=$1
	shift
	run "$want" usage --history "$file" "$@"
}

for words in '--since x' '--since 5' '--since -1d' '--until 3y' '--since 2026-13-01' '--since 1h --until 2h' \
	'--sort x' '--by x' one; do
	# shellcheck disable=SC2086 # words
	usage 2 $words
	one_sentence "see 'mpu usage --help'"
done
for words in '--sort user' --csv; do
	# shellcheck disable=SC2086 # words
	usage 2 $words -j
	json error
done
usage 1
one_sentence "nothing has been recorded yet: there is no .*; 'systemctl enable --now mpu-metrics' begins"
run 2 metrics --keep x
one_sentence 'use a number of days, 0 for none'

# It reads by itself, though nobody can connect; killed, it goes on.
mkfifo "$T/hold"
start "$T/one" --mem 300 --util 40
start "$T/two" --gpu 1 --mem 64
exec 3>"$T/hold"
ready "$T/one" >"$T/null"
ready "$T/two" >"$T/null"
# shellcheck disable=SC2086 # words
$simulated "$MPU" metrics --listen off --history "$file" 2>"$T/log" 3>&- &
server=$!
is_recorded()
{
	"$MPU" usage --history "$file" --by gpu -j >"$T/out" 2>"$T/err" &&
		"$JSON" sums gpu_hours <"$T/out" | grep -q "$1"
}
name="a reading of its own"
pass_or "not in 300 s" within 300 is_recorded '[1-9]'
kill -KILL $server
wait $server 2>/dev/null || :
usage 0 --by gpu -j
values sums gpu -- 0 1
"$JSON" sums gpu_hours <"$T/out" >"$T/held"
"$JSON" sums sm_hours <"$T/out" | paste -d ' ' "$T/held" - >"$T/pairs"
is "share of the time that each GPU computed" "0.4 0.0" \
	"$(awk '{ printf "%s%.1f", (NR > 1 ? " " : ""), $2 / $1 }' "$T/pairs")"
silent err
is "what it said" "" "$(cat "$T/log")"
is "mode of the history" "640" "$(stat -c %a "$file")"
exec 3>&-

# Sums of a file made by hand: three hours, of which the last lacks half.
now=$(date +%s)
hour=$((now - now % 3600))
rm -f "$file"*
python3 - "$file" $hour <<'END'
import sqlite3, sys
db, hour = sqlite3.connect(sys.argv[1]), int(sys.argv[2])
db.executescript("""CREATE TABLE gpu (hour, gpu, number, seconds REAL, sm_seconds REAL, byte_seconds REAL,
	most_bytes REAL, joules REAL); CREATE TABLE usage (hour, gpu, kind, owner, pod, job, user, seconds REAL,
	sm_seconds REAL, byte_seconds REAL, most_bytes REAL, joules REAL, idle_seconds REAL,
	idle_byte_seconds REAL); PRAGMA user_version = 1""")
for h, seconds in ((3, 3600), (2, 3600), (1, 1800)):
    for gpu, n in (("GPU-A", 0), ("GPU-B", 1)):
        db.execute("INSERT INTO gpu VALUES (?,?,?,?,?,?,?,?)",
                   (hour - h * 3600, gpu, n, seconds, seconds / 2, 0, 0, 180 * seconds))
def row(h, gpu, kind, owner, pod, job, user, seconds, sm, gib, idle):
    db.execute("INSERT INTO usage VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)", (hour - h * 3600, gpu, kind, owner,
               pod, job, user, seconds, sm, gib * seconds * 2**30, gib * 2**30, 180 * seconds, idle, gib * idle * 2**30))
row(3, "GPU-A", "docker", "<b>\x1b\"web\", it's", "", "", "root", 3600, 1800, 10, 0)
row(2, "GPU-A", "docker", "<b>\x1b\"web\", it's", "", "", "root", 3600, 1800, 10, 1800)
row(2, "GPU-B", "slurm", "job 42.0", "", "42", "ann", 1800, None, 4, 1800)
row(1, "GPU-B", "containerd", "main", "ml/train-0", "", "root", 1800, 900, 1, 0)
db.commit()
END
usage 0 --since 4h --until "$(date -u -d "@$hour" +%Y-%m-%dT%H:%M)" --by user
says out '^USER +GPU HOURS +SM HOURS +USE% +GIB HOURS +KWH$'
says out '^root +2[.]50 +1[.]25 +50 +20[.]50 +0[.]45$' '^ann +0[.]50 +- +- +2[.]00 +0[.]09$'
says out '^[(]nobody[)] +- +1[.]25 +- +- +0[.]36$' '^total +3[.]00 +2[.]50 +83 +22[.]50 +0[.]90$'
says out ': 2[.]5 of 4[.]0 hours were recorded; in the others mpu metrics did not run'
is "the last line but one" total "$(tail -n 2 "$T/out" | sed -n '1s/ .*//p')"
usage 0 --since 4h --sort user
is "rows by name, and the total last" "(nobody) ann root total" \
	"$(sed '1d; $d; s/ .*//' "$T/out" | paste -sd ' ')"
usage 0 --since 4h --by container --csv
says out '^container,kind,gpu_hours,sm_hours,use,gib_hours,most_gib,kwh,idle_hours,idle,idle_gib_hours,share$'
says out '^"<b>[?]""web"", it.s",docker,2,1,50,20,10,0[.]36,0[.]5,25,5,66[.]6+7$'
says err 'hours were recorded'
for by in user container pod job gpu day; do
	usage 0 --since 4h --by $by -j
	values by -- $by
	values total gpu_hours -- 3
	values total kwh -- 0.9
	values recorded_seconds -- 9000
	json sums $by
done
usage 0 --since 4h --by pod -j
values sums pod -- '(none)' ml/train-0 '(nobody)'
usage 0 --since 4h --by gpu -j
values sums uuid -- GPU-A GPU-B null
usage 0 --since 4h --by user -j
values sums sm_hours -- 1.25 null 1.25
usage 0 --since 4h --idle
says out '^USER +GPU HOURS +IDLE HOURS +IDLE% +IDLE GIB HOURS$' '^root +2[.]50 +0[.]50 +20 +5[.]00$' \
	'^ann +0[.]50 +0[.]50 +100 +2[.]00$'
for gpu in 1 gpu-b 7,1; do
	usage 0 --since 4h --gpu $gpu -j
	values total gpu_hours -- 1
done
python3 -c 'import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute("UPDATE gpu SET number = 1 - number" \
	" WHERE hour = (SELECT max(hour) FROM gpu)"); db.execute("UPDATE usage SET joules = 9e999" \
	" WHERE sm_seconds IS NULL"); db.commit()' "$file"
usage 0 --since 4h --gpu 1 --by gpu -j	# it was GPU 0 before
values sums uuid -- GPU-A null
usage 0 --since 4h --gpu 1 --until 2h -j
values total gpu_hours -- 0.5
usage 1 --since 4h --gpu 7
one_sentence '--gpu 7: nothing was recorded of it'
usage 0 --since 2h --until 1h -j	# infinite figures, which only others have written, are none
values sums user -- root ann '(nobody)'
values sums kwh -- 0.27 null null
COLUMNS=40 usage 0 --since 4h
is "widest line of the table" yes "$(awk 'NR > 1 && length > n { n = length } /total/ { exit }
	END { print n <= 40 ? "yes" : n }' "$T/out")"
# In a terminal a bar shows the shares.
script -qec "'$MPU' usage --history '$file' --since 4h" /dev/null >"$T/out" 2>"$T/err"
says out '^root .*  (█){17}░░░' '^ann .*  ████(░){16}'
chmod 0 "$file"
name="mpu usage, not permitted"
exits 1 setpriv --reuid=65534 --regid=65534 --clear-groups "$MPU" usage --history "$file"
one_sentence 'may be read by root and the group adm alone'
chmod 600 "$file"
echo 'no database at all, and yet some bytes of text' >"$file"
usage 1
one_sentence 'file is not a database'
rm -f "$file"*
done_testing
