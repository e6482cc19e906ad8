#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# mpu container nodes, and what mpu doctor says of nodes. As root, for mknod.
set -eu
. tests/cli/lib.sh

root=$T/nodes
rm -rf "$root"
tests/container/fake-root "$root" --mig 1 --no-libraries

# All is right but for the links, which nobody makes for the driver.
run 3 container --root "$root" nodes --check
says out "^$root/dev/char/195:0: does not lead to $root/dev/nvidia0: "
is 'a line for each node' 13 "$(wc -l <"$T/out")"
silent err
run 0 container --root "$root" nodes
silent out
silent err
run 0 container --root "$root" nodes --check
silent out

# Nodes that are missing.
mpu=$MPU
mv "$root/dev/nvidia1" "$root/dev/nvidia1.1"	# as process 1 leaves it that is killed
rm "$root/dev/nvidia-caps/nvidia-cap66"
run 3 container --root "$root" nodes --check
is 'a line for each of them' "$root/dev/nvidia-caps/nvidia-cap66
$root/dev/nvidia1" "$(sed 's/: .*//' "$T/out" | sort)"
ASAN_OPTIONS=detect_leaks=0 MPU=unshare run 0 -pf "$mpu" container --root "$root" nodes
run 0 container --root "$root" nodes --check
is 'made' '195:1 241:66' "$(stat -c '%Hr:%Lr' "$root/dev/nvidia1" \
	"$root/dev/nvidia-caps/nvidia-cap66" | tr '\n' ' ' | sed 's/ $//')"

# The same by the toolkit's names.
ln -sf "$MPU" "$T/nvidia-ctk"
MPU=$T/nvidia-ctk
rm "$root/dev/nvidia1" "$root/dev/char/195:0"
run 0 system create-dev-char-symlinks --driver-root "$root" --dry-run
says out "^$root/dev/char/195:0: does not lead to $root/dev/nvidia0: "
is 'the link alone' 1 "$(wc -l <"$T/out")"
run 0 system create-dev-char-symlinks --driver-root="$root"
is 'it is made' ../nvidia0 "$(readlink "$root/dev/char/195:0")"
is 'the node is not' no "$(test ! -e "$root/dev/nvidia1" || echo yes; echo no)"
run 0 system create-device-nodes --root "$root"
is 'nor without being asked for' no "$(test ! -e "$root/dev/nvidia1" || echo yes; echo no)"
run 0 system create-device-nodes --driver-root "$root" --dev-root "$root" --control-devices
is 'then it is' 195:1 "$(stat -c %Hr:%Lr "$root/dev/nvidia1")"
rm "$root/dev/nvidia1" "$root/dev/char/195:1"
run 0 system create-dev-char-symlinks --driver-root "$root" --create-all
is 'all links' ../nvidia1 "$(readlink "$root/dev/char/195:1")"
is 'to nodes' 195:1 "$(stat -c %Hr:%Lr "$root/dev/nvidia1")"
run 1 system create-dev-char-symlinks --driver-root "$root" --dev-char-path /tmp
says err '^nvidia-ctk: .*links are made in /dev/char'
mkdir -p "$T/dev-root/dev"
run 0 system create-device-nodes --root "$root" --dev-root "$T/dev-root" --control-devices
is 'below another folder' 195:1 "$(stat -c %Hr:%Lr "$T/dev-root/dev/nvidia1")"
MPU=$mpu

# nodes: what the root has, as fake-root makes it
nodes()
{
	(cd "$root/dev" && find . -name 'nvidia*' -type c -o -name 'channel*' |
		sort | xargs stat -c '%n %t:%T %a %u:%g')
}

# param EDIT: one of the driver's settings
param()
{
	sed -i "$1" "$root/proc/driver/nvidia/params"
}

# Two runs at a time, and more, do not disturb each other.
rm -r "$root/dev/char"
nodes >"$T/before"
find "$root/dev" -type c ! -path '*/dri/*' ! -name nvidiactl ! -name 'channel*' -delete
rmdir "$root/dev/nvidia-caps"
for _ in 1 2 3 4; do
	"$MPU" container --root "$root" nodes >"$T/null" 2>&1 &
done
run 0 container --root "$root" nodes
wait
is 'nodes are made as they were' "$(cat "$T/before")" "$(nodes)"
is 'nothing else is left' '' "$(find "$root/dev" -name '*.[0-9]*' ! -path '*/dri/*')"
# systemd finds a node by its number.
is 'a link for each number' "$(wc -l <"$T/before")" "$(find "$root/dev/char" -type l | wc -l)"
is 'where it leads' ../nvidia-caps/nvidia-cap66 "$(readlink "$root/dev/char/241:66")"
ln -sf ../nvidia0 "$root/dev/char/195:1"
run 0 container --root "$root" nodes
is 'a link that leads elsewhere' ../nvidia1 "$(readlink "$root/dev/char/195:1")"

