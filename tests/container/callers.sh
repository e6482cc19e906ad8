#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Calls nvidia-container-cli as programs do that know neither hooks nor CDI, word for
# word but for --root, as root and as the root of a user namespace. As root.
#
#	callers.sh FOLDER	what is installed from FOLDER/../.. is tested
set -eu

# shellcheck source=tests/container/lib.sh
. "$(dirname "$0")/lib.sh"
R=$T/rootfs
chmod 755 "$T"
mkdir -m 700 "$T/denied"
cli=$T/installed/usr/local/bin/nvidia-container-cli
tests/container/fake-root "$T/driver"
export O="$B/../.." DESTDIR="$T/installed" MODULE=no
ok "make install" deploy/install
ok "make install-nvidia-names" deploy/nvidia-names

# call WORD...: nvidia-container-cli with these, where its caller is. Without --pid it is
# of the namespaces of its parent that it works in.
call()
{
	set -- sh -c '"$@"; exit' sh "$cli" "--root=$T/driver" "$@"
	case $where in
	user) in_box --user --setuid 0 --setgid 0 "$@" ;;
	root) in_box "$@" ;;
	*) "$@" ;;
	esac
}

# in_dev: what there is of NVIDIA in the container's /dev
in_dev()
{
	in_box find "$R/dev" -name 'nvidia*' -printf '%f\n' | sed 's/^nvidia//' |
		LC_ALL=C sort | tr '\n' ' '
}

# configures CALLER WHERE NODES WORD...: a container has these nodes and the driver's
# libraries afterwards, and /proc/driver/nvidia of these GPUs. WHERE: user, in a user
# namespace; root, in the container's mount namespace; pid, outside
configures()
{
	caller=$1 where=$2 nodes=$3
	name=$caller
	shift 3
	rm -rf "$R"
	mkdir -p "$R/etc" "$R/usr/bin" "$R/usr/lib/$triplet" "$R/dev" "$R/proc"
	touch "$R/etc/debian_version"
	# shellcheck disable=SC2046 # no word: as root
	start_box $(test "$where" != user || echo 100000)
	in_box mount --bind "$T/driver/proc" "$R/proc"
	# shellcheck disable=SC2046 # words
	exits 0 call $(echo "$* $R" | sed "s/ PID / --pid=$box /")
	is "$caller: nodes" "$nodes " "$(in_dev)"
	ok "$caller: libcuda" in_box test -s "$R/usr/lib/$triplet/libcuda.so.1"
	ok "$caller: no node is made by its programs" \
		in_box grep -q '^ModifyDeviceFiles: 0' "$R/proc/driver/nvidia/params"
	stop_box
	ok "$caller: nothing is seen outside" test ! -s "$R/usr/lib/$triplet/libcuda.so.1"
}

control='-uvm -uvm-tools'
caps='--compute --compat32 --display --graphics --utility --video'
while IFS='|' read -r caller where nodes words; do
	# shellcheck disable=SC2086 # words
	configures "$caller" "$where" "$nodes" $words
done <<END
enroot|user|$control 1 ctl|--user configure --no-cgroups --ldconfig=@/sbin/ldconfig --device=1 --compute --utility --require=cuda>=11.0
enroot, logged|user|$control 0 1 ctl|--user --debug=$T/denied/log configure --no-cgroups --ldconfig=@/sbin/ldconfig --device=all --compute --utility
LXC|user|-modeset $control 0 ctl|--debug=$T/denied/log --user configure --no-cgroups --ldconfig=@/sbin/ldconfig --device=0 $caps --require=
LXC, none|user|$control ctl|--user configure --no-cgroups --ldconfig=@/sbin/ldconfig --compute --utility
Incus|user|$control 1 ctl|--user configure --no-cgroups --ldconfig=@/sbin/ldconfig --device=GPU-00000002-0000-4000-8000-000000000002 --compute --utility
Apptainer|user|$control 1 ctl|--user configure --no-cgroups --device=1 --compute --utility --ldconfig=@/sbin/ldconfig
Apptainer, root|root|$control 0 1 ctl|configure --no-cgroups --device=all --compute --utility --ldconfig=@/sbin/ldconfig
gVisor|pid|$control 1 ctl|--load-kmods configure --ldconfig=@/sbin/ldconfig --no-cgroups --utility --compute PID --device=1
END

# answers CALLER REGEX WORD...: a line of what is said
answers()
{
	name=$1 regex=$2 where=
	shift 2
	exits 0 call "$@"
	says out "$regex"
}

answers Incus '^0,0,NVIDIA H200,[^,]*,GPU-00000001-[^,]*,00000000:01:00.0,' info --csv
answers gVisor '^Bus Location: *00000000:02:00.0$' --load-kmods info
answers "gVisor, --version" '^cli-version: [0-9]+[.][0-9]+[.][0-9]+$' --version
answers Charliecloud '^/usr/bin/nvidia-smi$' list --binaries --libraries
answers Unraid "/libcuda[.]so[.]" list --libraries --compat32

done_testing
