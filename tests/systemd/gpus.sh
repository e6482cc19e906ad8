#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# GPUs by engines as people use them, set up by mpu configure. Run by
# tests/systemd/machine, in a machine that tests/systemd/images has filled:
#
#	gpus.sh docker | docker_hook | docker_users | podman | podman_user | containerd | says
#
# The wrapper is what mpu configure sets up. What a container must find is said by
# tests/oci/gpu_lib.sh. SUITE is the Debian: that of bookworm knows names of CDI in podman
# alone.
set -eu

T=$(realpath gpus) B=$(realpath "${B:-.}")
. tests/oci/gpu_lib.sh
. tests/oci/cri_lib.sh
. tests/oci/attack_lib.sh

kind=debian
wrapper=/usr/local/bin/nvidia-container-runtime
config=/etc/nvidia-container-runtime/config.toml

# installed: mpu and NVIDIA's names, and what the operator has set: the driver root,
# and the runtime in front of which the wrapper stands
installed()
{
	ok "mpu is installed" deploy/install
	ok "so are NVIDIA's names" deploy/nvidia-names
	mkdir -p "${config%/*}"
	cat >"$config" <<-END
	[nvidia-container-cli]
	root = "$T/machine"
	[nvidia-container-runtime]
	runtimes = ["$T/real"]
	END
	make_real "$(command -v runc)"
}

# uninstalled: what is left here would be found by the next part
uninstalled()
{
	rm -r "${config%/*}"
	ok "mpu is uninstalled" deploy/install remove
	test ! -d /run/systemd/system || is "no scope of a container is left" '' \
		"$(systemctl list-units --all --plain --no-legend '*.scope' |
			grep -E '^(docker|libpod|cri-containerd|nerdctl|box)' || :)"
	find /dev -maxdepth 1 -name 'nvidia*' -exec rm -r {} +
	test ! -d /dev/char || find /dev/char -lname '../nvidia*' -delete
}

# usable: GPU 1 may be opened in the container that sleeps; GPU 0 may not, also by a
# node that is made there
usable()
{
	finds "$1" open=/dev/nvidia1~6 device=195:0~1
}

cuda=$libraries/libcuda.so
library=file=$cuda.1@$cuda.$VERSION

# loads_cuda WAY BOX: the image's own loader finds libcuda
loads_cuda()
{
	loads "$1: libcuda" "$2" libcuda.so.1 "$T/machine$cuda.1"
}

# has_gpu WAY BOX: one of two GPUs, with all that belongs to it
has_gpu()
{
	given 1 ''
	kind=debian
	asks "$1" "$2"
	finds "GPU 1 and no other" nodes=1 open=/dev/nvidia1~6 device=195:0~1 "$library" \
		file=/usr/bin/nvidia-smi
	loads_cuda "$1" "$2"
}

# has_cdi_gpu WAY BOX: GPU 1 by a CDI document, which has every capability
has_cdi_gpu()
{
	asks "$1" "$2"
	finds "GPU 1 and no other, and its every capability" nodes=modeset,1 open=/dev/nvidia1~6 \
		device=195:0~1
	loads_cuda "$1" "$2"
}

# has_none WAY BOX: who asks for none gets none
has_none()
{
	given '' ''
	asks "$1, nothing asked for" "$2"
	finds "no node" nodes file=/usr/bin/nvidia-smi~2
}

# of_kinds WAY BOX: images of other kinds
of_kinds()
{
	given 1 ''
	for kind in distroless broken; do
		loads_cuda "$1, $kind" "$2"
	done
	kind=compat
	name="$1, compat: the image's newer libcuda"
	exits 0 "$2" /bin/load libcuda.so.1
	says out "libcuda.so.1 /(etc/alternatives/cuda|usr/local/cuda[^/]*)/compat/"
	of_images "$1" "$2"
}

# attacked COMMAND ATTACK: docker run, or podman run, of images that attack
attacked()
{
	attacked_by=$1 client=${1%% *}
	given 1 ''
	attack_fixture
	$2 "$1"
	kind=debian
}

