# SPDX-License-Identifier: GPL-2.0-only
"""ctypes, which asks ldconfig -p."""
import ctypes
import ctypes.util

for name in "cuda", "nvidia-ml":
    found = ctypes.util.find_library(name)
    assert found == f"lib{name}.so.1", found
    ctypes.CDLL(found)
