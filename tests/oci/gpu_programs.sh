#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Checks what programs of an image are told when they ask: each line of the table below is
# a container by every runtime that is here, in every mode of the wrapper. Whatever is
# asked is asked by an exec without variables: those that we set do not reach it.
set -eu
. tests/oci/gpu_lib.sh

# IMAGE HOW QUESTION..., and "!QUESTION:MODE" where it is refused in that mode. HOW is "-",
# readonly: its root cannot be written; group: it is not root, and the GPU's node is for a
# group alone; users: it has a user namespace.
table()
{
	cat <<-'END'
	debian		-		node lists finds loads installs
	debian		readonly	node lists finds loads
	debian		group		node lists loads !node:legacy
	debian		users		node lists finds loads installs
	fedora		-		node lists finds loads anew
	fedora		readonly	node lists finds loads
	uncached	-		node lists finds loads installs
	compat		-		node newer installs newer
	compat		readonly	node newer
	broken		-		node lists loads installs
	distroless	-		node loads
	uncached	readonly	node lists finds loads
	alpine		-		node musl loads !loads:native !loads:legacy !loads:jit-cdi
	alpine		readonly	node musl
	END
}

# bring FOLDER PROGRAM...: programs of this machine, and their libraries, which go there
bring()
{
	to=$image$1
	shift
	for program; do
		program=$(command -v "$program")
		case $program in *.so) ;; *) cp -L "$program" "$image/usr/bin/" ;; esac
		ldd "$program" | grep -o '/[^ ]*' | while read -r library; do
			test -e "$to/${library##*/}" || cp -L "$library" "$to/"
		done
	done
}

# Python, whose own files are mounted from this machine.
python=$(/usr/bin/python3 -c 'import sys; print(sys.executable)' 2>/dev/null) || python=''
add_python()
{
	test -n "$python" || return 0
	bring "$1" "$(realpath "$python")" "$("$python" -c 'import _ctypes; print(_ctypes.__file__)')"
	mv "$image/usr/bin/$(basename "$(realpath "$python")")" "$image/usr/bin/python3"
}

# dpkg, a library to install, and the package whose trigger runs ldconfig.
add_dpkg()
{
	bring "$libraries" dpkg dpkg-deb dpkg-split start-stop-daemon diff tar rm sh
	dpkg=$image/var/lib/dpkg
	mkdir -p "$dpkg/info" "$dpkg/updates" "$dpkg/triggers" "$image/usr/share/dpkg" \
		"$T/after/DEBIAN" "$T/after$libraries"
	cp /usr/share/dpkg/*table "$image/usr/share/dpkg/"
	{ dpkg-query -s libc-bin | sed '/Depends:/d'; echo; } >"$dpkg/status"
	cp /var/lib/dpkg/info/libc-bin.triggers /var/lib/dpkg/info/libc-bin.postinst "$dpkg/info/"
	: >"$dpkg/info/libc-bin.list"
	echo libc-bin >"$dpkg/triggers/ldconfig"
	printf '%s\n' 'Package: libafter' 'Version: 1' 'Maintainer: MPU <mpu@example.com>' \
		"Architecture: $(dpkg --print-architecture)" 'Description: a library' \
		>"$T/after/DEBIAN/control"
	echo 'activate-noawait ldconfig' >"$T/after/DEBIAN/triggers"
	gcc -shared -nostdlib -Wl,-soname,libafter.so.1 -o "$T/after$libraries/libafter.so.1.0" \
		-x c /dev/null
	dpkg-deb --build "$T/after" "$image/after.deb" >"$T/out"
}

make_images()
{
	debian_image
	ln -s usr/sbin "$image/sbin"
	add_python "$libraries"
	add_dpkg
	ldconfig -r "$image"
	fedora_image
	mkdir "$image/sbin"
	ln -s ../usr/sbin/ldconfig "$image/sbin/ldconfig"
	add_python /usr/lib64
	ldconfig -r "$image"
	cp -a "$T/images/debian" "$T/images/uncached"
	rm "$T/images/uncached/etc/ld.so.cache"
	compat_image
	broken_image
	distroless_image
	alpine_image
	musl=yes
	musl-gcc -D_GNU_SOURCE -I. -o "$image/bin/load" tests/oci/load.c 2>"$T/err" || musl=''
}

# in_container WORD...: an exec; $T/out is what it says
in_container()
{
	args=$(printf '"%s",' "$@")
	printf '{"args":[%s],"cwd":"/","env":[%s],"user":{"uid":%s,"gid":%s},"capabilities":{}}' \
		"${args%,}" "$variables" "$user" "$user" >"$T/process.json"
	runtime exec --process "$T/process.json" "programs-$$"
}

# says_file LIBRARY FILE: "load" has found this file by that name
says_file()
{
	says out "$(stat -L -c "^$1 /[^ ]* %d:%i\$" "$2")"
}

# loads_driver WORD: "-" takes the variables away that crun gives an exec
loads_driver()
{
	exits 0 in_container /bin/load "$@" libcuda.so.1 libnvidia-ml.so.1
	says_file libcuda.so.1 "$T/machine$libraries/libcuda.so.1"
	says_file libnvidia-ml.so.1 "$T/machine$libraries/libnvidia-ml.so.1"
}

asks_loads()
{
	loads_driver -
}

# By LD_LIBRARY_PATH alone.
refuses_loads()
{
	exits 0 in_container /bin/load - libcuda.so.1
	says out '^libcuda.so.1 not found$'
}

# The driver's libraries, and all that the image's own cache lists.
asks_lists()
{
	exits 0 in_container /sbin/ldconfig -p
	says out '^.libcuda.so.1 ' '^.libnvidia-ml.so.1 '
	names_listed "$T/out" >"$T/found"
	ldconfig -r "$T/images/$image" -p 2>/dev/null >"$T/listed" || :	# no cache
	names_listed "$T/listed" | LC_ALL=C comm -23 - "$T/found" >"$T/out"
	silent out
}

names_listed()
{
	sed -n 's/^\t\([^ ]*\) .*/\1/p' "$1" | LC_ALL=C sort -u
}