attack_start()
{
	image "$client" import - || return
	# shellcheck disable=SC2086 # a command
	timeout 300 $attacked_by -d --network none --name attack -e NVIDIA_VISIBLE_DEVICES=1 \
		${attack_env:+-e "$attack_env"} "$kind" /bin/look sleep || return
	pid=$("$client" inspect -f '{{.State.Pid}}' attack)
}

# The container ignores the signal that podman would wait 10 s for.
attack_stop()
{
	"$client" kill attack
	"$client" rm -f attack
}

# keeps CLIENT COMMAND...: a container that this one starts keeps its GPU over a restart
keeps()
{
	client=$1
	shift
	asks "$*" "${client}_in_keep"
	ok "$asked: a container that sleeps" "$@" -d --name keep debian /bin/look sleep
	usable "it may use its GPU"
	ok "$client restart" "$client" restart -t 0 keep
	usable "it may after $client restart"
}

# commits CLIENT [OPTION...]: an image that is made of the container has no file that was a
# mount point
commits()
{
	client=$1
	shift
	ok "$client stop" "$client" stop -t 0 keep
	ok "$client commit" "$client" commit keep after
	# Both have what the engine itself leaves in a container that has run.
	for made in debian after; do
		"$client" "$@" run --network none --name "of-$made" $made /bin/look
		"$client" export -o "$T/tar" "of-$made"
		tar -tvf "$T/tar" | awk '/^-/ && $3 == 0 { print $6 }' | LC_ALL=C sort >"$T/$made.files"
	done
	is "$client commit: no empty files but the image's own" \
		"$(cat "$T/debian.files")" "$(cat "$T/after.files")"
	ok "$client rm" "$client" rm of-debian of-after keep
}

# images COMMAND...: each kind is imported, as a tar on stdin, by its name
images()
{
	for kind in fedora alpine busybox distroless compat broken dangling debian; do
		image "$@"
	done
}

# image COMMAND...: that of $kind alone
image()
{
	tar -C "$T/images/$kind" -c . | "$@" "$kind" >"$T/out"
}

# until_up NAME COMMAND...: a daemon, $daemon, answers; one that has ended never will
until_up()
{
	which=$1
	shift
	until "$@" >"$T/out" 2>"$T/err"; do
		kill -0 "$daemon" || { tail -n 5 "$T/$which.log"; return 1; }
		sleep 0.2
	done
}

stop_daemon()
{
	kill "$daemon"
	wait "$daemon" || :	# it has been killed
}

# --- docker ---

# docker_starts [OPTION...]: it reads /etc/docker/daemon.json. Of a containerd that it
# starts itself it expects an answer within 15 seconds.
docker_starts()
{
	containerd_starts || return 1
	containerd=$daemon
	dockerd --containerd /run/containerd/containerd.sock "$@" >"$T/docker.log" 2>&1 &
	daemon=$!
	until_up docker docker version
}

docker_stops()
{
	stop_daemon
	daemon=$containerd
	stop_daemon
}

# docker_runs OPTION...: docker run; what is asked for by variables
docker_runs()
{
	docker run --network none ${devices:+-e "NVIDIA_VISIBLE_DEVICES=$devices"} \
		${capabilities:+-e "NVIDIA_DRIVER_CAPABILITIES=$capabilities"} "$@"
}

# Boxes: a command in a new container, or in the one that sleeps
docker_plain() { docker_runs --rm "$kind" "$@"; }
docker_runtime() { docker_runs --rm --runtime nvidia "$kind" "$@"; }
docker_cdi() { docker_runs --rm --runtime nvidia-cdi "$kind" "$@"; }
docker_gpus_all() { docker run --network none --rm --gpus all "$kind" "$@"; }
docker_gpus_one() { docker run --network none --rm --gpus '"device=1"' "$kind" "$@"; }
docker_device() { docker_runs --rm --device nvidia.com/gpu=1 "$kind" "$@"; }
docker_gpus_cdi()
{
	docker_runs --rm --gpus driver=cdi,device=nvidia.com/gpu=1 "$kind" "$@"
}
docker_in_keep() { docker exec keep "$@"; }

# scope_allows DEVICE: systemd has the container "keep" in a scope that may use it
scope_allows()
{
	systemctl show -P DeviceAllow \
		"docker-$(docker inspect -f '{{.Id}}' keep).scope" | grep -w "$1"
}

