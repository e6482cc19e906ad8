#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# nvidia-container-runtime on a faked driver root, in front of a runtime that asks the
# real ones whether they take what it has edited: what that is, and what `mpu container
# explain` says of it. As root.
#
#	tests/container/wrapper.sh FOLDER	FOLDER/../../mpu is tested
set -eu

here=$(dirname "$0")
# shellcheck source=tests/runner/lib.sh
. "$here/../runner/lib.sh"
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
B=$(realpath "$1")
mpu=$(realpath "$B/../../mpu")
for link in nvidia-container-runtime nvidia-container-runtime-hook nvidia-container-cli; do
	ln -s "$mpu" "$T/$link"
done
export NVIDIA_CTK_CONFIG_FILE_PATH="$T/config.toml"
unset MPU_AGENT MPU_RUNTIME
"$here/fake-root" "$T/driver"
mkdir -p "$T/rootfs/etc" "$T/bundle"
echo 12 >"$T/rootfs/etc/debian_version"

# settings [LINE...]: config.toml, with these lines, whose keys have their tables' names
settings()
{
	{
		printf 'nvidia-container-cli.%s\n' "root = \"$T/driver\"" 'load-kmods = false'
		echo "nvidia-container-runtime.runtimes = [\"$B/accept\"]"
		test $# -eq 0 || printf '%s\n' "$@"
	} >"$T/config.toml"
}

# bundle NAME=VALUE...: a container that has these variables
bundle()
{
	env=$(printf ',"%s"' "$@")
	cat >"$T/bundle/config.json" <<-END
	{"ociVersion":"1.0.2","process":{"args":["/bin/true"],"env":["PATH=/bin"$env],"cwd":"/",
	"user":{"uid":0,"gid":0}},"root":{"path":"$T/rootfs"},"linux":{}}
	END
}

create()
{
	"$T/nvidia-container-runtime" --log "$T/log" create -b "$T/bundle" x
}

explain()
{
	"$mpu" container explain "$@" "$T/bundle"
}

# without_spaces: out is config.json without white space
without_spaces()
{
	{ tr -d "[:space:]" <"$T/bundle/config.json"; echo; } >"$T/out"
}

# says_not FILE REGEX
says_not()
{
	if grep -Eq -- "$2" "$T/$1"; then fail "$1 has '$2'"; else pass; fi
}

# logged MODE: how many edits the wrapper has logged
logged()
{
	sed -n "s/.*: $1, \\([0-9]*\\) edits*\".*/\\1/p" "$T/log" | tail -n 1
}

# --- what explain says is what is edited ---

settings
bundle NVIDIA_VISIBLE_DEVICES=1 NVIDIA_DRIVER_CAPABILITIES=all
name="native: what no runtime can do is not explained"
exits 0 explain
says out '^mask  /proc/driver/nvidia/registry$'
says_not out '^proc '
says_not out '^link  [^ ]* -> '	# from nothing that could be mounted there
exits 0 explain --dry-run
explained=$(wc -l <"$T/out")
exits 0 explain --json
is "native: edits in JSON" "$explained" "$(grep -o '"kind"' "$T/out" | wc -l)"
exits 0 create
is "native: edits in the log" "$explained" "$(logged native)"
# Each in a list of config.json: a node has a rule in the cgroup besides.
is "native: edits in config.json" "$explained" "$(grep -Ec \
	'"destination"|"path": "/dev/|"/proc/driver|"NVIDIA_VIS|"NVIDIA_CTK|^ *44,?$' "$T/bundle/config.json")"

