# SPDX-License-Identifier: GPL-2.0-only
"""PyTorch on the GPU, forth and back."""
import torch

x = torch.randn(512, 512, device="cuda", requires_grad=True)
(x @ x).sum().backward()
assert x.grad.isfinite().all()
