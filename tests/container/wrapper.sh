#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# nvidia-container-runtime on a faked driver root, in front of a runtime that asks the
# real ones whether they take what it has edited: what that is, and what `mpu container
# explain` says of it. As root.
#
#	tests/container/wrapper.sh FOLDER	FOLDER/../../mpu is tested
set -eu

# shellcheck source=tests/container/lib.sh
. "$(dirname "$0")/lib.sh"
runtime=nvidia-container-runtime
named $runtime $runtime.legacy $runtime.cdi $runtime-hook nvidia-container-cli mpu-runtime
export PATH="$T:$PATH" NVIDIA_CTK_CONFIG_FILE_PATH="$T/config.toml"
unset MPU_AGENT MPU_RUNTIME
tests/container/fake-root "$T/driver"
mkdir -p "$T/rootfs/etc" "$T/bundle"
echo 12 >"$T/rootfs/etc/debian_version"
printf '#!/bin/sh\n' >"$T/nothing"
chmod +x "$T/nothing"
wrapper=$runtime through='' real=$B/accept root=$T/driver

# settings [LINE...]: config.toml, with these lines, whose keys have their tables' names
settings()
{
	{
		printf 'nvidia-container-cli.%s\n' "root = \"$root\"" 'load-kmods = false'
		echo "$runtime.runtimes = [\"$real\"]"
		test $# -eq 0 || printf '%s\n' "$@"
	} >"$T/config.toml"
}

# mode NAME [LINE...]: settings, with this mode
mode()
{
	line="$runtime.mode = \"$1\""
	shift
	settings "$line" "$@"
}

# bundle NAME=VALUE...: a container that has these variables, and the other $members
members='' place="$T/rootfs" readonly=false linux='{}'
bundle()
{
	env=$(printf ',"%s"' "$@")
	cat >"$T/bundle/config.json" <<-END
	{"ociVersion":"1.0.2","process":{"args":["/bin/true"],"env":["PATH=/bin"$env],"cwd":"/",
	"user":{"uid":0,"gid":0}},"root":{"path":"$place","readonly":$readonly},$members"linux":$linux}
	END
	cp "$T/bundle/config.json" "$T/first"
}

create()
{
	rm -f "$T/log"
	# shellcheck disable=SC2086 # a command, or none
	$through "$T/$wrapper" --log "$T/log" create -b "$T/bundle" x
}

# created: the bundle's container is; $T/config is its config.json without white space
created()
{
	exits 0 create
	{ tr -d "[:space:]" <"$T/bundle/config.json"; echo; } >"$T/config"
}

# made NAME=VALUE...: likewise of one that has these variables
made()
{
	bundle "$@"
	created
}

# refused REGEX NAME=VALUE...: it is not made, and that is said; its bundle is left alone
refused()
{
	why=$1
	shift
	bundle "$@"
	exits 1 create
	says err "$why"
	pass_or "it was edited" cmp -s "$T/first" "$T/bundle/config.json"
}

explain()
{
	"$mpu" container explain "$@" "$T/bundle"
}

# logged MODE: how many edits the wrapper has logged
logged()
{
	sed -n "s/.*: $1, \\([0-9]*\\) edits*\".*/\\1/p" "$T/log" | tail -n 1
}

# document FILE EDITS: a CDI document of nvidia.com/gpu=0 and 1
document()
{
	mkdir -p "${1%/*}"
	cat >"$1" <<-END
	{"cdiVersion":"0.5.0","kind":"nvidia.com/gpu","devices":[
	{"name":"0","containerEdits":{$2}},{"name":"1","containerEdits":{$2}}]}
	END
}

# --- what explain says is what is edited ---

settings
bundle NVIDIA_VISIBLE_DEVICES=1 NVIDIA_DRIVER_CAPABILITIES=all
name="native: what no runtime can do is not explained"
exits 0 explain
says out '^mask  /proc/driver/nvidia/registry$'
lacks out '^proc ' '^link  [^ ]* -> '	# from nothing that could be mounted there
exits 0 explain --dry-run
explained=$(wc -l <"$T/out")
exits 0 explain --json
is "native: edits in JSON" "$explained" "$(grep -o '"kind"' "$T/out" | wc -l)"
exits 0 create
is "native: edits in the log" "$explained" "$(logged native)"
# Each in a list of config.json: a node has a rule in the cgroup besides.
is "native: edits in config.json" "$explained" "$(grep -Ec \
	'"destination"|"path": "/dev/|"/proc/driver|"NVIDIA_VIS|"NVIDIA_CTK|^ *44,?$' "$T/bundle/config.json")"

name="native: it is said where each edit comes from"
bundle NVIDIA_VISIBLE_DEVICES=0 NVIDIA_DRIVER_CAPABILITIES=utility
exits 0 explain
says out '^mode  native$' '^node  /dev/nvidia0 c 195:0 rw from ' \
	'^      node of a chosen GPU; by NVIDIA_VISIBLE_DEVICES=0; device 0$' \
	'^      library of utility; by NVIDIA_DRIVER_CAPABILITIES=utility$'
exits 0 "$mpu" container explain --dry-run "$T/bundle/config.json"
lacks out ' by '
exits 0 explain -j
says out '"mode": *"native"'
exits 1 "$mpu" container explain "$T/none"
says err 'is neither a bundle'
exits 1 "$mpu" container --root="$T/none" explain "$T/bundle"
says err "$T/none"
exits 0 cmp "$T/first" "$T/bundle/config.json"
bundle A=b
exits 0 explain
says out '^no GPU is asked for'

