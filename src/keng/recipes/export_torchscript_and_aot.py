"""Export a model to files that run without its source: a trace, an exported program, a compiled package.

They are loaded again by another process, which has no `Net`, and compared on other batch sizes.
TorchScript is kept for what exists: it is deprecated, and a trace freezes branches on data and sizes
that Python read. torch.export keeps named dimensions free and rejects what it would freeze. AOTInductor
compiles that program to machine code and needs a C++ compiler.

Needs torch alone.

Avoids: trace-freezes-branches, eval-mode-missing, warnings-silenced
"""

import shutil
import subprocess
import sys
import warnings

import torch
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))

    def forward(self, x: Tensor) -> Tensor:
        return self.layers(x).softmax(dim=1)


ELSEWHERE = """
import sys, torch
load = {
    "model.trace.pt": torch.jit.load,
    "model.export.pt2": lambda file: torch.export.load(file).module(),
    "model.package.pt2": torch._inductor.aoti_load_package,
}
for file in sys.argv[1:]:
    model = load[file](file)
    for inputs, wanted in torch.load("answers.pt", weights_only=True):
        torch.testing.assert_close(model(inputs), wanted)
    print(f"{file}: agrees on batches of 1, 2 and 7, in a process without the source")
"""


def main() -> None:
    torch.manual_seed(0)
    model = Net().eval()
    example = torch.randn(4, 8)
    with torch.no_grad():
        answers = [(x, model(x)) for x in (torch.randn(n, 8) for n in (1, 2, 7))]
    torch.save(answers, "answers.pt")

    with warnings.catch_warnings():
        # This one message, not all of a kind: the next pitfall would be silent as well.
        warnings.filterwarnings("ignore", "`torch.jit.* is deprecated", DeprecationWarning)
        traced = torch.jit.trace(model, example)  # keng: ignore[api-deprecated]: for what exists
        traced.save("model.trace.pt")

    batch = torch.export.Dim("batch", min=1, max=1024)
    program = torch.export.export(model, (example,), dynamic_shapes={"x": {0: batch}})
    torch.export.save(program, "model.export.pt2")

    files = ["model.trace.pt", "model.export.pt2"]
    if shutil.which("g++") or shutil.which("clang++"):
        torch._inductor.aoti_compile_and_package(program, package_path="model.package.pt2")
        files.append("model.package.pt2")
    else:
        print("no C++ compiler: the package cannot be built")
    quiet = "ignore:`torch.jit.load` is deprecated:DeprecationWarning"
    subprocess.run([sys.executable, "-W", quiet, "-c", ELSEWHERE, *files], check=True)


if __name__ == "__main__":
    main()
