# SPDX-License-Identifier: GPL-2.0-only
# Parts that tests/oci/gpu_*.sh share: a machine with GPUs that is made of files, images,
# the runtimes that give GPUs to containers, and what a container must find.
#
# The driver root is that of tests/container/fake-root: two GPUs, nodes that answer
# ENXIO (6) where the cgroup lets a process open them, and EPERM (1) where it does
# not. Its /proc/driver is put into every container by a hook in front of all
# others, since the kernel's own /proc has no driver here.
#
# shellcheck shell=sh

# shellcheck source=tests/oci/lib.sh
. tests/oci/lib.sh

VERSION=580.159.04
# A machine without a compiler is told.
triplet=${triplet:-$(gcc -print-multiarch)}
libraries=/usr/lib/$triplet
asked='' devices='' capabilities=''
compat=/usr/local/cuda-13.2/compat
newer=595.45.04

# make_machine: $T/machine
make_machine()
{
	tests/container/fake-root "$T/machine" --version $VERSION
}

# make_real REAL: $T/real is REAL, in front of whose hooks one shows a container the
# machine's /proc/driver; a configuration as it comes in is kept
make_real()
{
	cat >"$T/show-proc" <<-'END'
	#!/bin/sh
	# show-proc ROOT MACHINE
	pid=$(tr -d ' \n' | sed 's/.*"pid":\([0-9]*\).*/\1/')
	exec nsenter --mount="/proc/$pid/ns/mnt" \
		mount --rbind "$2/proc/driver" "$1/proc/driver"
	END
	# Keeps config.json as the wrapper made it, before this hook is there.
	cat >"$T/real" <<-END
	#!/bin/sh
	set -e
	bundle=. last=
	for word; do
		case \$last in -b | --bundle) bundle=\$word ;; esac
		case \$word in --bundle=*) bundle=\${word#*=} ;; esac
		last=\$word
	done
	case " \$* " in
	*' create '* | *' run '*)
		cp "\$bundle/config.json" '$T/after'
		'$B/first_hook' "\$bundle" '$T/show-proc' '$T/machine' ;;
	esac
	exec '$1' "\$@"
	END
	chmod +x "$T/show-proc" "$T/real"
}

# make_gpu_runtime REAL: $T/gpu-runtime is nvidia-container-runtime in front of
# REAL; configurations are kept before and after, as make_runtime does
make_gpu_runtime()
{
	make_runtime "$1"
	mkdir -p "$T/names"
	# A copy: root of a user namespace may not go into a home folder.
	cp --remove-destination "$B/mpu" "$T/names/mpu"
	for link in nvidia-container-runtime nvidia-container-runtime-hook \
		nvidia-container-cli nvidia-ctk nvidia-cdi-hook; do
		ln -sf mpu "$T/names/$link"
	done
	settings auto
	mkdir -p "$T/hook"
	# A hook's caller may give it no environment.
	cat >"$T/hook/nvidia-container-runtime-hook" <<-END
	#!/bin/sh
	export NVIDIA_CTK_CONFIG_FILE_PATH='$T/config-gpu.toml'
	exec '$T/names/nvidia-container-runtime-hook' "\$@"
	END
	cat >"$T/gpu-runtime" <<-END
	#!/bin/sh
	export NVIDIA_CTK_CONFIG_FILE_PATH='$T/config-gpu.toml'
	exec '$T/keep' '$T/before' '$T/names/nvidia-container-runtime' "\$@"
	END
	make_real "$1"
	chmod +x "$T/hook/nvidia-container-runtime-hook" "$T/gpu-runtime"
}

# runtime WORD...: it, below a root of its own
runtime()
{
	timeout 60 "$T/gpu-runtime" --root "$T/state" "$@"
}

# make_hooks PROGRAM...: $T/hook/PROGRAM. A PID of the container's names another process in
# the /proc that such a hook sees, in which the sanitizer looks for leaks.
make_hooks()
{
	for program; do
		cat >"$T/hook/$program" <<-END
		#!/bin/sh
		export ASAN_OPTIONS=detect_leaks=0
		exec '$T/names/$program' "\$@"
		END
		chmod +x "$T/hook/$program"
	done
}

