import torch
import torch.distributed as dist
import torch.nn as nn
from torch.multiprocessing import Process


class Towers(nn.Module):
    def __init__(self):
        super().__init__()
        self.user, self.item = nn.EmbeddingBag(1000, 16), nn.Linear(20, 16)

    def forward(self, u, i):
        return (self.user(u) * self.item(i)).sum(1)


def train(batches):
    model = Towers()
    dense = torch.optim.Adam(model.item.parameters(), lr=1e-3)
    sparse = torch.optim.SGD(model.user.parameters(), lr=0.1)
    model.item = nn.Linear(20, 16)  # check: parameters-not-optimized
    for u, i, y in batches:
        loss = nn.functional.binary_cross_entropy_with_logits(model(u, i), y)
        dense.zero_grad()
        loss.backward()
        dense.step()
        sparse.step()  # check: zero-grad-missing
    return model


def evaluate(rank, model, data):
    hits = torch.zeros(1).cuda()
    for u, i, y in data:
        hits += ((model(u.cuda(), i.cuda()) > 0).float() == y.cuda()).sum()
    for step in range(2):
        if rank > 0:
            continue
        dist.barrier()  # check: collective-on-one-rank
    print(rank, hits.item())


if __name__ == '__main__':
    batch = torch.randint(0, 1000, (8, 3)), torch.randn(8, 20), torch.rand(8).round()
    model = train([batch] * 4).cuda().eval()
    p = Process(target=evaluate, args=(1, model, [batch]))  # check: cuda-in-forked-process
    p.start()
    p.join()