name="legacy: what the hook has nvidia-container-cli do is explained, too"
settings 'nvidia-container-runtime.mode = "legacy"'
bundle NVIDIA_VISIBLE_DEVICES=1 NVIDIA_DRIVER_CAPABILITIES=utility
exits 0 explain
says out '^hook  prestart /.*/nvidia-container-runtime-hook nvidia-container-runtime-hook,prestart$'
says out '^      the hook of mode legacy; by NVIDIA_VISIBLE_DEVICES=1$'
says out '^the hook has nvidia-container-cli make:$'
says out '^node  /dev/nvidia1 c 195:1 rw from '
says_not out '/dev/nvidia0'
says out '^      library of utility; by NVIDIA_DRIVER_CAPABILITIES=utility$'
says out '^proc  /proc/driver/nvidia from '
says_not out '^(env|group|mask) '
exits 0 explain --json
says out '"by_hook": *\{'
exits 0 create
is "legacy: edits in the log" 1 "$(logged legacy)"
name="legacy: what the hook would refuse is said"
bundle NVIDIA_VISIBLE_DEVICES=7
exits 1 explain
says err 'device error: 7: unknown device'
exits 0 create

# --- links of the image ---

settings
mkdir -p "$T/rootfs/usr/bin"
bundle NVIDIA_VISIBLE_DEVICES=0 NVIDIA_DRIVER_CAPABILITIES=utility
while read -r path target; do
	name="native: $path, a link to $target"
	ln -s "$target" "$T/rootfs$path"
	exits 1 create
	says err ": $path.*: the image has a link there that leads to files of the kernel"
	rm "$T/rootfs$path"
done <<-EOF
	/usr/bin/nvidia-smi /proc/self/attr/exec
	/usr/bin/nvidia-smi ../../proc/sys/kernel/core_pattern
	/usr/bin/nvidia-smi /sys/kernel/profiling
	/usr/bin/nvidia-smi ../../../dev/null
	/usr/lib /proc/1
EOF
name="native: a link that goes back out of what is not there"
ln -s ../../none/../proc/cmdline "$T/rootfs/usr/bin/nvidia-smi"
exits 1 create
says err "the container's /usr/bin/nvidia-smi: No such file"
name="native: a link to what is not there"
ln -sf /none/smi "$T/rootfs/usr/bin/nvidia-smi"
exits 0 create
rm -r "$T/rootfs/usr"

# --- a folder of sockets that others can put something in the place of ---

mps=/tmp/nvidia-mps
bundle NVIDIA_VISIBLE_DEVICES=0 NVIDIA_DRIVER_CAPABILITIES=compute
exits 0 create
says bundle/config.json "\"$mps\""
chmod 1777 "$T/driver/tmp"
name="native: $mps in a folder that everybody may write"
bundle NVIDIA_VISIBLE_DEVICES=0 NVIDIA_DRIVER_CAPABILITIES=compute
exits 0 create
says_not bundle/config.json "\"$mps\""
says log "level=warning .* $mps is left out: .* CUDA_MPS_PIPE_DIRECTORY"
exits 0 "$mpu" cdi generate --driver-root "$T/driver"
says_not out "$mps"
says err "$mps is left out"
name="legacy: $mps is opened at once"
exits 0 "$T/nvidia-container-cli" --root="$T/driver" list --ipcs
says out "^$mps$"
name="native: $mps, that the operator has named"
export CUDA_MPS_PIPE_DIRECTORY=$mps
bundle NVIDIA_VISIBLE_DEVICES=0 NVIDIA_DRIVER_CAPABILITIES=compute
exits 0 create
unset CUDA_MPS_PIPE_DIRECTORY
says bundle/config.json "\"$mps\""
chmod 0755 "$T/driver/tmp"

# --- nodes of graphics ---