asks_finds()
{
	test -n "$python" || { skip "there is no /usr/bin/python3 here"; return; }
	exits 0 in_container /usr/bin/python3 -c \
		'import ctypes.util; print(ctypes.util.find_library(\"cuda\"))'
	says out '^libcuda.so.1$'
}

asks_anew()
{
	exits 0 in_container /sbin/ldconfig
	asks_lists
	asks_loads
}

asks_installs()
{
	variables='"PATH=/usr/sbin:/usr/bin"'
	exits 0 in_container /usr/bin/dpkg -i /after.deb
	variables=''
	exits 0 in_container /sbin/ldconfig -p
	says out '^.libafter.so.1 ' '^.libcuda.so.1 '
	exits 0 in_container /bin/load - libafter.so.1
	says out "^libafter.so.1 $libraries/"
}

# The image's own libcuda, which is newer than the driver's.
asks_newer()
{
	exits 0 in_container /bin/load - libcuda.so.1
	says_file libcuda.so.1 "$T/bundle/rootfs$compat/libcuda.so.$newer"
	exits 0 in_container /sbin/ldconfig -p
	grep -m 1 libcuda.so.1 "$T/out" >"$T/found"
	cp "$T/found" "$T/out"
	says out "=> $compat/libcuda.so.1\$"
}

# musl's loader reads no cache.
asks_musl()
{
	variables='"LD_LIBRARY_PATH=/usr/lib64"'
	loads_driver
	variables=''
}

# The first process has asked. What no cgroup and no mode refuses answers ENXIO.
first_says()
{
	timeout 60 sh -c "until test -s '$T/first.out'; do sleep 0.05; done" || :
	cp "$T/first.out" "$T/out"
	says out "^/dev/nvidia0 errno $1\$"
}

asks_node()
{
	first_says 6
}

refuses_node()
{
	first_says 13
}

make_bundle()	# IMAGE HOW
{
	own='' user=0
	chown 0:0 "$T/machine/dev/nvidia0"
	chmod 666 "$T/machine/dev/nvidia0"
	case $2 in
	readonly) own='s|"rootfs"|&, "readonly": true|' ;;
	group)	user=1000
		chown 0:44 "$T/machine/dev/nvidia0"
		chmod 660 "$T/machine/dev/nvidia0"
		own='s|"uid": 0, "gid": 0|"uid": 1000, "gid": 1000|' ;;
	users)	own="s|\"@USER@\"|$user_namespace|" ;;
	esac
	case $mode-$2 in
	cdi-group) given groups.com/gpu=0 '' ;;
	cdi-*) given nvidia.com/gpu=0 '' ;;
	*) given 0 '' ;;
	esac
	gpu_bundle "$T/images/$1" "$own; s|\"mounts\": \[|& $mounts|" /bin/look open=/dev/nvidia0 sleep
	test "$2" != users || chown -hR 100000:100000 "$T/bundle/rootfs"
}

make_documents()
{
	make_hooks nvidia-cdi-hook
	rm -rf "$T/cdi"
	document nvidia.com "$T/hook/nvidia-cdi-hook"
	chown 0:44 "$T/machine/dev/nvidia0"
	document groups.com "$T/hook/nvidia-cdi-hook" --vendor=groups.com \
		--feature-flag=additional-gids-for-device-nodes
}

# row IMAGE HOW QUESTION...
row()
{
	name="$engine, mode $mode, $1 ${2#-}"
	image=$1
	test -n "$musl$(echo "$image" | grep -v alpine)" ||
		{ skip "there is no musl-gcc here"; return; }
	make_bundle "$1" "$2"
	shift 2
	questions=$*
	runtime run --detach --bundle "$T/bundle" "programs-$$" \
		>"$T/first.out" 2>"$T/err" </dev/null ||
		{ cp "$T/hook.err" "$T/out"; fail "it does not start"; return; }
	what=$name
	for question; do
		name="$what: $question"
		case "$question $questions " in
		!*) ;;
		*" !$question:$mode "*) "refuses_$question" ;;
		*) "asks_$question" ;;
		esac
	done
	runtime delete --force "programs-$$"
}

user_namespace=',{"type":"user"}],"uidMappings":[{"containerID":0,"hostID":100000,"size":65536}],"gidMappings":[{"containerID":0,"hostID":100000,"size":65536}'
variables=''
mounts=''
if test -n "$python"; then
	stdlib=$("$python" -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')
	mounts="{\"destination\":\"$stdlib\",\"source\":\"$stdlib\",\"options\":[\"rbind\",\"ro\"]},"
fi
make_machine
make_images
chmod a+x "$T" "${T%/*}"	# for root of a user namespace
for engine in runc crun; do
	command -v "$engine" >/dev/null || { name=$engine; skip "is not here"; continue; }
	make_gpu_runtime "$(command -v "$engine")"
	make_documents
	for mode in native legacy jit-cdi cdi; do
		settings "$mode"
		table >"$T/table"
		while read -r line; do
			# shellcheck disable=SC2086 # words
			row $line
		done <"$T/table"
	done
done
done_testing
