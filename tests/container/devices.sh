#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Checks what is found below a faked driver root, without opening a GPU, and the nodes
# that are made there. As root, for mknod.
#
#	tests/container/devices.sh FOLDER	which holds what container.mk built
set -eu

# shellcheck source=tests/container/lib.sh
. "$(dirname "$0")/lib.sh"

# root NAME OPTION...: a faked driver root, $T/NAME
root()
{
	made=$1
	shift
	tests/container/fake-root "$T/$made" "$@"
}

# list NAME ARGUMENT...: what is found below it
list()
{
	listed=$T/$1
	shift
	"$B/list" "$listed" "$@" 2>&1 | sed "s|$T/||g"
}

# Two GPUs, as most machines have them.
root two --mig 1
found="driver 580.159.04
majors 195 uvm 238 caps 241 imex 242 nvswitch 239
gpu 0000:01:00.0 minor 0 GPU-00000001-0000-4000-8000-000000000001 NVIDIA H200
mig 7/0 caps 66 67
gpu 0000:02:00.0 minor 1 GPU-00000002-0000-4000-8000-000000000002 NVIDIA H200
mig 7/0 caps 201 202
config 1 monitor 2
imex 0"
is 'two GPUs' "$found" "$(list two)"

# A driver whose files do not say minor numbers has them in a table alone.
cp -a "$T/two" "$T/table"
find "$T/table/proc/driver/nvidia/capabilities" -type f \
	-exec sed -i '/^DeviceFileMinor/d' {} +
is 'minor numbers of MIG devices by the table of all' "$found" "$(list table)"

# A minor number is not an index, and an excluded GPU has none of both.
root odd --gpus 3 --reversed --excluded 1 --asleep --imex 0 --version 535.274.02 \
	--no-libraries
is 'minor numbers, an excluded GPU' "driver 535.274.02
majors 195 uvm 238 caps 241 imex 242 nvswitch 239
gpu 0000:01:00.0 minor 2 - NVIDIA H200
gpu 0000:03:00.0 minor 0 - NVIDIA H200
config 1 monitor 2" "$(list odd)"

# No GPU is opened, and none of the files that change the driver's state.
root many --gpus 64 --mig 7 --no-libraries
name='64 GPUs with 7 MIG devices each'
is "$name: found" 513 "$(list many | grep -c '^gpu\|^mig\|^driver')"
# LeakSanitizer wants to trace, too.
ASAN_OPTIONS=detect_leaks=0 strace -f -o "$T/trace" "$B/list" "$T/many" >/dev/null
is "$name: the trace is one" 64 "$(grep -c 'openat(.*/information"' "$T/trace")"
is "$name: nodes opened" '' \
	"$(grep 'open.*"[^"]*/dev/nvidia[^"]*"' "$T/trace" |
		grep -v '"[^"]*/dev/nvidia-caps[a-z/-]*", .*O_DIRECTORY\|nvidiactl", .*O_PATH')"
is "$name: opened for writing" '' "$(grep 'open.*O_RDWR\|open.*O_WRONLY' "$T/trace" |
	grep "$T" || :)"	# none

# nodes NAME: what a folder has, as fake-root makes it
nodes()
{
	(cd "$T/$1/dev" && find . -name 'nvidia*' -type c -o -name 'channel*' |
		sort | xargs stat -c '%n %t:%T %a %u:%g')
}

# Missing nodes are made as they were; two runs at a time do not disturb each other.
nodes two >"$T/before"
is 'nothing to make' "$(cat "$T/before")" "$(list two 0 >/dev/null; nodes two)"
find "$T/two/dev" -type c ! -path '*/dri/*' ! -name nvidiactl -delete
rmdir "$T/two/dev/nvidia-caps"
is 'missing nodes are told' 11 "$(list two | grep -c '^problem .*have it made')"
for i in 1 2 3 4; do
	list two >"$T/made.$i" 0 &
done
wait
list two 0 >"$T/made"
# Params are for IMEX channels, too: fake-root's have what nvidia-modprobe gives.
sed 's/\(channel0 .*\) 400 /\1 666 /' "$T/before" >"$T/wanted.nodes"
is 'nodes are made' "$(cat "$T/wanted.nodes")" "$(nodes two)"
is 'nothing is wrong with them' '' "$(grep problem "$T/made" || :)"	# none
is 'nothing else is left' '' "$(find "$T/two/dev" -name '*.[0-9]*' ! -path '*/dri/*')"

# systemd finds a node by its number.
is 'a link for each number' "$(wc -l <"$T/before")" \
	"$(find "$T/two/dev/char" -type l | wc -l)"
