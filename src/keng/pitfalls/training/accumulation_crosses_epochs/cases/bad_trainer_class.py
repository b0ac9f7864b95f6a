# in a class, with a clip and a validation at the end of each epoch
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, accumulate):
        self.accumulate = accumulate
        self.model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3)

    def fit(self, loader, held_out, epochs):
        for _ in range(epochs):
            self.model.train()
            for number, (x, y) in enumerate(loader, 1):
                loss = nn.functional.cross_entropy(self.model(x), y)
                (loss / self.accumulate).backward()
                if number % self.accumulate == 0:
                    nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                    self.optimizer.step()  # run: `adds up 5 batches`
                    self.optimizer.zero_grad()
            self.validate(held_out)

    @torch.no_grad()
    def validate(self, loader):
        self.model.eval()
        print(sum(int((self.model(x).argmax(1) == y).sum()) for x, y in loader))


torch.manual_seed(0)
x = torch.randn(80, 4)
data = TensorDataset(x, x[:, :3].argmax(1))
Trainer(3).fit(DataLoader(data, batch_size=10, shuffle=True), DataLoader(data, batch_size=40), 4)
