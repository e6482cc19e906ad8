# SPDX-License-Identifier: GPL-2.0-only
"""torch.compile, which makes kernels of Triton."""
import torch


def plain(x):
    return torch.sin(x) * 2 + x


x = torch.randn(1000, device="cuda")
assert torch.allclose(torch.compile(plain)(x), plain(x), atol=1e-5)
