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
	runtime run --bundle "$T/bundle" "gpu-$$" || status=$?
	cat "$T/hook.err" >&2
	return $status
}

# of_runtime WORD...: with what an engine has in a bundle of the container's name
of_runtime()
{
	runtime --log "$T/gpu-$$/log" "$@"
}

is_stopped()
{
	runtime state "gpu-$$" | grep -q '"stopped"'
}

# ended: the bundle's container has run, and is to be deleted
ended()
{
	exits 0 runtime create --bundle "$T/bundle" "gpu-$$"
	exits 0 runtime start "gpu-$$"
	within 60 is_stopped || fail "it does not end"
}

# root_is_clean: nothing is in the root but what the image has
root_is_clean()
{
	is "$name" "$(cd "$T/images/$kind" && find . | sort)" "$(cd "$T/bundle/rootfs" && find . | sort)"
}

# has_points: a runtime has made some in the root, for what is mounted there
has_points()
{
	pass_or "no mount point is there" test -e "$T/bundle/rootfs/usr/bin/nvidia-smi"
}

# not_made: a container whose program is not there
not_made()
{
	write_config /bin/missing
	pass_or "it is made" no runtime create --bundle "$T/bundle" "gpu-$$"
	has_points
}

mount_points()
{
	for how in '' --force; do
		name="$engine: mount points are removed${how:+, by force}"
		write_config /bin/look nodes
		ended
		has_points
		exits 0 runtime delete ${how:+"$how"} "gpu-$$"
		root_is_clean
		pass_or "the container is still there" no runtime state "gpu-$$"
	done
	name="$engine: mount points of a container that runs stay"
	write_config /bin/look sleep
	exits 0 runtime create --bundle "$T/bundle" "gpu-$$"
	exits 0 runtime start "gpu-$$"
	exits 1 runtime delete "gpu-$$"
	has_points
	exits 0 runtime delete --force "gpu-$$"

	# A container that an engine deletes then has no state; it has the log in the bundle.
	# A container may have written files in the working folder, or the log of any other.
	name="$engine: mount points of a container that could not be made"
	not_made
	(cd "$T/bundle" && runtime --log "$T/bundle/log.json" delete -f "gpu-$$") || :	# crun: none
	has_points
	ln -s bundle "$T/gpu-$$"
	of_runtime delete -f "gpu-$$" >"$T/out" 2>&1 || :	# likewise
	rm "$T/gpu-$$"
	root_is_clean
	name="$name: by the next of that bundle"
	not_made
	sed s,/bin/missing,/bin/look, "$T/before" >"$T/bundle/config.json"
	ended
	exits 0 runtime delete "gpu-$$"
	root_is_clean
}

# shared_root: two containers of one folder. While the second is being made, what the
# first one is deleted with must not take its mounts away: to unlink a mount point
# unmounts what is mounted there, in every mount namespace.
shared_root()
{
	name="$engine: another container of the same root is being made"
	write_config /bin/look nodes
	ended
	mkdir "$T/other"
	mkfifo "$T/other/at" "$T/other/on"
	printf '#!/bin/sh\necho >%s/at\nread _ <%s/on\n' "$T/other" "$T/other" >"$T/other/hook"
	chmod +x "$T/other/hook"
	sed "s|\"rootfs\"|\"$T/bundle/rootfs\"|; s|\"nodes\"|\"mounts\"|
		s|\"hostname\"|\"hooks\":{\"createRuntime\":[{\"path\":\"$T/other/hook\"}]},&|" \
		"$T/before" >"$T/other/config.json"
	runtime run -b "$T/other" "other-$$" >"$T/other/out" 2>"$T/other/err" </dev/null &
	read -r _ <"$T/other/at"
	exits 0 runtime delete "gpu-$$"
	echo >"$T/other/on"
	wait $! || fail "it failed: $(cat "$T/other/err")"
	cp "$T/other/out" "$T/out"
	says out '^/usr/bin/nvidia-smi ' '/libnvidia-ml.so.1 '
	rm -r "$T/other"
}

