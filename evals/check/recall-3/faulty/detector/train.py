import logging
import os

import torch
import yaml
from torch.nn.parallel import DistributedDataParallel as DDP
from torchvision.models.detection import retinanet_resnet50_fpn

from data.build import build_loader
from utils import dist as D
from utils.checkpoint import Checkpointer

log = logging.getLogger("detector")


def train_one_epoch(model, optimizer, loader, epoch):
    model.train()
    for i, (images, targets) in enumerate(loader):  # check: sampler-epoch-not-set
        images = images.cuda(non_blocking=True)
        losses = model(images, [{k: v.cuda() for k, v in t.items()} for t in targets])
        loss = sum(losses.values())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if i % 50 == 0 and D.is_main():
            log.info("%d/%d %.4f", epoch, i, D.reduce_mean(loss.detach()).item())  # check: collective-on-one-rank


def main():
    with open("configs/retina.yaml") as file:
        cfg = yaml.safe_load(file)
    D.setup()
    local = int(os.environ["LOCAL_RANK"])
    model = DDP(retinanet_resnet50_fpn(num_classes=91).cuda(), device_ids=[local])
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg["lr"], momentum=0.9)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, [8, 11])
    saver = Checkpointer(cfg["out"], model, optimizer, scheduler)
    loader = build_loader(cfg, "train")
    for epoch in range(saver.resume(), cfg["epochs"]):
        train_one_epoch(model, optimizer, loader, epoch)
        scheduler.step()
        saver.save(epoch)


if __name__ == "__main__":
    main()