# The driver's settings are kept.
rm "$root/dev/nvidia1"
param 's/FileUID: 0/FileUID: 7/; s/FileGID: 0/FileGID: 44/; s/FileMode: 438/FileMode: 432/'
run 0 container --root "$root" nodes
is 'owner and mode by params' '660 7:44' "$(stat -c '%a %u:%g' "$root/dev/nvidia1")"
is 'a node that is right stays' '666 0:0' "$(stat -c '%a %u:%g' "$root/dev/nvidia0")"
rm "$root/dev/nvidia1"
param 's/ModifyDeviceFiles: 1/ModifyDeviceFiles: 0/'
run 1 container --root "$root" nodes
says err "$root/dev/nvidia1: missing, and the driver.s own settings"
ok 'ModifyDeviceFiles: 0' test ! -e "$root/dev/nvidia1"
param 's/ModifyDeviceFiles: 0/ModifyDeviceFiles: 1/'

# Nodes and files that are not as they have to be.
mknod "$root/dev/nvidia1" c 1 3
rm "$root/dev/nvidia-uvm"
echo >"$root/dev/nvidia-uvm"
mknod "$root/dev/nvidia7" c 195 7
run 3 container --root "$root" nodes --check
says out "$root/dev/nvidia1: not the node 195:1, .*mpu container nodes" \
	"$root/dev/nvidia-uvm: not the node 238:0" "$root/dev/nvidia7: left from a GPU"
run 1 container --root "$root" nodes
says err "$root/dev/nvidia-uvm: something else than the node 238:0"
is 'another number is replaced' c3:1 "$(stat -c '%t:%T' "$root/dev/nvidia1")"
is 'another file is not' 1 "$(wc -c <"$root/dev/nvidia-uvm")"
rm "$root/dev/nvidia-uvm" "$root/dev/nvidia7"

# No GPU is opened, and none of the files that change the driver's state.
many=$T/many
rm -rf "$many"
tests/container/fake-root "$many" --gpus 64 --mig 7 --no-libraries
name='64 GPUs with 7 MIG devices each'
# LeakSanitizer wants to trace, too.
exits 3 env ASAN_OPTIONS=detect_leaks=0 strace -f -o "$T/trace" \
	"$MPU" container --root "$many" nodes --check
is "$name: the trace is one" 64 "$(grep -c 'openat(.*/information"' "$T/trace")"
is "$name: nodes opened" '' "$(grep 'open.*"[^"]*/dev/nvidia[^"]*"' "$T/trace" |
	grep -v '"[^"]*/dev/nvidia-caps[a-z/-]*", .*O_DIRECTORY\|nvidiactl", .*O_PATH')"
is "$name: opened for writing" '' "$(grep 'open.*O_RDWR\|open.*O_WRONLY' "$T/trace" |
	grep "$many" || :)"	# none

# Modules are loaded by a program of the driver's root, in that root: with nothing of
# ours but the right to load modules and to read files.
rm -r "$many/sys/module/nvidia_uvm" "$many/sys/module/nvidia_modeset"
gcc -static -o "$many/usr/sbin/modprobe" -x c - <<-EOF
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
name='modules are loaded'
exits 1 env SECRET='of ours' "$MPU" container --root "$many" --load-kmods nodes 7<"$T/before"
rest='PATH=/usr/sbin:/usr/bin:/sbin:/bin cap 1 cap 16 fd 0 fd 1 fd 2'
is "$name" "nvidia-uvm $rest
nvidia-modeset $rest" "$(cat "$many/modprobe.log")"
name='a module that is not'
says err 'module nvidia-modeset: .*/sbin/modprobe could not load it'
is "$name: alone" 1 "$(wc -l <"$T/err")"
ok 'none in a user namespace' unshare --user --map-root-user \
	"$MPU" container --root "$many" --load-kmods nodes
is 'none in a user namespace' 2 "$(wc -l <"$many/modprobe.log")"
rm -r "$many"

# A node that cannot be repaired is an error.
rm "$root/dev/nvidia1"
mkdir "$root/dev/nvidia1"
run 1 container --root "$root" nodes
one_sentence "$root/dev/nvidia1: something else than the node 195:1 is there"
rmdir "$root/dev/nvidia1"

# on_root: what doctor says of it
on_root()
{
	env MPU_ROOT="$root" "$MPU" doctor -v >"$T/out" 2>"$T/err" || :	# problems beside it
}

# doctor says it; a driver that is not loaded it has said already.
on_root
says out "^note +nodes: 1 device nodes .*, e[.]g[.] $root/dev/nvidia1: "
run 0 container --root "$root" nodes
on_root
says out '^ok +nodes: all device nodes of 2 GPUs are there'
rm "$root/proc/devices"
: >"$root/proc/devices"
run 1 container --root "$root" nodes
one_sentence 'driver not loaded'
on_root
is 'no finding without a driver' '' "$(grep 'nodes:' "$T/out" || :)"	# none

done_testing
