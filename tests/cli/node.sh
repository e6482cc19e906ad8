#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# mpu node, where it is not in a pod of its image: nothing is done, and it says why.
set -eu
. tests/cli/lib.sh

unset MPU_ROOT
run 1 node
says err 'there is no /opt/mpu here: this is for a pod of MPU.s image$'
silent out
run 2 node --engine fast
says err "--engine fast is none of auto.module.bpf.notify"
run 2 node --engine ''
says err "--engine  is none of"
run 2 node --runtime docker
says err '--runtime docker is none of containerd.crio'
run 3 node check
says err 'the node is not set up yet'
done_testing