# systemctl daemon-reload: systemd writes the rules of every scope that it knows again
docker_reloads()
{
	ok "docker: systemd finds the node" test /dev/char/195:1 -ef /dev/nvidia1
	ok "docker: systemd's scope has it" scope_allows 195:1
	ok "systemctl daemon-reload" systemctl daemon-reload
	usable "it may after systemctl daemon-reload"
	ok "docker update again" docker update --pids-limit 60 keep
	usable "it may after both"
}

# docker_keeps OPTION...: a container with these keeps its GPU, whatever happens to it and
# to systemd
docker_keeps()
{
	keeps docker docker_runs "$@"
	ok "docker update" docker update --pids-limit 50 --memory 200m \
		--memory-swap 200m keep
	usable "it may after docker update"
	test ! -d /run/systemd/system || docker_reloads
}

# docker_configured OPTION...: its file, as it was and after mpu configure. Debian's
# docker has a bridge and rules for it, for which the machine has no modules; and it is
# to call runc by what shows a container /proc/driver.
docker_configured()
{
	mkdir -p /etc/docker
	cat >/etc/docker/daemon.json <<-END
	{ "bridge": "none", "iptables": false, "storage-driver": "vfs",
	  "default-runtime": "proc", "runtimes": { "proc": { "path": "$T/real" },
	    "nvidia-cdi": { "runtimeType": "io.containerd.runc.v2",
	      "options": { "BinaryName": "$T/real" } } } }
	END
	cp /etc/docker/daemon.json "$T/daemon.json"
	ok "mpu configure docker" mpu configure --runtime "$wrapper" "$@" docker
}

docker_undone()
{
	docker_stops
	ok "mpu configure --undo docker" mpu configure --undo docker
	ok "daemon.json is what it was" cmp "$T/daemon.json" /etc/docker/daemon.json
}

# docker itself reads CDI documents.
docker_names()
{
	if test "$SUITE" = bookworm; then
		ok "docker 20.10 knows no CDI" fails 'is not an absolute path' \
			docker_device /bin/look nodes
		return
	fi
	has_cdi_gpu "docker --device nvidia.com/gpu=1" docker_device
	has_cdi_gpu "docker --gpus driver=cdi" docker_gpus_cdi
	docker_keeps --runtime runc --device nvidia.com/gpu=1
	ok "docker rm" docker rm -f keep
	has_gpu "docker --gpus, by the hook, beside a document" docker_gpus_one
}

part_docker()
{
	docker_configured
	mpu configure --undo docker
	ok "docker starts" docker_starts
	images docker import -
	ok "docker knows no runtime nvidia before mpu configure" \
		fails 'nknown (runtime|or invalid runtime name)' \
		docker run --runtime nvidia debian /bin/look nodes
	docker_stops

	docker_configured
	ok "mpu configure docker, a second runtime" mpu configure --name nvidia-cdi \
		--runtime "$wrapper.cdi" docker
	ok "docker starts, as configured" docker_starts
	has_gpu "docker --runtime nvidia" docker_runtime
	has_none "docker --runtime nvidia" docker_runtime
	of_kinds "docker --runtime nvidia" docker_runtime
	attacked "docker run --runtime nvidia" attack_all
	given 1 ''
	docker_keeps --runtime nvidia
	commits docker
	ok "mpu cdi generate" mpu cdi generate --output /etc/cdi/nvidia.json
	given nvidia.com/gpu=1 ''
	has_cdi_gpu "docker, the wrapper in mode cdi" docker_cdi
	given '' ''
	docker_names
	rm /etc/cdi/nvidia.json
	docker_undone
}

# docker run --gpus, which has docker call the hook
part_docker_hook()
{
	docker_configured
	ok "docker starts" docker_starts
	image docker import -
	has_gpu "docker --gpus device=1" docker_gpus_one
	asks "docker --gpus all" docker_gpus_all
	finds "both GPUs" nodes=0,1
	docker_undone

	docker_configured --default
	ok "docker starts, with our runtime for all" docker_starts
	has_gpu "docker, by default" docker_plain
	has_gpu "docker --gpus device=1, by default" docker_gpus_one
	finds "by the wrapper, which takes docker's hook out" variable=NVIDIA_VISIBLE_DEVICES~void
	docker_undone
}

