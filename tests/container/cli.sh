#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# nvidia-container-cli and the prestart hook on a faked driver root: what they say, and
# what a container has afterwards. As root, for mknod and mount namespaces.
#
#	tests/container/cli.sh FOLDER	FOLDER/../../mpu is tested
#
# shellcheck disable=SC2119 # start_box takes a user, or none
set -eu

# shellcheck source=tests/container/lib.sh
. "$(dirname "$0")/lib.sh"
opaque=$B/opaque forbid=$B/forbid
mkdir "$T/bin"
named bin/nvidia-container-cli bin/nvidia-container-runtime-hook bin/nvidia-container-toolkit
PATH=$T/bin:$PATH
tests/container/fake-root "$T/root"
tests/container/fake-root "$T/mig" --mig 1 --no-libraries

# golden FILE: out is what the file says
golden()
{
	is "$name: golden/$1" "$(cat "tests/container/golden/$1")" \
		"$(sed "s,/$triplet/,/TRIPLET/,; s,/i386-linux-gnu/,/TRIPLET32/,;
			s,/arm-linux-gnueabihf/,/TRIPLET32/," "$T/out")"
}

# refuses REGEX WORD...: status 1, and one line
refuses()
{
	regex=$1
	shift
	run 1 "$@"
	silent out
	is "$name: lines" 1 "$(wc -l <"$T/err")"
	says err "$regex"
}

# cli WORD...: nvidia-container-cli there
cli()
{
	nvidia-container-cli --root="$T/root" "$@"
}

run 0 cli info
golden info
run 0 "$mpu" container --root "$T/root" info
golden info
run 0 "$mpu" container --root "$T/root" info -j
is "GPUs in JSON" "$(sed -n 's/^GPU UUID: *//p' "tests/container/golden/info")" \
	"$("$json" gpus uuid <"$T/out")"
run 0 "$mpu" container --root "$T/root" list -j
"$json" paths <"$T/out" >"$T/paths"
run 0 cli info --csv
golden info.csv
run 0 cli list
ok "paths in JSON" cmp "$T/out" "$T/paths"
golden list
run 0 cli list -bfi
golden list.bfi
run 0 cli list --firmwares --no-gsp-firmware
silent out
run 0 cli list --device 1 --no-persistenced
golden list.device
run 0 nvidia-container-cli --root="$T/mig" list
golden list.mig
run 0 nvidia-container-cli --root="$T/mig" list -d 0 --mig-config all --mig-monitor=all
golden list.mig_config

# Nothing opens a GPU.
if command -v strace >/dev/null; then
	strace -f -e trace=open,openat,openat2 -o "$T/trace" \
		nvidia-container-cli --root="$T/root" list >/dev/null
	ok "list opens no GPU" no grep -E '/dev/nvidia[0-9]+"' "$T/trace"
fi

# On a machine with a driver, too, this is one without.
refuses "^nvidia-container-cli: initialization error: nvml error: driver not loaded" \
	unshare -m sh -c 'mount -t tmpfs tmpfs /proc/driver && exec nvidia-container-cli info'
refuses "^nvidia-container-cli: initialization error: driver root $T/none" \
	nvidia-container-cli --root="$T/none" info
# Linux before 5.6: the driver is there, and its files cannot be looked for.
old='this kernel has no openat2.*: Linux 5.6 or newer is needed'
refuses "$old" "$forbid" openat2 nvidia-container-cli --root="$T/root" list
cat >"$T/own-driver" <<-END
	mount -t tmpfs tmpfs /proc/driver
	cp -r "$T/root/proc/driver/nvidia" /proc/driver
	mount --bind "$T/root/proc/devices" /proc/devices
	exec "$forbid" openat2 nvidia-container-cli list
END
refuses "$old" unshare -m sh -e "$T/own-driver"
refuses "^nvidia-container-cli: device error: 7: unknown device" cli list -d 7
refuses "^nvidia-container-cli: mig-config error: .*only 'all'" \
	cli list -d 0 --mig-config 3
refuses "^nvidia-container-cli: input error: invalid rootfs directory" \
	cli configure rootfs
refuses "^nvidia-container-cli: input error: invalid rootfs directory" cli configure //
refuses "^nvidia-container-cli: input error: invalid process id" \
	cli configure --pid=x /rootfs
set --
for _ in 1 2 3 4 5 6 7 8 9 10 11; do
	set -- "$@" -r cuda -r cuda --require=cuda
done
refuses "^nvidia-container-cli: input error: too many requirements" \
	cli configure "$@" /rootfs
refuses "no ROOTFS given" cli configure
refuses "unrecognized option '--nosuch'" cli list --nosuch
mkdir "$T/empty"
refuses "^nvidia-container-cli: requirement error: unsatisfied condition: cuda>=99.*please update your driver" \
	cli configure -d 0 --require='cuda>=99 driver>=999' "$T/empty"
