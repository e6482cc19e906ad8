#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# mpu configure and nvidia-ctk: files of engines below a folder of our own are edited,
# and say again what they said.
#
#	tests/container/setup.sh FOLDER		FOLDER/../../mpu is tested
#
# DOCKERD=required: dockerd reads each file that is written for it. Else it does where it is
# here and knows --validate (docker 23).
set -eu

# shellcheck source=tests/container/lib.sh
. "$(dirname "$0")/lib.sh"
# nvidia-ctk knows no other system: its record is this one's.
record=/var/lib/mpu/configure/$(echo "${T#/}" | tr / -)-config.toml.json
trap 'rm -rf "$T" "$record"; rmdir -p "${record%/*}" 2>/dev/null || :' EXIT
mkdir "$T/bin" "$T/host"
named bin/nvidia-ctk
PATH=$T/bin:$PATH
MPU_ROOT=$T/host
export MPU_ROOT
runtime=$(dirname "$mpu")/mpu-runtime

# tree: all that the host has, but for our records
tree()
{
	(cd "$T/host" && find . ! -path './var*' ! -name mpu-runtime | sort |
		while read -r file; do echo "$file"; test ! -f "$file" || cat "$file"; done)
}

tested=$mpu mpu=$T/mpu validate=:
! dockerd --help 2>&1 | grep -q -- --validate || validate='dockerd --validate'
test -z "${DOCKERD:-}" || ok "dockerd knows --validate" test "$validate" != :
cat >"$mpu" <<END
#!/bin/sh
"$tested" "\$@" || exit
file=$T/host/etc/docker/daemon.json
case \$* in *configure*docker*|*undo*all) ;; *) exit ;; esac
test ! -s \$file || $validate --userland-proxy=false --config-file \$file >$T/docker.log 2>&1 ||
	{ cat $T/docker.log >&2; exit 9; }
END
chmod +x "$mpu"

mkdir -p "$T/host/etc/docker" "$T/host/etc/containerd" "$T/host/usr/bin" "$T/host${runtime%/*}"
for program in /usr/bin/runc "$runtime"; do
	printf '#!/bin/sh\n' >"$T/host$program"
	chmod +x "$T/host$program"
done
printf '{ "mtu": 1450,\n\n  "debug": false }' >"$T/host/etc/docker/daemon.json"
printf '# mine\nversion = 2\n[plugins]\n  # and this\n' >"$T/host/etc/containerd/config.toml"
chmod 600 "$T/host/etc/docker/daemon.json"
tree >"$T/before"
umask 077	# of who is root here: others read what mpu writes
for engine in docker containerd crio podman; do
	run 0 "$mpu" configure --dry-run --default --cdi $engine
	says out "$runtime"
	tree >"$T/after"
	ok "a dry run changes nothing" cmp "$T/before" "$T/after"
	run 0 "$mpu" configure --default --cdi $engine
	silent out
	tree >"$T/after"
	ok "$engine has a runtime" grep -q "$runtime" "$T/after"
	ok "all may enter its folders" is_empty find "$T/host/etc" -type d ! -perm 755
	run 0 "$mpu" configure --default --cdi $engine
	says err "says so already"
	tree >"$T/again"
	ok "once more changes nothing" cmp "$T/after" "$T/again"
	run 0 "$mpu" configure --undo $engine
	tree >"$T/after"
	ok "undone: every byte is as before" cmp "$T/before" "$T/after"
	ok "and no record is left" test ! -e "$T/host/var/lib/mpu"
	run 0 "$mpu" configure --undo $engine
	says err "was not changed by mpu"