chgrp 44 "$T"/driver/dev/dri/card*	# video, as of Debian's udev
settings
name="native: nodes of graphics, of the chosen GPU alone"
bundle NVIDIA_VISIBLE_DEVICES=1 NVIDIA_DRIVER_CAPABILITIES=graphics
exits 0 explain
says out '^node  /dev/dri/card1 c 226:1 rw from '
says out '^node  /dev/dri/renderD129 c 226:129 rw from '
says out '^group 44 \(optional\)$'
says_not out 'by-path'
exits 0 create
without_spaces
says out '\{"path":"/dev/dri/card1","type":"c","major":226,"minor":1,"fileMode":432,"gid":44\}'
says out '\{"path":"/dev/dri/renderD129","type":"c","major":226,"minor":129\}'
says out '\{"allow":true,"type":"c","major":226,"minor":129,"access":"rw"\}'
says out '"additionalGids":\[44\]'
says_not out '/dev/dri/(card0|renderD128|by-path)'
name="native: no-additional-gids-for-device-nodes"
settings 'features.no-additional-gids-for-device-nodes = true'
bundle NVIDIA_VISIBLE_DEVICES=1 NVIDIA_DRIVER_CAPABILITIES=display
exits 0 create
without_spaces
says out '/dev/dri/card1'
says_not out additionalGids
name="native: no node of graphics without graphics or display"
settings
bundle NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility,video
exits 0 create
says_not bundle/config.json '/dev/dri'
name="legacy: nodes of graphics, and links to them"
settings 'nvidia-container-runtime.mode = "legacy"'
bundle NVIDIA_VISIBLE_DEVICES=1 NVIDIA_DRIVER_CAPABILITIES=graphics
exits 0 explain
says out '^node  /dev/dri/card1 c 226:1 '
says out '^link  /dev/dri/by-path/pci-0000:02:00.0-card -> ../card1$'
says out '^link  /dev/dri/by-path/pci-0000:02:00.0-render -> ../renderD129$'

# --- the version of CUDA of a driver that no table has ---

newer=999.10
triplet=$(gcc -print-multiarch)
"$here/fake-root" "$T/newer" --version $newer
sed "s,\"$T/driver\",\"$T/newer\"," "$T/config.toml" >"$T/other"

# requires EXPRESSION: a container does
requires()
{
	sed 's/"legacy"/"native"/' "$T/other" >"$T/config.toml"
	bundle NVIDIA_VISIBLE_DEVICES=0 NVIDIA_DRIVER_CAPABILITIES=utility "NVIDIA_REQUIRE_CUDA=$1"
}

name="a driver that no table has, and whose libcuda does not say"
requires 'cuda>=99.0'
exits 0 create
# Note of NVIDIA's libcuda about itself, as of 580.
gcc -c -o "$T/note.o" -x assembler - <<-END
	.section .note.cuda.fwd_compatibility,"a",%note
	.long 19, 2f - 1f, 0
	.asciz "NVIDIA Corporation"
	.balign 4
1:	.asciz "{\"format\":1,\"CUDA version\":\"19.2\",\"driver\":[535,999],\"device\":[1]}"
2:	.balign 4
	.section .note.GNU-stack,"",%progbits
END
ld -shared -soname libcuda.so.1 -o "$T/newer/usr/lib/$triplet/libcuda.so.$newer" "$T/note.o"
name="a driver that no table has, by what its libcuda says"
requires 'cuda>=19.2'
exits 0 create
requires 'cuda>=19.3'
exits 1 create
says err 'unsatisfied condition: cuda>=19.3, .*\(this machine: driver 999.10, cuda 19.2, '
exits 0 "$T/nvidia-container-cli" --root="$T/newer" info
says out '^CUDA version: *19.2$'

# --- mode legacy, newer CUDA libraries of an image by hooks ---

legacy='nvidia-container-runtime.mode = "legacy"'
compat='nvidia-container-runtime.modes.legacy.cuda-compat-mode'
ln -s "$mpu" "$T/nvidia-cdi-hook"

name="legacy, cuda-compat-mode = hook"
settings "$legacy" "$compat = \"hook\""
bundle NVIDIA_VISIBLE_DEVICES=0
exits 0 env PATH="$T:$PATH" "$T/nvidia-container-runtime" --log "$T/log" create -b "$T/bundle" x
without_spaces
says out '"prestart":\[\{[^]]*"nvidia-container-runtime-hook","prestart"\]'
says out '"createContainer":\[\{"path":"/[^"]*/nvidia-cdi-hook","args":\["nvidia-cdi-hook","enable-cuda-compat","--host-driver-version=580.159.04","--host-cuda-version=13.0"\],"env":\["NVIDIA_CTK_DEBUG=false"\]\},\{"path":"/[^"]*/nvidia-cdi-hook","args":\["nvidia-cdi-hook","update-ldcache"\],"env":\["NVIDIA_CTK_DEBUG=false"\]\}\]'
cp "$T/bundle/config.json" "$T/once"
exits 0 env PATH="$T:$PATH" "$T/nvidia-container-runtime" --log "$T/log" create -b "$T/bundle" x
exits 0 cmp "$T/once" "$T/bundle/config.json"
exits 0 explain
says out '^hook  createContainer /.*/nvidia-cdi-hook nvidia-cdi-hook,enable-cuda-compat,'
says out '^      modes.legacy.cuda-compat-mode = "hook"; by NVIDIA_VISIBLE_DEVICES=0$'
is "$name: edits in the log" 3 "$(logged legacy)"