# document FILE HOOK OPTION...: nvidia-ctk makes one of the machine, which names that program
document()
{
	name="nvidia-ctk cdi generate, $*"
	made=$1 its_hook=$2
	shift 2
	mkdir -p "$T/cdi"
	exits 0 env NVIDIA_CTK_CONFIG_FILE_PATH="$T/config-gpu.toml" "$T/names/nvidia-ctk" \
		cdi generate --driver-root="$T/machine" --output="$T/cdi/$made.json" \
		--nvidia-cdi-hook-path="$its_hook" "$@"
}

# settings MODE [LINE...]: what the operator of the machine has set; LINEs are of the
# file's first part
settings()
{
	mode=$1
	shift
	{
		for line; do echo "$line"; done
		cat <<-END
		[nvidia-container-cli]
		root = "$T/machine"
		path = "$T/names/nvidia-container-cli"
		load-kmods = false
		[nvidia-container-runtime]
		mode = "$mode"
		runtimes = ["$T/real"]
		[nvidia-container-runtime.modes.cdi]
		spec-dirs = ["$T/cdi"]
		[nvidia-container-runtime-hook]
		path = "$T/hook/nvidia-container-runtime-hook"
		END
	} >"$T/config-gpu.toml"
}

# --- images: folders ---

# image NAME: $T/images/NAME with what every image has here
image()
{
	image=$T/images/$1
	mkdir -p "$image/bin" "$image/dev" "$image/proc" "$image/sys" "$image/etc" \
		"$image/tmp"
	cp "$B/look" "$image/bin/"
}

# loader LIBRARY-FOLDER: this machine's libc, its loader, and a program that takes them
loader()
{
	mkdir -p "$image$1" "$image/lib64"
	for library in libc.so.6 libdl.so.2 libm.so.6; do
		cp -L "/lib/$triplet/$library" "$image$1/"
	done
	cp -L /lib64/ld-linux-*.so.* "$image/lib64/" 2>/dev/null ||
		cp -L /lib/ld-linux-*.so.* "$image/lib/"	# other architectures
	cp "$B/load" "$image/bin/"
}

# cache: this machine's ldconfig, and what it makes of the image's ld.so.conf
cache()
{
	mkdir -p "$image/usr/sbin"
	cp -L "$(ls /sbin/ldconfig.real 2>/dev/null || echo /sbin/ldconfig)" \
		"$image/usr/sbin/ldconfig"
	ldconfig -r "$image"
}

# Debian 12, as much as matters: merged /usr, multiarch, a cache.
debian_image()
{
	image debian
	rm -r "${image:?}/bin"
	mkdir -p "$image/usr/bin" "$image$libraries" "$image/usr/lib64"
	ln -s usr/bin "$image/bin"
	ln -s usr/lib "$image/lib"
	ln -s usr/lib64 "$image/lib64"
	mkdir "$image/run" "$image/var"
	ln -s /run "$image/var/run"
	cp "$B/look" "$image/bin/"
	echo 12.4 >"$image/etc/debian_version"
	loader "$libraries"
	mkdir "$image/etc/ld.so.conf.d"
	echo "$libraries" >"$image/etc/ld.so.conf.d/$triplet.conf"
	echo 'include /etc/ld.so.conf.d/*.conf' >"$image/etc/ld.so.conf"
	cache
}

# Fedora and its like: /usr/lib64, no multiarch. This machine's loader may look there by
# the cache alone.
fedora_image()
{
	image fedora
	mkdir -p "$image/usr/lib64" "$image/usr/bin"
	ln -s usr/lib64 "$image/lib64"
	loader /usr/lib64
	mkdir "$image/etc/ld.so.conf.d"
	printf '%s\n' 'include ld.so.conf.d/*.conf' /usr/lib64 >"$image/etc/ld.so.conf"
	cache
}

