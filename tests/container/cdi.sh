#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# mpu cdi and nvidia-ctk cdi on a faked driver root: documents, and what is said of
# those that are there. As root, for mknod.
#
#	tests/container/cdi.sh FOLDER	FOLDER/../../mpu is tested
set -eu

# shellcheck source=tests/container/lib.sh
. "$(dirname "$0")/lib.sh"
named nvidia-ctk
# No settings of this machine.
: >"$T/config.toml"
export NVIDIA_CTK_CONFIG_FILE_PATH="$T/config.toml"
tests/container/fake-root "$T/root" --imex 3
tests/container/fake-root "$T/mig" --mig 2 --no-libraries
mkdir "$T/cdi" "$T/other"

# run STATUS WORD...: mpu cdi WORD...
run()
{
	want=$1
	shift
	name="mpu cdi $*"
	exits "$want" "$mpu" cdi "$@"
}

# generate WORD...: into out, for the faked root
generate()
{
	run 0 generate --driver-root "$T/root" "$@"
}

# json MEMBER WORDS: the answer in JSON has this member, with these words alone
json()
{
	is "$name: $1" "$2" "$("$json" "$1" <"$T/out" |
		sort | tr '\n' ' ' | sed 's/ $//')"
}

# devices: names of the document in out, and the nodes that each has; drm: and those of
# graphics
devices()
{
	drm | sed 's/ card[0-9]*//g; s/ renderD[0-9]*//g'
}

drm()
{
	awk '/^- name:/ { printf "%s%s", n++ ? "\n" : "", $3 }
		/^containerEdits/ { exit }
		/- path:/ { sub(".*/", "", $3); printf " %s", $3 }
		END { print "" }' "$T/out" | tr -d '"'
}

# A document of GPUs: of the lowest version, each time the same.
generate --format yaml
is "devices of two GPUs" "0 nvidia0
GPU-00000001-0000-4000-8000-000000000001 nvidia0
1 nvidia1
GPU-00000002-0000-4000-8000-000000000002 nvidia1
all nvidia0 nvidia1" "$(devices)"
says out '^cdiVersion: "0.5.0"$' '^kind: nvidia.com/gpu$' 'NVIDIA_VISIBLE_DEVICES=void'
for part in libcuda.so libcuda.so.1 libcuda.so.580.159.04 nvidia-smi; do
	says out "containerPath: .*/$part\$"
done
# hooks: those that the one hook does; then how many have a name, and a variable of their own
hooks()
{
	sed -n 's/.*--hook=\([a-z-]*\).*/\1/p' "$T/out"
	echo "$(grep -c hookName "$T/out") $(grep -c NVIDIA_CTK_DEBUG=false "$T/out")"
}
is "one hook, with a variable of its own" "enable-cuda-compat
update-ldcache
disable-device-node-modification
update-application-profile
apply-cuda-memory-limits
1 1" "$(hooks)"
says out 'hookName: createRuntime$' "\"--folder=/usr/lib/$triplet\"\$"
says out '"--host-driver-version=580.159.04"$'
generate --format yaml --disable-hook all
is "no hooks" 0 "$(grep -c hookName "$T/out")"
generate --format yaml
cp "$T/out" "$T/first"
generate --format yaml
ok "the same machine, the same document" cmp "$T/first" "$T/out"

# Its program is this one, whatever the name leads to.
mkdir "$T/path"
printf '#!/bin/sh\n' >"$T/path/nvidia-cdi-hook"
chmod +x "$T/path/nvidia-cdi-hook"
PATH=$T/path:$PATH generate --format yaml
says out "path: $mpu\$"
ln -sf "$mpu" "$T/path/nvidia-cdi-hook"
PATH=$T/path:$PATH generate --format yaml
says out "path: $T/path/nvidia-cdi-hook\$"
# A package is replaced while it runs.
cp "$mpu" "$T/path/replaced"
exec 9<"$T/path/replaced"
rm "$T/path/replaced"
cp "$mpu" "$T/path/replaced"
exits 0 /proc/self/fd/9 cdi generate --driver-root "$T/root" --format yaml
says out "path: $T/path/replaced\$"
exec 9<&-
generate --format yaml --nvidia-cdi-hook-path /bin/sh
says err 'warning: /bin/sh is another program than this'