name="legacy, cuda-compat-mode = hook: the program that config.toml names"
settings "$legacy" "$compat = \"hook\"" 'nvidia-ctk.path = "/opt/nvidia-ctk"'
bundle NVIDIA_VISIBLE_DEVICES=0
exits 0 create
without_spaces
says out '"createContainer":\[\{"path":"/opt/nvidia-ctk","args":\["nvidia-ctk","hook","enable-cuda-compat",'

name="legacy, cuda-compat-mode = hook, without a driver"
mv "$T/driver/proc/driver/nvidia/version" "$T/version"
bundle NVIDIA_VISIBLE_DEVICES=0
exits 0 create
without_spaces
says out '"enable-cuda-compat"\]'
mv "$T/version" "$T/driver/proc/driver/nvidia/version"

name="legacy, cuda-compat-mode = ldconfig: one hook"
settings "$legacy"
bundle NVIDIA_VISIBLE_DEVICES=0
exits 0 create
says_not bundle/config.json createContainer

name="legacy, cuda-compat-mode = hook, which is switched off"
settings "$legacy" "$compat = \"hook\"" 'features.disable-cuda-compat-lib-hook = true'
bundle NVIDIA_VISIBLE_DEVICES=0
exits 0 create
says_not bundle/config.json createContainer

# --- settings that the toolkit has for its hooks and its generator ---

mkdir -p "$T/rootfs/usr/local/cuda/compat"
cp "$T/driver/usr/lib/$(gcc -print-multiarch)/libcuda.so.580.159.04" \
	"$T/rootfs/usr/local/cuda/compat/libcuda.so.595.45.04"
chgrp 44 "$T/driver/dev/nvidia-uvm"
chmod 0660 "$T/driver/dev/nvidia-uvm"
jit=nvidia-container-runtime.modes.jit-cdi

# with [LINE...]: config.json of a container with these settings
with()
{
	settings "$@"
	bundle NVIDIA_VISIBLE_DEVICES=0
	rm -f "$T/log"
	exits 0 create
	without_spaces
}

name="native: newer CUDA libraries, groups of nodes"
with
says out '"LD_LIBRARY_PATH=/usr/local/cuda/compat"'
says out '"additionalGids":\[44\]'
says_not log level=warning
name="native: disable-cuda-compat-lib-hook"
with 'features.disable-cuda-compat-lib-hook = true'
says_not out LD_LIBRARY_PATH
says out additionalGids
name="native: nvcdi-disable-hooks"
with "$jit.nvcdi-disable-hooks = [\"enable-cuda-compat\"]"
says_not out LD_LIBRARY_PATH
says_not log level=warning
name="native: nvcdi-feature-flags"
with "$jit.nvcdi-feature-flags = [\"no-additional-gids-for-device-nodes\"]"
says out LD_LIBRARY_PATH
says_not out additionalGids
says_not log level=warning
name="native: what changes nothing is said"
with "$jit.nvcdi-disable-hooks = [\"chmod\"]" 'colour = "red"'
says log 'level=warning msg=".*config.toml sets what changes nothing here: colour \(there is no such key\), .*nvcdi-disable-hooks: chmod \(none is written\)'
name="a level of the log that there is not: info, and a warning"
with 'nvidia-container-runtime.log-level = "loud"'
says log 'level=warning msg=".*log-level: loud \(there is no such level: info\)'
says log 'level=info msg=".* edits"'
with 'nvidia-container-runtime.log-level = "error"'
ok "native: nothing is said below the level" test ! -s "$T/log"
rm -r "$T/rootfs/usr/local"
chgrp 0 "$T/driver/dev/nvidia-uvm"
chmod 0666 "$T/driver/dev/nvidia-uvm"

