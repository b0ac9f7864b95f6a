import lightning as L
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchmetrics import MeanMetric
from torchvision import datasets, transforms


class PenaltyMixin:
    weight = 10.0

    def penalty(self, real, fake):
        mix = torch.rand(real.size(0), 1, 1, 1, device=real.device)
        between = (mix * real + (1 - mix) * fake).requires_grad_()
        out = self.critic(between)
        (grad,) = torch.autograd.grad(out.sum(), between, create_graph=True)
        return self.weight * ((grad.flatten(1).norm(dim=1) - 1) ** 2).mean()


class Wgan(PenaltyMixin, L.LightningModule):
    def __init__(self, z=64, lr=1e-4):
        super().__init__()
        self.save_hyperparameters()
        self.automatic_optimization = False
        self.generator = nn.Sequential(nn.Linear(z, 784), nn.Tanh(), nn.Unflatten(1, (1, 28, 28)))
        self.critic = nn.Sequential(nn.Flatten(), nn.Linear(784, 128), nn.LeakyReLU(0.2), nn.Linear(128, 1))
        self.mean = MeanMetric()
        self.register_buffer("fixed", torch.randn(16, z))
        self.outputs = []

    def forward(self, z):
        return self.generator(z)

    def training_step(self, batch, batch_idx):
        real, _ = batch
        opt_g, opt_c = self.optimizers()
        z = torch.randn(real.size(0), self.hparams.z, device=self.device)

        self.toggle_optimizer(opt_c)
        fake = self(z).detach()
        loss_c = self.critic(fake).mean() - self.critic(real).mean() + self.penalty(real, fake)
        opt_c.zero_grad()
        self.manual_backward(loss_c)
        opt_c.step()
        self.untoggle_optimizer(opt_c)

        if batch_idx % 5 == 0:
            self.toggle_optimizer(opt_g)
            loss_g = -self.critic(self(z)).mean()
            opt_g.zero_grad()
            self.manual_backward(loss_g)
            opt_g.step()
            self.untoggle_optimizer(opt_g)
            self.log("g", loss_g)
        self.mean.update(loss_c.detach())
        self.log("critic", self.mean)

    def validation_step(self, batch, batch_idx):
        real, _ = batch
        self.outputs.append(self.critic(real))

    def on_validation_epoch_end(self):
        self.log("realness", torch.cat(self.outputs).mean())
        self.outputs.clear()
        self.logger.experiment.add_images("fixed", self(self.fixed), self.current_epoch)

    def configure_optimizers(self):
        return (
            torch.optim.RMSprop(self.generator.parameters(), lr=self.hparams.lr),
            torch.optim.RMSprop(self.critic.parameters(), lr=self.hparams.lr),
        )


class Digits(L.LightningDataModule):
    def setup(self, stage):
        scale = transforms.Compose([transforms.ToTensor(), transforms.Normalize(0.5, 0.5)])
        self.train_set = datasets.MNIST("data", train=True, transform=scale)
        self.val_set = datasets.MNIST("data", train=False, transform=scale)

    def prepare_data(self):
        datasets.MNIST("data", download=True)

    def train_dataloader(self):
        return DataLoader(self.train_set, 64, shuffle=True, num_workers=4, persistent_workers=True)

    def val_dataloader(self):
        return DataLoader(self.val_set, 256, num_workers=4, persistent_workers=True)


if __name__ == "__main__":
    L.seed_everything(0, workers=True)
    L.Trainer(max_epochs=20).fit(Wgan(), Digits())