# Names, choices and classes.
generate --format yaml --device-name-strategy type-index --no-all-device
is "names by type" "gpu0 nvidia0
gpu1 nvidia1" "$(devices)"
generate --format yaml --device-name-strategy index --device-id 1 --vendor example.com --class gpu-compute --capabilities compute
is "one GPU" "1 nvidia1
all nvidia1" "$(drm)"
says out '^kind: example.com/gpu-compute$'
is "of compute alone: nvidia-smi" 0 "$(grep -c nvidia-smi "$T/out")"

# Nodes of graphics; their group takes a version of CDI that older engines do not know.
chgrp 44 "$T"/root/dev/dri/card*
generate --format yaml --device-name-strategy index \
	--feature-flag additional-gids-for-device-nodes
is "nodes of graphics" "0 nvidia0 card0 renderD128
1 nvidia1 card1 renderD129
all nvidia0 card0 renderD128 nvidia1 card1 renderD129" "$(drm)"
says out '^cdiVersion: "0.7.0"$'
is "their group" 1 "$(grep -A 1 'additionalGids:' "$T/out" | grep -c -e '- 44$')"
generate --format yaml
says out '^cdiVersion: "0.5.0"$'
is "without their group" 0 "$(grep -c additionalGids "$T/out")"
chgrp 0 "$T"/root/dev/dri/card*
# sysfs has it, the device root has not: an engine would refuse the container.
mv "$T/root/dev/dri/card1" "$T/card1"
generate --format yaml --device-name-strategy index --device-id 1
is "no node that is not there" "1 nvidia1 renderD129
all nvidia1 renderD129" "$(drm)"
mv "$T/card1" "$T/root/dev/dri/card1"
run 0 generate --driver-root "$T/mig" --format yaml --device-name-strategy index --mode imex
is "IMEX channels" "0 channel0
all channel0" "$(devices)"
tests/container/fake-root "$T/no-gpus" --gpus 0
mkdir -p "$T/unloaded/proc/driver/nvidia"
while IFS='|' read -r status says words; do
	# shellcheck disable=SC2086 # words
	run "$status" generate --driver-root $words
	test -z "$says" || says err "$says"
done <<-END
	1|7: unknown device|$T/root --device-id 7
	1|no .*/dev/nvidia-fs|$T/root --mode gds
	1|mode csv is for .* a Tegra.*: take NVIDIA.s nvidia-ctk there|$T/root --mode csv
	1|mode wsl is for machines whose driver is Windows|$T/root --mode wsl
	75|libcuda|$T/mig
	75||$T/mig --mode management
	75|there is no GPU|$T/no-gpus
	75|driver not loaded|$T/unloaded
	0|warning: --enable-hook: 'none' is not known, and left out|$T/root --enable-hook none
	2||$T/root --mode none
	2||$T/root --vendor -x
	2||$T/root --format xml
END
tests/container/fake-root "$T/parts" --mig 2
run 0 generate --driver-root "$T/parts" --format yaml --device-name-strategy index,type-index
is "MIG devices" "0:0 nvidia0 nvidia-cap66 nvidia-cap67
mig0:0 nvidia0 nvidia-cap66 nvidia-cap67
0:1 nvidia0 nvidia-cap75 nvidia-cap76
mig0:1 nvidia0 nvidia-cap75 nvidia-cap76
1:0 nvidia1 nvidia-cap201 nvidia-cap202
mig1:0 nvidia1 nvidia-cap201 nvidia-cap202
1:1 nvidia1 nvidia-cap210 nvidia-cap211
mig1:1 nvidia1 nvidia-cap210 nvidia-cap211
all nvidia0 nvidia-cap66 nvidia-cap67 nvidia-cap75 nvidia-cap76 nvidia1 nvidia-cap201 nvidia-cap202 nvidia-cap210 nvidia-cap211" "$(drm)"
run 0 generate --driver-root "$T/parts" --format yaml --device-name-strategy index --device-id 0
is "a GPU that has MIG devices, by its own name" "0 nvidia0 card0 renderD128
all nvidia0 card0 renderD128" "$(drm)"
generate --format yaml --mode management --vendor management.nvidia.com
is "management" all "$(devices | cut -d' ' -f1)"
says out 'path: /dev/nvidia-caps-imex-channels/channel2' 'containerPath: .*/libnvidia-ml.so.1'