# --- jit-cdi: what NVIDIA's auto is ---

# Each of these is refused, or less, in mode native.
for asked in NVIDIA_DRIVER_CAPABILITIES=utility NVIDIA_DRIVER_CAPABILITIES=nonsense \
		'NVIDIA_REQUIRE_CUDA=cuda>=99' CUDA_VERSION=latest \
		NVIDIA_MIG_CONFIG_DEVICES=all NVIDIA_MIG_MONITOR_DEVICES=all; do
	name="jit-cdi: $asked does not count"
	settings 'nvidia-container-runtime.mode = "jit-cdi"'
	bundle NVIDIA_VISIBLE_DEVICES=1 "$asked"
	exits 0 create
	for part in /dev/nvidia1 /dev/nvidia-modeset /dev/dri/card1 libcuda.so.1 libnvidia-encode; do
		says bundle/config.json "$part"
	done
	name="auto: names of $asked in a kind without documents, likewise"
	settings
	bundle NVIDIA_VISIBLE_DEVICES=runtime.nvidia.com/gpu=1 "$asked"
	exits 0 create
	says bundle/config.json libnvidia-encode
done
name="jit-cdi: a name of a document takes that"
mkdir "$T/cdi"
cat >"$T/cdi/x.json" <<-'END'
	{"cdiVersion": "0.5.0", "kind": "nvidia.com/gpu", "devices": [{"name": "0",
	"containerEdits": {"env": ["FROM=document"]}}]}
END
settings 'nvidia-container-runtime.mode = "jit-cdi"' \
	"nvidia-container-runtime.modes.cdi.spec-dirs = [\"$T/cdi\"]"
bundle NVIDIA_VISIBLE_DEVICES=nvidia.com/gpu=0
exits 0 create
says bundle/config.json FROM=document
says_not bundle/config.json /dev/nvidia0

# --- MIG ---

name="native: who configures MIG devices has nodes of those that are made later"
"$here/fake-root" "$T/mig" --mig 1
settings
sed -i "s,$T/driver,$T/mig," "$T/config.toml"
bundle NVIDIA_VISIBLE_DEVICES=all NVIDIA_MIG_CONFIG_DEVICES=all
sed -i 's|"cwd"|"capabilities":{"bounding":["CAP_SYS_ADMIN"]},&|' "$T/bundle/config.json"
exits 0 create
without_spaces
says out "\"destination\":\"/dev/nvidia-caps\",\"type\":\"bind\",\"source\":\"$T/mig/dev/nvidia-caps\""
name="native: a MIG device has no node of graphics"
bundle NVIDIA_VISIBLE_DEVICES=0:0 NVIDIA_DRIVER_CAPABILITIES=all
exits 0 create
says_not bundle/config.json '/dev/dri|"/dev/nvidia-caps"'

# --- WSL ---

name="WSL: it is said that its GPUs are not given"
settings
mv "$T/driver/proc/driver/nvidia/version" "$T/version"
: >"$T/driver/dev/dxg"
bundle NVIDIA_VISIBLE_DEVICES=all
exits 1 create
says err "config.json: GPUs of WSL are not given to containers: .*: use NVIDIA's container toolkit there"
says_not err modprobe
exits 1 "$T/nvidia-container-cli" --root="$T/driver" info
says err '^nvidia-container-cli: initialization error: GPUs of WSL'
rm "$T/driver/dev/dxg"
exits 1 create
says err 'driver not loaded: .*modprobe nvidia'
mv "$T/version" "$T/driver/proc/driver/nvidia/version"

# --- memory of GPUs ---

# limited COMMAND...: on a machine whose kernel limits it, if $T/capacity is there
limited()
{
	# shellcheck disable=SC2016 # expanded there
	unshare -m sh -c 'mount -t tmpfs tmpfs /sys/fs/cgroup
		cp "$0" /sys/fs/cgroup/dmem.capacity 2>/dev/null; exec "$@"' \
		"$T/capacity" "$@"
}