name="legacy: what the hook has nvidia-container-cli do is explained, too"
mode legacy
bundle NVIDIA_VISIBLE_DEVICES=1 NVIDIA_DRIVER_CAPABILITIES=utility
exits 0 explain
says out '^hook  prestart /.*/nvidia-container-runtime-hook nvidia-container-runtime-hook,prestart$' \
	'^      the hook of mode legacy; by NVIDIA_VISIBLE_DEVICES=1$' \
	'^the hook has nvidia-container-cli make:$' '^node  /dev/nvidia1 c 195:1 rw from ' \
	'^      library of utility; by NVIDIA_DRIVER_CAPABILITIES=utility$' \
	'^proc  /proc/driver/nvidia from '
lacks out '/dev/nvidia0' '^(env|group|mask) '
exits 0 explain --json
says out '"by_hook": *\{'
exits 0 create
is "legacy: edits in the log" 1 "$(logged legacy)"
name="legacy: what the hook would refuse is said"
bundle NVIDIA_VISIBLE_DEVICES=7
exits 1 explain
says err 'device error: 7: unknown device'
exits 0 create

# --- whoever asks for none, or for what is not there ---

settings
for env in A=b NVIDIA_VISIBLE_DEVICES=void NVIDIA_VISIBLE_DEVICES=; do
	name="no GPU: $env"
	bundle "$env"
	inode=$(stat -c %i "$T/bundle/config.json")
	exits 0 create
	exits 0 cmp "$T/first" "$T/bundle/config.json"
	is "$name: the same file" "$inode" "$(stat -c %i "$T/bundle/config.json")"
done
name="a GPU that there is not"
refused '^nvidia-container-runtime: .*device error: 7: unknown device' NVIDIA_VISIBLE_DEVICES=7
is "$name: lines" 1 "$(wc -l <"$T/err")"
says log 'level=error msg="nvidia-container-runtime: .*7: unknown device'
name="a condition that does not hold"
refused 'requirement error: unsatisfied condition: cuda>=99.0' \
	NVIDIA_VISIBLE_DEVICES=0 'NVIDIA_REQUIRE_CUDA=cuda>=99.0'
name="a mode that there is not"
mode none
refused 'invalid mode "none"' NVIDIA_VISIBLE_DEVICES=0
name="csv is refused, and NVIDIA's toolkit is named"
mode csv
refused 'mode "csv" in .* of config.toml is for .* a Tegra.*: install NVIDIA.s toolkit' \
	NVIDIA_VISIBLE_DEVICES=all
exits 1 explain
says err 'mode "csv" in .* of config.toml is for .* a Tegra'
name="settings that cannot be read"
echo 'x = ' >"$T/config.toml"
refused '^nvidia-container-runtime: .*config.toml' NVIDIA_VISIBLE_DEVICES=0
exits 0 env MPU_RUNTIME="$T/nothing" "$T/$runtime" --root "$T/state" delete x
settings
for text in null '[]' '"x"' '{"process":1e400}'; do
	name="a config.json that is no object: $text"
	echo "$text" >"$T/bundle/config.json"
	exits 1 create
	says err 'is not an object$'
done
name="its version"
exits 0 env MPU_RUNTIME="$T/nothing" "$T/$runtime" --version
says out '^NVIDIA Container Runtime version '
exits 0 env MPU_RUNTIME="$T/nothing" "$T/mpu-runtime" --version
silent out
name="the log of its own"
settings "$runtime.debug = \"$T/logs/runtime.log\""
made NVIDIA_VISIBLE_DEVICES=0
says logs/runtime.log \
	'level=info msg="nvidia-container-runtime: NVIDIA_VISIBLE_DEVICES=0: native, [0-9]* edits"'
says logs/runtime.log 'level=info msg="nvidia-container-runtime: node  /dev/nvidia0 c 195:0 rw .*'
says logs/runtime.log 'level=warning msg="nvidia-container-runtime: missing library .*: not in '
lacks log 'node  /dev/nvidia0'

# --- legacy by name, and what older engines have put into config.json ---

settings
members='"hooks":{"prestart":[{"path":"/usr/bin/nvidia-container-runtime-hook","args":["nvidia-container-runtime-hook","prestart"]},{"path":"/bin/other"}]},'
name="the hook of an engine goes"
made NVIDIA_VISIBLE_DEVICES=0
says config /bin/other
lacks config runtime-hook
members=''
name="legacy, by name"
wrapper=$runtime.legacy
made NVIDIA_VISIBLE_DEVICES=0
says config '"path":".*/nvidia-container-runtime-hook"' '"PATH=/usr/sbin:/usr/bin:/sbin:/bin"' \
	"\"NVIDIA_CTK_CONFIG_FILE_PATH=$T/config.toml\""
lacks config nvidiactl
cp "$T/bundle/config.json" "$T/once"
exits 0 create
exits 0 cmp "$T/once" "$T/bundle/config.json"
says log ': legacy, 0 edits: the hook is there'
name="legacy, a hook that is nowhere"
settings "$runtime-hook.path = \"/nowhere/$runtime-hook\""
refused '/nowhere/.*-hook, the hook of mode legacy: No such file or directory: install' \
	NVIDIA_VISIBLE_DEVICES=0
settings
wrapper=$runtime
name="legacy, by setting"
mode legacy
made NVIDIA_VISIBLE_DEVICES=0
says config nvidia-container-runtime-hook