# Hooks, and what the existing tool's variables say.
generate --format yaml --enable-hook all --disable-hook enable-cuda-compat,chmod --nvidia-cdi-hook-path /opt/nvidia-ctk
is "hooks" "create-symlinks
update-ldcache
disable-device-node-modification
update-application-profile
apply-cuda-memory-limits
1 1" "$(hooks)"
is "the program's name" "nvidia-ctk hook run-hooks" \
	"$(grep -A 2 -e '- nvidia-ctk$' "$T/out" | sed 's/ *- //' | xargs)"
says out '::/.*/libcuda.so.1"$' '../renderD129::/dev/dri/by-path/pci-0000:02:00.0-render"$'
is "a link is no mount" 0 "$(grep -c 'containerPath: .*/libcuda.so.1$' "$T/out")"
NVIDIA_CTK_CDI_GENERATE_CLASS=other NVIDIA_CTK_CDI_GENERATE_NO_ALL_DEVICE=true \
	NVIDIA_CTK_DRIVER_ROOT="$T/root" "$T/nvidia-ctk" cdi generate --format=yaml \
	--device-name-strategy=index >"$T/out" 2>"$T/err"
says out '^kind: nvidia.com/other$'
is "variables of nvidia-ctk" "0 nvidia0
1 nvidia1" "$(devices)"
generate --format yaml --disable-hook all
ok "sockets" grep -q 'containerPath: .*/socket$' "$T/out"
generate --format yaml --disable-hook all --feature-flag disable-ipc-discoverer
ok "no sockets" no grep -q 'containerPath: .*/socket$' "$T/out"
cp "$T/out" "$T/no-sockets"
echo 'nvidia-container-runtime.modes.jit-cdi.nvcdi-feature-flags = ["disable-ipc-discoverer"]' \
	>"$T/config.toml"
generate --format yaml --disable-hook all
ok "no sockets, by config.toml" cmp "$T/out" "$T/no-sockets"
: >"$T/config.toml"
generate --annotate --format yaml
says out '^cdiVersion: "0.6.0"$' 'mpu/driver-version: "580.159.04"'
chmod 660 "$T/root/dev/nvidia1"
chgrp 44 "$T/root/dev/nvidia1"
generate --format yaml --feature-flag additional-gids-for-device-nodes
says out '^cdiVersion: "0.7.0"$' '^  - 44$'
generate --format yaml
says out '^cdiVersion: "0.5.0"$'

# Files: whole, for everybody to read, in the notation that their names say.
umask 077
generate --output "$T/new/nvidia.yaml"
ok "a folder is made" test -s "$T/new/nvidia.yaml"
is "mode of a folder" 755 "$(stat -c %a "$T/new")"
is "mode of a file" 644 "$(stat -c %a "$T/new/nvidia.yaml")"
ok "and nothing else" test "$(ls "$T/new")" = nvidia.yaml
umask 022
generate --output "$T/cdi/nvidia.json"
ok "JSON" grep -q '^{' "$T/cdi/nvidia.json"
run 0 validate "$T/cdi/nvidia.json" "$T/new/nvidia.yaml"

run 1 generate --driver-root "$T/root" --nvidia-cdi-hook-path "$(printf '/\377')" --format yaml
says err 'hooks.0.: path, "/.", is not UTF-8'
"$mpu" cdi generate --driver-root "$T/root" >/dev/full 2>"$T/err" && fail "no error"
name="mpu cdi generate, to a full device"
says err 'cannot write to standard output: No space left'

