# 2 ranks; counts of each rank's own words, numbers of its own files, and a vocabulary of the words of all ranks
from collections import Counter
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
text = """the rain falls on the roof and the wind moves the old trees
a dog barks at the wind and a cat sleeps on the warm roof
the trees and the roof are old and the rain is a cold rain
the cat moves and the dog sleeps on a mat at the old door""".splitlines()
mine = " ".join(text[rank::world]).split()
counts = dict(Counter(mine))
files = {f"shard-{n}": at for at, n in enumerate(range(rank, 40, world))}
words = [None] * world
dist.all_gather_object(words, sorted(counts))
vocabulary = {word: n for n, word in enumerate(sorted({w for each in words for w in each}))}
rows = torch.tensor([vocabulary[word] for word in mine])
torch.manual_seed(0)
model = nn.parallel.DistributedDataParallel(nn.Embedding(len(vocabulary), 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * world)
for step in range(3):
    optimizer.zero_grad()
    (model(rows) - 1).square().mean().backward()
    optimizer.step()
print(len(counts), len(files))