# Root of a container is a user without rights of the host's.
part_docker_users()
{
	docker_configured
	ok "docker starts, with users of its own" docker_starts --userns-remap default
	image docker import -
	given 1 ''
	asks "docker, userns-remap" docker_runtime
	finds "GPU 1 and no other, by the host's node" nodes=1 open=/dev/nvidia1~6 device=195:0~mknod1
	loads_cuda "docker, userns-remap" docker_runtime
	docker_undone
}

# --- podman ---

# podman_by RUNTIME OPTION...: podman run; what is asked for by variables. Without
# CAP_MKNOD nothing would be said by what cannot be opened.
podman_by()
{
	by=$1
	shift
	podman --runtime "$by" run --network none --cap-add MKNOD \
		${devices:+-e "NVIDIA_VISIBLE_DEVICES=$devices"} "$@"
}

# The hook in a folder of hooks, as older set-ups of podman have it.
podman_hooks()
{
	podman --runtime "$T/real" --hooks-dir "$T/hooks.d" run --rm --network none \
		--cap-add MKNOD -e "NVIDIA_VISIBLE_DEVICES=$devices" "$kind" "$@"
}

podman_plain()
{
	podman run --rm --network none --cap-add MKNOD \
		${devices:+-e "NVIDIA_VISIBLE_DEVICES=$devices"} "$kind" "$@"
}

podman_runtime() { podman_by nvidia --rm "$kind" "$@"; }
podman_path() { podman_by "$wrapper" --rm "$kind" "$@"; }
podman_cdi()
{
	podman --runtime "$real" run --rm --network none --cap-add MKNOD \
		--device nvidia.com/gpu=1 "$kind" "$@"
}
podman_gpus() { podman_by "$real" --rm --gpus all "$kind" "$@"; }
podman_in_keep() { podman exec keep "$@"; }

# crun 1.28 has systemd keep the rules of devices as a program, which it does not update.
podman_updates()
{
	if test "$real" = runc || test "$SUITE" = bookworm; then
		ok "podman update" podman update --memory 200m keep
	else
		ok "podman update, crun" fails 'not supported when using BPFProgram' \
			podman update --memory 200m keep
	fi
}

# podman_keeps RUNTIME OPTION...: a container by it, with these
podman_keeps()
{
	keeps podman podman_by "$@"
	if test -d /run/systemd/system; then
		podman_updates
		ok "systemctl daemon-reload" systemctl daemon-reload
		usable "it may after podman update and systemctl daemon-reload"
	fi
}

# somebody WORD...: podman as a user without rights
somebody()
{
	runuser -u somebody -- env HOME=/home/somebody XDG_RUNTIME_DIR=/home/somebody/run \
		podman --cgroup-manager cgroupfs "$@"
}

somebody_runtime()
{
	somebody --runtime "$wrapper" run --network none --rm \
		-e "NVIDIA_VISIBLE_DEVICES=$devices" "$kind" "$@"
}

somebody_cdi()
{
	somebody --runtime crun run --network none --rm \
		--device nvidia.com/gpu=1 "$kind" "$@"
}

# podman_settings: those of the machine, and a folder of hooks
podman_settings()
{
	manager=cgroupfs
	test ! -d /run/systemd/system || manager=systemd
	mkdir -p /etc/containers "$T/hooks.d"
	# podman 4 wants folders where there is such a file; podman 5 takes root's for users, too.
	folders=
	case $(podman --version 2>/dev/null) in
	*" 4."*) folders='graphroot = "/var/lib/containers/storage"
	runroot = "/run/containers/storage"' ;;
	esac
	cat >/etc/containers/storage.conf <<-END
	[storage]
	driver = "vfs"
	$folders
	END
	cat >/etc/containers/containers.conf <<-END
	[engine]
	cgroup_manager = "$manager"
	events_logger = "file"
	[containers]
	log_driver = "k8s-file"
	[network]
	network_backend = "netavark"
	END
	cat >"$T/hooks.d/oci-nvidia-hook.json" <<-END
	{ "version": "1.0.0", "stages": [ "prestart" ],
	  "when": { "always": true, "commands": [ ".*" ] },
	  "hook": { "path": "/usr/local/bin/nvidia-container-toolkit",
	    "args": [ "nvidia-container-toolkit", "prestart" ],
	    "env": [ "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" ] } }
	END
}

