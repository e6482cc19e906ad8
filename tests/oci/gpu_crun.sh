#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# GPUs for containers by plain crun: what runc is tested for.
set -eu
RUNTIME=crun exec tests/oci/gpu_runc.sh
