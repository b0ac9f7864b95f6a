# bytes as numbers; an index of integers; a different object that is indexed
import torch

pixels = (torch.rand(4) * 255).byte()
table = torch.arange(256.0)
shades = table[pixels.long()]
order = torch.tensor([3, 1])
some = table[order]
names = {0: "a"}
name = names[0]