# Devices of the documents, and what is wrong.
run 0 list --spec-dir "$T/cdi"
is "devices of a folder" "nvidia.com/gpu=0 nvidia.com/gpu=1" \
	"$(head -n 2 "$T/out" | xargs)"
listed=$(sort "$T/out" | xargs)
run 0 list -j --spec-dir "$T/cdi"
json devices "$listed"
run 0 check --spec-dir "$T/cdi" --driver-root "$T/root"
run 0 check -j --spec-dir "$T/cdi" --driver-root "$T/root"
json findings ''
run 0 validate -j "$T/cdi/nvidia.json"
json problems ''
run 0 generate -j --driver-root "$T/root" --output "$T/new/again.json"
json file "$T/new/again.json"
run 0 generate -j --driver-root "$T/root"
ok "the answer in JSON is the document" cmp "$T/out" "$T/new/again.json"
run 2 generate -j --driver-root "$T/root" --format yaml
json error "--format yaml is no answer in JSON; see 'mpu cdi generate --help'"
cp "$T/cdi/nvidia.json" "$T/cdi/twice.json"
run 3 check --spec-dir "$T/cdi" --driver-root "$T/root"
says out 'nvidia.com/gpu=0: two files'
run 0 list --spec-dir "$T/cdi"
is "devices that two files have" 0 "$(wc -l <"$T/out")"
rm "$T/cdi/twice.json"
echo '{' >"$T/cdi/broken.json"
run 3 check --spec-dir "$T/cdi" --driver-root "$T/root"
says out 'broken.json: line'
run 0 list --spec-dir "$T/cdi"
says out 'nvidia.com/gpu=all'
run 3 validate "$T/cdi/broken.json"
says err '^mpu cdi validate: .*broken.json: line'
run 3 -j validate "$T/cdi/broken.json"
says out '"problems": '
silent err
rm "$T/cdi/broken.json"

# A document lacks a MIG device, a GPU, the one that took another's place, nvidia-uvm. A
# node of a MIG device that is gone may stay; a document of one claim is to have no more.
mkdir "$T/lacks"
for gpus in 1 2; do
	tests/container/fake-root "$T/gpus$gpus" --gpus $gpus
	tests/container/fake-root "$T/migs$gpus" --gpus 1 --mig $gpus
done
while IFS='|' read -r title of change on status says; do
	rm -rf "$T/now" "$T/lacks/nvidia.json"
	cp -a "$T/$of" "$T/now"
	run 0 generate --driver-root "$T/now" --output "$T/lacks/nvidia.json"
	rm -rf "$T/now"
	cp -a "$T/$on" "$T/now"
	(cd "$T/now" && eval "$change")
	run "$status" check --spec-dir "$T/lacks" --driver-root "$T/now"
	name="$title ($name)"
	test -z "$says" || says out "$says"
