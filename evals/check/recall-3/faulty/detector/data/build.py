import torch
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

from .coco import CocoBoxes


def collate(batch):
    images, targets = zip(*batch)
    return torch.stack(images), list(targets)


def build_loader(cfg, split):
    dataset = CocoBoxes(cfg["root"], split)
    sampler = DistributedSampler(dataset, shuffle=split == "train")
    return DataLoader(
        dataset,
        batch_size=cfg["batch_size"],
        sampler=sampler,
        num_workers=cfg["workers"],
        collate_fn=collate,
        pin_memory=True,
    )
