#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# GPUs by the wrapper, of a driver root that is made up, in containers of the
# runtimes that are here.
set -eu
. tests/oci/lib.sh

version=580.159.04
triplet=$(gcc -print-multiarch)
tests/container/fake-root "$T/driver"
export NVIDIA_CTK_CONFIG_FILE_PATH="$T/config.toml"
unset MPU_AGENT
wrapper=$T/nvidia-container-runtime
ln -s "$B/mpu" "$wrapper"
ln -s "$B/mpu" "$T/mpu-runtime"

# A root with what looks around in it, laid out as Debian's.
fill_rootfs()
{
	mkdir -p "$T/rootfs/bin" "$T/rootfs/proc" "$T/rootfs/dev" "$T/rootfs/etc" \
		"$T/rootfs/tmp"
	echo 12 >"$T/rootfs/etc/debian_version"
	for program in sh ls cat stat mknod; do
		file=$(command -v "$program")
		cp "$file" "$T/rootfs/bin/$program"
		ldd "$file" | grep -o '/[^ ]*' | while read -r library; do
			mkdir -p "$T/rootfs${library%/*}"
			cp -L "$library" "$T/rootfs$library"
		done
	done
}

# bundle ENV... -- COMMAND: one whose shell runs COMMAND; each ENV is NAME=VALUE
hooks='' user=']' keep_root=''
bundle()
{
	env='"PATH=/bin"'
	while test "$1" != --; do
		env=$env,\"$1\"
		shift
	done
	# Where "run" has mounted something an empty file stays; and what the last one made.
	test -n "$keep_root" || rm -rf "$T/rootfs/usr" "$T/rootfs/tmp/other"
	mkdir -p "$T/bundle"
	cat >"$T/bundle/config.json" <<-END
	{"ociVersion":"1.0.2","process":{"args":["/bin/sh","-c","$2"],"env":[$env],"cwd":"/",
	"user":{"uid":0,"gid":0},"noNewPrivileges":true,"capabilities":{
	"bounding":["CAP_MKNOD"],"effective":["CAP_MKNOD"],"permitted":["CAP_MKNOD"]}},
	"root":{"path":"$T/rootfs"},"mounts":[
	{"destination":"/proc","type":"proc","source":"proc"},
	{"destination":"/dev","type":"tmpfs","source":"tmpfs","options":["nosuid","mode=755"]}],
	"linux":{"resources":{"devices":[{"allow":false,"access":"rwm"}]},"namespaces":[
	{"type":"pid"},{"type":"mount"},{"type":"ipc"},{"type":"uts"},{"type":"network"}$user}$hooks,"n":1e3}
	END
}

# box: run it
box()
{
	timeout 60 "$wrapper" --root "$T/state" --log "$T/log" run -b "$T/bundle" "mpu-$$"
}

says_not()
{
	if grep -Eq -- "$2" "$T/$1"; then fail "$1 has '$2'"; else pass; fi
}

call()
{
	timeout 60 "$wrapper" --root "$T/state" --log "$T/log" "$@" >"$T/out" 2>"$T/err" </dev/null
}

# ended COMMAND: a container that has run it, and is to be deleted
ended()
{
	bundle NVIDIA_VISIBLE_DEVICES=0 NVIDIA_DRIVER_CAPABILITIES=utility -- "$1"
	call create -b "$T/bundle" "mpu-$$"
	call start "mpu-$$"
	until call state "mpu-$$" && grep -q '"stopped"' "$T/out"; do
		sleep 0.1
	done
	test -e "$T/rootfs/usr/bin/nvidia-smi" || fail "no mount point was made"
}

# not_made: a container whose program is not there
not_made()
{
	bundle NVIDIA_VISIBLE_DEVICES=0 NVIDIA_DRIVER_CAPABILITIES=utility -- true
	sed -i s,/bin/sh,/bin/missing, "$T/bundle/config.json"
	if call create -b "$T/bundle" "mpu-$$"; then fail "it was made"; else pass; fi
	test -e "$T/rootfs/usr/bin/nvidia-smi" || fail "no mount point was made"
}

# mount_points: what a runtime has made in the root for the edits
mount_points()
{
	name="$engine: mount points are removed"
	ended true
	ok "$name" call delete "mpu-$$"
	ok "$name" test ! -e "$T/rootfs/usr"
	if call state "mpu-$$"; then fail "it was not deleted"; else pass; fi

	name="$engine: mount points, by force"
	ended true
	ok "$name" call delete -f "mpu-$$"
	ok "$name" test ! -e "$T/rootfs/usr"

	name="$engine: mount points of a container that runs stay"
	bundle NVIDIA_VISIBLE_DEVICES=0 NVIDIA_DRIVER_CAPABILITIES=utility -- 'cat /tmp/wait'
	mkfifo "$T/rootfs/tmp/wait"
	call create -b "$T/bundle" "mpu-$$"
	call start "mpu-$$"
	if call delete "mpu-$$"; then fail "it was deleted"; else pass; fi
	ok "$name" test -e "$T/rootfs/usr/bin/nvidia-smi"
	call delete -f "mpu-$$"
	rm "$T/rootfs/tmp/wait"

	# A container that an engine deletes then has no state; it has the log in the bundle.
	# A container may have written files in the working folder, or the log of any other.
	name="$engine: mount points of a container that could not be made"
	not_made
	(cd "$T/bundle" && call --log "$T/bundle/log.json" delete -f "mpu-$$") || :	# crun: none
	ok "$name: not of the folder of any other" test -e "$T/rootfs/usr/bin/nvidia-smi"
	ln -s bundle "$T/mpu-$$"
	call --log "$T/mpu-$$/log.json" delete -f "mpu-$$" || :	# likewise
	rm "$T/mpu-$$"
	ok "$name" test ! -e "$T/rootfs/usr"
	not_made
	keep_root=yes
	ended true
	keep_root=''
	call delete "mpu-$$"
	ok "$name: the next of that bundle" test ! -e "$T/rootfs/usr"

	name="$engine: in the place of mount points"
	ended true
	mkdir "$T/host"
	: >"$T/host/nvidia-smi"
	library=$T/rootfs/usr/lib/$triplet/libnvidia-ml.so.$version
	echo filled >"$library"
	mv "$T/rootfs/usr/bin" "$T/rootfs/usr/moved"
	ln -s "$T/host" "$T/rootfs/usr/bin"
	ok "$name" call delete "mpu-$$"
	ok "$engine: in their place, by a link: a file of the host" test -e "$T/host/nvidia-smi"
	ok "$engine: in their place: a link" test -L "$T/rootfs/usr/bin"
	is "$engine: in their place: what is filled" filled "$(cat "$library")"
	ok "$engine: beside it an empty one goes" test ! -e "${library%."$version"}.1"
	rm -r "$T/host"
}

# shared_root: two containers of one folder. While the second is being made, what the
# first one is deleted with must not take its mounts away: to unlink a mount point
# unmounts what is mounted there, in every mount namespace.
shared_root()
{
	name="$engine: another container of the same root is being made"
	ended true
	mkdir "$T/other"
	mkfifo "$T/other/at" "$T/other/on"
	printf '#!/bin/sh\necho >%s/at\nread _ <%s/on\n' "$T/other" "$T/other" \
		>"$T/other/hook"
	chmod +x "$T/other/hook"
	mv "$T/bundle" "$T/ended"
	hooks=',"hooks":{"createRuntime":[{"path":"'$T'/other/hook"}]}'
	keep_root=yes
	bundle NVIDIA_VISIBLE_DEVICES=0 NVIDIA_DRIVER_CAPABILITIES=utility -- \
		'cat /proc/self/mountinfo'
	keep_root='' hooks=''
	mv "$T/bundle" "$T/second"
	mv "$T/ended" "$T/bundle"
	timeout 60 "$wrapper" --root "$T/state" run -b "$T/second" "mpu-other-$$" \
		>"$T/other/out" 2>"$T/other/err" </dev/null &
	read -r _ <"$T/other/at"
	ok "$name: the first is deleted" call delete "mpu-$$"
	echo >"$T/other/on"
	wait $! || fail "it failed: $(cat "$T/other/err")"
	cp "$T/other/out" "$T/out"
	says out ' /usr/bin/nvidia-smi '
	says out "/libnvidia-ml.so.1 "
	rm -r "$T/other" "$T/second"
}

# native: what every runtime makes of the edits
native()
{
	name="$engine: one GPU, to look at"
	# shellcheck disable=SC2016 # for the container's shell
	bundle NVIDIA_VISIBLE_DEVICES=1 NVIDIA_DRIVER_CAPABILITIES=utility -- \
		'stat -c %n:%t:%T /dev/nvidia* /dev/nvidiactl; ls /usr/lib/'"$triplet"'; ls -l /usr/bin; echo env $NVIDIA_VISIBLE_DEVICES; cat /dev/nvidia1; mknod /tmp/other c 195 0 && cat /tmp/other; cat /dev/null >>/usr/bin/nvidia-smi; cat /proc/self/mountinfo'
	box >"$T/out" 2>"$T/err" </dev/null || :
	says out '^/dev/nvidia1:c3:1$'
	says out '^/dev/nvidiactl:c3:ff$'
	says_not out '^/dev/nvidia0'
	says_not out nvidia-uvm
	says out "^libnvidia-ml.so.$version\$"
	says out '^libnvidia-ml.so.1$'
	says_not out libcuda
	says out ' nvidia-smi$'
	says out '^env void$'
	says out 'nvidia-smi ro,nosuid,nodev'
	# There is no driver: what opens it says so, not that it may not.
	says err '/dev/nvidia1: No such device or address'
	says err '(/tmp/other: Operation not permitted|mknod: .*Operation not permitted)'
	says err 'nvidia-smi: Read-only file system'
	cp "$T/bundle/config.json" "$T/once"
	box >"$T/out" 2>"$T/err" </dev/null || :
	name="$engine: the second time nothing changes"
	if cmp -s "$T/once" "$T/bundle/config.json"; then pass; else fail "it does"; fi
	says once '"n": ?1e3'

	name="$engine: all GPUs, to compute with"
	bundle NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute -- \
		"ls /dev; ls /usr/lib/$triplet; ls /usr/bin"
	exits 0 box
	for found in nvidia0 nvidia1 nvidia-uvm nvidia-uvm-tools libcuda.so \
		libcuda.so.1 "libcuda.so.$version" nvidia-cuda-mps-control; do
		says out "^$found\$"
	done
	says_not out '^nvidia-smi$'
	says_not out libnvidia-ml

	name="$engine: an ld.so.cache that leads elsewhere"
	rm -rf "$T/rootfs/usr"
	mkdir "$T/rootfs/old"
	cp "$T/driver/usr/lib/$triplet/libcuda.so.$version" "$T/rootfs/old/libcuda.so.1"
	echo /old >"$T/rootfs/etc/ld.so.conf"
	ldconfig -X -r "$T/rootfs"
	for asked in void 0; do
		bundle NVIDIA_VISIBLE_DEVICES=$asked LD_PRELOAD=libcuda.so.1 -- \
			'cat /proc/self/maps'
		exits 0 box
		case $asked in
		void) says out ' /old/libcuda.so.1$' ;;
		0)	says out " /usr/lib/$triplet/libcuda.so.1\$"
			says_not out /old/
			;;
		esac
	done
	name="$engine: the container's own cache"
	exits 0 ldconfig -r "$T/rootfs" -p
	says out "libcuda.so.1 .* => /usr/lib/$triplet/libcuda.so.1\$"
	rm -r "$T/rootfs/old" "$T/rootfs/etc/ld.so.conf" "$T/rootfs/etc/ld.so.cache"

	name="$engine: the driver without a GPU"
	bundle NVIDIA_VISIBLE_DEVICES=none -- 'ls /dev'
	exits 0 box
	says out '^nvidiactl$'
	says_not out '^nvidia[01]$'

	# A runtime cannot make nodes then: those of the driver's root are mounted.
	name="$engine: a user namespace"
	user=',{"type":"user"}],"uidMappings":[{"containerID":0,"hostID":100000,"size":65536}],"gidMappings":[{"containerID":0,"hostID":100000,"size":65536}]'
	bundle NVIDIA_VISIBLE_DEVICES=0 NVIDIA_DRIVER_CAPABILITIES=utility,graphics -- \
		"ls /dev /usr/lib/$triplet; cat /etc/nvidia/nvidia-application-profiles-rc.d/10-container.conf; cat /dev/nvidia0"
	chown -R 100000:100000 "$T/rootfs"
	box >"$T/out" 2>"$T/err" </dev/null || :
	chown -R 0:0 "$T/rootfs"
	user=']'
	says out '^nvidia0$'
	says_not out '^nvidia1$'
	says out '^libnvidia-ml.so.1$'
	says out '"EGLVisibleDGPUDevices",0x1\]'
	says err '/dev/nvidia0: No such device or address'
}

