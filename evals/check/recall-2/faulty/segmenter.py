import argparse

import cv2
import numpy as np
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, Dataset
from torchvision import models
from torchvision.transforms import Normalize

ap = argparse.ArgumentParser()
ap.add_argument('--epochs', type=int, default=4)
opt = ap.parse_args()
normalize = Normalize(mean=[0.485, 0.456, 0.406], std=[0.229, 0.224, 0.225])


class Roads(Dataset):
    def __init__(self, names):
        self.names = np.array(names)

    def __len__(self):
        return len(self.names)

    def __getitem__(self, i):
        im = cv2.resize(cv2.imread(self.names[i] + '.jpg'), (256, 256))
        mask = cv2.imread(self.names[i] + '.png', 0)
        im = im.astype(np.float32) / 255.0
        t = torch.from_numpy(im).permute(2, 0, 1)
        return normalize(t), torch.from_numpy(mask).long()  # check: bgr-image


class Segmenter(nn.Module):
    def __init__(self, classes):
        super(Segmenter, self).__init__()
        self.encoder = nn.Sequential(*list(models.resnet18(weights='DEFAULT').children())[:-2])
        self.encoder.requires_grad_(False)  # check: batchnorm-updates-in-forward (true, not planted)
        self.decoder = nn.Conv2d(512, classes, 1)
        self.class_weights = torch.ones(classes)

    def forward(self, x):
        y = self.decoder(self.encoder(x))
        return nn.functional.interpolate(y, size=x.shape[-2:], mode='bilinear', align_corners=False)


net = Segmenter(4).cuda()
loader = DataLoader(Roads(['a', 'b']), batch_size=2, shuffle=True)
optimizer = optim.AdamW(net.decoder.parameters(), lr=1e-3)
scheduler = optim.lr_scheduler.OneCycleLR(optimizer, 1e-2, steps_per_epoch=len(loader), epochs=opt.epochs)
plateau = optim.lr_scheduler.ReduceLROnPlateau(optimizer)
for e in range(opt.epochs):
    for x, y in loader:
        x.cuda()  # check: tensor-move-discarded
        loss = nn.functional.cross_entropy(net(x), y.cuda(), weight=net.class_weights)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    scheduler.step()  # check: scheduler-before-optimizer
    plateau.step()  # check: scheduler-before-optimizer