# podman 4.3 has no such option.
podman_names()
{
	test "$SUITE" != bookworm || return 0
	asks "podman --gpus all" podman_gpus
	finds "both GPUs" nodes=modeset,0,1
}

part_podman()
{
	podman_settings
	images podman import -
	given 1 ''
	ok "podman knows no runtime nvidia before mpu configure" \
		fails 'nvidia.*not found|invalid runtime' podman_runtime /bin/look nodes
	real=runc
	ok "podman knows no CDI device before mpu cdi" \
		fails 'nvidia.com/gpu=1' podman_cdi /bin/look nodes

	ok "mpu configure podman" mpu configure --runtime "$wrapper" podman
	has_gpu "podman --runtime nvidia" podman_runtime
	of_kinds "podman --runtime nvidia" podman_runtime
	attacked "podman --runtime nvidia run" attack_all
	given 1 ''
	asks "podman --runtime FILE" podman_path
	finds "GPU 1 and no other" nodes=1
	has_gpu "podman --hooks-dir" podman_hooks
	podman_keeps nvidia
	commits podman --runtime runc
	real=crun
	make_real "$(command -v crun)"
	has_gpu "podman --runtime nvidia, crun" podman_runtime
	podman_keeps nvidia
	ok "podman rm" podman rm -f -t 0 keep
	make_real "$(command -v runc)"
	ok "mpu cdi generate" mpu cdi generate --output /etc/cdi/nvidia.json
	given '' ''
	for real in runc crun; do
		has_cdi_gpu "podman --device nvidia.com/gpu=1, $real" podman_cdi
		podman_keeps $real --device nvidia.com/gpu=1
		ok "podman rm" podman rm -f -t 0 keep
	done
	podman_names
	# A document of somebody's, whose hook has no variables of its own.
	cat >/etc/cdi/own.json <<-END
	{ "cdiVersion": "0.5.0", "kind": "example.com/own", "devices": [ { "name": "0",
	  "containerEdits": { "hooks": [ { "hookName": "createContainer",
	    "path": "/usr/local/bin/nvidia-cdi-hook",
	    "args": [ "nvidia-cdi-hook", "update-ldcache", "--folder", "$libraries" ] } ] } } ] }
	END
	for real in runc crun; do
		attacked "podman --runtime $real run --device example.com/own=0" attack_variables
	done
	rm /etc/cdi/own.json
	ok "mpu configure --default podman" mpu configure --default \
		--runtime "$wrapper" podman
	has_gpu "podman, by default" podman_plain
	has_none "podman, by default" podman_plain
	rm /etc/cdi/nvidia.json
	ok "mpu configure --undo podman" mpu configure --undo podman
	ok "podman's file is gone" test ! -e /etc/containers/containers.conf.d/zz-mpu.conf
}

# podman of a user: no cgroup keeps a container from other nodes, but it can make none
part_podman_user()
{
	podman_settings
	useradd -m somebody
	mkdir -p /home/somebody/run
	chown somebody: /home/somebody/run
	# No hook of a user's shows a container what only root may mount.
	sed -i "s|$T/real|$(command -v runc)|" "$config"
	# The machine's nodes are made by root.
	ok "mpu container nodes" mpu container \
		--root "$T/machine" nodes
	ok "mpu cdi generate" mpu cdi generate --output /etc/cdi/nvidia.json
	image somebody import -
	given 1 ''
	for way in runtime cdi; do
		asks "rootless podman, by $way" somebody_$way
		finds "GPU 1 may be opened, GPU 0 is not there" open=/dev/nvidia1~6 \
			open=/dev/nvidia0~2 device=195:0~mknod1
		loads_cuda "rootless podman, by $way" somebody_$way
	done
	rm /etc/cdi/nvidia.json
}