done <<-'END'
	the same|gpus2|:|gpus2|0|
	another driver|gpus2|sed -i s/580.159.04/590.1.2/ proc/driver/nvidia/version|gpus2|3|it is for driver 580.159.04, and 590.1.2 is loaded
	a pipe says no version|gpus2|rm proc/driver/nvidia/version; mkfifo proc/driver/nvidia/version|gpus2|0|
	a node is gone|gpus2|rm dev/nvidia1|gpus2|3|the device node .*/dev/nvidia1 is not there
	a file is no node|gpus2|rm dev/nvidia1; touch dev/nvidia1|gpus2|3|the device node .*/dev/nvidia1 is not there
	MIG devices were made|gpus1|:|migs2|3|it lacks MIG device 0:1, /dev/nvidia-caps/nvidia-cap76: write it anew
	one more MIG device|migs1|:|migs2|3|it lacks MIG device 0:1, /dev/nvidia-caps/nvidia-cap76
	one MIG device less|migs2|cp -a ../migs2/dev .|migs1|3|its device 0:1 is a MIG device that is gone
	MIG is off|migs2|cp -a ../migs2/dev .|gpus1|3|its device 0:0 is a MIG device that is gone
	one GPU less|gpus2|cp -a ../gpus2/dev .|gpus1|3|its device 1 is a GPU that is gone
	the driver is loaded in part|migs2|sed -i '/ nvidia$/d' proc/devices|gpus1|3|device nodes are not there
	one more GPU|gpus1|:|gpus2|3|it lacks GPU 1, /dev/nvidia1: write it anew
	another GPU in its place|gpus1|sed -i s/GPU-00000001/GPU-00000009/ proc/driver/nvidia/gpus/*/information|gpus1|3|it lacks GPU 0 by its name, GPU-00000009
	a GPU that only "all" has|gpus2|for _ in 1 2; do sed -i '0,/h": "\/dev\/nvidia1"/s//h": "\/x"/' "$T/lacks/nvidia.json"; done|gpus2|3|it lacks GPU 1, /dev/nvidia1: write it anew
	a GPU without its number|gpus2|sed -i 's/"name": "1"/"name": "x"/' "$T/lacks/nvidia.json"|gpus2|3|it lacks GPU 1 by its name, 1
	GPUs in another order|gpus2|sed -i '/Minor/y/01/10/' proc/driver/nvidia/gpus/*/information|gpus2|3|it has another GPU for GPU 0, /dev/nvidia1: write it anew
	a claim|gpus1|sed -i 's/"name": "/&claim-/' "$T/lacks/nvidia.json"|gpus2|0|
END
rm -rf "$T/now"
cp -a "$T/gpus1" "$T/now"
rm "$T"/now/dev/nvidia-uvm*
sed -i /nvidia-uvm/d "$T/now/proc/devices"
run 75 generate --driver-root "$T/now" --output "$T/lacks/nvidia.json"
says err 'the module nvidia-uvm is not loaded'
name="nvidia-ctk, without nvidia-uvm"
exits 0 "$T/nvidia-ctk" cdi generate --driver-root "$T/now"
run 3 check --spec-dir "$T/lacks" --driver-root "$T/now"
says out "it lacks /dev/nvidia-uvm, so that CUDA does not start: load the module with 'modprobe nvidia-uvm', then write it anew"
run 3 check --spec-dir "$T/lacks" --driver-root "$T/gpus1"
says out "it lacks /dev/nvidia-uvm, so that CUDA does not start: write it anew"
run 0 generate --driver-root "$T/now" --capabilities utility --output "$T/lacks/nvidia.json"
run 0 check --spec-dir "$T/lacks" --driver-root "$T/now"

# Root does not follow what others than root can write, and other users do.
mkdir "$T/open"
cp "$T/cdi/nvidia.json" "$T/open/"
ln -s ../open "$T/other/link"
chmod 0711 "$T"
while read -r change path undo; do
	${change%@*} "${change#*@}" "$T/$path"
	for folder in "$T/open" "$T/other/link"; do
		run 3 check --spec-dir "$folder" --driver-root "$T/root"
		says out "^$folder/nvidia.json is not followed by root: $T.*(chmod go-w|chown)"
		run 0 list --spec-dir "$folder"
		is "$change $path: no device" 0 "$(wc -l <"$T/out")"
	done
	exits 0 setpriv --reuid=1000 --regid=1000 --clear-groups "$mpu" cdi list --spec-dir "$T/open"
	says out '^nvidia.com/gpu=0$'
	${undo%@*} "${undo#*@}" "$T/$path"
done <<-'END'
	chmod@0664 open/nvidia.json chmod@0644
	chown@1000 open/nvidia.json chown@0
	chmod@0777 open chmod@0755
	chmod@0777 . chmod@0711
END
chmod 1777 "$T/open"
run 0 list --spec-dir "$T/open"
says out '^nvidia.com/gpu=0$'
cp "$mpu" "$T/other/nvidia-cdi-hook"
generate --output "$T/open/nvidia.json" --nvidia-cdi-hook-path "$T/other/nvidia-cdi-hook"
chmod 0775 "$T/other/nvidia-cdi-hook"
run 3 check --spec-dir "$T/open" --driver-root "$T/root"
says out "$T/open/nvidia.json: the hook that it names is not run as root: $T/other/nvidia-cdi-hook can be written"
rm -r "$T/open" "$T/other/link" "$T/other/nvidia-cdi-hook"