run 0 nvidia-container-cli --version
is "its first line" "cli-version: 1.20.0" "$(head -n 1 "$T/out")"

# A container, which has the driver's /proc.
bundle=$T/bundle R=$T/bundle/rootfs
mkdir -p "$R/etc" "$R/usr/bin" "$R/usr/lib/$triplet" "$R/dev" "$R/proc"
touch "$R/etc/debian_version"
start_box
in_box mount -t tmpfs tmpfs "$R/proc"
in_box cp -a "$T/root/proc/." "$R/proc"

# inside COMMAND...: in the container, in its root
inside()
{
	in_box env -C "$R" "$@"
}

mounts()
{
	in_box grep -c "$R/" /proc/self/mounts
}

# config VARIABLE...: config.json of a container with these
config()
{
	{
		echo '{"ociVersion": "1.0.2", "process": {"env": ["PATH=/bin"'
		for variable; do
			printf ', "%s"' "$variable"
		done
		echo ']}, "root": {"path": "rootfs"}}'
	} >"$bundle/config.json"
}

# with_cgroup COMMAND...: our container is in cgroup $member there
member=''
with_cgroup()
{
	test "$member" || { "$@"; return; }
	echo "0::$member" >"$T/cgroup"
	# shellcheck disable=SC2016 # for the shell inside
	unshare -m --propagation private sh -c '
		mount --bind "$1" "/proc/$2/cgroup" && shift 2 && exec "$@"' sh \
		"$T/cgroup" "$box" "$@"
}

# hook STATUS [WORD...]: the hook, with a state for our container
hook()
{
	want=$1
	shift
	name="hook $*"
	got=0
	printf '{"ociVersion":"1.0.2","id":"x","status":"creating","pid":%s,"bundle":"%s"}' \
		"$box" "$bundle" >"$T/state"
	with_cgroup nvidia-container-runtime-hook -config "$T/config.toml" "$@" prestart \
		<"$T/state" >"$T/out" 2>"$T/err" || got=$?
	pass_or "exit $got, not $want" test "$got" -eq "$want"
}

cat >"$T/config.toml" <<END
[nvidia-container-cli]
root = "$T/root"
load-kmods = false
no-cgroups = true
END
before=$(mounts)
config
hook 0
is "no GPU asked for: mounts" "$before" "$(mounts)"
config NVIDIA_VISIBLE_DEVICES=void
hook 0
is "void: mounts" "$before" "$(mounts)"
config NVIDIA_VISIBLE_DEVICES=7
hook 1
says err "^nvidia-container-cli: device error: 7: unknown device"
is "a device that is not there: mounts" "$before" "$(mounts)"
config NVIDIA_VISIBLE_DEVICES=0 NVIDIA_REQUIRE_CUDA='cuda>=99'
hook 1
says err "requirement error: unsatisfied condition: cuda>=99"
config NVIDIA_VISIBLE_DEVICES=0 NVIDIA_DRIVER_CAPABILITIES=nosuch
hook 1
says err "unsupported capabilities found in 'nosuch'"
config NVIDIA_VISIBLE_DEVICES=1 NVIDIA_DRIVER_CAPABILITIES=utility \
	LD_PRELOAD=/evil.so
hook 0
silent err
ok "the node of the GPU asked for" inside test -c dev/nvidia1
ok "the control node" inside test -c dev/nvidiactl
ok "no node of the other" inside test ! -e dev/nvidia0
ok "no node of another capability" inside test ! -e dev/nvidia-uvm
ok "its programs" inside test -s usr/bin/nvidia-smi
ok "its libraries" inside test -s "usr/lib/$triplet/libnvidia-ml.so.1"
ok "none of another capability" inside test ! -e "usr/lib/$triplet/libcuda.so.1"
ok "/proc/driver/nvidia has that GPU" \
	inside test -e proc/driver/nvidia/gpus/0000:02:00.0/information
ok "and not the other" inside test ! -e proc/driver/nvidia/gpus/0000:01:00.0/information
ok "nothing is seen outside" test ! -s "$R/usr/bin/nvidia-smi"
ok "the socket of a daemon" inside test -S run/nvidia-persistenced/socket
printf '[nvidia-container-runtime.modes.jit-cdi]\nnvcdi-feature-flags = ["disable-ipc-discoverer"]\n' \
	>>"$T/config.toml"
hook 0 -debug
says err '/usr/bin/nvidia-smi'
ok "no socket, by config.toml" no grep "mount /run/nvidia-" "$T/err"