# --- containerd ---

# containerd_starts: it reads /etc/containerd/config.toml
containerd_starts()
{
	containerd >"$T/containerd.log" 2>&1 &
	daemon=$!
	until_up containerd ctr version
}

# ctr_runs OPTION... -- WORD...: ctr run, of a folder that is the image
ctr_runs()
{
	rm -rf "$T/rootfs"
	cp -a "$T/images/$kind" "$T/rootfs"
	more=''
	while test "$1" != --; do
		more="$more $1"
		shift
	done
	shift
	# shellcheck disable=SC2086 # a list
	ctr run --rm --rootfs $more ${devices:+--env "NVIDIA_VISIBLE_DEVICES=$devices"} \
		"$T/rootfs" box "$@"
}

ctr_cdi() { ctr_runs --device nvidia.com/gpu=1 -- "$@"; }
ctr_binary() { ctr_runs --runc-binary "$wrapper" -- "$@"; }
# ctr has runc call nvidia-container-cli as a hook, which then knows of no config.toml:
# a driver root has to be told.
ctr_gpus()
{
	devices=''
	mkdir -p "$T/path"
	printf '#!/bin/sh\nexec %s --root=%s "$@"\n' /usr/local/bin/nvidia-container-cli \
		"$T/machine" >"$T/path/nvidia-container-cli"
	chmod +x "$T/path/nvidia-container-cli"
	PATH=$T/path:$PATH
	ctr_runs --runc-binary "$T/real" --gpus 1 -- "$@"
}

# --- CRI: what a kubelet asks of containerd for a pod of a runtime class ---

# cri_ask METHOD: $T/request there, $T/answer back
cri_ask()
{
	name="CRI: $1"
	exits 0 call "$1"
}

# cri_pod CLASS: $pod
cri_pod()
{
	pod_request "$1"
	cri_ask RunPodSandbox
	pod=$(answered_id)
}

# cri_box WORD...: a container in it, with $devices as its variable, with the mount
# $plugin_device that a device plugin makes, or with $cdi_device
cri_box()
{
	rm -rf "$T/logs"
	string 1 box >"$T/metadata"
	string 1 localhost/debian:latest >"$T/spec"
	{ string 1 NVIDIA_VISIBLE_DEVICES; string 2 "$devices"; } >"$T/variable"
	{ string 1 "/var/run/nvidia-container-devices/$plugin_device"
	  string 2 /dev/null; } >"$T/mount"
	string 1 "$cdi_device" >"$T/cdi"
	message 3 "$T/options" >"$T/security"
	message 2 "$T/security" >"$T/linux"
	{
		test -z "$devices" || message 6 "$T/variable"
		test -z "$plugin_device" || message 7 "$T/mount"
		test -z "$cdi_device" || message 17 "$T/cdi"
	} >"$T/more"
	create_container "$@" || return 1
	cri_run
}

# cri_run: the container of $T/answer; what it says to stdout
cri_run()
{
	id=$(answered_id)
	string 1 "$id" >"$T/request"
	if ! call StartContainer; then
		cat "$T/head"
		call RemoveContainer
		return 1
	fi
	until has_ended box; do
		sleep 0.2
	done
	sed -n 's/^[^ ]* stdout F //p' "$T/logs/log"
	call RemoveContainer
}

cri_has_gpu()
{
	asks "$1" cri_box
	finds "GPU 1 and no other" nodes=1 open=/dev/nvidia1~6 device=195:0~1 "$library"
}

cri_pods()
{
	cri_socket=/run/containerd/containerd.sock plugin_device='' cdi_device=''
	# A kubelet says which slice a pod is in, where systemd keeps control groups.
	cri_parent=
	test "$group" = false || cri_parent=kubepods.slice
	ok "containerd takes an image, which sleeps" import_image "$T/images/debian" \
		localhost/debian:latest 'CMD ["/bin/look","sleep"]'
	cri_pod nvidia
	given 1 ''
	cri_has_gpu "CRI, class nvidia, by a variable"
	given '' ''
	has_none "CRI, class nvidia" cri_box
}

