"""A segmentation trainer with a cosine schedule and warmup, after ScrollPrize/villa pull 1495."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset
from transformers import get_cosine_schedule_with_warmup

torch.manual_seed(41)
SIZE = 16


def patches(count):
    grid = torch.stack(torch.meshgrid(torch.arange(SIZE), torch.arange(SIZE), indexing="ij")).float()
    center = torch.rand(count, 2, 1, 1) * SIZE
    radius = 2 + 3 * torch.rand(count, 1, 1)
    masks = ((grid - center).square().sum(1).sqrt() < radius).long()
    images = masks[:, None] * 0.8 + 0.4 * torch.randn(count, 1, SIZE, SIZE)
    return TensorDataset(images, masks)


class UNet(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(1, width, 3, padding=1), nn.ReLU(), nn.Conv2d(width, width, 3, padding=1), nn.ReLU())
        self.middle = nn.Sequential(nn.Conv2d(width, 2 * width, 3, padding=1), nn.ReLU(), nn.Conv2d(2 * width, 2 * width, 3, padding=1), nn.ReLU())
        self.up = nn.ConvTranspose2d(2 * width, width, 2, 2)
        self.out = nn.Sequential(nn.Conv2d(2 * width, width, 3, padding=1), nn.ReLU(), nn.Conv2d(width, 2, 1))

    def forward(self, x):
        skip = self.down(x)
        x = self.up(self.middle(F.max_pool2d(skip, 2)))
        return self.out(torch.cat([x, skip], 1))


class Trainer:
    def __init__(self, model, train_set, valid_set, max_epoch=10, batch_size=8):
        self.model, self.max_epoch = model, max_epoch
        self.train_loader = DataLoader(train_set, batch_size=batch_size, shuffle=True, drop_last=True)
        self.valid_loader = DataLoader(valid_set, batch_size=128)
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=1.5e-2, weight_decay=1e-2)
        self.scheduler = self.get_scheduler()

    def get_scheduler(self):
        max_steps = self.max_epoch  # run: scheduler-past-its-end
        return get_cosine_schedule_with_warmup(self.optimizer, num_warmup_steps=max_steps // 20, num_training_steps=max_steps)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        loss, intersection, union = 0.0, 0, 0
        for images, masks in self.valid_loader:
            logits = self.model(images)
            loss += F.cross_entropy(logits, masks).item() * len(images)
            predicted = logits.argmax(1)
            intersection += (predicted & masks).sum().item()
            union += (predicted | masks).sum().item()
        self.model.train()
        return loss / len(self.valid_loader.dataset), intersection / union

    def train(self):
        for epoch in range(self.max_epoch):
            for images, masks in self.train_loader:
                loss = F.cross_entropy(self.model(images), masks)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                self.scheduler.step()
            if epoch % 3 == 2:
                valid_loss, iou = self.validate()
                rate = self.scheduler.get_last_lr()[0]
                print(f"epoch {epoch} loss {loss.item():.4f} valid loss {valid_loss:.4f} IoU {iou:.4f} rate {rate:.5f}")


trainer = Trainer(UNet(), patches(768), patches(256))
trainer.train()
valid_loss, iou = trainer.validate()
print(f"valid loss {valid_loss:.4f} IoU {iou:.4f}, last rate {trainer.scheduler.get_last_lr()[0]:.6f}")
print(f"checksum {sum(p.double().sum() for p in trainer.model.parameters()).item():.6f}")
