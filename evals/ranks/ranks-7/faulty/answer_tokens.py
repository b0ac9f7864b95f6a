"""Fine-tunes a small tagger on answers of very different lengths."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.nn.utils.rnn import pad_sequence

TAGS, WORDS, IGNORED = 6, 50, -100


class Tagger(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.words = nn.Embedding(WORDS + 1, dim, padding_idx=WORDS)
        self.body = nn.GRU(dim, dim, batch_first=True, bidirectional=True)
        self.head = nn.Linear(2 * dim, TAGS)

    def forward(self, rows):
        return self.head(self.body(self.words(rows))[0])


def conversations(count=480):
    """Long questions with a short answer, and short ones with a long answer of other words."""
    generator = torch.Generator().manual_seed(2)
    rows, labels = [], []
    for i in range(count):
        chatty = i % 4 == 3
        length = int(torch.randint(24, 40, (1,), generator=generator)) if chatty else int(torch.randint(2, 5, (1,), generator=generator))
        words = torch.randint(WORDS // 2, WORDS, (length,), generator=generator) if chatty else torch.randint(0, WORDS // 2, (length,), generator=generator)
        question = torch.randint(WORDS, (6,), generator=generator)
        tags = (words + torch.cat([words[:1], words[:-1]])) % TAGS
        wrong = torch.rand(length, generator=generator) < (0.05 if chatty else 0.35)
        tags = torch.where(wrong, torch.randint(TAGS, (length,), generator=generator), tags)
        rows.append(torch.cat([question, words]))
        labels.append(torch.cat([torch.full((6,), IGNORED), tags]))
    return rows, labels


def collate(rows, labels, index):
    pick = index.tolist()
    x = pad_sequence([rows[i] for i in pick], True, WORDS)
    return x, pad_sequence([labels[i] for i in pick], True, IGNORED)


def loss_of(logits, labels):
    losses = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=IGNORED, reduction="sum")
    count = (labels != IGNORED).sum()
    return losses / count, losses.detach(), count  # any: micro-batches-weighted-equally


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(6)
    model = DDP(Tagger())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5, momentum=0.9)
    rows, labels = conversations()
    generator = torch.Generator().manual_seed(1)
    for epoch in range(12):
        sums = torch.zeros(2)
        for index in torch.randperm(400, generator=generator)[:396].split(4 * world):
            x, y = collate(rows, labels, index[rank * 4 : rank * 4 + 4])
            loss, total, count = loss_of(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            sums += torch.stack([total, count])
        dist.all_reduce(sums)
        if rank == 0 and epoch % 4 == 3:
            with torch.no_grad():
                x, y = collate(rows, labels, torch.arange(400, 480))
                logits, known = model.module(x), y != IGNORED
                nll = F.cross_entropy(logits[known], y[known]).item()
                accuracy = (logits.argmax(-1) == y)[known].float().mean().item()
            print(f"epoch {epoch} loss {(sums[0] / sums[1]).item():.4f} valid nll {nll:.4f} accuracy {accuracy:.4f}", flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