create_limited()
{
	limited "$T/nvidia-container-runtime" --log "$T/log" create -b "$T/bundle" x
}

prestart()
{
	echo '{"pid":1,"bundle":"'"$T/bundle"'"}' |
		"$T/nvidia-container-runtime-hook" prestart
}

cat >"$T/cli" <<-'END'
	#!/bin/sh
	echo "$@"
END
chmod +x "$T/cli"
for mode in native legacy; do
	settings "nvidia-container-runtime.mode = \"$mode\""
	name="$mode: a limit of GPU memory, on a machine that has none"
	bundle NVIDIA_VISIBLE_DEVICES=1 NVIDIA_GPU_MEMORY_LIMIT=100
	exits 1 create_limited
	says err 'dmem.capacity: No such file or directory: .*CONFIG_CGROUP_DMEM'
	name="$mode: a limit of GPU memory that is none"
	bundle NVIDIA_VISIBLE_DEVICES=1 NVIDIA_GPU_MEMORY_LIMIT=
	exits 1 create_limited
	says err "NVIDIA_GPU_MEMORY_LIMIT: '' is not a number of MiB"
done
name="legacy: a limit of GPU memory is handed on"
settings "nvidia-container-cli.path = \"$T/cli\""
bundle NVIDIA_VISIBLE_DEVICES=1 NVIDIA_GPU_MEMORY_LIMIT=100
exits 0 prestart
says out ' --gpu-memory-request=100 --gpu-memory-limit=100 --pid=1 '
echo 'nvidia/0000:02:00.0/vidmem 9' >"$T/capacity"
settings
sed -i "s|$B/accept|/bin/true|" "$T/config.toml"	# its machine has other control groups
name="native: a limit of GPU memory, by a driver that does not name that of this GPU"
bundle NVIDIA_VISIBLE_DEVICES=0 NVIDIA_GPU_MEMORY_LIMIT=100
exits 1 create_limited
says err 'has no nvidia/0000:01:00.0/vidmem'
name="native: a limit of GPU memory"
bundle NVIDIA_VISIBLE_DEVICES=1 NVIDIA_GPU_MEMORY_LIMIT=100
exits 0 create_limited
without_spaces
says out '"createRuntime":\[{"path":"'"$mpu"'","args":\["nvidia-cdi-hook","apply-cuda-memory-limits","--gpu-id","GPU-00000002-0000-4000-8000-000000000002","--driver-root","'"$T/driver"'"\]'
name="cdi: a limit of GPU memory, without a hook that carries it out"
mkdir "$T/limits"
cat >"$T/limits/a.json" <<-'END'
	{"cdiVersion":"0.5.0","kind":"nvidia.com/gpu","devices":[{"name":"1",
	"containerEdits":{"env":["A=1"]}}]}
END
settings 'nvidia-container-runtime.mode = "cdi"' \
	"nvidia-container-runtime.modes.cdi.spec-dirs = [\"$T/limits\"]"
sed -i "s|$B/accept|/bin/true|" "$T/config.toml"
bundle NVIDIA_VISIBLE_DEVICES=1 NVIDIA_GPU_MEMORY_LIMIT=100
exits 1 create_limited
says err 'in mode "cdi" nothing carries it out: .*nvidia-ctk cdi generate'
name="cdi: a limit of GPU memory, with the hook"
sed -i 's|"env"|"hooks":[{"hookName":"createRuntime","path":"/x","args":["x","apply-cuda-memory-limits"]}],&|' \
	"$T/limits/a.json"
exits 0 create_limited
without_spaces
says out '"createRuntime":\[{"path":"/x"'
name="cdi: no limit, no hook"
bundle NVIDIA_VISIBLE_DEVICES=1
exits 0 create_limited
says bundle/config.json '"A=1"'
says_not bundle/config.json createRuntime

# --- parts of the driver that have a variable each ---