# --- links of the image, and folders ---

settings
for made in "mkdir -p" "ln -s ."; do
	name="native: a folder where a file goes, by $made"
	eval "$made '$T/rootfs/usr/bin/nvidia-smi'"
	refused ': /usr/bin/nvidia-smi: the image has a folder there' \
		NVIDIA_VISIBLE_DEVICES=0 NVIDIA_DRIVER_CAPABILITIES=utility
	rm -r "$T/rootfs/usr/bin/nvidia-smi"
done
while read -r path target; do
	name="native: $path, a link to $target"
	ln -s "$target" "$T/rootfs$path"
	refused ": $path.*: the image has a link there that leads to files of the kernel" \
		NVIDIA_VISIBLE_DEVICES=0 NVIDIA_DRIVER_CAPABILITIES=utility
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
refused "the container's /usr/bin/nvidia-smi: No such file" \
	NVIDIA_VISIBLE_DEVICES=0 NVIDIA_DRIVER_CAPABILITIES=utility
name="native: a link to what is not there"
ln -sf /none/smi "$T/rootfs/usr/bin/nvidia-smi"
exits 0 create
rm -r "$T/rootfs/usr"

# --- a folder of sockets that others can put something in the place of ---

mps=/tmp/nvidia-mps
name="native: $mps"
made NVIDIA_VISIBLE_DEVICES=0 NVIDIA_DRIVER_CAPABILITIES=compute
says config "\"$mps\""
chmod 1777 "$T/driver/tmp"
name="native: $mps in a folder that everybody may write"
made NVIDIA_VISIBLE_DEVICES=0 NVIDIA_DRIVER_CAPABILITIES=compute
lacks config "\"$mps\""
says log "level=warning .* $mps is left out: .* CUDA_MPS_PIPE_DIRECTORY"
exits 0 "$mpu" cdi generate --driver-root "$T/driver"
lacks out "$mps"
says err "$mps is left out"
name="legacy: $mps is opened at once"
exits 0 "$T/nvidia-container-cli" --root="$T/driver" list --ipcs
says out "^$mps$"
name="native: $mps, that the operator has named"
export CUDA_MPS_PIPE_DIRECTORY=$mps
made NVIDIA_VISIBLE_DEVICES=0 NVIDIA_DRIVER_CAPABILITIES=compute
unset CUDA_MPS_PIPE_DIRECTORY
says config "\"$mps\""
chmod 0755 "$T/driver/tmp"

# --- nodes of graphics ---

chgrp 44 "$T"/driver/dev/dri/card*	# video, as of Debian's udev
name="native: nodes of graphics, of the chosen GPU alone"
bundle NVIDIA_VISIBLE_DEVICES=1 NVIDIA_DRIVER_CAPABILITIES=graphics
exits 0 explain
says out '^node  /dev/dri/card1 c 226:1 rw from ' '^node  /dev/dri/renderD129 c 226:129 rw from ' \
	'^group 44 \(optional\)$'
lacks out 'by-path'
created
says config '\{"path":"/dev/dri/card1","type":"c","major":226,"minor":1,"fileMode":432,"gid":44\}' \
	'\{"path":"/dev/dri/renderD129","type":"c","major":226,"minor":129\}' \
	'\{"allow":true,"type":"c","major":226,"minor":129,"access":"rw"\}' \
	'"additionalGids":\[44\]'
lacks config '/dev/dri/(card0|renderD128|by-path)'
name="native: no-additional-gids-for-device-nodes"
settings 'features.no-additional-gids-for-device-nodes = true'
made NVIDIA_VISIBLE_DEVICES=1 NVIDIA_DRIVER_CAPABILITIES=display
says config '/dev/dri/card1'
lacks config additionalGids
name="native: no node of graphics without graphics or display"
settings
made NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility,video
lacks config '/dev/dri'
name="legacy: nodes of graphics, and links to them"
mode legacy
bundle NVIDIA_VISIBLE_DEVICES=1 NVIDIA_DRIVER_CAPABILITIES=graphics
exits 0 explain
says out '^node  /dev/dri/card1 c 226:1 ' \
	'^link  /dev/dri/by-path/pci-0000:02:00.0-card -> ../card1$' \
	'^link  /dev/dri/by-path/pci-0000:02:00.0-render -> ../renderD129$'

# --- the version of CUDA of a driver that no table has ---

newer=999.10
tests/container/fake-root "$T/newer" --version $newer
root=$T/newer
mode native
new="NVIDIA_VISIBLE_DEVICES=0 NVIDIA_DRIVER_CAPABILITIES=utility NVIDIA_REQUIRE_CUDA=cuda"
name="a driver that no table has, and whose libcuda does not say"
# shellcheck disable=SC2086 # variables
made $new'>=99.0'
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
# shellcheck disable=SC2086 # variables
made $new'>=19.2'
# shellcheck disable=SC2086 # likewise
refused 'unsatisfied condition: cuda>=19.3, .*\(this machine: driver 999.10, cuda 19.2, ' $new'>=19.3'
exits 0 "$T/nvidia-container-cli" --root="$T/newer" info
says out '^CUDA version: *19.2$'
root=$T/driver

# --- mode legacy, newer CUDA libraries of an image by hooks ---

compat="$runtime.modes.legacy.cuda-compat-mode"
named nvidia-cdi-hook

