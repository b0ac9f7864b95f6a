"""Export a model as ONNX with dynamic sizes, and compare the file with the model in ONNX Runtime.

Named inputs and outputs, any batch and image size, a resize among the layers (whose meaning changed with
opset 11), compared on several sizes before the file is put in its place.

Needs keng, onnx, onnxruntime and onnxscript.

Avoids: onnx-resize-opset, trace-freezes-branches, eval-mode-missing
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from keng.toolbox import export_onnx


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(8)
        self.head = nn.Linear(8, 10)

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor]:
        size = (image.shape[2] * 2, image.shape[3] * 2)  # stays a formula of the input's size
        x = F.relu(self.norm(self.conv(image)))
        enlarged = F.interpolate(x, size, mode="bilinear", align_corners=False)
        return self.head(enlarged.mean(dim=(2, 3))), enlarged


def main() -> None:
    torch.manual_seed(0)
    worst = export_onnx(
        Net(),
        (torch.randn(2, 3, 16, 16),),
        "model.onnx",
        input_names=["image"],
        output_names=["scores", "enlarged"],
        dynamic={"image": {0: "batch", 2: "height", 3: "width"}},
        others=[(torch.randn(1, 3, 16, 16),), (torch.randn(5, 3, 20, 12),)],
    )
    print(f"model.onnx: differs from the model by {worst:.1e} at most, over three sizes")


if __name__ == "__main__":
    main()
