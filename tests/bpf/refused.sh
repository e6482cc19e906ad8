#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Hosts that do not allow engine bpf: one sentence says why, and --engine auto
# goes on to the next engine.

# shellcheck source=tests/bpf/guest.sh
. /guest.sh

# sentence NAME REGEX COMMAND...: fails with one line that says so
sentence()
{
	name=$1 regex=$2
	shift 2
	exits 1 "$@"
	silent out
	says err "^mpu up: .*$regex"
	if test "$(wc -l <"$T/err")" -eq 1; then pass; else fail "not one line"; fi
	check_remains
}

# only CAPABILITY,...: as root, with these alone
only()
{
	caps=$1
	shift
	/setpriv --bounding-set "-all,$caps" --inh-caps "-all,$caps" "$@"
}

up="mpu up --engine bpf"

# --- who may not ---

# shellcheck disable=SC2086 # $up is words
{
sentence "not root" 'only root may start MPU' \
	/setpriv --reuid 1000 --clear-groups $up
sentence "root of a user namespace" 'may not be loaded from here' \
	unshare --user --map-root-user $up
sentence "no capability" 'may not be loaded from here' only +chown $up
sentence "CAP_BPF and CAP_PERFMON" 'CAP_SYS_ADMIN' \
	only +dac_override,+cap_38,+cap_39 $up
sentence "CAP_SYS_ADMIN missing" 'CAP_SYS_ADMIN' \
	/setpriv --bounding-set -sys_admin --inh-caps -sys_admin $up
}

# --- no kprobe events: as if built without ---

umount /sys/kernel/debug	# which has it, too
mkdir "$T/tracing"
: >"$T/tracing/trace"
mount --bind "$T/tracing" /sys/kernel/tracing
# shellcheck disable=SC2086
sentence "no kprobe events" 'this kernel has no kprobe events' $up
name="no kprobe events, auto"
do_mpu 0 up
check_status engine notify
says err '^mpu: not engine bpf: this kernel has no kprobe events'
do_mpu 0 down
umount /sys/kernel/tracing

# --- tracefs is mounted where it is not ---

umount /sys/kernel/tracing
name="no tracefs"
do_mpu 0 up --engine bpf
check_down

# --- no BTF ---

mkdir "$T/btf"
mount --bind "$T/btf" /sys/kernel/btf
# shellcheck disable=SC2086
sentence "no BTF" 'does not describe its types' $up
name="no BTF, auto"
do_mpu 0 up
check_status engine notify
says err '^mpu: not engine bpf: this kernel does not describe its types' '^mpu: not engine module: '
do_mpu 0 down
umount /sys/kernel/btf

# --- auto takes bpf where there is no mpu.ko ---

name="auto"
do_mpu 0 up
check_status engine bpf
says err '^mpu: not engine module: '
check_down

# --- locked down, to the end ---

if test -e /sys/kernel/security/lockdown; then
	echo integrity >/sys/kernel/security/lockdown
	# shellcheck disable=SC2086
	sentence "locked down" 'locked down' $up
	name="locked down, auto"
	do_mpu 0 up
	check_status engine notify
	says err '^mpu: not engine bpf: .*locked down' '^mpu: not engine module: '
	do_mpu 0 down
	name="locked down, doctor"
	do_mpu 3 doctor -v
	says out 'lockdown: integrity' 'engine-bpf: .*locked down' 'engine-notify: usable'
else
	echo "refused.sh: this kernel has no lockdown"
fi
done_testing