name="legacy, cuda-compat-mode = hook"
mode legacy "$compat = \"hook\""
through="env PATH=$T:$PATH"
made NVIDIA_VISIBLE_DEVICES=0
says config '"prestart":\[\{[^]]*"nvidia-container-runtime-hook","prestart"\]' \
	'"createContainer":\[\{"path":"/[^"]*/nvidia-cdi-hook","args":\["nvidia-cdi-hook","enable-cuda-compat","--host-driver-version=580.159.04","--host-cuda-version=13.0"\],"env":\["NVIDIA_CTK_DEBUG=false"\]\},\{"path":"/[^"]*/nvidia-cdi-hook","args":\["nvidia-cdi-hook","update-ldcache"\],"env":\["NVIDIA_CTK_DEBUG=false"\]\}\]'
is "$name: edits in the log" 3 "$(logged legacy)"
cp "$T/bundle/config.json" "$T/once"
exits 0 create
through=''
exits 0 cmp "$T/once" "$T/bundle/config.json"
exits 0 explain
says out '^hook  createContainer /.*/nvidia-cdi-hook nvidia-cdi-hook,enable-cuda-compat,' \
	'^      modes.legacy.cuda-compat-mode = "hook"; by NVIDIA_VISIBLE_DEVICES=0$'

name="legacy, cuda-compat-mode = hook: the program that config.toml names"
mode legacy "$compat = \"hook\"" 'nvidia-ctk.path = "/opt/nvidia-ctk"'
made NVIDIA_VISIBLE_DEVICES=0
says config '"createContainer":\[\{"path":"/opt/nvidia-ctk","args":\["nvidia-ctk","hook","enable-cuda-compat",'
name="legacy, cuda-compat-mode = hook, without a driver"
mv "$T/driver/proc/driver/nvidia/version" "$T/version"
made NVIDIA_VISIBLE_DEVICES=0
says config '"enable-cuda-compat"\]'
mv "$T/version" "$T/driver/proc/driver/nvidia/version"
name="legacy, cuda-compat-mode = ldconfig: one hook"
mode legacy
made NVIDIA_VISIBLE_DEVICES=0
lacks config createContainer
name="legacy, cuda-compat-mode = hook, which is switched off"
mode legacy "$compat = \"hook\"" 'features.disable-cuda-compat-lib-hook = true'
made NVIDIA_VISIBLE_DEVICES=0
lacks config createContainer

# --- settings that the toolkit has for its hooks and its generator ---

mkdir -p "$T/rootfs/usr/local/cuda/compat"
cp "$T/driver/usr/lib/$triplet/libcuda.so.580.159.04" \
	"$T/rootfs/usr/local/cuda/compat/libcuda.so.595.45.04"
chgrp 44 "$T/driver/dev/nvidia-uvm"
chmod 0660 "$T/driver/dev/nvidia-uvm"
jit=$runtime.modes.jit-cdi

# with [LINE...]: a container of one GPU is made with these settings
with()
{
	settings "$@"
	made NVIDIA_VISIBLE_DEVICES=0
}

name="native: newer CUDA libraries, groups of nodes"
with
says config '"LD_LIBRARY_PATH=/usr/local/cuda/compat"' '"additionalGids":\[44\]'
lacks log level=warning
name="native: disable-cuda-compat-lib-hook"
with 'features.disable-cuda-compat-lib-hook = true'
lacks config LD_LIBRARY_PATH
says config additionalGids
name="native: nvcdi-disable-hooks"
with "$jit.nvcdi-disable-hooks = [\"enable-cuda-compat\"]"
lacks config LD_LIBRARY_PATH
lacks log level=warning
name="native: nvcdi-feature-flags"
with "$jit.nvcdi-feature-flags = [\"no-additional-gids-for-device-nodes\"]"
says config LD_LIBRARY_PATH
lacks config additionalGids
lacks log level=warning
name="native: what changes nothing is said"
with "$jit.nvcdi-disable-hooks = [\"chmod\"]" 'colour = "red"'
says log 'level=warning msg=".*config.toml sets what changes nothing here: colour \(there is no such key\), .*nvcdi-disable-hooks: chmod \(none is written\)'
name="a level of the log that there is not: info, and a warning"
with "$runtime.log-level = \"loud\""
says log 'level=warning msg=".*log-level: loud \(there is no such level: info\)' \
	'level=info msg=".* edits"'
with "$runtime.log-level = \"error\""
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
	mode jit-cdi
	made NVIDIA_VISIBLE_DEVICES=1 "$asked"
	says config /dev/nvidia1 /dev/nvidia-modeset /dev/dri/card1 libcuda.so.1 libnvidia-encode
	name="auto: names of $asked in a kind without documents, likewise"
	settings
	made NVIDIA_VISIBLE_DEVICES=runtime.nvidia.com/gpu=1 "$asked"
	says config libnvidia-encode
done
# Each folder of the driver and of the image is looked up once.
if command -v strace >/dev/null; then
	mode jit-cdi
	bundle NVIDIA_VISIBLE_DEVICES=0,1
	through="strace -f -o $T/calls"
	created
	through=''
	calls=$(sed "\\|execve(\"$real|,\$d" "$T/calls" | wc -l)
	ok "jit-cdi: $calls system calls for two GPUs: 700 at most" test "$calls" -le 700
