#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Plain crun: what runc is tested for.
set -eu
RUNTIME=crun exec tests/oci/runc.sh
