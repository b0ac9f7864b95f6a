# a piece that begins behind the end
import torch

sound, piece = torch.ones(1, 50), torch.zeros(1, 65)
piece[:, :65] = sound[:, 60:125]  # run: `from an empty tensor`