fi
name="jit-cdi: a name of a document takes that"
document "$T/cdi/x.json" '"env":["FROM=document"],"deviceNodes":[{"path":"/dev/null"}]'
cdi="$runtime.modes.cdi.spec-dirs = [\"$T/cdi\"]"
mode jit-cdi "$cdi"
made NVIDIA_VISIBLE_DEVICES=nvidia.com/gpu=0
says config FROM=document
lacks config /dev/nvidia0
name="jit-cdi: a name of no document"
made NVIDIA_VISIBLE_DEVICES=runtime.nvidia.com/gpu=1
says config '/dev/nvidia1"'
lacks config '/dev/nvidia0"'
name="jit-cdi: names of both"
refused 'is not supported when requesting other CDI devices' \
	NVIDIA_VISIBLE_DEVICES=0,runtime.nvidia.com/gpu=1,nvidia.com/gpu=0
name="auto: a name of a document takes that"
settings "$cdi"
made NVIDIA_VISIBLE_DEVICES=nvidia.com/gpu=0
says config FROM=document
name="cdi, by the wrapper's name"
wrapper=$runtime.cdi
made NVIDIA_VISIBLE_DEVICES=0
says config FROM=document
refused 'nvidia.com/gpu=3' NVIDIA_VISIBLE_DEVICES=3
wrapper=$runtime

# --- files that a program can do without, and folders that are read-only ---

profile=/etc/nvidia/nvidia-application-profiles-rc.d/10-container.conf
icd=/usr/share/vulkan/icd.d/nvidia_icd.json
socket=/run/nvidia-persistenced/socket
mkdir -p "$T/volume" "$T/full/icd.d" "$T/full/nvidia-persistenced"
touch "$T/full/icd.d/nvidia_icd.json" "$T/full/nvidia-persistenced/socket"
ln -s run "$T/rootfs/out"
bind='"options":["ro","rbind"]'
document "$T/cdi-files/x.json" "\"mounts\":[
	{\"hostPath\":\"$T/driver$icd\",\"containerPath\":\"$icd\",$bind},
	{\"hostPath\":\"$T/driver$socket\",\"containerPath\":\"$socket\",$bind}]"
cdi_files="$runtime.modes.cdi.spec-dirs = [\"$T/cdi-files\"]"
while IFS='|' read -r mode where type source options path given; do
	name="$mode: $where, $type $options: $path is $given"
	settings "$runtime.mode = \"$mode\"" "$cdi_files"
	members="\"mounts\":[{\"destination\":\"$where\",\"type\":\"$type\",\"source\":\"$source\",
		\"options\":[\"$options\"]}],"
	made NVIDIA_VISIBLE_DEVICES=0 NVIDIA_DRIVER_CAPABILITIES=all
	if [ "$given" = given ]; then
		says config "\"destination\":\"$path\""
		lacks log "left out.*$path"
	else
		lacks config "\"destination\":\"$path\""
		says log "level=warning .*left out, for nothing can be made in their folders, .*: .*$path"
		is "$name, once" 1 "$(grep -c 'left out' "$T/log")"
	fi
done <<END
native|/etc/nvidia|bind|$T/volume|rbind","ro|$profile|left out
jit-cdi|/etc/nvidia/|bind|$T/volume|rbind","rw","ro|$profile|left out
native|/etc/nvidia|bind|$T/volume|rbind","ro","rw|$profile|given
native|/etc/nvidia|tmpfs|tmpfs|ro|$profile|given
native|/usr/share/vulkan|none|$T/volume|bind","ro|$icd|left out
native|/usr/share/vulkan|bind|$T/full|rbind","ro|$icd|given
native|/run|bind|$T/volume|rbind","ro|$socket|left out
native|/out|bind|$T/volume|rbind","ro|$socket|left out
native|/run|bind|$T/full|rbind","ro|$socket|given
cdi|/usr/share|bind|$T/volume|rbind","ro|$icd|left out
cdi|/usr/share/vulkan|bind|$T/full|rbind","ro|$icd|given
cdi|/run|bind|$T/volume|rbind","ro|$socket|left out
native|/usr/share/vulkan|bind|$T/full/icd.d/nvidia_icd.json|rbind|$icd|left out
cdi|/usr/share|bind|$T/full/icd.d/nvidia_icd.json|bind|$icd|left out
END
linux='{"uidMappings":[{"containerID":0,"hostID":100000,"size":65536}]}'
settings
mkdir "$T/users"
members='"mounts":[{"destination":"/etc/nvidia","type":"bind","source":"'$T/users'","options":["rbind"]}],'
for owner in 0 100000; do
	name="native: a volume of $owner in a user namespace of 100000"
	chown $owner "$T/users"
	made NVIDIA_VISIBLE_DEVICES=0 NVIDIA_DRIVER_CAPABILITIES=graphics
	is "$name" $owner "$(grep -q "$profile" "$T/config" && echo 100000 || echo 0)"
done
members='' linux='{}'
cat >"$T/read-only" <<-END
	#!/bin/sh
	mount --bind "$T/rootfs" "$T/rootfs" && mount -o remount,bind,ro "$T/rootfs" && exec "\$@"
END
chmod +x "$T/read-only"
through="unshare -m $T/read-only"
name="native: a root on a read-only mount"
settings
made NVIDIA_VISIBLE_DEVICES=0 NVIDIA_DRIVER_CAPABILITIES=graphics
says log "left out, .*: $profile, .*$icd"
lacks config "$icd"
says config libGLX_nvidia
through=''
for what in touch 'ln -s nvidia'; do
	name="native: an image where a folder is to go has what this makes: $what"
	$what "$T/rootfs/etc/nvidia"
	made NVIDIA_VISIBLE_DEVICES=0 NVIDIA_DRIVER_CAPABILITIES=graphics
	says log "left out, .*: $profile: "
	says config "$icd"
	rm "$T/rootfs/etc/nvidia"
done
rm "$T/rootfs/out"

# --- the loader's cache: whose counts, and where it is not written ---

mkdir "$T/etc"
ldconfig -r "$T/rootfs"
gcc -shared -nostdlib -Wl,-soname,libmine.so.1 -o "$T/volume/libmine.so.1" -x c /dev/null
ldconfig -C "$T/etc/ld.so.cache" -f /dev/null -n "$T/volume"
ldconfig -C "$T/etc/ld.so.cache" -f /dev/null "$T/volume" 2>/dev/null
cp "$T/rootfs/etc/ld.so.cache" "$T/cache"
asks='NVIDIA_VISIBLE_DEVICES=0 NVIDIA_DRIVER_CAPABILITIES=utility'
settings

# remade: the cache is mounted, with libnvidia-ml in it; the image's own is left alone
remade()
{
	# shellcheck disable=SC2086 # words
	made $asks
	says config '"destination":"/etc/ld.so.cache"'
	exits 0 ldconfig -p -C "$T/bundle/mpu-ld.so.cache"
	says out 'libnvidia-ml.so.1 '
	exits 0 cmp "$T/cache" "$T/rootfs/etc/ld.so.cache"
}

name="native: root.readonly"
readonly=true
remade
readonly=false
name="native: a volume over /etc"
members='"mounts":[{"destination":"/etc","type":"bind","source":"'$T/etc'","options":["rbind","rw"]}],'
remade
exits 0 ldconfig -p -C "$T/bundle/mpu-ld.so.cache"
says out 'libmine.so.1 '
name="native: a cache that is mounted"
members='"mounts":[{"destination":"/etc/ld.so.cache","type":"bind","source":"'$T/etc/ld.so.cache'",
	"options":["bind"]}],'