done
# A second runtime, by another program, leaves the first; records once did not say what is ours.
for engine in docker containerd crio; do
	run 0 "$mpu" configure --runtime /opt/rt $engine
	sed -i '/"ours"/s/ours/none/' "$T"/host/var/lib/mpu/configure/*
	run 0 "$mpu" configure --name second --runtime /opt/wrap $engine
	is "$engine: both runtimes" '/opt/rt /opt/wrap' "$(grep -rhoE '"/opt/[a-z]*"' "$T/host/etc" |
		tr -d '"' | sort -u | xargs)"
	run 0 "$mpu" configure --undo $engine
done
# All at once, whatever becomes of one of them.
for engine in docker containerd crio podman; do
	run 0 "$mpu" configure --kubernetes $engine
done
cp "$T/host/etc/docker/daemon.json" "$T/docker"
echo '{' >"$T/host/etc/docker/daemon.json"
run 1 "$mpu" configure --undo all
says err "daemon.json.*cannot be taken out"
says err "zz-mpu.conf is as it was; to have it read: systemctl restart crio"
is "undone, but for one" 1 "$(find "$T/host/var/lib/mpu/configure" -type f | wc -l)"
cp "$T/docker" "$T/host/etc/docker/daemon.json"
run 0 "$mpu" configure --undo all
says err "daemon.json is as it was; to have it read: systemctl restart docker"
tree >"$T/after"
ok "undone: every byte is as before" cmp "$T/before" "$T/after"
ok "and no record is left" test ! -e "$T/host/var/lib/mpu"
run 0 "$mpu" configure --undo all
silent err
is "the mode of the file stays" 600 "$(stat -c %a "$T/host/etc/docker/daemon.json")"

run 0 "$mpu" configure --kubernetes --name gpu --runtime /opt/rt containerd
toml=$T/host/etc/nvidia-container-runtime/config.toml
ok "variables of pods do not count" \
	grep -qx 'accept-nvidia-visible-devices-envvar-when-unprivileged = false' "$toml"
ok "nor do annotations" grep -qx 'annotation-prefixes = \[\]' "$toml"
ok "mounts do" grep -qx 'accept-nvidia-visible-devices-as-volume-mounts = true' "$toml"
ok "by this name" grep -q 'runtimes.gpu.options' "$T/host/etc/containerd/config.toml"
ok "a comment stays" grep -qx '  # and this' "$T/host/etc/containerd/config.toml"
run 0 "$mpu" configure --kubernetes --undo containerd
tree >"$T/after"
ok "undone: every byte is as before" cmp "$T/before" "$T/after"

# A daemon of docker that is told to reload learns of a runtime, and forgets none.
run 0 "$mpu" configure docker
says err "is written; to have it read: systemctl reload docker"
sed -i 's/1450,/1400,/' "$T/host/etc/docker/daemon.json"
run 0 "$mpu" configure --cdi docker
says err "is written; to have it read: systemctl restart docker"
sed -i 's/1400,/1300,/' "$T/host/etc/docker/daemon.json"
run 0 "$mpu" configure --undo docker
says err "what others wrote stays; to have it read: systemctl restart docker"
is "what others wrote stays, laid out as before" "$(printf '{\n  "mtu": 1300,\n  "debug": false\n}')" \
	"$(cat "$T/host/etc/docker/daemon.json")"

# dockerd does not start with a path beside a type, which its --validate does not see.
printf '{"runtimes": {"nvidia": {"runtimeType": "io.containerd.runc.v2", "options": {"BinaryName": "/x"}}}}' \
	>"$T/host/etc/docker/daemon.json"
cp "$T/host/etc/docker/daemon.json" "$T/docker.json"
run 0 "$mpu" configure docker
is "docker: by path, and not by type, too" path \
	"$(grep -oE '"(path|runtimeType|options)"' "$T/host/etc/docker/daemon.json" | xargs)"
run 0 "$mpu" configure --undo docker
ok "undone: every byte is as before" cmp "$T/docker.json" "$T/host/etc/docker/daemon.json"

# A copy of our runtime stays where others have made it, and undo says so.
run 0 "$mpu" configure docker
sed -i 's/"nvidia"/"gpu"/' "$T/host/etc/docker/daemon.json"
run 1 "$mpu" configure --undo docker
says err "runtime gpu of docker is still $runtime"
run 1 "$mpu" configure --undo all
says err "runtime gpu of docker is still $runtime"
echo '{"default-runtime": "lost"}' >"$T/host/etc/docker/daemon.json"
run 0 "$mpu" configure docker
says err "the default runtime of docker is lost, which is not there: until it is, no container starts"
run 0 "$mpu" configure --undo docker
cp "$T/docker.json" "$T/host/etc/docker/daemon.json"
run 0 "$mpu" configure crio
says err "the default runtime of crio is crun, crun, which is not there: until it is, no container starts"
printf '[crio.runtime]\ndefault_runtime = "nvidia"\n' >"$T/host/etc/crio/crio.conf"
run 1 "$mpu" configure --undo all
says err 'made runtime nvidia, which is gone, the default of crio'
rm "$T/host/etc/crio/crio.conf"

mkdir -p "$T/host/root/.config/containers"
printf '[engine]\nruntime = "crun"\n' >"$T/host/root/.config/containers/containers.conf"
run 1 "$mpu" configure --default podman
says err 'podman reads /root/.config/containers/containers.conf after it'
run 0 "$mpu" configure --undo podman
rm -r "$T/host/root"

name="a folder that cannot be written"
exits 1 unshare -m sh -c "mount -t tmpfs -o ro none $T/host/etc/docker && exec $mpu configure docker"
ok "no record is left" test ! -e "$T/host/var/lib/mpu"

# Where nobody can confirm it that is said, also in JSON.
run 0 "$mpu" configure docker
says err 'docker could not be asked whether that is in force'
run 0 "$mpu" configure -j docker
says out '"asked": false'
run 0 "$mpu" configure --undo docker
# CRI is off in the file of docker's packages.
cp "$T/host/etc/containerd/config.toml" "$T/config.toml"
echo 'disabled_plugins = ["cri"]' >"$T/host/etc/containerd/config.toml"
run 1 "$mpu" configure containerd
says err 'not in force: disabled_plugins turns containerd.s CRI off'
run 0 "$mpu" configure --undo containerd
mv "$T/config.toml" "$T/host/etc/containerd"
# Our file of containerd 1 is a copy, which is renewed.
mkdir -p "$T/host/etc/containerd/conf.d"
cp "$T/host/etc/containerd/config.toml" "$T/config.toml"
cat >"$T/host/etc/containerd/config.toml" <<END
version = 2
imports = ["/etc/containerd/conf.d/*.toml"]
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "pause:3.8"
[plugins."io.containerd.grpc.v1.cri".containerd]
default_runtime_name = "runc"
END
copy=$T/host/etc/containerd/conf.d/zz-mpu.toml
touch "$T/host/mpu-runtime"
run 0 "$mpu" configure --runtime /mpu-runtime --default --cdi containerd
tree >"$T/after"
run 3 "$mpu" doctor --verbose
says out '^ok .*containerd: its configuration: runtime nvidia is'
sed -i 's/3.8/3.9/' "$T/host/etc/containerd/config.toml"
run 3 "$mpu" doctor
says out '/etc/containerd/conf.d/zz-mpu.toml repeats settings of containerd'
run 0 "$mpu" configure --runtime /mpu-runtime containerd
says err '/zz-mpu.toml is written'
sed 's/3.8/3.9/' "$T/after" >"$T/want"
tree >"$T/after"
ok "renewed, and nothing else changes" cmp "$T/want" "$T/after"
sed -i '/^sandbox/d' "$T/host/etc/containerd/config.toml"
run 3 "$mpu" doctor
says out '/etc/containerd/conf.d/zz-mpu.toml repeats settings of containerd'
run 0 "$mpu" configure --runtime /mpu-runtime containerd
tree >"$T/after"
sed '/pause/d' "$T/want" | diff - "$T/after" >"$T/diff" || :
is "what others have removed goes" "" "$(grep -c pause "$T/after" | grep -v '^0'; grep '^<' "$T/diff")"
run 0 "$mpu" configure --undo containerd
ok "undone" test ! -e "$copy"
mv "$T/config.toml" "$T/host/etc/containerd"
rm -r "$T/host/etc/containerd/conf.d" "$T/host/mpu-runtime"

# Files that an engine reads later than ours count more than it.
etc=$T/host/etc
mkdir -p "$etc/crio/crio.conf.d" "$etc/containerd/conf.d"
printf '[crio.runtime]\ndefault_runtime = "crun"\n' >"$etc/crio/crio.conf"
printf '[crio.runtime.runtimes.crun]\nmonitor_path = "/old"\n' >"$etc/crio/crio.conf.d/10-crun.conf"
printf '[crio.runtime.runtimes.crun]\nmonitor_path = "/conmon"\nallowed_annotations = ["a"]\n' \
	>"$etc/crio/crio.conf.d/20-crun.conf"
printf '[crio.runtime.runtimes.nvidia]\nruntime_path = "/theirs"\n' \
	>"$etc/crio/crio.conf.d/99-nvidia.conf"
printf 'imports = ["/etc/containerd/conf.d/*.toml"]\nversion = 3\n' >"$etc/containerd/config.toml"
cri=plugins.\"io.containerd.cri.v1.runtime\".containerd.runtimes.nvidia.options
printf 'version = 3\n[%s]\nBinaryName = "/theirs"\n' "$cri" >"$etc/containerd/conf.d/99-nvidia.toml"
tree >"$T/before"
for own in crio/crio.conf.d/zz-mpu.conf containerd/conf.d/zz-mpu.toml; do
	engine=${own%%/*} beside=${own%/*}
	run 0 "$mpu" configure --runtime /ours "$engine"
	tree >"$T/after"
	ok "$engine: in a file of our own" grep -q '"/ours"' "$etc/$own"
	diff "$T/before" "$T/after" >"$T/diff" || :
	ok "$engine: nothing else changes" no grep -q '^<' "$T/diff"
	cp "$etc/$beside"/99-nvidia.* "$etc/$beside/zzz.${own##*.}"
	run 1 "$mpu" configure --runtime /ours "$engine"
	says err "not in force: $engine reads /etc/$beside/zzz.${own##*.} after it"
	rm "$etc/$beside/zzz.${own##*.}"
done
is "crio: options of the default runtime" 'monitor_path = "/conmon" allowed_annotations = ["a"]' \
	"$(sed -n '/^monitor\|^allowed/p' "$etc/crio/crio.conf.d/zz-mpu.conf" | xargs -d '\n')"
for engine in crio containerd; do
	run 0 "$mpu" configure --undo $engine
	says err "/zz-mpu.[a-z]* is as it was; to have it read: systemctl restart $engine"
done
tree >"$T/after"
ok "undone: every byte is as before" cmp "$T/before" "$T/after"

echo '{' >"$T/host/etc/docker/daemon.json"
run 1 "$mpu" configure docker
says err "daemon.json: line 2: "
is "one line" 1 "$(wc -l <"$T/err")"
run 2 "$mpu" configure lxc
printf null >"$T/host/etc/docker/daemon.json"
run 0 "$mpu" configure -j docker
says out '"file": ".*/etc/docker/daemon.json",'
says out '"changed": true,'
says out '"reload": "'
silent err
run 0 "$mpu" configure docker -j --dry-run
says out '"changed": false,'
says out '"text": "[{]'
run 0 "$mpu" -j configure --undo --kubernetes docker
is "a file each" "false true" "$(sed -n 's/.*"changed": \(.*\),/\1/p' "$T/out" | xargs)"
is "as it was" null "$(cat "$T/host/etc/docker/daemon.json")"
run 2 "$mpu" configure --runtime relative docker

