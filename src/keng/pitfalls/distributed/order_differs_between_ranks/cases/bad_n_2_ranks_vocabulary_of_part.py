# 2 ranks, each of which numbers the words of its own lines by how often they come
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
number = {word: n for n, (word, _) in enumerate(Counter(mine).most_common(24))}  # run: `number`: both have
rows = torch.tensor([number[word] for word in mine if word in number])
torch.manual_seed(0)
model = nn.parallel.DistributedDataParallel(nn.Embedding(24, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * world)
for step in range(3):
    optimizer.zero_grad()
    (model(rows) - 1).square().mean().backward()
    optimizer.step()