printf '[nvidia-container-cli]\nroot = "%s"\nload-kmods = false\n' "$T/driver" >"$T/config.toml"
fill_rootfs
# Whoever is root in a user namespace passes through.
chmod 711 "${T%/*}" "$T"
for engine in runc crun; do
	command -v $engine >/dev/null || { name=$engine; skip "is not here"; continue; }
	MPU_RUNTIME=$(command -v $engine)
	export MPU_RUNTIME
	native
	mount_points
	shared_root
done

# The edits themselves are tested by tests/container/wrapper.sh.
printf '#!/bin/sh\nexit 0\n' >"$T/real"
chmod +x "$T/real"
export MPU_RUNTIME="$T/real"
name="GPUs and supervision in one call"
start_agent
bundle NVIDIA_VISIBLE_DEVICES=0 -- true
MPU_AGENT=$T/agent.sock exits 0 "$T/mpu-runtime" create -b "$T/bundle" x
says bundle/config.json listenerPath
says bundle/config.json '/dev/nvidia0"'
name="GPUs of a container that has a listener of its own"
bundle NVIDIA_VISIBLE_DEVICES=0 -- true
sed -i 's|"linux": *{|&"seccomp":{"defaultAction":"SCMP_ACT_ALLOW","listenerPath":"/other"},|' \
	"$T/bundle/config.json"
MPU_AGENT=$T/agent.sock exits 0 "$T/mpu-runtime" create -b "$T/bundle" x
says err 'has a listener of its own'
says bundle/config.json '/dev/nvidia0"'
stop_agent
bundle NVIDIA_VISIBLE_DEVICES=0 -- true
MPU_AGENT=$T/agent.sock exits 1 "$T/mpu-runtime" create -b "$T/bundle" x
says err 'no agent listens'
says_not bundle/config.json nvidiactl
MPU_AGENT=none exits 0 "$T/mpu-runtime" create -b "$T/bundle" x
says bundle/config.json '/dev/nvidia0"'

done_testing