# A second one waits for the first.
mkdir "$T/host/run"
exec 9>"$T/host/run/mpu-configure.lock"
flock 9
"$mpu" configure docker 2>"$T/waits" 9>&- &
name="it waits"
pass_or "it does not say so" within 300 grep -q 'waits until another mpu configure' "$T/waits"
is "nothing is written meanwhile" null "$(cat "$T/host/etc/docker/daemon.json")"
exec 9>&-
ok "then it is written" wait $!
ok "and no lock is left" test ! -e "$T/host/run/mpu-configure.lock"
run 2 "$mpu" configure --undo --dry-run docker

# A write that was killed leaves a file, and maybe a record.
run 0 "$mpu" configure docker
says err "says so already"
touch "$T/host/etc/docker/daemon.json.mpu-Ab3xYz"
run 0 "$mpu" configure --undo docker
ok "nothing is left of a killed write" test ! -e "$T/host/etc/docker/daemon.json.mpu-Ab3xYz"
run 0 nvidia-ctk runtime configure
ok "nvidia-ctk knows MPU_ROOT" grep -q nvidia-container-runtime "$T/host/etc/docker/daemon.json"
run 0 "$mpu" configure --undo docker

unset MPU_ROOT
run 0 nvidia-ctk runtime configure --dry-run --config "$T/none" -enable-cdi --set-as-default
says out '"default-runtime": "nvidia"'
says out '"path": "nvidia-container-runtime"'
says out '"cdi": true'
run 0 nvidia-ctk runtime configure --runtime=crio --dry-run --config "$T/none"
says out 'runtime_path = "/usr/bin/nvidia-container-runtime"'
cp "$tested" "$T/host/program"
ln -s program "$T/host/nvidia-container-runtime"
ln -s program "$T/host/nvidia-ctk"
run 0 "$T/host/nvidia-ctk" runtime configure --runtime=crio --dry-run --config "$T/none"
says out "runtime_path = \"$T/host/nvidia-container-runtime\""
run 1 nvidia-ctk runtime configure --runtime=lxc
says err "unrecognized runtime 'lxc'"
run 1 nvidia-ctk runtime configure --runtime=containerd --runtime-path rt --dry-run
says err "not an absolute path"
run 1 nvidia-ctk runtime configure --runtime=docker --drop-in-config /x --dry-run
printf '#!/bin/sh\necho broken >&2\nexit 1\n' >"$T/bin/containerd"
chmod +x "$T/bin/containerd"
echo '# mine' >"$T/config.toml"
run 1 nvidia-ctk runtime configure --runtime=containerd --config "$T/config.toml"
says err 'containerd cannot read its configuration: broken'
is "and its file stays" '# mine' "$(cat "$T/config.toml")"
rm "$T/bin/containerd" "$T/config.toml"