# musl, its loader where this machine has one; no ld.so.cache, no /usr/lib64.
alpine_image()
{
	image alpine
	mkdir -p "$image/lib" "$image/usr/lib" "$image/usr/bin"
	echo 3.20.0 >"$image/etc/alpine-release"
	cp -L "$(find /lib /usr/lib -maxdepth 2 -name 'ld-musl-*.so.1' | head -n 1)" \
		"$image/lib/" 2>/dev/null || : >"$image/lib/ld-musl-x86_64.so.1"
}

# Static programs and nothing else.
busybox_image()
{
	image busybox
}

# Debian's libraries without merged /usr, without ldconfig, its cache or a shell.
distroless_image()
{
	image distroless
	mkdir -p "$image/usr/bin" "$image/usr/lib/$triplet"
	loader "/lib/$triplet"
}

# A newer libcuda that the driver takes, behind the absolute link of alternatives.
compat_image()
{
	cp -a "$T/images/debian" "$T/images/compat"
	image=$T/images/compat
	mkdir -p "$image$compat" "$image/etc/alternatives"
	ln -s /usr/local/cuda-13.2 "$image/etc/alternatives/cuda"
	ln -s /etc/alternatives/cuda "$image/usr/local/cuda"
	cp "$T/machine$libraries/libcuda.so.$VERSION" \
		"$image$compat/libcuda.so.$newer"
	ln -s "libcuda.so.$newer" "$image$compat/libcuda.so.1"
}

# Makes leftovers of older tools: empty files, and links to them.
broken_image()
{
	cp -a "$T/images/debian" "$T/images/broken"
	image=$T/images/broken
	: >"$image$libraries/libcuda.so.470.57.02"
	ln -s libcuda.so.470.57.02 "$image$libraries/libcuda.so.1"
	: >"$image$libraries/libnvidia-ml.so.1"
	: >"$image$libraries/libnvidia-ml.so.$VERSION"
	: >"$image/usr/bin/nvidia-smi"
}

# Links that lead nowhere, and out of the image.
dangling_image()
{
	cp -a "$T/images/debian" "$T/images/dangling"
	image=$T/images/dangling
	ln -s /nowhere "$image$libraries/libcuda.so.$VERSION"
	ln -s ../../../../../../../../no-such-folder/smi "$image/usr/bin/nvidia-smi"
}

# --- what a container must find ---

# asks NAME BOX: the container of which the following is said
asks()
{
	asked=$1
	box=$2
}

# finds NAME ASKED...: what is asked of tests/oci/look.c, each with what is found:
#
#	nodes=0,1	the nodes of these GPUs and all control nodes; nodes: none at all
#	file=PATH	the machine's file of that path; file=PATH@OTHER: its other one
#	open=PATH~6	of any question but nodes: the number of the error, or the variable's
#			value; device=195:0~mknod1: of the error where the node is made
finds()
{
	name="$asked: $1" found=0
	shift
	: >"$T/wanted"
	for answer; do
		shift
		question=${answer%%[~@]*}
		of=${question#*=} value=${answer#*[~@]}
		case $answer in
		nodes*)
			test "$answer" = nodes || nodes_of "$of" >>"$T/wanted"
			question=nodes
			;;
		variable=*) echo "$of=$value" >>"$T/wanted" ;;
		*~mknod*) echo "$of mknod errno ${value#mknod}" >>"$T/wanted" ;;
		*~*) echo "$of errno $value" >>"$T/wanted" ;;
		*@*) same "$of" "$value" >>"$T/wanted" ;;
		*) same "$of" "$of" >>"$T/wanted" ;;
		esac
		set -- "$@" "$question"
	done
	$box /bin/look "$@" >"$T/out" 2>"$T/err" </dev/null || found=$?
	tr -d '\r' <"$T/out" >"$T/found"
	if test "$found" -eq 0 && cmp -s "$T/wanted" "$T/found"; then
		pass
	else
		diff "$T/wanted" "$T/found" >"$T/out" || :	# that is what is shown
		fail "exit $found, or other answers than were wanted (<)"
	fi
}

