# A histogram, a count or a search gets bins, edges or weights that do not fit
import torch

counts = torch.histc(torch.ones(4), bins=10, min=1, max=5)
counts, edges = torch.histogramdd(torch.ones(5, 3), [2, 2, 2])
counts = torch.bincount(torch.arange(4), torch.ones(4))
values = torch.tensor([2.0, 0.0, 1.0])
place = torch.searchsorted(values, torch.ones(4), sorter=values.argsort())