# shellcheck disable=SC2086 # words
made $asks
lacks config mpu-ld.so.cache
says log "level=warning .*stays as it is \(it is a mount of the container.s own\)"
exits 0 cmp "$T/cache" "$T/rootfs/etc/ld.so.cache"
name="native: a cache of a glibc to come"
members=''
echo 'glibc-ld.so.cache2.0' >"$T/rootfs/etc/ld.so.cache"
cp "$T/rootfs/etc/ld.so.cache" "$T/cache"
# shellcheck disable=SC2086 # words
made $asks
lacks config ld.so.cache
says log "level=warning .*stays as it is \(it is broken, or of a newer or older format\)"
exits 0 cmp "$T/cache" "$T/rootfs/etc/ld.so.cache"
rm "$T/rootfs/etc/ld.so.cache"
ln -s / "$T/slash"
for place in / //. "$T/slash"; do
	name="native: the root $place"
	# shellcheck disable=SC2086 # words
	refused "config.json: $place is this machine's own root folder" $asks
done
place=$T/rootfs

# --- MIG ---

name="native: who configures MIG devices has nodes of those that are made later"
tests/container/fake-root "$T/mig" --mig 1
root=$T/mig
settings
bundle NVIDIA_VISIBLE_DEVICES=all NVIDIA_MIG_CONFIG_DEVICES=all
sed -i 's|"cwd"|"capabilities":{"bounding":["CAP_SYS_ADMIN"]},&|' "$T/bundle/config.json"
created
says config "\"destination\":\"/dev/nvidia-caps\",\"type\":\"bind\",\"source\":\"$T/mig/dev/nvidia-caps\""
name="native: a MIG device has no node of graphics"
made NVIDIA_VISIBLE_DEVICES=0:0 NVIDIA_DRIVER_CAPABILITIES=all
lacks config '/dev/dri|"/dev/nvidia-caps"'
root=$T/driver

# --- WSL ---

name="WSL: it is said that its GPUs are not given"
settings
mv "$T/driver/proc/driver/nvidia/version" "$T/version"
: >"$T/driver/dev/dxg"
refused "config.json: GPUs of WSL are not given to containers: .*: use NVIDIA's container toolkit there" \
	NVIDIA_VISIBLE_DEVICES=all
lacks err modprobe
exits 1 "$T/nvidia-container-cli" --root="$T/driver" info
says err '^nvidia-container-cli: initialization error: GPUs of WSL'
rm "$T/driver/dev/dxg"
refused 'driver not loaded: .*modprobe nvidia' NVIDIA_VISIBLE_DEVICES=all
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
through=limited
for mode in native legacy; do
	name="$mode: a limit of GPU memory, on a machine that has none"
	mode $mode
	refused 'dmem.capacity: No such file or directory: .*CONFIG_CGROUP_DMEM' \
		NVIDIA_VISIBLE_DEVICES=1 NVIDIA_GPU_MEMORY_LIMIT=100
	name="$name: one that is none"
	refused "NVIDIA_GPU_MEMORY_LIMIT: '' is not a number of MiB" \
		NVIDIA_VISIBLE_DEVICES=1 NVIDIA_GPU_MEMORY_LIMIT=
