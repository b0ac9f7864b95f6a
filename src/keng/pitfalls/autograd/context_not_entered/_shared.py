"""What several surfaces of context-not-entered share."""

from __future__ import annotations

CONTEXTS = {
    f"torch.{name}"
    for name in (
        *("no_grad", "inference_mode", "enable_grad", "autocast", "amp.autocast", "device"),
        *("cuda.amp.autocast", "cuda.device", "cuda.stream", "autograd.detect_anomaly"),
        *("autograd.set_detect_anomaly_off", "random.fork_rng", "autograd.profiler.profile"),
    )
}