# Checks that a runtime's mistakes are refused.
hook_refuses()
{
	regex=$1
	name="the hook: $regex"
	if nvidia-container-runtime-hook -config "$T/config.toml" prestart \
			>"$T/out" 2>"$T/err" <"$T/state"; then
		fail "succeeds"
	fi
	says err "^nvidia-container-runtime-hook: $regex"
	is "$name: lines" 1 "$(wc -l <"$T/err")"
}
echo "no JSON" >"$T/state"
hook_refuses "could not decode container state"
echo '{"bundle": "/tmp"}' >"$T/state"
hook_refuses "could not decode container state: it names no process"
printf '{"pid":%s,"bundle":"%s"}' "$box" "$T/empty" >"$T/state"
hook_refuses "could not open OCI spec"
printf '{"pid":%s,"bundle":"%s"}' "$box" "$bundle" >"$T/state"
echo '{' >"$bundle/config.json"
hook_refuses "could not decode OCI spec"
echo '{}' >"$bundle/config.json"
hook_refuses "Version is empty in OCI spec"
echo '{"ociVersion":"1.0.0"}' >"$bundle/config.json"
hook_refuses "Process is empty in OCI spec"
echo '{"ociVersion":"1.0.0","process":{}}' >"$bundle/config.json"
hook_refuses "Root is empty in OCI spec"
config NVIDIA_VISIBLE_DEVICES=0
printf '[nvidia-container-runtime]\nmode = "cdi"\n' >>"$T/config.toml"
hook_refuses "invoking the NVIDIA Container Runtime Hook directly"
run 1 nvidia-container-runtime-hook -config "$T/none.toml" prestart
for word in poststart poststop; do
	run 0 nvidia-container-toolkit $word
	silent out
	silent err
done
run 2 nvidia-container-runtime-hook
says err '^usage: '
run 2 nvidia-container-runtime-hook nosuch
says err '^usage: '
# Scripts take the last word of the first line, and compare it with a release.
run 0 nvidia-container-runtime-hook -version
is "a release, and ours" "NVIDIA Container Runtime Hook version 1.20.0
commit: mpu $(cat VERSION)" "$(cat "$T/out")"

# nvidia-container-cli of another: it gets the words, and none of our variables.
cat >"$T/bin/other" <<'END'
#!/bin/sh
printf '%s\n' "$@"
env | sort | grep -v '^\(PWD\|_\|SHLVL\|OLDPWD\)='
END
chmod +x "$T/bin/other"
cat >"$T/config.toml" <<END
[nvidia-container-cli]
path = "$T/bin/other"
environment = ["A=b"]
END
config NVIDIA_VISIBLE_DEVICES=0,1 NVIDIA_DISABLE_REQUIRE=1
export LD_LIBRARY_PATH=/evil NVC_TEST=1
hook 0
unset LD_LIBRARY_PATH NVC_TEST
printf '%s\n' --load-kmods configure --cuda-compat-mode=ldconfig \
	--ldconfig=@/sbin/ldconfig --device=0,1 --compute --utility \
	"--pid=$box" "$bundle/rootfs" A=b NVC_TEST=1 \
	PATH=/usr/sbin:/usr/bin:/sbin:/bin >"$T/want"
is "another nvidia-container-cli's words and variables" "$(cat "$T/want")" "$(cat "$T/out")"

# A device cgroup whose program cannot be read: config.json says what it was made of.
# in_group COMMAND...: as a process of that cgroup
in_group()
{
	# shellcheck disable=SC2016 # for the shell inside
	sh -c 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"' sh "$group" "$@"
}

cat >"$T/config.toml" <<END
[nvidia-container-cli]
root = "$T/root"
load-kmods = false
END
member=$(awk '/ - cgroup2 / { sub("/$", "", $4); print $4 "/mpu-cli-'$$'"; exit }' \
	/proc/self/mountinfo)
group=$(awk '/ - cgroup2 / { print $5 "/mpu-cli-'$$'"; exit }' /proc/self/mountinfo)
if test "$member" && mkdir "$group" 2>"$T/err" && "$opaque" "$group" 2>"$T/err"; then
	config NVIDIA_VISIBLE_DEVICES=1
	hook 1
	says err "the kernel does not show the cgroup's program"
	sed -i 's|}$|, "linux": {"resources": {"devices": [{"allow": false}, {"allow": true, "type": "c", "major": 195, "minor": 77, "access": "rw"}]}}}|' \
		"$bundle/config.json"
	hook 0
	mknod "$T/root/dev/other" c 195 77
	for node in nvidia1 nvidia0 other; do
		in_group cat "$T/root/dev/$node" >"$T/$node" 2>&1 || :
	done
	name="rules of config.json, and own ones"
	says nvidia1 'No such device or address'
	says nvidia0 'Operation not permitted'
	says other 'No such device or address'
else
	name="the hook: rules of config.json"
	skip "no device program can be put on a cgroup here: $(cat "$T/err")"
fi
if test -d "$group"; then rmdir "$group"; fi

done_testing
