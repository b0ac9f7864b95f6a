"""Embed a folder of texts with a pool of processes, one per card."""
import argparse
import functools
import glob
import multiprocessing as mp
import pickle

import numpy as np
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, vocab=30000, dim=256):
        super().__init__()
        self.embed = nn.EmbeddingBag(vocab, dim)
        self.drop = nn.Dropout(0.1)
        self.proj = nn.Linear(dim, dim)

    def forward(self, ids, offsets):
        return self.proj(self.drop(self.embed(ids, offsets)))


def tokenize(path, vocab=30000):
    with open(path) as file:
        return [hash(word) % vocab for word in file.read().split()]


@functools.lru_cache(maxsize=1)
def encoder(path, device):
    model = torch.load(path, weights_only=False)  # check: map-location-missing; load-runs-code
    return model.to(device)


def embed(job, weights):
    rank, paths = job
    model = encoder(weights, f"cuda:{rank}")
    vectors = []
    for path in paths:
        ids = torch.Tensor(tokenize(path)).long()
        out = model(ids.to(f"cuda:{rank}"), torch.zeros(1, dtype=torch.long, device=f"cuda:{rank}"))  # check: eval-mode-missing; validation-records-gradients
        vectors.append(out.detach().cpu().numpy())
    return np.concatenate(vectors)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weights")
    parser.add_argument("folder")
    args = parser.parse_args()
    files = sorted(glob.glob(f"{args.folder}/*.txt"))
    cards = torch.cuda.device_count()
    warm = torch.zeros(1, device="cuda")
    jobs = [(r, files[r::cards]) for r in range(cards)]
    with mp.Pool(cards) as pool:  # check: cuda-in-forked-process
        parts = pool.map(functools.partial(embed, weights=args.weights), jobs)
    with open("vectors.pkl", "wb") as file:
        pickle.dump(np.concatenate(parts), file)


if __name__ == "__main__":
    main()