# A hook of stage startContainer is a program of the image.
cat >"$T/cdi/hooks.json" <<-'END'
	{"cdiVersion": "0.5.0", "kind": "vv/hooks", "devices": [{"name": "a", "containerEdits":
	{"hooks": [{"hookName": "startContainer", "path": "/missing/in/image"},
	{"hookName": "createContainer", "path": "/missing/on/host"}]}}]}
END
run 3 check --spec-dir "$T/cdi" --driver-root "$T/root"
says out 'the hook program /missing/on/host is not there'
says out 'the hook /missing/on/host has no variables of its own'
is "a program of the image" 0 "$(grep -c /missing/in/image "$T/out")"
rm "$T/cdi/hooks.json"

# Another root folder. Our hook is told the image's paths, and one of the host's.
run 0 transform root --from "$T/root" --to /run/driver --input "$T/cdi/nvidia.json" --format yaml
says out 'hostPath: /run/driver/dev/nvidia0' 'hostPath: /run/driver/usr/.*/libcuda'
is "what is left of the old root" 0 "$(grep -c "$T/root" "$T/out")"
generate --output "$T/hook.json" --enable-hook create-symlinks
run 0 transform root --from "$T/root" --to /run/driver --input "$T/hook.json"
is "the driver's root, of a hook" 1 "$(grep -c '"/run/driver"' "$T/out")"
run 0 transform root --from /usr --to /opt --input "$T/hook.json"
ok "the image's paths, of a hook" grep -q "\"--folder=/usr/lib/$triplet\"" "$T/out"
run 0 transform root --from /usr --to /opt --relative-to container --input "$T/hook.json"
says out "\"--folder=/opt/lib/$triplet\"" "\"--link=libcuda.so.1::/opt/lib/$triplet/libcuda.so\""
"$mpu" cdi transform root --from / --to /host <"$T/cdi/nvidia.json" >"$T/out" 2>"$T/err"
says out "\"hostPath\": \"/host$T/root/dev/nvidia0\""
cat >"$T/links.json" <<-'END'
	{"cdiVersion": "0.5.0", "kind": "vv/links", "devices": [{"name": "a", "containerEdits":
	{"deviceNodes": [{"path": "/a/node"}, {"path": "/ab/node"}],
	"mounts": [{"hostPath": "/a/file", "containerPath": "/a/file"}],
	"hooks": [{"HookName": "createRuntime", "path": "/a/hook",
		"args": ["--link", "/a/x::/a/y", "--x::y=/a/z"]},
	{"hookName": "createContainer", "path": "/a/hook", "args": ["../x::/a/y"]}]}}]}
END
run 0 transform root --from /a --to /b --input "$T/links.json"
is "both sides of a link, of a hook that sees the host" \
	'/a/node /b/node /ab/node /b/file /a/file /b/hook /b/x::/b/y --x::y=/b/z /b/hook ../x::/a/y' \
	"$(grep -o '"[^"]*/[^"]*"' "$T/out" | tr -d '"' | grep -v ^vv/ | tr '\n' ' ' | sed 's/ $//')"
run 0 transform root --from /a --to /b --relative-to container --input "$T/links.json"
is "paths of the container" \
	'/b/node /ab/node /a/file /b/file /a/hook /a/x::/a/y --x::y=/a/z /a/hook ../x::/b/y' \
	"$(grep -o '"[^"]*/[^"]*"' "$T/out" | tr -d '"' | grep -v ^vv/ | tr '\n' ' ' | sed 's/ $//')"

