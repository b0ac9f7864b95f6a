"""What a SummaryWriter of TensorBoard's does, and what other loggers call the same."""

from __future__ import annotations

from difflib import get_close_matches

WRITES = (
    "add_scalar add_image add_histogram add_graph add_text add_figure add_video add_audio add_embedding "
    "add_hparams add_mesh add_pr_curve add_scalars add_images add_onnx_graph add_tensor add_custom_scalars "
    "get_logdir flush close"
).split()
LOGS_A_NUMBER = frozenset("add_summary log_value log write summary log_metric log_metrics".split())
"""Of TensorFlow's writer, and of other loggers."""


def written_by(name: str) -> str:
    """The method that does what is asked for under another name; nothing where that is not clear."""
    if name in WRITES:
        return ""
    alike = [each for each in WRITES if each[4:9] in name and len(each) > 7]
    alike = alike or get_close_matches(name, WRITES, 1, 0.8)
    return alike[0] if alike else "add_scalar" if name in LOGS_A_NUMBER else ""
