#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# GPUs for containers by plain runc, or the runtime named by RUNTIME: in every mode
# of the wrapper, and for images of every kind.
set -eu
. tests/oci/gpu_lib.sh

real=$(command -v "${RUNTIME:-runc}") ||
	skip_all "there is no ${RUNTIME:-runc} here"
engine=${real##*/}
make_machine
debian_image
fedora_image
alpine_image
busybox_image
compat_image
broken_image
dangling_image
kind=debian
user_ns=

# write_config WORD...: $T/bundle, of a fresh copy of that image
write_config()
{
	gpu_bundle "$T/images/$kind" "s|\"@USER@\"|$user_ns|" "$@"
	test -z "$user_ns" || chown -hR 100000:100000 "$T/bundle/rootfs"
}

# box WORD...: run it. What hooks say runc shows; crun writes it where it is told to.
box()
{
	write_config "$@"
	status=0
	timeout 60 "$T/gpu-runtime" --root "$T/state" run --bundle "$T/bundle" "gpu-$$" || status=$?
	cat "$T/hook.err" >&2
	return $status
}

# in_every_way WAY: what holds in every mode
in_every_way()
{
	kind=debian
	of_all "$1" box
	of_one "$1" box
	of_proc "$1" box
	of_none "$1" box
	of_capabilities "$1" box
}

# images WAY: images of other kinds
images()
{
	given 0 ''
	kind=broken
	asks "$1, what other tools left in an image" box
	finds "nvidia-smi" file=/usr/bin/nvidia-smi
	name="$asked: nothing of it was written to"
	if test -s "$T/bundle/rootfs$libraries/libcuda.so.470.57.02"; then
		fail "something was"
	else
		pass
	fi
	of_images "$1" box
	name="$1, links that lead nowhere: nothing is there now"
	if test -e /no-such-folder || test -e /nowhere; then fail "it is"; else pass; fi
}

# says_where WAY: where the libraries are for an image whose loader does not look there
says_where()
{
	kind=alpine
	given 0 ''
	name="$1, alpine: where the libraries are is logged"
	write_config /bin/look nodes
	exits 0 timeout 60 "$T/gpu-runtime" --log "$T/where.log" --root "$T/state" \
		run --bundle "$T/bundle" "gpu-$$"
	cp "$T/where.log" "$T/out"
	says out 'LD_LIBRARY_PATH=/usr/lib64'
}

make_gpu_runtime "$real"
in_every_way "$engine"
asks "$engine, all" box
given all ''
finds "whoever comes later is told that all is done" variable=NVIDIA_VISIBLE_DEVICES~void
images "$engine"
says_where "$engine"
kind=debian

name="$engine: a bundle that was edited before is left alone"
given all ''
write_config /bin/look sleep
exits 0 timeout 60 "$T/gpu-runtime" --root "$T/state" create --bundle "$T/bundle" "gpu-$$"
timeout 60 "$T/gpu-runtime" --root "$T/state" delete --force "gpu-$$" >"$T/out" 2>"$T/err"
cp "$T/after" "$T/bundle/config.json"
exits 0 timeout 60 "$T/gpu-runtime" --root "$T/state" create --bundle "$T/bundle" "gpu-$$"
timeout 60 "$T/gpu-runtime" --root "$T/state" delete --force "gpu-$$" >"$T/out" 2>"$T/err"
if cmp -s "$T/before" "$T/after"; then pass; else fail "it changed"; fi

name="$engine: no GPU's node is opened, whoever asks for which"
given all ''
write_config /bin/look nodes
if command -v strace >/dev/null; then
	exits 0 timeout 60 strace -f -o "$T/calls" -e trace=open,openat,openat2 \
		"$T/gpu-runtime" --root "$T/state" run --bundle "$T/bundle" "gpu-$$"
	# runc opens what it mounts, with O_PATH: that calls no driver.
	grep -E '/dev/nvidia[0-9]' "$T/calls" | grep -v O_PATH >"$T/out" || :	# none
	silent out
else
	skip "there is no strace here"
fi

name="$engine: what was wrong is in the log that an engine reads"
given 7 ''
write_config /bin/look nodes
exits 1 timeout 60 "$T/gpu-runtime" --log "$T/log.json" --log-format json --root "$T/state" \
	run --bundle "$T/bundle" "gpu-$$"
cp "$T/log.json" "$T/out"
says out '"level": *"error".*unknown device'

# Root of a container with a user namespace cannot make nodes: they are the host's.
given 1 ''
users=',{"type":"user"}],"uidMappings":[{"containerID":0,"hostID":100000,"size":65536}],"gidMappings":[{"containerID":0,"hostID":100000,"size":65536}'
user_ns=$users
chmod a+x "$T" "${T%/*}"
asks "$engine, a user namespace, 1" box
finds "nodes" nodes=1
finds "they may be opened" open=/dev/nvidia1~6 open=/dev/nvidiactl~6
user_ns=

# Mode legacy: the hook and nvidia-container-cli, as older set-ups have it.
settings legacy
in_every_way "$engine, mode legacy"
images "$engine, mode legacy"
given 0 ''
kind=debian

# of_runtime WORD...: with what an engine has in a bundle of the container's name
of_runtime()
{
	timeout 60 "$T/gpu-runtime" --root "$T/state" --log "$T/gpu-$$/log" "$@"
}

# root_is_clean: nothing is in the root but what the image has
root_is_clean()
{
	find "$T/bundle/rootfs" | sort | diff "$T/image" - >"$T/out" || :	# shown
	: >"$T/err"
	silent out
}

ln -s bundle "$T/gpu-$$"
name="$engine, mode legacy: what the hook has made is removed"
write_config /bin/look nodes
find "$T/bundle/rootfs" | sort >"$T/image"
exits 0 of_runtime create --bundle "$T/bundle" "gpu-$$"
ok "$name: something is made" test -L "$T/bundle/rootfs$libraries/libcuda.so.1"
exits 0 of_runtime start "gpu-$$"
for _ in $(seq 600); do
	of_runtime state "gpu-$$" | grep -q '"stopped"' && break
	sleep 0.1
done
exits 0 of_runtime delete "gpu-$$"
root_is_clean
name="$engine, mode legacy: what a hook that was killed has made is removed"
if command -v strace >/dev/null; then
	mv "$T/hook/nvidia-container-runtime-hook" "$T/hook/whole"
	cat >"$T/hook/nvidia-container-runtime-hook" <<-END
	#!/bin/sh
	exec strace -o /dev/null -e trace=symlinkat -e inject=symlinkat:signal=KILL:when=2 \
		"$T/hook/whole" "\$@"
	END
	chmod +x "$T/hook/nvidia-container-runtime-hook"
	ok "$name: it is not made" no of_runtime create --bundle "$T/bundle" "gpu-$$"
	ok "$name: something is made" test -L "$T/bundle/rootfs$libraries/libnvidia-ml.so.1"
	of_runtime delete --force "gpu-$$" >"$T/out" 2>&1 || :	# there is none
	root_is_clean
	mv "$T/hook/whole" "$T/hook/nvidia-container-runtime-hook"
else
	skip "there is no strace here"
fi
rm "$T/gpu-$$"

kind=compat
# A PID of the container's names another process in the /proc that such a hook sees, in
# which the sanitizer looks for leaks.
for program in nvidia-ctk nvidia-cdi-hook; do
	cat >"$T/hook/$program" <<-END
	#!/bin/sh
	export ASAN_OPTIONS=detect_leaks=0
	exec '$T/names/$program' "\$@"
	END
	chmod +x "$T/hook/$program"
done
cat >>"$T/config-gpu.toml" <<END
[nvidia-container-runtime.modes.legacy]
cuda-compat-mode = "hook"
[nvidia-ctk]
path = "$T/hook/nvidia-ctk"
END
name="$engine, mode legacy, a newer libcuda in the image, by hooks"
exits 0 box /bin/load libcuda.so.1
says out "$(stat -c ' %d:%i$' "$T/bundle/rootfs$compat/libcuda.so.$newer")"
kind=debian

# Mode cdi: a document that nvidia-ctk made.
mkdir -p "$T/cdi"
name="nvidia-ctk cdi generate"
exits 0 env NVIDIA_CTK_CONFIG_FILE_PATH="$T/config-gpu.toml" "$T/names/nvidia-ctk" \
	cdi generate --driver-root="$T/machine" --output="$T/cdi/nvidia.json" \
	--nvidia-cdi-hook-path="$T/hook/nvidia-cdi-hook"
settings cdi
kind=debian
given nvidia.com/gpu=1 ''
asks "$engine, mode cdi, nvidia.com/gpu=1" box
finds "its node alone" nodes=modeset,1
# The document's one hook, from outside of the container.
for user_ns in '' "$users"; do
	name="$engine, mode cdi${user_ns:+, a user namespace}: the hook has libraries found"
	write_config /usr/sbin/ldconfig -p
	exits 0 timeout 60 "$T/gpu-runtime" --root "$T/state" run --bundle "$T/bundle" "gpu-$$"
	says out "libcuda.so.1 .* => $libraries/libcuda.so.1\$"
	if grep -q "$T/bundle/rootfs" /proc/self/mountinfo; then fail "mounts are left"; else pass; fi
done
user_ns=
# A document whose hook is this program: the wrapper does its work, and it is not run.
name="nvidia-ctk cdi generate, with our own hook"
exits 0 env NVIDIA_CTK_CONFIG_FILE_PATH="$T/config-gpu.toml" "$T/names/nvidia-ctk" \
	cdi generate --driver-root="$T/machine" --output="$T/cdi/nvidia.json" \
	--nvidia-cdi-hook-path="$T/names/nvidia-cdi-hook"
for user_ns in '' "$users"; do
	name="$engine, mode cdi${user_ns:+, a user namespace}: without a hook"
	write_config /usr/sbin/ldconfig -p
	exits 0 timeout 60 "$T/gpu-runtime" --root "$T/state" run --bundle "$T/bundle" "gpu-$$"
	says out "libcuda.so.1 .* => $libraries/libcuda.so.1\$"
	if grep -q cdi-hook "$T/after"; then fail "it is there"; else pass; fi
done
user_ns=
asks "$engine, mode cdi, without a hook" box
finds "its node alone" nodes=modeset,1
# It runs in the container's namespaces or in the runtime's, by the stage.
for stage in createContainer createRuntime prestart; do
	name="$engine, hook update-ldcache at stage $stage"
	given '' ''
	write_config /usr/sbin/ldconfig -p
	mkdir "$T/bundle/rootfs/opt/"
	cp -L "/lib/$triplet/libm.so.6" "$T/bundle/rootfs/opt/"
	sed -i "s|\"hostname\"|\"hooks\":{\"$stage\":[{\"path\":\"$T/hook/nvidia-cdi-hook\",\"args\":[\"nvidia-cdi-hook\",\"update-ldcache\",\"--folder\",\"/opt\"],\"env\":[\"A=1\"]}]},&|" \
		"$T/bundle/config.json"
	exits 0 timeout 60 "$T/gpu-runtime" --root "$T/state" run --bundle "$T/bundle" "gpu-$$"
	says out '=> /opt/libm.so.6'
	if grep -q "$T/bundle/rootfs" /proc/self/mountinfo; then fail "mounts are left"; else pass; fi
done
of_none "$engine, mode cdi" box

done_testing
