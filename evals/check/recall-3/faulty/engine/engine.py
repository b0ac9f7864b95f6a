import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler

from hooks import BarrierSaveHook, LogHook


class ConvNet(nn.Sequential):
    def __init__(self, classes):
        super().__init__(
            nn.Conv2d(3, 64, 3, padding=1, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True), nn.MaxPool2d(2),
            nn.Conv2d(64, 128, 3, padding=1, bias=False), nn.BatchNorm2d(128), nn.ReLU(inplace=True),
            nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(128, classes),
        )


class Engine:
    def __init__(self, train_set, valid_set, classes, batch=8):
        torch.manual_seed(42)
        local = int(os.environ["LOCAL_RANK"])
        torch.cuda.set_device(local)
        self.model = DistributedDataParallel(ConvNet(classes).cuda(), device_ids=[local])  # check: sync-batchnorm-missing
        self.sampler = DistributedSampler(train_set)
        self.train_loader = DataLoader(train_set, batch, sampler=self.sampler, num_workers=2, pin_memory=True)
        self.valid_loader = DataLoader(valid_set, batch, sampler=DistributedSampler(valid_set, shuffle=False))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1, momentum=0.9)
        self.hooks = [LogHook(), BarrierSaveHook()]
        self.iteration = 0

    def call(self, name):
        for hook in self.hooks:
            getattr(hook, name)(self)

    def fit(self, epochs):
        for self.epoch in range(epochs):
            self.sampler.set_epoch(self.epoch)
            self.call("before_epoch")
            self.model.train()
            for images, labels in self.train_loader:
                self.train_step(images.cuda(non_blocking=True), labels.cuda(non_blocking=True))
                self.call("after_step")
                self.iteration += 1
            self.validate()
            self.call("after_epoch")

    def train_step(self, images, labels):
        logits = self.model.module(images)  # check: trained-past-wrapper
        self.loss = nn.functional.cross_entropy(logits, labels)
        self.optimizer.zero_grad()
        self.loss.backward()
        self.optimizer.step()

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        right = torch.zeros(2, device="cuda")
        for images, labels in self.valid_loader:
            hit = self.model(images.cuda()).argmax(1) == labels.cuda()
            right += torch.stack([hit.sum(), torch.tensor(len(hit), device="cuda")])
        dist.all_reduce(right)  # check: metrics-over-padding
        print("accuracy", (right[0] / right[1]).item())

    def save(self):
        torch.save(self.model.module.state_dict(), f"epoch{self.epoch}.pt")