done
name="legacy: a limit of GPU memory is handed on"
settings "nvidia-container-cli.path = \"$T/cli\""
bundle NVIDIA_VISIBLE_DEVICES=1 NVIDIA_GPU_MEMORY_LIMIT=100
exits 0 prestart
says out ' --gpu-memory-request=100 --gpu-memory-limit=100 --pid=1 '
echo 'nvidia/0000:02:00.0/vidmem 9' >"$T/capacity"
real=/bin/true	# its machine has other control groups
settings
name="native: a limit of GPU memory, by a driver that does not name that of this GPU"
refused 'has no nvidia/0000:01:00.0/vidmem' NVIDIA_VISIBLE_DEVICES=0 NVIDIA_GPU_MEMORY_LIMIT=100
name="native: a limit of GPU memory"
made NVIDIA_VISIBLE_DEVICES=1 NVIDIA_GPU_MEMORY_LIMIT=100
says config '"createRuntime":\[{"path":"'"$mpu"'","args":\["nvidia-cdi-hook","apply-cuda-memory-limits","--gpu-id","GPU-00000002-0000-4000-8000-000000000002","--driver-root","'"$T/driver"'"\]'
name="cdi: a limit of GPU memory, without a hook that carries it out"
document "$T/limits/a.json" '"env":["A=1"]'
mode cdi "$runtime.modes.cdi.spec-dirs = [\"$T/limits\"]"
refused 'in mode "cdi" nothing carries it out: .*nvidia-ctk cdi generate' \
	NVIDIA_VISIBLE_DEVICES=1 NVIDIA_GPU_MEMORY_LIMIT=100
name="cdi: a limit of GPU memory, with the hook"
document "$T/limits/a.json" '"hooks":[{"hookName":"createRuntime","path":"/x","args":["x","apply-cuda-memory-limits"]}],"env":["A=1"]'
created
says config '"createRuntime":\[{"path":"/x"'
name="cdi: no limit, no hook"
made NVIDIA_VISIBLE_DEVICES=1
says config '"A=1"'
lacks config createRuntime
name="cdi: a limit of GPU memory, with a hook that does more"
document "$T/limits/a.json" '"hooks":[{"hookName":"createRuntime","path":"/x","args":["x","run-hooks","--hook=update-ldcache","--hook=apply-cuda-memory-limits"]}],"env":["A=1"]'
made NVIDIA_VISIBLE_DEVICES=1 NVIDIA_GPU_MEMORY_LIMIT=100
says config '"createRuntime":\[{"path":"/x"'
made NVIDIA_VISIBLE_DEVICES=1
says config '"createRuntime":\[{"path":"/x"'
# A hook that is this program is not run: what it would do is an edit.
: >"$T/rootfs/etc/ld.so.cache"
: >"$T/other.toml"
rm "$T/limits/a.json"
NVIDIA_CTK_CONFIG_FILE_PATH=$T/other.toml "$mpu" cdi generate --driver-root "$T/driver" \
	--output "$T/limits/a.json" --nvidia-cdi-hook-path "$T/nvidia-cdi-hook" 2>/dev/null
name="cdi: our own hook is not run"
made NVIDIA_VISIBLE_DEVICES=1
lacks config createRuntime
says config '"destination":"/etc/nvidia/nvidia-application-profiles-rc.d/10-container.conf"'
exits 0 /sbin/ldconfig -p -C "$T/rootfs/etc/ld.so.cache"
says out "libcuda.so.1 .* => .*/libcuda.so.1\$"
lacks out 'libcuda.so.580'
name="cdi: our own hook stays where it limits memory"
made NVIDIA_VISIBLE_DEVICES=1 NVIDIA_GPU_MEMORY_LIMIT=100
says config '"createRuntime":\[{"path":"'"$T/nvidia-cdi-hook"'","args":\["nvidia-cdi-hook","run-hooks",'
name="cdi: our own hook stays where it makes links"
NVIDIA_CTK_CONFIG_FILE_PATH=$T/other.toml "$mpu" cdi generate --driver-root "$T/driver" \
	--output "$T/limits/a.json" --nvidia-cdi-hook-path "$T/nvidia-cdi-hook" \
	--enable-hook create-symlinks 2>/dev/null
made NVIDIA_VISIBLE_DEVICES=1
says config '"run-hooks","--hook=create-symlinks"'
rm "$T/rootfs/etc/ld.so.cache"
through='' real=$B/accept

# --- parts of the driver that have a variable each ---

# by_mount NAME: the container also has such a mount of a device plugin
by_mount()
{
	members='"mounts":[{"source":"/dev/null","destination":"/var/run/nvidia-container-devices/'$1
	members=$members'","type":"bind","options":["bind"]}],'
}

name="native: a part of the driver whose nodes are not there"
settings
made NVIDIA_VISIBLE_DEVICES=0 NVIDIA_GDS=enabled
says log "NVIDIA_GDS=enabled: there is no $T/driver/dev/nvidia-fs\*: load the module that makes it"
mknod "$T/driver/dev/nvidia-fs0" c 1 3
for mode in native legacy jit-cdi; do
	name="$mode: a part of the driver whose nodes are there"
	mode $mode
	made NVIDIA_VISIBLE_DEVICES=0 NVIDIA_GDS=enabled
	says config '{"path":"/dev/nvidia-fs0","type":"c","major":1,"minor":3' \
		'{"allow":true,"type":"c","major":1,"minor":3,"access":"rw"}'
	# In mode legacy the hook reads the variable.
	is "$name: NVIDIA_VISIBLE_DEVICES" "$(test $mode = legacy && echo 0 || echo void)" \
		"$(sed -n 's/.*"NVIDIA_VISIBLE_DEVICES=\([a-z0-9]*\)".*/\1/p' "$T/config")"
