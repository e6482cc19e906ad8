# SPDX-License-Identifier: GPL-2.0-only
# The words of docs/place.dot in Chinese: `make picture` draws docs/place.zh.svg.
s/container: its processes are 1, 2, 3/容器：其中的进程是 1、2、3/
s/host: the same processes are 4711, 4712, 4713/宿主机：同样的进程是 4711、4712、4713/
s/ioctl of /ioctl：/
s/engine notify: a process\\nmakes the call for the caller,\\nand translates in its own memory/notify 引擎：由一个进程\\n代为发出调用，\\n在它自己的内存里转换/
s/engine bpf: programs\\nat the driver's entry and return\\ntranslate in the caller's memory/bpf 引擎：驱动入口和返回处的\\n程序，在调用者的\\n内存里转换/
s/entry of the driver/驱动入口/
s/nvidia.ko answers in the host's PIDs/nvidia.ko 用宿主机的 PID 回答/
s/engine module: mpu.ko\\ntranslates in the\\ncopies of the call\\nthat the driver has/module 引擎：mpu.ko\\n在驱动自己的\\n那份拷贝里转换/