# cri_pod_ends: $pod
cri_pod_ends()
{
	string 1 "$pod" >"$T/request"
	cri_ask StopPodSandbox
	cri_ask RemovePodSandbox
}

# containerd 1.6 knows no CDI.
cri_names()
{
	test "$SUITE" != bookworm || return 0
	ok "mpu cdi generate" mpu cdi generate --output /etc/cdi/nvidia.json
	has_cdi_gpu "ctr --device nvidia.com/gpu=1" ctr_cdi
	cri_pod ''
	cdi_device=nvidia.com/gpu=1
	has_cdi_gpu "CRI, by a name of CDI" cri_box
	cri_pod_ends
	rm /etc/cdi/nvidia.json
}

cri_kubernetes()
{
	ok "mpu configure --kubernetes containerd" mpu configure --kubernetes \
		--runtime "$wrapper" containerd
	given 1 ''
	asks "CRI, --kubernetes, by a variable" cri_box
	finds "no node" nodes file=/usr/bin/nvidia-smi~2
	given '' ''
	plugin_device=1
	cri_has_gpu "CRI, --kubernetes, by the mount of a device plugin"
	plugin_device=''
	cri_pod_ends
}

part_containerd()
{
	group=false
	test ! -d /run/systemd/system || group=true
	mkdir -p /etc/containerd
	cat >/etc/containerd/config.toml <<-END
	version = 2
	[plugins."io.containerd.grpc.v1.cri"]
	  sandbox_image = "localhost/debian:latest"
	  restrict_oom_score_adj = true
	  [plugins."io.containerd.grpc.v1.cri".containerd]
	    snapshotter = "native"
	  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
	    runtime_type = "io.containerd.runc.v2"
	    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
	      SystemdCgroup = $group
	END
	cp /etc/containerd/config.toml "$T/containerd.toml"
	ok "mpu configure containerd" mpu configure --runtime "$wrapper" containerd
	ok "once more changes nothing" prints 'says so already' \
		sh -c "mpu configure --runtime $wrapper containerd 2>&1"
	ok "our runtime has the settings of runc" \
		test "$(grep -c "SystemdCgroup = $group" /etc/containerd/config.toml)" -eq 2
	ok "containerd starts, as configured" containerd_starts
	has_gpu "ctr --runc-binary" ctr_binary
	has_none "ctr --runc-binary" ctr_binary
	of_kinds "ctr --runc-binary" ctr_binary
	has_cdi_gpu "ctr --gpus 1" ctr_gpus
	cri_pods
	cri_kubernetes
	cri_names
	stop_daemon
	ok "mpu configure --kubernetes --undo containerd" mpu configure --kubernetes \
		--undo containerd
	ok "containerd's file is what it was" \
		cmp "$T/containerd.toml" /etc/containerd/config.toml
}

# --- What mpu up, doctor and why say to type, typed ---

# advised REGEX COMMAND...: what it says to do about that; doctor has it on the next line
advised()
{
	regex=$1
	shift
	"$@" >"$T/said" 2>&1 || :	# it says that something is to be done
	grep -E -A 1 -- "$regex" "$T/said" | sed -n 's/^.*-> //p; s/^next: *//p' | head -n 1
}

# follows ADVICE: runs its command, and what that one says to have files read. This machine's
# daemons are no units.
follows()
{
	command=$(echo "$1" | sed 's/[,;].*//')
	ok "as it is printed: $command" typed "${command:-false}"
	reload=$(sed -n 's/.*to have it read: //p' "$T/said" | grep -v '^nothing' || :)
	test -z "$reload" || ok "and: $reload" typed "$reload"
}

typed()
{
	PATH=$T/path:$PATH sh -c "$1" >"$T/said" 2>&1 || { cat "$T/said"; return 1; }
}

# translated ENGINE [OPTION...]: a container that it starts so is, which is made anew
translated()
{
	engine=$1
	shift
	"$engine" rm -f plain >"$T/out" 2>&1 || :	# there may be none
	"$engine" run -d --name plain --network none --ulimit nofile=1024:1024 \
		--ulimit nproc=1024:1024 "$@" debian /bin/look sleep >"$T/out" 2>&1 &&
		mpu why plain
}