# same PATH FILE: the line of "look file=" for a file of the machine
same()
{
	printf '%s %s\n' "$1" "$(stat -L -c '%d:%i %s' "$T/machine$2")"
}

# nodes_of NUMBER,NUMBER...: the lines of "look nodes" for these GPUs, with all control nodes;
# modeset, which every CDI document names, is one
nodes_of()
{
	{
		for gpu in $(echo "$1" | tr , ' '); do
			case $gpu in
			modeset) echo '/dev/nvidia-modeset c 195:254 666' ;;
			*) echo "/dev/nvidia$gpu c 195:$gpu 666" ;;
			esac
		done
		printf '%s 666\n' '/dev/nvidia-uvm c 238:0' '/dev/nvidia-uvm-tools c 238:1' \
			'/dev/nvidiactl c 195:255'
	} | LC_ALL=C sort
}

# given DEVICES CAPABILITIES: what the next containers ask for, "" for nothing
given()
{
	devices=$1 capabilities=$2
}

# gpu_bundle IMAGE EDITS WORD...: $T/bundle, of a fresh copy of that folder, whose program has
# these words. $devices and $capabilities are asked for by variables, and $more of its own are
# there; EDITS are sed's.
more=''
gpu_bundle()
{
	rm -rf "$T/bundle"
	mkdir "$T/bundle"
	cp -a "$1" "$T/bundle/rootfs"
	edits=$2
	shift 2
	: >"$T/hook.err"
	env="\"PATH=/usr/bin:/bin\"${devices:+,\"NVIDIA_VISIBLE_DEVICES=$devices\"}"
	env="$env${capabilities:+,\"NVIDIA_DRIVER_CAPABILITIES=$capabilities\"}${more:+,\"$more\"}"
	args=$(printf '"%s",' "$@")
	sed -e "s|@ROOTFS@|rootfs|; s|@ARGS@|${args%,}|; s#@ENV@#$env#; s|@HOOK@|$T/hook.err|" \
		-e "$edits" -e 's|"@USER@"||' tests/oci/gpu.json.in >"$T/bundle/config.json"
}

# refuses NAME BOX REGEX: it fails, and says why
refuses()
{
	name=$1
	got=0
	"$2" /bin/look nodes >"$T/out" 2>"$T/err" </dev/null || got=$?
	test "$got" -ne 0 || fail "exit 0"
	says err "$3"
}

# of_all WAY BOX: everything that a container with all GPUs is given
of_all()
{
	cuda=$libraries/libcuda.so.$VERSION ml=$libraries/libnvidia-ml.so
	firmware=lib/firmware/nvidia/$VERSION/gsp_ga10x.bin
	given all ''
	asks "$1, all" "$2"
	finds "nodes" nodes=0,1
	finds "they may be opened" open=/dev/nvidia0~6 open=/dev/nvidia1~6 open=/dev/nvidiactl~6 \
		open=/dev/nvidia-uvm~6
	finds "libraries, by file and by SONAME" "file=$cuda" "file=$libraries/libcuda.so.1@$cuda" \
		"file=$libraries/libcuda.so@$cuda" "file=$ml.1@$ml.$VERSION"
	finds "none of other capabilities" "file=$libraries/libnvidia-encode.so.1~2" \
		file=/dev/nvidia-modeset~2 file=/dev/dri~2
	finds "programs, firmware, sockets" file=/usr/bin/nvidia-smi "file=/$firmware@/usr/$firmware" \
		file=/run/nvidia-persistenced/socket
	name="$1, all: files are mounted so that nothing can be changed"
	exits 0 "$2" /bin/look "mount=$cuda" mount=/usr/bin/nvidia-smi
	says out "^$cuda ro,nosuid,nodev" '^/usr/bin/nvidia-smi ro,nosuid,nodev'
}

