"""Compile a model with torch.compile, and see what it did: graph breaks, recompilations, speed.

Breaks are where Python had to take over; recompilations come from inputs that a guard does not allow,
most often another size. The speed is measured against the model as it is, in evaluation mode. A small
model on a CPU may well be slower: measure yours.

Needs keng, and a C++ compiler (on a GPU: Triton).

Avoids: timing-without-sync, wrapped-module-attribute
"""

import torch
from torch import Tensor, nn
from torch._dynamo.utils import counters

from keng.toolbox import benchmark, unwrap


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(64, 128)
        self.second = nn.Linear(128, 10)

    def forward(self, x: Tensor) -> Tensor:
        x = torch.relu(self.first(x))
        if x.sum() > 1e9:  # a branch on data breaks the graph
            x = x / x.sum()
        return self.second(x)


def main() -> None:
    torch.manual_seed(0)
    model = Net().eval()
    explained = torch._dynamo.explain(model)(torch.randn(32, 64))
    print(f"{explained.graph_count} graphs, {explained.graph_break_count} breaks")
    for reason in explained.break_reasons:
        print("break:", reason.reason.splitlines()[0])

    torch._dynamo.reset()
    counters.clear()
    compiled = torch.compile(model)
    with torch.inference_mode():
        for batch in (32, 16, 8):  # the second size makes the dimension free, the third fits
            images = torch.randn(batch, 64)
            torch.testing.assert_close(compiled(images), model(images), rtol=1e-4, atol=1e-5)
        print(f"{counters['stats']['unique_graphs']} graphs compiled for three batch sizes")
        eager, ours = benchmark(lambda: model(images)), benchmark(lambda: compiled(images))
    print(f"eager {eager.median * 1e6:.0f} us, compiled {ours.median * 1e6:.0f} us a call")
    # The names of the bare model: those of the compiled one begin with _orig_mod.
    torch.save(unwrap(compiled).state_dict(), "weights.pt")


if __name__ == "__main__":
    main()
