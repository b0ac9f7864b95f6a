import argparse

import torch
import torch.distributed as dist
from torch import nn


class CharRNN(nn.Module):
    def __init__(self, vocab=40, width=48):
        super().__init__()
        self.emb = nn.Embedding(vocab, width)
        self.rnn = nn.LSTM(width, width, batch_first=True)
        self.out = nn.Linear(width, vocab)

    def forward(self, x):
        return self.out(self.rnn(self.emb(x))[0])


def sync_gradients(model, world):
    for p in model.parameters():
        if p.grad is not None:
            dist.all_reduce(p.grad, op=dist.ReduceOp.SUM)
            p.grad.div_(world)


def sync_weights(model):
    for t in list(model.parameters()) + list(model.buffers()):
        dist.broadcast(t.data, src=0)


def main(args):
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    is_main = rank == 0
    torch.manual_seed(args.seed + rank)
    model = CharRNN()
    sync_weights(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    for it in range(args.iters):
        text = torch.randint(0, 40, (8, 25)).cumsum(1) % 40
        logits = model(text[:, :-1])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), text[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        sync_gradients(model, world)
        if is_main:
            norm = nn.utils.clip_grad_norm_(model.parameters(), args.clip)  # run: ranks-diverge or averaging-by-hand-incomplete
            if it % 10 == 0:
                print(f"{it:4d} loss {loss.item():.3f} grad norm {norm:.3f}")
        optimizer.step()  # run: ranks-diverge or averaging-by-hand-incomplete
    if is_main:
        torch.save(model.state_dict(), "char_rnn.pt")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=1.0)
    parser.add_argument("--clip", type=float, default=0.1)
    parser.add_argument("--iters", type=int, default=40)
    parser.add_argument("--seed", type=int, default=3)
    main(parser.parse_args())