is 'where it leads' ../nvidia-caps/nvidia-cap66 "$(readlink "$T/two/dev/char/241:66")"
ln -sf ../nvidia0 "$T/two/dev/char/195:1"
list two 0 >/dev/null
is 'a link that leads elsewhere' ../nvidia1 "$(readlink "$T/two/dev/char/195:1")"

# The driver's settings are kept.
rm "$T/two/dev/nvidia1"
sed -i 's/FileUID: 0/FileUID: 7/; s/FileGID: 0/FileGID: 44/; s/FileMode: 438/FileMode: 432/' \
	"$T/two/proc/driver/nvidia/params"
list two 0 >/dev/null
is 'owner and mode by params' '660 7:44' "$(stat -c '%a %u:%g' "$T/two/dev/nvidia1")"
is 'a node that is right stays' '666 0:0' "$(stat -c '%a %u:%g' "$T/two/dev/nvidia0")"
rm "$T/two/dev/nvidia1"
sed -i 's/ModifyDeviceFiles: 1/ModifyDeviceFiles: 0/' "$T/two/proc/driver/nvidia/params"
list two 0 >"$T/out"
name='ModifyDeviceFiles: 0'
says out '^problem two/dev/nvidia1: missing, and the driver.s own settings'
is "$name" no "$(test -e "$T/two/dev/nvidia1" && echo yes || echo no)"

# Nodes and files that are not as they have to be.
sed -i 's/ModifyDeviceFiles: 0/ModifyDeviceFiles: 1/' "$T/two/proc/driver/nvidia/params"
name='other nodes'
mknod "$T/two/dev/nvidia1" c 1 3
rm "$T/two/dev/nvidia-uvm"
echo >"$T/two/dev/nvidia-uvm"
mknod "$T/two/dev/nvidia7" c 195 7
list two >"$T/out"
says out '^problem two/dev/nvidia1: not the node 195:1, .*mpu container nodes'
says out '^problem two/dev/nvidia-uvm: not the node 238:0'
says out '^problem two/dev/nvidia7: left from a GPU'
list two 0 >"$T/out"
says out '^problem two/dev/nvidia-uvm: something else than the node 238:0'
is 'another number is replaced' c3:1 "$(stat -c '%t:%T' "$T/two/dev/nvidia1")"
is 'another file is not' 1 "$(wc -c <"$T/two/dev/nvidia-uvm")"

# Modules are loaded by a program of the driver's root, in that root: with nothing of
# ours but the right to load modules and to read files.
rm -r "$T/odd/sys/module/nvidia_uvm" "$T/odd/sys/module/nvidia_modeset"
gcc -static -o "$T/odd/usr/sbin/modprobe" -x c - <<-EOF
	#include <fcntl.h>
	#include <stdio.h>
	#include <string.h>
	#include <sys/prctl.h>

	extern char **environ;

	int main(int argc, char **argv)
	{
		FILE *log = fopen("/modprobe.log", "a");
		int i, modeset = !strcmp(argv[1], "nvidia-modeset");

		for (i = 1; i < argc; i++)
			fprintf(log, "%s", argv[i]);
		for (i = 0; environ[i]; i++)
			fprintf(log, " %s", environ[i]);
		for (i = 0; i < 64; i++)
			if (prctl(PR_CAPBSET_READ, i) == 1)
				fprintf(log, " cap %d", i);
		for (i = 0; i < 64; i++)
			if (i != fileno(log) && fcntl(i, F_GETFD) >= 0)
				fprintf(log, " fd %d", i);
		fputs("\\n", log);
		fclose(log);
		return modeset;	/* this one cannot be loaded */
	}
EOF
: >"$T/in"
SECRET='of ours' list odd 0 >"$T/out" 7<"$T/in"
rest='PATH=/usr/sbin:/usr/bin:/sbin:/bin cap 1 cap 16 fd 0 fd 1 fd 2'
is 'modules are loaded' "nvidia-uvm $rest
nvidia-modeset $rest" "$(cat "$T/odd/modprobe.log")"
name='a module that is not'
says out '^problem module nvidia-modeset: .*/sbin/modprobe could not load it'
is "$name: alone" 1 "$(grep -c 'problem module' "$T/out")"
ok 'none in a user namespace' unshare --user --map-root-user "$B/list" "$T/odd" 0
is 'none in a user namespace' 2 "$(wc -l <"$T/odd/modprobe.log")"

# Below which root there is no driver.
mkdir -p "$T/empty/proc/driver/nvidia"
name='no driver'
list empty >"$T/out" || :	# it fails, in front of a pipe
says out '^driver not loaded: there is no empty/proc/driver/nvidia/version: '

done_testing
