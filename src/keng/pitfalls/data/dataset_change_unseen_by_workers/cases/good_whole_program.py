# workers start again at each epoch
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Noisy(Dataset):
    def __init__(self):
        self.level = 0.1

    def __len__(self):
        return 16

    def __getitem__(self, index):
        return torch.ones(4) + self.level * torch.randn(4)


def main():
    data = Noisy()
    loader = DataLoader(data, batch_size=4, num_workers=1)
    model = nn.Linear(4, 4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for epoch in range(3):
        data.level = 0.1 + 0.2 * epoch
        for x in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), torch.ones(4, 4)).backward()
            optimizer.step()


if __name__ == "__main__":
    main()
