"""Segmentation with Hydra: python third_hydra_seg.py model=unet data=cityscapes"""
import logging

import hydra
import torch
import torch.nn as nn
import torch.nn.functional as F
from omegaconf import DictConfig, OmegaConf
from torch.utils.data import DataLoader

log = logging.getLogger(__name__)


def double(c_in, c_out):
    return nn.Sequential(
        nn.Conv2d(c_in, c_out, 3, padding=1), nn.BatchNorm2d(c_out), nn.ReLU(inplace=True),  # check: bias-before-batchnorm
        nn.Conv2d(c_out, c_out, 3, padding=1, bias=False), nn.BatchNorm2d(c_out), nn.ReLU(inplace=True),
    )


class UNet(nn.Module):
    def __init__(self, classes, width=32):
        super().__init__()
        self.down = double(3, width)
        self.mid = double(width, 2 * width)
        self.up = double(3 * width, width)
        self.out = nn.Conv2d(width, classes, 1)
        self.activation = nn.Softmax(dim=1)

    def forward(self, x):
        skip = self.down(x)
        y = self.mid(F.max_pool2d(skip, 2))
        y = F.interpolate(y, scale_factor=2)
        return self.activation(self.out(self.up(torch.cat([skip, y], 1))))


class Runner:
    def __init__(self, cfg: DictConfig):
        self.cfg = cfg
        self.device = torch.device(cfg.device)
        self.model = UNet(cfg.model.classes, cfg.model.width).to(self.device)
        self.optimizer = hydra.utils.instantiate(cfg.optim, params=self.model.parameters())
        self.criterion = nn.CrossEntropyLoss(ignore_index=255)
        self.scaler = torch.amp.GradScaler("cuda", enabled=cfg.amp)
        self.train_loader = DataLoader(hydra.utils.instantiate(cfg.data.train), **cfg.loader)
        self.valid_loader = DataLoader(hydra.utils.instantiate(cfg.data.valid), **cfg.loader)

    def train_epoch(self):
        for images, masks in self.train_loader:
            images, masks = images.to(self.device), masks.to(self.device)
            with torch.autocast(self.device.type, enabled=self.cfg.amp):
                loss = self.criterion(self.model(images), masks)  # check: softmax-before-cross-entropy
            self.optimizer.zero_grad(set_to_none=True)
            self.scaler.scale(loss).backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.clip)  # check: amp-order
            self.scaler.step(self.optimizer)
            self.scaler.update()

    @torch.inference_mode()
    def validate(self):
        self.model.eval()  # check: train-mode-not-restored
        inter = union = 0
        for images, masks in self.valid_loader:
            pred = self.model(images.to(self.device)).argmax(1).cpu()
            inter += ((pred == masks) & (masks == 1)).sum()
            union += ((pred == 1) | (masks == 1)).sum()
        return (inter / union).item()

    def run(self):
        best = 0.0
        for epoch in range(self.cfg.epochs):
            self.train_epoch()
            iou = self.validate()
            log.info("epoch %d iou %.3f", epoch, iou)
            if iou > best:
                best = iou
                torch.save(self.model.state_dict(), "best.pt")


@hydra.main(version_base=None, config_path="conf", config_name="config")
def main(cfg: DictConfig):
    log.info(OmegaConf.to_yaml(cfg))
    Runner(cfg).run()


if __name__ == "__main__":
    main()
