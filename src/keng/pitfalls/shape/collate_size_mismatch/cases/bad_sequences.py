# sequences
import torch
from torch.utils.data import DataLoader

sentences = [torch.arange(5), torch.arange(7)]
batch = next(iter(DataLoader(sentences, batch_size=2)))  # run: 5 and 7 words