done
name="native: the same, in a container whose variables do not count"
settings 'accept-nvidia-visible-devices-envvar-when-unprivileged = false' \
	'accept-nvidia-visible-devices-as-volume-mounts = true'
by_mount 0
made NVIDIA_GDS=enabled
says config '"/dev/nvidia0"'
lacks config '"/dev/nvidia-fs0"'
says log 'Ignoring request by .*: .NVIDIA_GDS.'
name="native: a mount that names no GPU gives the driver"
by_mount none
made A=b
says config '"/dev/nvidiactl"'
lacks config '"/dev/nvidia0"'
rm "$T/driver/dev/nvidia-fs0"
name="auto: GPUs by an annotation that takes no document, likewise"
members='"annotations":{"cdi.k8s.io/x":"runtime.nvidia.com/gpu=all"},'
made X=1
lacks config '"/dev/nvidia0"'
name="auto: GPUs by an annotation with a document, after mpu configure --kubernetes"
members='"annotations":{"cdi.k8s.io/x":"nvidia.com/gpu=0"},'
settings 'accept-nvidia-visible-devices-envvar-when-unprivileged = false' "$cdi"
made X=1
says config FROM=document
settings 'accept-nvidia-visible-devices-envvar-when-unprivileged = false' "$cdi" \
	"$runtime.modes.cdi.annotation-prefixes = []"
made X=1
lacks config FROM=document
name="native: an annotation gives no GPUs"
mode native "$cdi"
made X=1
lacks config FROM=document
members=''

# --- mode cdi ---

name="cdi: a hook that others can write"
rm "$T/cdi/x.json"
cp "$mpu" "$T/hook"
exits 0 "$mpu" cdi generate --driver-root "$T/driver" --output "$T/cdi/nvidia.json" \
	--nvidia-cdi-hook-path "$T/hook"
mode cdi "$cdi"
chmod 0775 "$T/hook"
refused "$T/cdi/nvidia.json: the hook that it names is not run as root: $T/hook can be written" \
	NVIDIA_VISIBLE_DEVICES=nvidia.com/gpu=0
chmod 0755 "$T/hook"
exits 0 create

# --- nodes, and systemd's links to them, that are missing ---

settings
sed -i 's/load-kmods = false/load-kmods = true/' "$T/config.toml"
rm -rf "$T/driver/dev/char" "$T/driver/dev/nvidia-uvm"
name="to explain makes no links"
bundle NVIDIA_VISIBLE_DEVICES=0
exits 0 explain
ok "$name" test ! -e "$T/driver/dev/char"
name="nodes and links that are missing are made"
exits 0 create
is "$name" '../nvidiactl ../nvidia1' \
	"$(readlink "$T/driver/dev/char/195:255" "$T/driver/dev/char/195:1" | xargs)"
ok "$name" test -c "$T/driver/dev/nvidia-uvm"
# Nobody can make them in a user namespace, and nothing is said of each.
name="links that are missing, in a user namespace"
rm -rf "$T/driver/dev/char"
chown 1000 "$T/driver/dev"
through="unshare --user --map-root-user" real=/bin/true
settings
made NVIDIA_VISIBLE_DEVICES=0
says config '"/dev/nvidia0"'
lacks log 'linking it'

# On a machine that is made up as a whole, mpu doctor's "ok" is that a container gets its GPUs.
M=$T/machine
tests/container/fake-root "$M"
mkdir -p "$M/etc/docker" "$M/etc/nvidia-container-runtime"
cp "$mpu" "$M/usr/bin/mpu-runtime"
ln -s mpu-runtime "$M/usr/bin/mpu"
cp "$T/nothing" "$M/usr/bin/runc"
echo '{"runtimes": {"nvidia": {"path": "/usr/bin/mpu-runtime"}}}' >"$M/etc/docker/daemon.json"

# doctor PATTERN [LINE...]: what it says of docker, where config.toml has these lines
doctor()
{
	pattern=$1
	shift
	printf '%s\n' "$@" >"$M/etc/nvidia-container-runtime/config.toml"
	# shellcheck disable=SC2016 # another shell's variables
	unshare --mount --pid --fork --propagation private sh -c 'mount -t tmpfs none "$1/srv" &&
		cp -a "$1/proc/driver" "$1/proc/devices" "$1/srv" && mount -t proc none "$1/proc" &&
		mount --bind "$1/srv/driver" "$1/proc/driver" &&
		mount --bind "$1/srv/devices" "$1/proc/devices" &&
		exec chroot "$1" /usr/bin/mpu doctor -v' sh "$M" >"$T/out" || :	# of the rest
	name="doctor of $*"
	says out "$pattern"
}

mkdir -p "$M/srv"
unset NVIDIA_CTK_CONFIG_FILE_PATH
doctor '^ok  *docker: '
doctor '^note  *docker: .* would refuse a container: unresolvable CDI devices' \
	"$runtime.mode = \"cdi\""
doctor '^note  *docker: .*, the hook of mode legacy: No such file' "$runtime.mode = \"legacy\""
doctor '^note  *docker: .*driver root /nowhere: ' 'nvidia-container-cli.root = "/nowhere"'
doctor '^note  *docker: .*none of what it runs in its turn' "$runtime.runtimes = [\"/no/runc\"]"
rm "$M/usr/lib/$triplet"/libcuda.so.*
doctor '^note  *docker: .*libcuda.so.[0-9.]* is not on this machine'

done_testing
