# SPDX-License-Identifier: GPL-2.0-only
# Shared by tests/oci/*.sh, which tests/oci/run starts one by one. B holds what
# oci.mk built, T is a folder of our own, in a mount namespace of our own.
#
# shellcheck shell=sh

# shellcheck source=tests/runner/lib.sh
. tests/runner/lib.sh

# skip_all WHY: the rest of this script cannot be run here
skip_all()
{
	name="the rest"
	skip "$*"
	done_testing
	exit 0
}

# wait_for_daemon NAME COMMAND...: until the command succeeds; a daemon, $daemon
# with its log in $T/NAME.log, that does not get there cannot be tested here
wait_for_daemon()
{
	which=$1 tries=0
	shift
	until "$@" >"$T/out" 2>"$T/err"; do
		tries=$((tries + 1))
		# shellcheck disable=SC2154 # set by who started it
		if test $tries -ge 240 || ! kill -0 "$daemon" 2>/dev/null; then
			skip_all "$which does not start here: $(tail -n 1 "$T/$which.log")"
		fi
		sleep 0.5
	done
}

# wait_for_agent SOCKET: until the process $agent listens
wait_for_agent()
{
	until test -S "$1"; do
		kill -0 "$agent"
		sleep 0.1
	done
}

# configured WORD...: mpu configure, which keeps its records in $T
configured()
{
	mkdir -p "$T/lib"
	mount --bind "$T/lib" /var/lib
	exits 0 "$B/mpu" configure "$@"
	umount /var/lib
}

# start_agent: the listener that answers with the number it was asked
start_agent()
{
	mkfifo "$T/agent.stop"
	"$B/listener" "$T/agent.sock" <"$T/agent.stop" >"$T/agent.log" &
	agent=$!
	# The listener ends when this descriptor is closed, with this shell at the latest;
	# daemons must not inherit it.
	exec 9>"$T/agent.stop"
	wait_for_agent "$T/agent.sock"
}

stop_agent()
{
	exec 9>&-
	kill "$agent"
	wait "$agent" 2>/dev/null || :
	rm -f "$T/agent.stop" "$T/agent.sock"
}

# states: how many listeners the agent has been sent
states()
{
	grep -c '"seccompFd"' "$T/agent.log" || :
}

# make_runtime REAL: $T/runtime is mpu-runtime in front of REAL, with what an
# engine may not hand on (podman clears the environment), and config.json kept
# before and after
make_runtime()
{
	ln -sf "$B/mpu" "$T/mpu-runtime"
	cat >"$T/keep" <<-'END'
	#!/bin/sh
	# keep COPY COMMAND...
	copy=$1 bundle=. last=
	shift
	for word; do
		case $last in -b | --bundle) bundle=$word ;; esac
		case $word in --bundle=*) bundle=${word#*=} ;; esac
		last=$word
	done
	case " $* " in
	*' create '* | *' run '*) cp "$bundle/config.json" "$copy" ;;
	esac
	exec "$@"
	END
	cat >"$T/runtime" <<-END
	#!/bin/sh
	export MPU_AGENT='$T/agent.sock' MPU_RUNTIME='$T/real'
	exec '$T/keep' '$T/before' '$T/mpu-runtime' "\$@"
	END
	cat >"$T/real" <<-END
	#!/bin/sh
	exec '$T/keep' '$T/after' '$1' "\$@"
	END
	chmod +x "$T/keep" "$T/runtime" "$T/real"
}

# Questions to tests/oci/look.c, and its answers if the driver's requests, and no others
# (0x802c542a is a terminal's, TCGETS2), reach the agent.
requests='ioctl=0x20002a ioctl=0xc020462a ioctl=0x1000d3 ioctl=0xc01046d3 ioctl=0x2b ioctl=0x5401
	ioctl=0x2a ioctl=0x802c542a'

reached()
{
	is "$name" "$(printf '%s\n' '0x20002a 42' '0xc020462a 42' '0x1000d3 211' '0xc01046d3 211' \
		'0x2b errno 25' '0x5401 errno 25' '0x2a errno 25' '0x802c542a errno 25')" \
		"$(grep '^0x' "$T/out" | tr -d '\r')" "$T/err"
}

# unaffected: what else the configuration says is what it said
unaffected()
{
	exits 0 "$B/compare" "$T/before" "$T/after"
}

# way WAY BOX...: the tests of every way in; BOX runs a command in a container
way()
{
	way=$1
	shift
	before=$(states)
	name="$way: the driver's calls reach the agent"
	# shellcheck disable=SC2086 # a list
	exits 0 "$@" /bin/look $requests
	reached
	test "$(states)" -eq $((before + 1)) || fail "no listener was sent"
	name="$way: the rest of the profile"
	unaffected
	name="$way: the exit status"
	exits 7 "$@" /bin/look exit=7
}

# refused WAY BOX...: without an agent nothing starts, and it is said why
refused()
{
	name="$1: no agent"
	shift
	mv "$T/agent.sock" "$T/agent.gone"
	got=0
	"$@" /bin/look ioctl=0x20002a >"$T/out" 2>"$T/err" </dev/null || got=$?
	test "$got" -ne 0 || fail "exit 0"
	says err 'mpu-runtime: no agent listens at '
	pass_or "it was started" no grep -q '^0x' "$T/out"
	mv "$T/agent.gone" "$T/agent.sock"
}

# config PROFILE WORD...: $T/bundle, with that profile ("" for none)
config()
{
	profile=$1
	shift
	mkdir -p "$T/bundle"
	args=$(printf '"%s",' "$@")
	sed "s|@ROOTFS@|$T/rootfs|; s|@ARGS@|${args%,}|; s|\"@SECCOMP@\"|${profile:-null}|" \
		tests/oci/config.json.in >"$T/bundle/config.json"
}

# make_rootfs: $T/rootfs holds tests/oci/look.c, which needs nothing else
make_rootfs()
{
	mkdir -p "$T/rootfs/bin" "$T/rootfs/dev" "$T/rootfs/proc" \
		"$T/rootfs/sys" "$T/rootfs/etc" "$T/rootfs/tmp"
	cp "$B/look" "$T/rootfs/bin/"
}
