"""Writes checkpoints without torch: the zip that torch.load(weights_only=True) reads, and safetensors.

Bytes of tensors go from file to file by their place; in memory is one buffer.
"""

from keng.ckpt.writing.safetensors import write as write_safetensors
from keng.ckpt.writing.torch_zip import write as write_zip

__all__ = ["write_safetensors", "write_zip"]