# --- another system's files ---
export MPU_ROOT="$T/root"
mkdir -p "$T/root/etc/cdi"
run 0 generate --output "$T/root/etc/cdi/nvidia.json"
for asked in "mpu cdi" "nvidia-ctk cdi"; do
	name="MPU_ROOT: $asked list"
	# shellcheck disable=SC2086 # words
	PATH="$T:${mpu%/*}:$PATH" exits 0 $asked list
	says out '^nvidia.com/gpu=1$'
done
run 0 check
name="MPU_ROOT: mpu container list"
exits 0 "$mpu" container list
says out "/libcuda.so"
name="MPU_ROOT: no module is loaded"
exits 1 "$mpu" container --load-kmods nodes
says err 'MPU_ROOT is set'
MPU_ROOT=$T/bare
mkdir "$MPU_ROOT"
cp -r "$T/root/proc" "$MPU_ROOT"
name="MPU_ROOT: nodes are looked for there alone"
exits 3 "$mpu" container nodes --check
says out "$T/bare/dev/nvidiactl"
unset MPU_ROOT
rm -r "$T/root/etc/cdi"

# --- the driver's files, as docs/migration.md says for whom they are and where they lie ---
version=580.159.04
cuda=$(cd "$T/root" && find usr/lib -name "libcuda.so.$version" ! -path '*i386*')
sed -n '/^### Files of the driver/,/^## /p' docs/migration.md | sed "s/TRIPLET/$triplet/g
	s/ARCH/$(uname -m)/g; s/[.]so[.]V/.so.$version/g" >"$T/section"
# NAME ,CAPABILITY,...
awk -F'|' 'NF == 4 { gsub(" ", "", $2); n = split($3, word, "`")
	for (i = 2; i <= n; i += 2) if (word[i] !~ "[*]") print word[i], "," $2 "," }' \
	"$T/section" >"$T/files"
# SYSTEM|ROOT|LIB|DRIVER|EXTENSION|CONFIGURATION|PROGRAMS
awk -F'|' 'NF == 8 && $3 ~ "/" { gsub("[ `]", "", $3); gsub("^ | $", "", $2)
	split($2, root, "`"); line = $2 "|" root[2]
	for (i = 3; i < 8; i++) { gsub("[ `]", "", $i); sub("LIB", $3, $i); line = line "|" $i }
	print line }' "$T/section" >"$T/systems"
is "rows of docs/migration.md" "79 13" "$(wc -l <"$T/files") $(wc -l <"$T/systems")"
tests/container/fake-root "$T/base" --no-libraries
(cd "$T/base" && rm -r bin etc lib sbin usr)
bundle='"process":{"args":["x"],"cwd":"/","env":["NVIDIA_VISIBLE_DEVICES=all","NVIDIA_DRIVER_CAPABILITIES=all"]}'
mkdir -p "$T/bundle/rootfs/usr/lib"
echo "{\"ociVersion\":\"1.0.0\",$bundle,\"root\":{\"path\":\"rootfs\"}}" >"$T/bundle/config.json"

# lay ROOT LIB DRIVER EXTENSION CONFIGURATION PROGRAMS: all files, there
lay()
{
	while read -r file _; do
		case $file in
		/*) continue ;;	# sockets
		*/nvidia-drm_gbm.so) continue ;;	# the allocator
		gsp*) file=$1/lib/firmware/nvidia/$version/$file ;;
		nvidia_drv.so) file=$1$3/$file ;;
		libglxserver*) file=$1$4/$file ;;
		lib* | vdpau/*) file=$1$2/$file ;;
		nvoptix.bin) file=$1$5/nvidia/$file ;;
		*/*) file=$1$5/$file ;;
		*) file=$1$6/$file ;;
		esac
		test -d "${file%/*}" || mkdir -p "${file%/*}"
		ln "$T/root/$cuda" "$file"
	done <"$T/files"
}

# files_are NAME CAPABILITY: "HOST PLACE" lines have the files for it, besides other names
files_are()
{
	is "$1" "$(grep -E ",(all|$2)," "$T/files" | sed 's/ .*//; s|.*/||' | sort)" \
		"$(sed -n 's|^.*/\([^/ ]*\) .*/\1$|\1|p; s|^.* .*/gbm/||p' | sort)"
}

