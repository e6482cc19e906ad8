# SPDX-License-Identifier: GPL-2.0-only
"""A kernel of Triton, which asks ldconfig -p for libcuda."""
import torch
import triton
import triton.language as tl


@triton.jit
def double(x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)


x = torch.ones(1000, device="cuda")
double[(4,)](x, 1000, BLOCK=256)
assert x.sum().item() == 2000
