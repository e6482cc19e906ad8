#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# containerd, by its shim's option BinaryName: what a runtime class sets.
set -eu
. tests/oci/lib.sh

for command in containerd ctr runc; do
	command -v $command >/dev/null || skip_all "there is no $command here"
done

# --- mpu configure, as containerd itself says ---

# The folders that mpu configure writes are those of $T here.
etc=/etc/containerd
test -d $etc || skip_all "there is no $etc here, where containerd is"
mkdir -p "$T/lib" "$T/etc"
mount --bind "$T/lib" /var/lib
mount --bind "$T/etc" $etc

# in_force: default, programs, and what others have set, of $etc/config.toml
in_force()
{
	containerd --config $etc/config.toml config dump 2>/dev/null | tr "'" '"' |
		sed -n -e 's/^ *\(default_runtime_name\) = "\(.*\)"/\1 \2/p' \
			-e 's/^ *\[plugins.*\.\(runtimes\.[a-z]*\)\]$/\1/p' \
			-e 's/^ *BinaryName = "\(..*\)"/\1/p' \
			-e 's/^ *\(SystemdCgroup\|max_container_log_line_size\) = \(true\|7\)$/\1/p' |
		xargs
}

# theirs VERSION PLUGIN: the main file, and what NVIDIA's toolkit writes beside it
theirs()
{
	rm -rf "$T/etc/config.toml" "$T/etc/conf.d"
	mkdir "$T/etc/conf.d"
	cat >$etc/config.toml <<-END
	version = $1
	imports = ["$etc/conf.d/*.toml"]
	END
	cat >$etc/conf.d/99-nvidia.toml <<-END
	version = $1
	[plugins."$2"]
	max_container_log_line_size = 7
	[plugins."$2".containerd]
	default_runtime_name = "nvidia"
	[plugins."$2".containerd.runtimes.nvidia]
	runtime_type = "io.containerd.runc.v2"
	[plugins."$2".containerd.runtimes.nvidia.options]
	BinaryName = "/usr/bin/nvidia-container-runtime"
	[plugins."$2".containerd.runtimes.runc]
	runtime_type = "io.containerd.runc.v2"
	[plugins."$2".containerd.runtimes.runc.options]
	SystemdCgroup = true
	END
	rm -rf "$T/theirs"
	cp -r "$T/etc" "$T/theirs"
	before=$(in_force)
}

# beside VERSION PLUGIN: ours wins, theirs stays, and what both have set is in force
beside()
{
	theirs "$@"
	what="mpu configure beside NVIDIA's drop-in, version $1" name=$what
	exits 0 "$B/mpu" configure --runtime /opt/mpu-runtime containerd
	is "$what: in force" "$(echo "$before" | sed 's,/usr/bin/nvidia-container-runtime,/opt/mpu-runtime,')" \
		"$(in_force | sed 's,\(/opt/mpu-runtime\) SystemdCgroup,\1,')"
	is "$what: theirs stays" "Only in $etc/conf.d: zz-mpu.toml" "$(diff -r "$T/theirs" $etc)"
	"$B/mpu" doctor -v >"$T/out" 2>&1 || :
	says out 'containerd config dump: runtime nvidia is /opt/mpu-runtime'
	cp $etc/conf.d/99-nvidia.toml $etc/conf.d/zzz.toml
	name="$what: a file that is read after ours"
	exits 1 "$B/mpu" configure --runtime /opt/mpu-runtime containerd
	says err "not in force: containerd reads $etc/conf.d/zzz.toml after it"
	mv $etc/conf.d/zzz.toml "$T/theirs/conf.d/50-other.toml"
	cp "$T/theirs/conf.d/50-other.toml" $etc/conf.d/
	exits 0 "$B/mpu" configure --undo containerd
	is "$what: undone" "$before" "$(diff -r "$T/theirs" $etc && in_force)"
}

mkdir -p "$T/bin"
ln -sf "$B/mpu" "$T/bin/nvidia-ctk"
beside 2 io.containerd.grpc.v1.cri
test "$(containerd --config /dev/null config dump 2>/dev/null | sed -n 's/^version = //p')" -lt 3 ||
	beside 3 io.containerd.cri.v1.runtime

name="nvidia-ctk --drop-in-config, of a file that imports nothing and names no runtime"
rm -rf "$T/etc/config.toml" "$T/etc/conf.d"
echo 'version = 2' >$etc/config.toml
exits 0 "$T/bin/nvidia-ctk" runtime configure --runtime=containerd --runtime-path /opt/mpu-runtime \
	--drop-in-config $etc/conf.d/99-nvidia.toml
is "$name: in force" 'default_runtime_name runc runtimes.nvidia /opt/mpu-runtime runtimes.runc' "$(in_force)"
exits 0 "$B/mpu" configure --undo containerd
is "$name: undone" 'version = 2' "$(cat $etc/config.toml $etc/conf.d/* 2>/dev/null)"
umount $etc /var/lib

make_rootfs
make_runtime "$(command -v runc)"
start_agent

cat >"$T/config.toml" <<END
version = 2
root = "$T/root"
state = "$T/state"
disabled_plugins = ["io.containerd.grpc.v1.cri"]
[grpc]
  address = "$T/containerd.sock"
END
containerd --config "$T/config.toml" >"$T/containerd.log" 2>&1 9>&- &
daemon=$!
trap 'kill $daemon 2>/dev/null; wait $daemon 2>/dev/null || :' EXIT

engine()
{
	timeout 120 ctr --address "$T/containerd.sock" "$@"
}

wait_for_daemon containerd engine version

# start ID OPTION... -- WORD...: ctr run
start()
{
	id=$1 options=
	shift
	while test "$1" != --; do
		options="$options $1"
		shift
	done
	shift
	# shellcheck disable=SC2086 # a list
	engine run --rootfs --runtime io.containerd.runc.v2 $options \
		"$T/rootfs" "$id" "$@"
}

box()
{
	start mpu --rm --runc-binary "$T/runtime" --seccomp -- "$@"
}

open_box()
{
	start mpu --rm --runc-binary "$T/runtime" -- "$@"
}

start plain --rm -- /bin/look exit=0 >"$T/out" 2>&1 ||
	skip_all "containerd runs nothing here: $(tail -n 1 "$T/out")"
way "containerd, its default profile" box
way "containerd, no profile" open_box
name="containerd: exec"
exits 0 start mpu --runc-binary "$T/runtime" --seccomp --detach -- \
	/bin/look sleep
# shellcheck disable=SC2086 # a list
exits 0 engine tasks exec --exec-id one mpu /bin/look $requests
reached
exits 0 engine tasks rm -f mpu
exits 0 engine containers rm mpu
refused containerd box

stop_agent
done_testing