# document_has NAME CAPABILITY ROOT WORD...: what cdi generate takes
document_has()
{
	name=$1 for=$2
	shift 2
	"$mpu" cdi generate --format json --driver-root "$@" >"$T/out" 2>"$T/err" || :
	sed -n 's/.*"hostPath": "\([^"]*\)".*/\1/; s/.*"containerPath": "\(.*\)".*/ \1/
		/^\//h; /^ /{H;g;s/\n//p;}' "$T/out" | files_are "$name" "$for"
}

while IFS='|' read -r system root lib driver extension configuration programs; do
	rm -rf "$T/system"
	mkdir -p "$T/system$root"
	cp -a "$T/base/." "$T/system$root"
	case $system in *cache*)
		mkdir -p "$T/system/etc" "$T/system$lib"
		cp "$T/root/$cuda" "$T/system$lib"
		echo "$lib" >"$T/system/etc/ld.so.conf"
		ldconfig -r "$T/system"
		rm "$T/system$lib/libcuda.so.$version"
	esac
	lay "$T/system$root" "$lib" "$driver" "$extension" "$configuration" "$programs"
	document_has "$system" '[a-z]*' "$T/system$root"
	"$mpu" container "--root=$T/system$root" explain --dry-run --mode native "$T/bundle" |
		sed -n 's/^mount \([^ ]*\) from \([^ ]*\) .*/\2 \1/p' |
		files_are "$system, mode native" '[a-z]*'
done <"$T/systems"
for capability in compute display graphics ngx utility video; do
	document_has "capability $capability" $capability "$T/system/home/kubernetes/bin/nvidia" \
		--capabilities $capability
done

# --- the files that docs/migration.md says differ from those of NVIDIA's toolkit ---
# shellcheck disable=SC2016 # backticks of the table
sed -n 's/^| `\([^`]*\)` .* | \(yes\|no\) | .*/\1 \2/p' "$T/section" |
	sed "s|^LIB|/${cuda%/*}|" >"$T/wanted"
is "differences of docs/migration.md" 10 "$(wc -l <"$T/wanted")"
while read -r file _; do
	mkdir -p "$T/root${file%/*}"
	test -e "$T/root$file" || cp "$T/root/$cuda" "$T/root$file"
done <"$T/wanted"
generate
while read -r file given; do
	found=no
	if grep -qF "\"hostPath\": \"$T/root$file\"" "$T/out"; then found=yes; fi
	is "$file, as docs/migration.md says" "$given" "$found"
	case $file in */nv-fabricmanager | */nvidia-mps) ;; *) rm "$T/root$file" ;; esac
done <"$T/wanted"

# Words that NVIDIA's programs take, and answers.
named nvidia-cdi-hook
export NVIDIA_CTK_DRIVER_ROOT="$T/root"
PATH=$T:$PATH
while read -r line; do
	name=$line
	# shellcheck disable=SC2086 # words
	exits 0 $line
done <<-END
	nvidia-ctk
	nvidia-ctk help
	nvidia-ctk h cdi
	nvidia-ctk info
	nvidia-ctk cdi
	nvidia-ctk cdi help generate
	nvidia-ctk --debug --quiet --config $T/config.toml config
	nvidia-ctk config generate-default
	nvidia-ctk cdi generate stray
	nvidia-ctk cdi generate --disable-hook nonsense
	nvidia-cdi-hook
	nvidia-cdi-hook --debug --quiet of-a-later-time --option
END
"$T/nvidia-ctk" cdi generate >"$T/out" 2>"$T/err"
name="nvidia-ctk cdi generate prints YAML"
says out '^kind: nvidia.com/gpu$'
unset NVIDIA_CTK_DRIVER_ROOT
echo "nvidia-container-cli.root = \"$T/none\"" >"$T/other.toml"
name="nvidia-ctk --config: the driver's root"
exits 1 "$T/nvidia-ctk" --config "$T/other.toml" cdi generate
says err "$T/none"

done_testing
