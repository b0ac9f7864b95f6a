import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset


def seed_everything(seed):
    torch.manual_seed(seed)


class Words(Dataset):
    def __init__(self, count=240, length=12, vocabulary=30):
        self.rows = torch.randint(0, vocabulary, (count, length))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        row = self.rows[index]
        return {"input_ids": row, "label": (row > 14).sum() % 2}


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(30, 24)
        self.head = nn.Linear(24, 2)

    def forward(self, input_ids):
        return self.head(self.words(input_ids).mean(1))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    asked = parser.parse_args()
    seed_everything(42)
    dist.init_process_group("gloo")
    loader = DataLoader(Words(), batch_size=16, shuffle=True)  # run: loader-not-sharded
    model = DistributedDataParallel(Classifier())
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(asked.epochs):
        for batch in loader:  # run: loader-not-sharded
            logits = model(batch["input_ids"])
            loss = nn.functional.cross_entropy(logits, batch["label"])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if dist.get_rank() == 0:
            print(f"epoch {epoch} loss {loss.item():.3f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
