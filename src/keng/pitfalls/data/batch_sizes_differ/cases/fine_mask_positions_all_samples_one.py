# a mask and positions for all samples; one number per batch; a mask as long as the longest sample; samples laid end to end; nodes of graphs; a batch of one
import torch
from torch.utils.data import DataLoader


def shared(samples):
    mask, rate = torch.ones(4, 4).triu(1)[None], torch.rand(1)
    places = torch.randint(9, (1, 4))
    return {"x": torch.stack(samples), "mask": mask, "rate": rate, "at": places, "s": rate[None]}


def padded(samples):
    longest = int(samples[0].sum() * 10) + 3
    return torch.stack(samples), torch.randn(1, 1, longest, longest)


def packed(samples):
    return torch.cat(samples)[None], torch.arange(4 * len(samples))[None]


def graphs(samples):
    return torch.cat(samples).view(-1, 2), torch.rand(1, 3), torch.stack(samples)


torch.manual_seed(0)
samples = list(torch.rand(32, 4))
for collate, size in ((shared, 8), (padded, 8), (packed, 8), (graphs, 8), (torch.stack, 1)):
    for batch in DataLoader(samples, batch_size=size, collate_fn=collate):
        rows = [len(part) for part in batch]