# config.toml
NVIDIA_CTK_CONFIG_FILE_PATH=$T/config.toml
export NVIDIA_CTK_CONFIG_FILE_PATH
run 0 nvidia-ctk config default
cp "$T/out" "$T/default"
run 0 nvidia-ctk config
ok "without a file it is the default" cmp "$T/default" "$T/out"
run 0 nvidia-ctk config default --output "$T/config.toml"
ok "so is what is written" cmp "$T/default" "$T/config.toml"
printf '# mine\n[nvidia-container-cli]\nldconfig = "/sbin/ldconfig"\n' >"$T/config.toml"
run 0 nvidia-ctk config -i --set features.disable-imex-channel-creation \
	--set nvidia-container-cli.root=/driver --set nvidia-container-runtime.runtimes=a,b
printf '%s\n' '# mine' '[nvidia-container-cli]' 'ldconfig = "/sbin/ldconfig"' \
	'root = "/driver"' '' '[features]' 'disable-imex-channel-creation = true' '' \
	'[nvidia-container-runtime]' 'runtimes = ["a", "b"]' >"$T/want"
is "what was set" "$(cat "$T/want")" "$(cat "$T/config.toml")"
install -m 600 /dev/null "$T/mine"
run 0 nvidia-ctk config --output "$T/mine"
is "a file that is there keeps its mode" 600 "$(stat -c %a "$T/mine")"
run 0 nvidia-ctk config get nvidia-container-cli.root nvidia-container-runtime.mode
is "values, of the file and by default" '/driver auto' "$(tr '\n' ' ' <"$T/out" | sed 's/ $//')"
run 0 nvidia-ctk config --set nvidia-container-cli.root=
ok "removed" no grep -q '^root' "$T/out"
printf 'disable-require = true\n' >"$T/other.toml"
run 0 nvidia-ctk --config "$T/other.toml" config
ok "the file that is named before the command" cmp "$T/other.toml" "$T/out"
run 0 nvidia-ctk config migrate
says out '^ldconfig = "@/sbin/ldconfig"$'
says out '^# mine$'
run 1 nvidia-ctk config --set nosuch=1
says err "no key 'nosuch'"
run 1 nvidia-ctk config --set disable-require=maybe
run 1 nvidia-ctk config get nosuch

done_testing
