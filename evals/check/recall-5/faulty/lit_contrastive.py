import lightning as L
import torch
import torch.nn.functional as F
import torchvision
from torch import nn
from torch.utils.data import DataLoader
from torchvision import transforms


class Projection(nn.Module):
    def __init__(self, dim_in, dim_hidden=512, dim_out=128):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(dim_in, dim_hidden),  # check: bias-before-batchnorm
            nn.BatchNorm1d(dim_hidden),
            nn.ReLU(),
            nn.Linear(dim_hidden, dim_out),
        )

    def forward(self, x):
        return self.net(x)


class MemoryBankMixin:
    def make_bank(self, size, dim):
        self.bank = F.normalize(torch.randn(size, dim), dim=1)  # check: module-not-registered
        self.position = 0

    def enqueue(self, keys):
        n = keys.shape[0]
        self.bank[self.position : self.position + n] = keys[: self.bank.shape[0] - self.position]
        self.position = (self.position + n) % self.bank.shape[0]


class MoCo(MemoryBankMixin, L.LightningModule):
    def __init__(self, lr=0.06, momentum=0.99, temperature=0.1):
        super().__init__()
        self.save_hyperparameters()
        self.encoder = torchvision.models.resnet18(pretrained=True)  # check: pretrained-flag
        self.encoder.fc = nn.Identity()
        self.projection = Projection(512)
        self.key_encoder = torchvision.models.resnet18(weights=None)
        self.key_encoder.fc = nn.Identity()
        self.key_projection = Projection(512)
        for p in list(self.key_encoder.parameters()) + list(self.key_projection.parameters()):
            p.requires_gard = False  # check: require-grad-typo
        self.make_bank(4096, 128)
        self.epoch_losses = []

    @torch.no_grad()
    def momentum_update(self):
        m = self.hparams.momentum
        for q, k in zip(self.encoder.parameters(), self.key_encoder.parameters()):
            k.data = k.data * m + q.data * (1 - m)
        for q, k in zip(self.projection.parameters(), self.key_projection.parameters()):
            k.mul_(m).add_(q, alpha=1 - m)

    def training_step(self, batch, batch_idx):
        (x_q, x_k), _ = batch
        self.momentum_update()
        q = F.normalize(self.projection(self.encoder(x_q)), dim=1)
        k = F.normalize(self.key_projection(self.key_encoder(x_k)), dim=1)
        positive = torch.einsum("nc,nc->n", q, k).unsqueeze(-1)
        negative = q @ self.bank.t().cuda()
        logits = torch.cat([positive, negative], dim=1) / self.hparams.temperature
        labels = torch.zeros(logits.shape[0]).long().cuda()
        probabilities = F.softmax(logits)  # check: softmax-dim-missing
        loss = F.cross_entropy(probabilities, labels)  # check: softmax-before-cross-entropy
        self.enqueue(k)  # check: loss-keeps-graph or gradient-leaks-into-frozen (keys carry their graph into the bank)
        self.epoch_losses.append(loss)  # check: loss-keeps-graph
        return loss

    def on_train_epoch_end(self):
        self.log("epoch_loss", torch.stack(self.epoch_losses).mean())
        self.epoch_losses.clear()

    def validation_step(self, batch, batch_idx):
        (x_q, _), y = batch
        features = self.encoder(x_q)
        features = F.dropout(features, 0.5)  # check: functional-dropout-always-on
        self.log("val_norm", features.norm(dim=1).mean())

    def configure_optimizers(self):
        optimizer = torch.optim.SGD(self.encoder.parameters(), lr=self.hparams.lr, momentum=0.9)  # check: parameters-not-optimized
        scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, self.trainer.max_epochs)
        return [optimizer], [scheduler]


class TwoViews:
    def __init__(self, transform):
        self.transform = transform

    def __call__(self, image):
        return self.transform(image), self.transform(image)


def main():
    augment = transforms.Compose(
        [
            transforms.RandomResizedCrop(96),
            transforms.ToTensor(),
            transforms.RandomHorizontalFlip(),
            transforms.Normalize([0.43, 0.43, 0.39], [0.27, 0.26, 0.27]),
        ]
    )
    data = torchvision.datasets.STL10("data", split="unlabeled", transform=TwoViews(augment), download=True)
    loader = DataLoader(data, batch_size=256, shuffle=True, num_workers=8, drop_last=True)
    L.Trainer(max_epochs=100, accelerator="gpu", devices=1).fit(MoCo(), loader)


if __name__ == "__main__":
    main()