# with_agent AGENT STATUS [EDIT]: GPUs and supervision in one call; the edited file is in out
with_agent()
{
	name="GPUs and supervision in one call, agent $1, ${3:-a plain container}"
	write_config /bin/look nodes
	sed -i "${3:-}" "$T/bundle/config.json"
	exits "$2" env MPU_AGENT="$1" MPU_RUNTIME=/bin/true \
		NVIDIA_CTK_CONFIG_FILE_PATH="$T/config-gpu.toml" \
		"$T/mpu-runtime" create -b "$T/bundle" x
	cp "$T/bundle/config.json" "$T/out"
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
	pass_or "something was" test ! -s "$T/bundle/rootfs$libraries/libcuda.so.470.57.02"
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
	exits 0 runtime --log "$T/where.log" run --bundle "$T/bundle" "gpu-$$"
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
given 0 ''
mount_points
shared_root
start_agent
with_agent "$T/agent.sock" 0
says out listenerPath '/dev/nvidia0"'
with_agent "$T/agent.sock" 0 \
	's|"linux": *{|&"seccomp":{"defaultAction":"SCMP_ACT_ALLOW","listenerPath":"/other"},|'
says err 'has a listener of its own'
says out '/dev/nvidia0"'
stop_agent
with_agent "$T/agent.sock" 1
says err 'no agent listens'
lacks out nvidiactl
with_agent none 0
says out '/dev/nvidia0"'

name="$engine: a bundle that was edited before is left alone"
given all ''
write_config /bin/look sleep
exits 0 runtime create --bundle "$T/bundle" "gpu-$$"
runtime delete --force "gpu-$$" >"$T/out" 2>"$T/err"
cp "$T/after" "$T/bundle/config.json"
exits 0 runtime create --bundle "$T/bundle" "gpu-$$"
runtime delete --force "gpu-$$" >"$T/out" 2>"$T/err"
pass_or "it changed" cmp -s "$T/before" "$T/after"

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
exits 1 runtime --log "$T/log.json" --log-format json run --bundle "$T/bundle" "gpu-$$"
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

ln -s bundle "$T/gpu-$$"
name="$engine, mode legacy: what the hook has made is removed"
write_config /bin/look nodes
ended
ok "$name: something is made" test -L "$T/bundle/rootfs$libraries/libcuda.so.1"
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
make_hooks nvidia-ctk nvidia-cdi-hook
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

# Mode cdi: a document that nvidia-ctk made. Its one hook works from outside of the container;
# one that is this program is not run, for the wrapper does its work.
settings cdi
given nvidia.com/gpu=1 ''
for hook in hook names; do
	document nvidia "$T/$hook/nvidia-cdi-hook"
	for user_ns in '' "$users"; do
		name="$engine, mode cdi${user_ns:+, a user namespace}, $hook: libraries are found"
		exits 0 box /usr/sbin/ldconfig -p
		says out "libcuda.so.1 .* => $libraries/libcuda.so.1\$"
		pass_or "mounts are left" no grep -q "$T/bundle/rootfs" /proc/self/mountinfo
		test "$hook" = hook || pass_or "the hook is there" no grep -q cdi-hook "$T/after"
	done
	user_ns=
	asks "$engine, mode cdi, nvidia.com/gpu=1, $hook" box
	finds "its node alone" nodes=modeset,1
done
# It runs in the container's namespaces or in the runtime's, by the stage.
for stage in createContainer createRuntime prestart; do
	name="$engine, hook update-ldcache at stage $stage"
	given '' ''
	write_config /usr/sbin/ldconfig -p
	mkdir "$T/bundle/rootfs/opt/"
	cp -L "/lib/$triplet/libm.so.6" "$T/bundle/rootfs/opt/"
	sed -i "s|\"hostname\"|\"hooks\":{\"$stage\":[{\"path\":\"$T/hook/nvidia-cdi-hook\",\"args\":[\"nvidia-cdi-hook\",\"update-ldcache\",\"--folder\",\"/opt\"],\"env\":[\"A=1\"]}]},&|" \
		"$T/bundle/config.json"
	exits 0 runtime run --bundle "$T/bundle" "gpu-$$"
	says out '=> /opt/libm.so.6'
	pass_or "mounts are left" no grep -q "$T/bundle/rootfs" /proc/self/mountinfo
done
of_none "$engine, mode cdi" box

done_testing