typing()
{
	mkdir -p "$T/path"
	printf '#!/bin/sh\nexec "$@"\n' >"$T/path/sudo"
	cat >"$T/path/systemctl" <<-'END'
	#!/bin/sh
	case $* in
	'reload docker') kill -HUP "$(cat /run/docker.pid)"; sleep 5 ;;
	'restart containerd') ;;	# containerd config dump reads its files
	*) exec /bin/systemctl "$@" ;;
	esac
	END
	chmod +x "$T/path"/*
}

# shellcheck disable=SC2086 # $words is words
docker_typed() { docker run --rm --network none $words=all debian "$@"; }

says_of_docker()
{
	hook=/usr/local/bin/nvidia-container-runtime-hook
	mv $hook $hook.away
	docker_configured
	mpu configure --undo docker
	ok "docker starts" docker_starts
	image docker import -
	# An engine that takes more than ten seconds to answer is judged by its files.
	no_runtime='(docker info|daemon.json) names no runtime that is mpu-runtime'
	todo='sudo mpu configure docker --default'
	is "mpu up" "$todo" "$(advised "$no_runtime" mpu up -e notify)"
	is "mpu doctor" "$todo" "$(advised "$no_runtime" mpu doctor)"
	follows "$(advised 'docker run --gpus' mpu doctor)"
	words=$(advised 'docker run --gpus' mpu doctor | sed -n 's/^use \(.*\)=all, or .*/\1/p')
	asks "docker run $words=all" docker_typed
	finds "both GPUs" nodes=0,1

	todo='sudo mpu configure docker --name nvidia --default'
	is "mpu up, now" "$todo" "$(advised 'for containers that name runtime nvidia' mpu up)"
	ok "a container" no translated docker
	todo="$todo, then make the containers anew: a restart keeps their runtime"
	is "mpu why" "$todo" "$(advised '^next:' mpu why plain)"
	follows "$todo"
	ok "it is translated" translated docker
	is "mpu up has nothing more to say of docker" '' "$(advised docker: mpu up)"
	ok "one of another runtime" no translated docker --runtime proc
	is "mpu why" "make the containers anew, without another --runtime: a restart keeps their runtime" \
		"$(advised '^next:' mpu why plain)"
	docker rm -f plain

	# The other toolkit's runtime by that name translates nothing.
	printf '#!/bin/sh\nexec %s "$@"\n' "$T/real" >"$T/nvidia-container-runtime"
	chmod +x "$T/nvidia-container-runtime"
	mpu configure docker --default --runtime "$T/nvidia-container-runtime"
	PATH=$T/path:$PATH systemctl reload docker
	follows "$(advised "$no_runtime" mpu doctor)"
	ok "it is translated" translated docker
	ln -sf /usr/local/bin/mpu "$T/mpu-runtime"
	mpu configure docker --runtime "$T/mpu-runtime"
	rm "$T/nvidia-container-runtime" "$T/mpu-runtime"
	PATH=$T/path:$PATH systemctl reload docker
	follows "$(advised 'which is not there' mpu doctor)"
	is "it is there" '' "$(advised 'which is not there' mpu doctor)"
	docker rm -f plain
	docker_undone
	mv $hook.away $hook
}

part_says()
{
	typing
	says_of_docker

	mkdir -p /etc/containerd /var/lib/kubelet
	echo 'version = 2' >/etc/containerd/config.toml
	follows "$(advised '(config dump|its configuration) names no runtime' mpu up)"
	is "mpu up has nothing more to say of containerd" '' "$(advised containerd: mpu up)"
	mpu configure --undo containerd
	rm /etc/containerd/config.toml
	is "nothing is wrong with a containerd that has no file" '' "$(advised 'cannot read' mpu doctor)"
	rmdir /var/lib/kubelet

	podman_settings
	image podman import -
	ok "a container" no translated podman
	is "mpu up" "sudo mpu configure podman --default" "$(advised podman: mpu up)"
	follows "$(advised '^next:' mpu why plain)"
	ok "it is translated" translated podman
	podman rm -f -t 0 plain
	mpu configure --undo podman
	ok "mpu down" mpu down
}

installed
"part_$1"
uninstalled
done_testing
