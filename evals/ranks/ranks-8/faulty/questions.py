"""Two encoders learn which answer belongs to a question, with the answers of all ranks to choose from."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel as DDP

WORDS, DIM, TOPICS = 50, 24, 96


class Everywhere(torch.autograd.Function):
    @staticmethod
    def forward(ctx, rows):
        parts = [torch.empty_like(rows) for _ in range(dist.get_world_size())]
        dist.all_gather(parts, rows.contiguous())
        return torch.cat(parts)

    @staticmethod
    def backward(ctx, grad):
        grad = grad.contiguous()
        dist.all_reduce(grad)
        return grad.chunk(dist.get_world_size())[dist.get_rank()]


class Encoders(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.EmbeddingBag(WORDS, DIM)
        self.ask = nn.Sequential(nn.Linear(DIM, 64), nn.ReLU(), nn.Linear(64, DIM))
        self.tell = nn.Sequential(nn.Linear(DIM, 64), nn.ReLU(), nn.Linear(64, DIM))
        self.scale = nn.Parameter(torch.tensor(2.0))

    def forward(self, questions, answers):
        ask, tell = self.ask(self.words(questions)), self.tell(self.words(answers))
        return F.normalize(ask, dim=-1), F.normalize(tell, dim=-1), self.scale.exp()


def pairs(count, seed):
    generator = torch.Generator().manual_seed(0)
    asked = torch.randint(WORDS, (TOPICS, 6), generator=generator)
    told = torch.randint(WORDS, (TOPICS, 6), generator=generator)
    generator = torch.Generator().manual_seed(seed)
    topics = torch.stack([torch.randperm(TOPICS, generator=generator) for _ in range(count)]).flatten()
    questions, answers = asked[topics], told[topics]
    for rows in (questions, answers):
        noise = torch.rand(rows.shape, generator=generator) < 0.2
        rows[noise] = torch.randint(WORDS, (int(noise.sum()),), generator=generator)
    return questions, answers


def loss_of(ask, tell, scale):
    logits = scale * ask @ Everywhere.apply(tell).T
    return F.cross_entropy(logits, torch.arange(len(ask)))  # any: labels-without-rank-offset


@torch.no_grad()
def recall(model, questions, answers):
    ask, tell, _ = model(questions, answers)
    best = (ask @ tell.T).argmax(1)
    return (best == torch.arange(len(ask))).float().mean().item()


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(13)
    model = DDP(Encoders())
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    questions, answers = pairs(12, 1)
    valid = pairs(1, 2)
    for epoch in range(6):
        sums = torch.zeros(2)
        for rows in torch.arange(len(questions)).split(16 * world):
            mine = rows.chunk(world)[rank]
            loss = loss_of(*model(questions[mine], answers[mine]))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            sums += torch.stack([loss.detach(), torch.tensor(1.0)])
        dist.all_reduce(sums)
        if rank == 0:
            print(f"epoch {epoch} loss {(sums[0] / sums[1]).item():.4f} recall {recall(model.module, *valid):.4f}", flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
