"""What several surfaces of cross-entropy-target share."""

from __future__ import annotations

LOSSES = ("cross_entropy", "nll_loss", "nll_loss_nd")
