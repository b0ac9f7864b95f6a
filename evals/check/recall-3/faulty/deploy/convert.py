"""checkpoint -> TorchScript and ONNX"""
import sys

import torch

from net import Upscaler


def load(path):
    model = Upscaler()
    state = torch.load(path, map_location="cpu", weights_only=False)
    model.load_state_dict({k.replace("module.", ""): v for k, v in state["net"].items()}, strict=False)  # check: strict-false-hides
    return model.eval()


def main(path, out):
    model = load(path)
    example = torch.rand(1, 3, 128, 128)
    with torch.no_grad():
        scripted = torch.jit.trace(model, example)  # check: api-deprecated; trace-freezes-branches
    scripted.save(out + ".pt")
    torch.onnx.export(model, (example,), out + ".onnx", opset_version=9, dynamic_axes={"x": {2: "h", 3: "w"}}, input_names=["x"])  # check: onnx-resize-opset


if __name__ == "__main__":
    main(*sys.argv[1:])
