#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# nvidia-cdi-hook: what is in a container's root after each hook, and that nothing is
# outside of it. As root, in mount namespaces of its own.
#
#	tests/container/cdi_hook.sh FOLDER	FOLDER/../../mpu is tested
set -eu

# shellcheck source=tests/container/lib.sh
. "$(dirname "$0")/lib.sh"
named nvidia-cdi-hook nvidia-ctk
rootfs=$T/bundle/rootfs
libc=$(ldd "$(command -v sh)" | awk '/libc.so.6/ { print $3 }')
printf '%s\n' >"$T/state" '{"ociVersion": "1.0.2", "id": "x", "pid": 1, "bundle": "'"$T"'/bundle"}'

# bundle: a new one, with an empty root
bundle()
{
	rm -rf "$T/bundle"
	mkdir -p "$rootfs/etc" "$rootfs/usr/lib" "$rootfs/opt/lib"
	cat >"$T/bundle/config.json" <<-'END'
	{ "ociVersion": "1.0.2", "process": { "cwd": "/" }, "root": { "path": "rootfs" },
	  "linux": { "devices": [
		{ "path": "/dev/nvidia0", "type": "c", "major": 195, "minor": 0 },
		{ "path": "/dev/nvidiactl", "type": "c", "major": 195, "minor": 255 },
		{ "path": "/dev/nvidia5", "type": "c", "major": 195, "minor": 5 } ] } }
	END
}

# hook STATUS COMMAND WORD...: run one; then what $look says, in out
look=true
hook()
{
	want=$1
	shift
	name=$*
	got=0
	program=$1
	shift
	# shellcheck disable=SC2016 # expanded there
	unshare -m sh -c 'look=$1 state=$2; shift 2; "$@" <"$state" || exit; eval "$look"' sh \
		"$look" "$T/state" "$T/$program" "$@" >"$T/out" 2>"$T/err" || got=$?
	pass_or "exit $got, not $want" test "$got" -eq "$want"
}

# Links: kept, replaced, in folders that are made; none leads out.
bundle
ln -s libfoo.so.1 "$rootfs/usr/lib/libfoo.so"
ln -s other "$rootfs/usr/lib/libbar.so"
ln -s ../../../../../.. "$rootfs/out"
look="cd $rootfs; find . -type l -printf '%p %l\n' | sort"
hook 0 nvidia-cdi-hook create-symlinks --link libfoo.so.1::/usr/lib/libfoo.so \
	--link libbar.so.1::/usr/lib/libbar.so --link /a/b::/new/folder/b --link x::/out/x
is "links" "./new/folder/b /a/b
./out ../../../../../..
./usr/lib/libbar.so libbar.so.1
./usr/lib/libfoo.so libfoo.so.1
./x x" "$(cat "$T/out")"
ok "nothing is outside" test ! -e /x -a ! -L /x
hook 1 nvidia-cdi-hook create-symlinks --link no-colons
says err 'create-symlinks: --link: .no-colons. is not TARGET::LINK'

# The profile has the minor numbers of GPUs alone.
bundle
look="cat $rootfs/etc/nvidia/nvidia-application-profiles-rc.d/*"
hook 0 nvidia-ctk hook update-application-profile
is "profile" '{"profiles":[{"name":"_container_","settings":["EGLVisibleDGPUDevices",0x21]}],"rules":[{"pattern":[],"profile":"_container_"}]}' \
	"$(cat "$T/out")"
ok "an image that is made of it has an empty file" \
	test "$(find "$rootfs" -type f -size +0 | wc -l)" -eq 0

# A folder that is mounted read-only is no reason to start nothing.
cat >"$T/read-only" <<-END
	#!/bin/sh
	mount -t tmpfs -o ro tmpfs $rootfs/etc
	exec $T/nvidia-cdi-hook "\$@"
END
chmod +x "$T/read-only"
cp "$libc" "$rootfs/opt/lib"
look="find $rootfs/etc -type f"
for words in update-application-profile 'update-ldcache --folder /opt/lib' \
		'create-symlinks --link a::/etc/b/a'; do
	# shellcheck disable=SC2086 # words
	hook 0 read-only $words
	says err "warning: the container's /etc/.*: Read-only file system"
	is "$words: nothing is made" '' "$(cat "$T/out")"
done

# Memory is limited where a variable asks for it; where it cannot be, nothing is started.
bundle
look=true
hook 0 nvidia-cdi-hook apply-cuda-memory-limits --gpu-id GPU-1

# limit VALUE: the container asks for it
limit()
{
	bundle
	sed -i "s|\"cwd\"|\"env\": [\"NVIDIA_GPU_MEMORY_LIMIT=$1\"], &|" "$T/bundle/config.json"
}

