"""Export a model to files that run without its source: a trace, an exported program, a compiled package.

Each is loaded again by another process, which has no `Net`, and compared on other batch sizes.
TorchScript is kept for what exists: it is deprecated, and a trace freezes branches on data and sizes
that Python read. torch.export keeps named dimensions free and refuses what it would freeze. AOTInductor
compiles that program to machine code and needs a C++ compiler.

Needs torch alone.

Avoids: eval-mode-missing, warnings-silenced
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
kind, file = sys.argv[1:]
load = {
    "trace": torch.jit.load,
    "export": lambda file: torch.export.load(file).module(),
    "package": torch._inductor.aoti_load_package,
}
model = load[kind](file)
for inputs, wanted in torch.load("answers.pt", weights_only=True):
    torch.testing.assert_close(model(inputs), wanted)
print(f"{file}: agrees on batches of 1, 2 and 7, in a process without the source")
"""


def compare(kind: str, file: str) -> None:
    quiet = "ignore:`torch.jit.load` is deprecated:DeprecationWarning"
    subprocess.run([sys.executable, "-W", quiet, "-c", ELSEWHERE, kind, file], check=True)


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
    compare("trace", "model.trace.pt")

    batch = torch.export.Dim("batch", min=1, max=1024)
    program = torch.export.export(model, (example,), dynamic_shapes={"x": {0: batch}})
    torch.export.save(program, "model.export.pt2")
    compare("export", "model.export.pt2")

    if not (shutil.which("g++") or shutil.which("clang++")):
        sys.exit("no C++ compiler: the package cannot be built")
    torch._inductor.aoti_compile_and_package(program, package_path="model.package.pt2")
    compare("package", "model.package.pt2")


if __name__ == "__main__":
    main()