name="native: a part of the driver whose nodes are not there"
settings
bundle NVIDIA_VISIBLE_DEVICES=0 NVIDIA_GDS=enabled
exits 0 create
says log "NVIDIA_GDS=enabled: there is no $T/driver/dev/nvidia-fs\*: load the module that makes it"
mknod "$T/driver/dev/nvidia-fs0" c 1 3
for mode in native legacy jit-cdi; do
	name="$mode: a part of the driver whose nodes are there"
	settings "nvidia-container-runtime.mode = \"$mode\""
	bundle NVIDIA_VISIBLE_DEVICES=0 NVIDIA_GDS=enabled
	exits 0 create
	without_spaces
	says out '{"path":"/dev/nvidia-fs0","type":"c","major":1,"minor":3'
	says out '{"allow":true,"type":"c","major":1,"minor":3,"access":"rw"}'
	# In mode legacy the hook reads the variable.
	is "$name: NVIDIA_VISIBLE_DEVICES" "$(test $mode = legacy && echo 0 || echo void)" \
		"$(sed -n 's/.*"NVIDIA_VISIBLE_DEVICES=\([a-z0-9]*\)".*/\1/p' "$T/out")"
done
name="native: the same, in a container whose variables do not count"
settings 'accept-nvidia-visible-devices-envvar-when-unprivileged = false' \
	'accept-nvidia-visible-devices-as-volume-mounts = true'
bundle NVIDIA_GDS=enabled
sed -i 's|"linux"|"mounts":[{"source":"/dev/null","destination":"/var/run/nvidia-container-devices/0","type":"bind","options":["bind"]}],&|' \
	"$T/bundle/config.json"
exits 0 create
says bundle/config.json '"/dev/nvidia0"'
says_not bundle/config.json '"/dev/nvidia-fs0"'
says log 'Ignoring request by .*: .NVIDIA_GDS.'
name="native: a mount that names no GPU gives the driver"
bundle A=b
sed -i 's|"linux"|"mounts":[{"source":"/dev/null","destination":"/var/run/nvidia-container-devices/none","type":"bind","options":["bind"]}],&|' \
	"$T/bundle/config.json"
exits 0 create
says bundle/config.json '"/dev/nvidiactl"'
says_not bundle/config.json '"/dev/nvidia0"'
rm "$T/driver/dev/nvidia-fs0"
name="auto: GPUs by an annotation that takes no document, likewise"
bundle X=1
sed -i 's|"linux"|"annotations":{"cdi.k8s.io/x":"runtime.nvidia.com/gpu=all"},&|' \
	"$T/bundle/config.json"
exits 0 create
says_not bundle/config.json '"/dev/nvidia0"'
settings

for text in null '[]' '"x"' '{"process":1e400}'; do
	name="a config.json that is no object: $text"
	echo "$text" >"$T/bundle/config.json"
	exits 1 create
	says err 'is not an object$'
done

# --- mode cdi ---

name="cdi: a hook that others can write"
rm "$T/cdi/x.json"
cp "$mpu" "$T/hook"
exits 0 "$mpu" cdi generate --driver-root "$T/driver" --output "$T/cdi/nvidia.json" \
	--nvidia-cdi-hook-path "$T/hook"
settings 'nvidia-container-runtime.mode = "cdi"' \
	"nvidia-container-runtime.modes.cdi.spec-dirs = [\"$T/cdi\"]"
bundle NVIDIA_VISIBLE_DEVICES=nvidia.com/gpu=0
chmod 0775 "$T/hook"
exits 1 create
says err "$T/cdi/nvidia.json: the hook that it names is not run as root: $T/hook can be written"
chmod 0755 "$T/hook"
exits 0 create

# --- mode csv ---

name="csv is refused, and NVIDIA's toolkit is named"
bundle NVIDIA_VISIBLE_DEVICES=all
settings 'nvidia-container-runtime.mode = "csv"'
exits 1 create
says err 'mode "csv" in .* of config.toml is for .* a Tegra.*: install NVIDIA.s toolkit'
exits 1 explain
says err 'mode "csv" in .* of config.toml is for .* a Tegra'

done_testing