limit 4G
hook 1 nvidia-cdi-hook apply-cuda-memory-limits --gpu-id GPU-1
says err "apply-cuda-memory-limits: NVIDIA_GPU_MEMORY_LIMIT: '4G' is not a number of MiB"
limit 4
tests/container/fake-root "$T/driver" --no-libraries
hook 1 nvidia-cdi-hook apply-cuda-memory-limits --driver-root "$T/driver" --gpu-id GPU-1
says err 'GPU-1: unknown device'
cat >"$T/on-a-machine" <<-'END'
	#!/bin/sh
	# Its kernel limits memory, if $1 is there.
	mount -t tmpfs tmpfs /sys/fs/cgroup
	cp "$1" /sys/fs/cgroup/dmem.capacity 2>/dev/null
	folder=${0%/*}
	shift
	exec "$folder/nvidia-cdi-hook" "$@"
END
chmod +x "$T/on-a-machine"
# Without --gpu-id, the GPUs are those of config.json.
while read -r name words; do
	rm -f "$T/capacity"
	# shellcheck disable=SC2086 # words
	hook 1 on-a-machine "$T/capacity" $words
	says err 'it takes Linux 6.14 with CONFIG_CGROUP_DMEM'
	echo "nvidia/0000:01:00.0/vidmem 9" >"$T/capacity"
	# shellcheck disable=SC2086 # words
	hook 1 on-a-machine "$T/capacity" $words
	says err 'dmem.max: No such file or directory: the container.s cgroup has to have that controller'
done <<-END
	named apply-cuda-memory-limits --driver-root $T/driver --gpu-id GPU-00000001-0000-4000-8000-000000000001
	found run-hooks --hook apply-cuda-memory-limits --driver-root $T/driver
END
sed -i 's/nvidia0/nvidiax/' "$T/bundle/config.json"
hook 0 on-a-machine "$T/capacity" run-hooks --hook=apply-cuda-memory-limits --driver-root "$T/driver"
tests/container/fake-root "$T/migs" --no-libraries --mig 1
limit 4
hook 1 on-a-machine "$T/capacity" run-hooks --hook=apply-cuda-memory-limits --driver-root "$T/migs"
says err 'are for whole GPUs: a MIG device has its own memory'

# Folders are named, each once, whether or not the image's own configuration has them.
bundle
mkdir "$rootfs/etc/ld.so.conf.d"
echo 'include /etc/ld.so.conf.d/*.conf' >"$rootfs/etc/ld.so.conf"
echo /opt/lib >"$rootfs/etc/ld.so.conf.d/known.conf"
cp "$libc" "$rootfs/opt/lib"
look="cd $rootfs/etc; tail -n +1 ld.so.conf.d/*; ldconfig -p -C ld.so.cache"
hook 0 nvidia-cdi-hook update-ldcache --folder /opt/lib --folder /opt/other --folder /usr/lib \
	--folder /opt/other
says out '^==> ld.so.conf.d/00-nvcr-mpu.conf <==$'
is "folders" "/opt/lib /opt/other /opt/lib /usr/lib" "$(grep '^/' "$T/out" | xargs)"
says out 'libc.so.6 .* => /opt/lib/libc.so.6'

# Mounted libraries, by the names that ldconfig gives them: links are made in the image's
# folders alone. The image's own files in a loader's folder are not looked into, and what its
# cache has stays.
bundle
mkdir -p "$T/stubs/whole" "$rootfs/opt/whole" "$rootfs/own"
# stub FILE SONAME [OPTION]
stub()
{
	gcc ${3:+"$3"} -shared -nostdlib -Wl,-soname,"$2" -o "$T/stubs/$1" -x c /dev/null
}
stub libone.so.1.9 libone.so.1
stub libone.so.1.10 libone.so.1
stub libown.so.1 libown.so.1
stub whole/libtwo.so libtwo.so.1
small=''
test "$(uname -m)" != x86_64 || {
	stub whole/lib32.so.9 libone.so.1 -m32
	small='libone.so.1 (libc6) => /opt/whole/lib32.so.9
'
}
echo text >"$T/stubs/libtext.so.1"
: >"$rootfs/usr/lib/libone.so.1"
ln -s libone.so.1 "$rootfs/usr/lib/libone.so"
cp "$libc" "$T/stubs/libone.so.1.9" "$rootfs/own"
echo /own >"$rootfs/etc/ld.so.conf"
ldconfig -r "$rootfs" 2>/dev/null
cp "$T/stubs/libown.so.1" "$rootfs/usr/lib"
cat >"$T/with-mounts" <<-END
	#!/bin/sh
	for file in libone.so.1.9 libone.so.1.10 libtext.so.1; do
		: >$rootfs/usr/lib/\$file
		mount --bind $T/stubs/\$file $rootfs/usr/lib/\$file
	done
	mount --bind $T/stubs/whole $rootfs/opt/whole
	exec $T/nvidia-cdi-hook "\$@"
END
chmod +x "$T/with-mounts"
look="ldconfig -p -C $rootfs/etc/ld.so.cache; find $rootfs/usr/lib -type l -printf '%f %l\n'"
hook 0 with-mounts update-ldcache --folder /usr/lib --folder /none --folder /opt/whole
is "libraries and links" "libc.so.6 => /own/libc.so.6
libone.so => /usr/lib/libone.so
libone.so libone.so.1
${small}libone.so.1 => /usr/lib/libone.so.1
libone.so.1 libone.so.1.10
libtwo.so => /opt/whole/libtwo.so
libtwo.so.1 => /opt/whole/libtwo.so" "$(sed -n 's/ (libc6,[^)]*)//; s/^\t//; /libs found/d; p' "$T/out" | LC_ALL=C sort)"
is "nothing is made in a folder that is mounted" 0 "$(find "$T/stubs" -type l | wc -l)"

# Development links are no reason to start nothing, nor is a cache of a glibc to come.
look="cat $rootfs/etc/ld.so.cache"
bundle
cp "$libc" "$rootfs/opt/lib"
(cd "$rootfs/usr/lib" && seq -f 'libnone%g.so' 4200 | xargs -n 1 ln -s libnone.so.1)
hook 0 nvidia-cdi-hook update-ldcache --folder /opt/lib --folder /usr/lib
says out /opt/lib/libc.so.6
is "many links: no warning" '' "$(cat "$T/err")"
echo glibc-ld.so.cache2.0 >"$rootfs/etc/ld.so.cache"
hook 0 nvidia-cdi-hook update-ldcache --folder /opt/lib
is "a cache of a glibc to come" glibc-ld.so.cache2.0 "$(cat "$T/out")"
says err 'warning: .*ld.so.cache stays as it is'
: >"$rootfs/etc/ld.so.cache"
sed -i 's/"path": "rootfs"/&, "readonly": true/' "$T/bundle/config.json"
hook 0 nvidia-cdi-hook update-ldcache --folder /opt/lib
says out /opt/lib/libc.so.6
is "root.readonly: the cache is mounted, not written" 0 "$(stat -c %s "$rootfs/etc/ld.so.cache")"

# An image without ld.so.conf: what the first start has mounted there leaves an empty file
# for the second.
look="ldconfig -p -C $rootfs/etc/ld.so.cache"
bundle
cp "$libc" "$rootfs/opt/lib"
for start in first second; do
	hook 0 nvidia-cdi-hook update-ldcache --folder /opt/lib
	ok "at the $start start, the library is found" \
		grep -q 'libc.so.6 .* => /opt/lib/libc.so.6' "$T/out"
done
ok "the image's ld.so.conf is empty" test -f "$rootfs/etc/ld.so.conf" -a ! -s "$rootfs/etc/ld.so.conf"

# Two documents, a hook each, in one container: the second takes nothing from the first.
bundle
cp "$libc" "$rootfs/opt/lib"
look="$T/nvidia-cdi-hook update-ldcache --folder /opt/more <$T/state
	cat $rootfs/etc/ld.so.conf.d/*; ldconfig -p -C $rootfs/etc/ld.so.cache"
for start in first second; do
	hook 0 nvidia-cdi-hook update-ldcache --folder /opt/lib
	is "two hooks, $start start" "/opt/lib /opt/more" "$(grep '^/' "$T/out" | xargs)"
	says out 'libc.so.6 .* => /opt/lib/libc.so.6'
done

# musl's loader reads no cache, but a list of folders: ours come behind those that it has.
# The list that stays in the image is what it would take without one: an empty one has none.
usual=/lib:/usr/local/lib:/usr/lib
list=etc/ld-musl-$(uname -m).path
case $(uname -m) in
x86_64) glibc=lib64/ld-linux-x86-64.so.2 ;;
*) glibc=lib/ld-linux-$(uname -m).so.1 ;;
esac
bundle
mkdir -p "$rootfs/lib" "$rootfs/lib64"
: >"$rootfs/lib/ld-musl-$(uname -m).so.1"
look="cd $rootfs; cat $list; echo; ls etc"
for start in first second; do
	hook 0 nvidia-cdi-hook update-ldcache --folder /opt/drv --folder /usr/lib --folder /opt/drv
	is "musl, $start start: the list, and no more is made" "$usual /opt/drv /usr/lib ${list#etc/}" \
		"$(xargs <"$T/out")"
	is "musl, $start start: what stays" "$usual" "$(cat "$rootfs/$list")"
done
printf '/own/lib\n/lib' >"$rootfs/$list"
hook 0 nvidia-cdi-hook update-ldcache --folder /opt/drv
is "musl, a list of its own" "/own/lib /lib /opt/drv ${list#etc/}" "$(xargs <"$T/out")"
is "musl, a list of its own: what stays" "/own/lib /lib" "$(xargs <"$rootfs/$list")"
hook 0 nvidia-cdi-hook update-ldcache
is "musl, no folders" "/own/lib /lib ${list#etc/}" "$(xargs <"$T/out")"
head -c 100000 /dev/zero | tr '\0' / >"$rootfs/$list"
look=true
hook 1 nvidia-cdi-hook update-ldcache --folder /opt/drv
says err "the container's /$list: File too large"
# Programs of both: musl-tools in Debian.
bundle
mkdir -p "$rootfs/lib" "$rootfs/lib64"
touch "$rootfs/lib/ld-musl-$(uname -m).so.1" "$rootfs/$glibc"
cp "$libc" "$rootfs/opt/lib"
look="cd $rootfs; cat $list; ls etc"
hook 0 nvidia-cdi-hook update-ldcache --folder /opt/lib
says out '^/opt/lib$' '^ld.so.cache$'

# Nothing is guarded that the driver has no file for; an unknown hook does nothing.
bundle
look="find $rootfs -type f"
test -e /proc/driver/nvidia/params || {
	hook 0 nvidia-cdi-hook disable-device-node-modification
	is "without a driver" "" "$(cat "$T/out")"
}
hook 0 nvidia-cdi-hook enable-cuda-compat --host-driver-version=580.159.04
is "an image without newer libraries" "" "$(cat "$T/out")"
mkdir -p "$rootfs/opt/compat"
cp "$(ldconfig -p | sed -n 's/.*libc.so.6 (.*x86-64.* => //p; s/.*libc.so.6 (.*AArch64.* => //p' | head -n 1)" \
	"$rootfs/opt/compat/libcuda.so.595.45.04"
look="cat $rootfs/etc/ld.so.conf.d/*"
hook 0 nvidia-cdi-hook enable-cuda-compat --host-driver-version=580.159.04 \
	--cuda-compat-container-root=/opt/compat
is "newer libraries, where the document says" /opt/compat "$(cat "$T/out")"
look="find $rootfs/etc -type f"
hook 0 nvidia-cdi-hook chmod --mode 755 --path /
says err "warning: 'chmod' is not known"
hook 0 nvidia-ctk hook of-tomorrow --option
says err "warning: 'of-tomorrow' is not known"

# All of them in one process: what one makes the next one finds, links are of nodes that the
# container has, and one of a later time does nothing.
bundle
sed -i 's|"devices": \[|&{ "path": "/dev/dri/card1", "type": "c", "major": 226, "minor": 1 },|' \
	"$T/bundle/config.json"
mkdir -p "$rootfs/opt/compat"
cp "$libc" "$rootfs/opt/compat/libcuda.so.595.45.04"
cp "$T/stubs/whole/libtwo.so" "$rootfs/opt/lib"
look="cd $rootfs; ldconfig -p -C etc/ld.so.cache | sed -n 's/.*=> //p' | sort
	cat etc/ld.so.conf.d/* etc/nvidia/*/10-container.conf; echo; find dev usr -type l | sort"
hook 0 nvidia-ctk hook run-hooks --hook=update-ldcache --hook=enable-cuda-compat \
	--hook=update-application-profile --hook create-symlinks --hook=of-tomorrow \
	--hook=apply-cuda-memory-limits --folder=/opt/lib --host-driver-version=580.159.04 \
	--cuda-compat-container-root=/opt/compat --link=libtwo.so::/usr/lib/libtwo.so.1 \
	--link=../card1::/dev/dri/by-path/pci-1-card --link=../card2::/dev/dri/by-path/pci-2-card
is "what one hook did" "/opt/compat/libc.so.6
/opt/lib/libtwo.so
/opt/lib/libtwo.so.1
/opt/compat
/opt/lib
dev/dri/by-path/pci-1-card
usr/lib/libtwo.so.1" "$(grep -v EGLVisible "$T/out")"
says out '0x21'

# A state that says nothing of use.
echo '{"pid": 1}' >"$T/state"
hook 1 nvidia-cdi-hook create-symlinks
says err 'could not decode container state'
echo '{' >"$T/state"
hook 1 nvidia-cdi-hook update-ldcache
says err 'container state'

done_testing
