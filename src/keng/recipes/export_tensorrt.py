"""Compile a model with Torch-TensorRT for a range of batch sizes, and compare it.

Where there is no GPU or no Torch-TensorRT it says so and ends with exit code 1.

Needs an NVIDIA GPU and torch_tensorrt.

Avoids: eval-mode-missing, timing-without-sync
"""

import sys

import torch
from torch import nn

from keng.toolbox import benchmark

try:
    import torch_tensorrt
except ImportError:
    sys.exit("Torch-TensorRT is not installed: https://docs.pytorch.org/TensorRT")
if not torch.cuda.is_available():
    sys.exit("there is no NVIDIA GPU here, which TensorRT compiles for")


def main() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv2d(3, 32, 3), nn.ReLU(), nn.Conv2d(32, 32, 3)).eval().cuda()
    sizes = torch_tensorrt.Input(
        min_shape=(1, 3, 64, 64), opt_shape=(16, 3, 64, 64), max_shape=(64, 3, 64, 64)
    )
    compiled = torch_tensorrt.compile(model, ir="dynamo", arg_inputs=[sizes])
    with torch.inference_mode():
        for batch in (1, 16, 50):
            images = torch.randn(batch, 3, 64, 64, device="cuda")
            torch.testing.assert_close(compiled(images), model(images), rtol=1e-2, atol=1e-2)
        images = torch.randn(16, 3, 64, 64, device="cuda")
        ours, theirs = benchmark(lambda: model(images)), benchmark(lambda: compiled(images))
    print(f"PyTorch {ours.median * 1e3:.2f} ms, TensorRT {theirs.median * 1e3:.2f} ms")
    torch_tensorrt.save(compiled, "model.ep", arg_inputs=[sizes])


if __name__ == "__main__":
    main()
