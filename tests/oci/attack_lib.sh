# SPDX-License-Identifier: GPL-2.0-only
# Images that attack whoever gives them a GPU, and what must not come of them. Shared by
# tests/oci/gpu_attacks.sh and tests/systemd/gpus.sh; both test the mpu that is installed.
#
# A script that sources it has gpu_lib.sh, and functions for one engine: attack_start starts a
# container of $kind that sleeps, with $attack_env, if it has a value, as one variable more, and
# sets $pid; attack_stop removes it, started or not.
#
# shellcheck shell=sh disable=SC2034,SC2154 # variables of gpu_lib.sh and of who sources it

H=$T/host
secret=the-secret-of-the-host
attack_env=

# attack_fixture: what the host has and no container may change or read; and a library that
# shows who has loaded it
attack_fixture()
{
	rm -rf "$H"
	mkdir -p "$H/folder"
	echo "$secret" >"$H/secret"
	: >"$H/folder/file"
}

# attack_library: made where there is a compiler, for a machine that has none
attack_library()
{
	gcc -shared -fPIC -o "$T/evil.so" -x c - <<-EOF2
		#include <fcntl.h>

		static void __attribute__((constructor)) run(void)
		{
			open("$1/owned", O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
		}
	EOF2
}

host_state()
{
	find "$H" -printf '%y %m %U %p %l %s %T@\n' | sort
	grep -o " $T/bundle[^ ]*" /proc/self/mounts || :	# none
}

# reads_secret: the container can, anywhere
reads_secret()
{
	for top in "/proc/$pid/root"/*; do
		case $top in */proc | */sys) continue ;; esac
		! grep -rqs -D skip "$secret" "$top" || return 0
	done
	return 1
}

# attacks NAME: a container of $kind, or a sentence; in time, and the host is as it was
attacks()
{
	name=$1 pid='' got=0
	host_state >"$T/host.before"
	attack_start >"$T/out" 2>"$T/err" </dev/null || got=$?
	: >"$T/nodes"
	test "$got" -ne 0 || find "/proc/$pid/root/dev" -printf '/dev/%P \n' >"$T/nodes"
	case $got in
	0)	if reads_secret; then fail "the container reads what is the host's"; fi ;;
	124 | 137) fail "it took too long" ;;
	*)	test -s "$T/err" || fail "refused without a sentence" ;;
	esac
	attack_stop >"$T/.said" 2>&1 || :	# there is none, if it was refused
	is "$name: the host is as it was" "$(cat "$T/host.before")" "$(host_state)"
}

# attack_image NAME: $T/images/NAME, of Debian's, to be changed
attack_image()
{
	kind=$1
	image=$T/images/$kind
	rm -rf "$image"
	cp -a "$T/images/debian" "$image"
}

# attack_none: what is told of the others is of containers that get a GPU
attack_none()
{
	attack_image none
	attacks "$1: an image that does not attack"
	name="$1: it gets a GPU"
	if test "$got" -eq 0 && grep -q '/dev/nvidia1 ' "$T/nodes"; then pass; else fail "it does not"; fi
}

# attack_all NAME
attack_all()
{
	attack_none "$1"
	attack_variables "$1"
	attack_links "$1"
	attack_files "$1"
}

# attack_links: names of the image lead to the host, by each way that there is
attack_links()
{
	for target in "$H/folder" "../../../../../../../../../..$H/folder" \
		"/proc/self/root$H/folder" "/proc/1/cwd$H/folder"; do
		attack_image links
		mv "$image$libraries" "$image$libraries.old"
		ln -s "$target" "$image$libraries"
		attacks "$1: the folder of libraries is a link to $target"
	done
	attack_image links
	ln -s "$H/folder/new" "$image$libraries/libcuda.so.$VERSION"
	ln -s "$H/secret" "$image/usr/bin/nvidia-smi"
	attacks "$1: files are links"
	attack_image links
	rm -r "${image:?}/etc"
	ln -s "$H/folder" "$image/etc"
	attacks "$1: /etc is a link"
	attack_image links
	ln -sf "$H/secret" "$image/etc/ld.so.cache"
	attacks "$1: the loader's cache is a link"
	attack_image links
	mkdir -p "$image/usr/local/cuda/compat"
	ln -s "$H/secret" "$image/usr/local/cuda/compat/libcuda.so.$newer"
	ln -s "$H/folder" "$image/usr/local/cuda/compat/folder"
	attacks "$1: newer CUDA libraries are links"
}

# attack_files: what is read of an image is no file: to open it waits, or reading never ends
attack_files()
{
	for file in etc/ld.so.cache etc/ld.so.conf etc/debian_version etc/ld-musl-x86_64.path \
		"usr/local/cuda/compat/libcuda.so.$newer" "${libraries#/}/libcuda.so.1"; do
		for node in p 'c 1 5'; do
			attack_image files
			mkdir -p "$(dirname "$image/$file")"
			rm -f "$image/$file"
			# shellcheck disable=SC2086 # a type and numbers
			mknod "$image/$file" $node
			attacks "$1: /$file is a node ($node)"
		done
	done
}

# attack_variables: CVE-2025-23266
attack_variables()
{
	attack_image variables
	cp "$T/evil.so" "$image/"
	attack_env=LD_PRELOAD=/proc/self/cwd/evil.so
	attacks "$1: CVE-2025-23266"
	attack_env=
}