# of_proc WAY BOX: /proc/driver/nvidia of a container that has GPU 1
of_proc()
{
	given 1 ''
	asks "$1, 1: /proc/driver/nvidia" "$2"
	name="$asked: the driver's version, and the GPU"
	exits 0 "$2" /bin/look text=/proc/driver/nvidia/version \
		text=/proc/driver/nvidia/gpus/0000:02:00.0/information
	says out "NVRM version: .* $VERSION " 'GPU UUID:.*GPU-00000002-0000-4000-8000-000000000002'
	name="$asked: nothing that can be written, nothing of the other GPU"
	exits 0 "$2" /bin/look text=/proc/driver/nvidia/suspend_depth \
		names=/proc/driver/nvidia/gpus/0000:01:00.0 \
		text=/proc/driver/nvidia/gpus/0000:01:00.0/information \
		names=/proc/driver/nvidia/warnings names=/proc/driver/nvidia/patches \
		names=/proc/driver/nvidia/capabilities \
		text=/proc/driver/nvidia/gpus/0000:02:00.0/unbindLock \
		write=/proc/driver/nvidia/registry write=/proc/driver/nvidia/suspend
	lacks out 'default|: 0x|UUID|README|: gpu|: mig'
	pass_or "the registry was written" cmp -s "$T/machine/proc/driver/nvidia/registry" /dev/null
}

# of_one WAY BOX: one of two GPUs, named in each way that there is
of_one()
{
	for one in 1 GPU-00000002-0000-4000-8000-000000000002 0000:02:00.0; do
		given "$one" ''
		asks "$1, $one" "$2"
		finds "its node alone" nodes=1
	done
	given 1 ''
	asks "$1, 1" "$2"
	finds "a node that it makes itself is its own GPU's, or refused" \
		device=195:1~6 device=195:0~1
	given none ''
	asks "$1, none" "$2"
	finds "control nodes alone" nodes=
	given 7 ''
	refuses "$1, 7: such a GPU is not there" "$2" "unknown device"
}

# of_none WAY BOX: the configuration of a container that asks for no GPU is left as
# it was
of_none()
{
	for none in '' void; do
		given "$none" ''
		asks "$1, '$none'" "$2"
		finds "no node" nodes
		name="$asked: config.json byte for byte"
		pass_or "it was edited" cmp -s "$T/before" "$T/after"
	done
}

# of_capabilities WAY BOX
of_capabilities()
{
	cuda=libcuda.so ml=libnvidia-ml.so
	given 0 utility
	asks "$1, utility alone" "$2"
	finds "no CUDA" "file=$libraries/$ml.1@$libraries/$ml.$VERSION" "file=$libraries/$cuda.1~2" \
		file=/dev/nvidia-uvm~2
	given 0 compute
	asks "$1, compute alone" "$2"
	finds "no nvidia-smi" "file=$libraries/$cuda.1@$libraries/$cuda.$VERSION" \
		file=/usr/bin/nvidia-smi~2 "file=$libraries/$ml.1~2"
	given 0 nonsense
	refuses "$1, capability 'nonsense': refused" "$2" "unsupported capabilities found in 'nonsense'"
}

# of_images WAY BOX: GPU $devices in images of other kinds
of_images()
{
	kind=dangling
	name="$1, links that lead nowhere: a container, or a sentence"
	if "$2" /bin/look nodes >"$T/out" 2>"$T/err" </dev/null ||
	   grep -q 'the image has a link there that leads nowhere' "$T/err"; then
		pass
	else
		fail "neither"
	fi
	for kind in fedora alpine busybox; do
		asks "$1, $kind" "$2"
		finds "nodes" "nodes=$devices"
		finds "libraries" "file=/usr/lib64/libcuda.so.1@$libraries/libcuda.so.1"
	done
	kind=debian
}

# loads NAME BOX LIBRARY FILE: the image's own loader finds this file by that name
loads()
{
	name=$1
	exits 0 "$2" /bin/load "$3"
	tr -d '\r' <"$T/out" >"$T/found"
	says found "$(stat -L -c "^$3 /[^ ]* %d:%i$" "$4")"
}
