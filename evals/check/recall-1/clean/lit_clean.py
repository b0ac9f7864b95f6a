import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class LitGAN(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.g, self.d = nn.Linear(4, 2), nn.Linear(2, 1)
        self.bce = nn.BCEWithLogitsLoss()
        self.fid = []

    def training_step(self, batch, idx):
        (real,) = batch
        g_opt, d_opt = self.optimizers()
        fake = self.g(torch.randn(len(real), 4, device=self.device))
        ones, zeros = torch.ones(len(real), 1, device=self.device), torch.zeros(len(real), 1, device=self.device)
        d_loss = self.bce(self.d(real), ones) + self.bce(self.d(fake.detach()), zeros)
        d_opt.zero_grad()
        self.manual_backward(d_loss)
        d_opt.step()
        g_loss = self.bce(self.d(fake), ones)
        g_opt.zero_grad()
        self.manual_backward(g_loss)
        g_opt.step()
        self.log_dict({'d': d_loss, 'g': g_loss})

    def validation_step(self, batch, idx):
        fake = self.g(torch.randn(len(batch[0]), 4, device=self.device))
        self.fid.append((fake.mean(0) - batch[0].mean(0)).norm())

    def on_validation_epoch_end(self):
        self.log('fid', torch.stack(self.fid).mean())
        self.fid.clear()

    def configure_optimizers(self):
        return torch.optim.Adam(self.g.parameters()), torch.optim.Adam(self.d.parameters())


class LitReg(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1))
        self.step_losses = []

    def training_step(self, batch, idx):
        x, y = batch
        loss = nn.functional.mse_loss(self.net(x), y)
        self.step_losses.append(loss.detach())
        return loss

    def on_train_epoch_end(self):
        self.log('mean', torch.stack(self.step_losses).mean())
        self.step_losses.clear()

    def validation_step(self, batch, idx):
        x, y = batch
        self.log('val', nn.functional.mse_loss(self.net(x), y))

    def configure_optimizers(self):
        opt = torch.optim.Adam(self.parameters())
        plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt)
        return {'optimizer': opt, 'lr_scheduler': {'scheduler': plateau, 'monitor': 'val'}}


if __name__ == '__main__':
    dl = DataLoader(TensorDataset(torch.randn(64, 5), torch.randn(64, 1)), 16)
    L.Trainer(max_epochs=1, logger=False, enable_checkpointing=False, accelerator='cpu').fit(LitReg(), dl, dl)
