#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# up --foreground, with engine notify: what it tells its manager, and how it ends.
set -eu
. tests/cli/lib.sh

own_run

# A manager: it writes down what it is told, a line for each message.
perl -MSocket -e '
	my $sock;
	socket($sock, PF_UNIX, SOCK_DGRAM, 0) && bind($sock, sockaddr_un($ARGV[0]))
		or die "$!";
	$| = 1;
	while (defined recv($sock, my $text, 4096, 0)) {
		$text =~ tr/\n/ /;
		print "$text\n";
	}' /run/manager >"$T/told" &
manager=$!
trap 'kill "$manager"' EXIT
until test -S /run/manager; do sleep 0.1; done
export NOTIFY_SOCKET=/run/manager

is_told()
{
	test "$(grep -Ec -- "$1" "$T/told")" -ge "$2"
}

# told REGEX COUNT: within five minutes, so many such messages at least
told()
{
	pass_or "the manager is not told '$1'" within 300 is_told "$@"
}

# serve [NAME=VALUE...]: start the service
serve()
{
	: >"$T/told"
	env "$@" "$MPU" up -f -e notify >"$T/service.out" 2>"$T/service.err" &
	service=$!
	told READY=1 1
}

# ends STATUS: so it does
ends()
{
	got=0
	wait "$service" || got=$?
	pass_or "ended with $got, not $1" test "$got" -eq "$1"
}

name="up --foreground"
serve
says service.out '^up: engine notify'
run 0 status
kill -HUP "$service"
name="up --foreground, SIGHUP"
told '^RELOADING=1 MONOTONIC_USEC=[0-9]+$' 1
told READY=1 2
says service.out '^already up: engine notify'
run 0 status
kill "$service"
name="up --foreground, SIGTERM"
ends 0
told STOPPING=1 1
name="up --foreground, the agent's own words"
pass_or "go to the manager of another" no grep -q FDSTORE "$T/told"
silent service.err
run 3 status

# It says that it lives only when the engine does.
name="up --foreground, watchdog"
serve WATCHDOG_USEC=2000000
told WATCHDOG=1 3
worker=$("$MPU" status -j | "$JSON" worker)
kill -STOP "$worker"
told "^STATUS=engine notify: the agent's worker .* does not answer" 2
count=$(grep -c WATCHDOG=1 "$T/told")
told '^STATUS=engine notify: the agent' 4
pass_or "it says it lives" test "$(grep -c WATCHDOG=1 "$T/told")" -eq "$count"
name="up --foreground, one complaint"
if test "$(wc -l <"$T/service.err")" -eq 1; then pass; else fail "not one line"; fi
kill -CONT "$worker"
name="up --foreground, watchdog"
told WATCHDOG=1 $((count + 1))
run 0 down
name="up --foreground, and mpu down"
ends 0
says service.out 'the engine was stopped by somebody else'

MPU_ROOT=/tmp run 1 up --foreground
one_sentence "--foreground is for root, and without MPU_ROOT"
done_testing
