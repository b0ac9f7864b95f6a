# of several columns
import torch

counts, edges = torch.histogramdd(torch.ones(5, 3), [2, 2])  # run: `column`
