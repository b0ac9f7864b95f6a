# 2 ranks, totals in an object that are summed over the ranks after each batch
import torch
import torch.distributed as dist


class Totals:
    def __init__(self):
        self.values = {"error": torch.zeros(()), "count": torch.zeros(())}

    def add(self, error, count):
        self.values["error"] += error
        self.values["count"] += count

    def reduce(self):
        for value in self.values.values():
            dist.all_reduce(value)  # run: all ranks give back the last sum


dist.init_process_group("gloo")
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
x = torch.randn(8, 4)
model(x).square().mean().backward()
optimizer.step()
totals = Totals()
for batch in torch.randn(48, 4).split(8):
    totals.add(model(batch).detach().abs().sum(), len(batch))
    totals.reduce()
