import glob
import os

import cv2
import numpy as np
import torch
from torch.utils.data import Dataset

from .registry import DATASETS


@DATASETS.register("folder")
class FolderMasks(Dataset):
    def __init__(self, root, classes=4, flip=True):
        self.paths = sorted(glob.glob(os.path.join(root, "*.jpg")))
        self.classes = classes
        self.flip = flip
        self.rng = np.random.default_rng(7)  # check: worker-seeds-repeat

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        image = cv2.imread(self.paths[index])  # check: bgr-image
        mask = np.load(self.paths[index].replace(".jpg", ".npy"))
        if self.flip and self.rng.random() < 0.5:
            image = np.ascontiguousarray(image[:, ::-1])
            mask = mask[:, ::-1]
        image = torch.from_numpy(image).permute(2, 0, 1).float().div(255)
        target = torch.from_numpy(mask).long()  # check: numpy-negative-stride
        return image, torch.stack([target == c for c in range(self.classes)]).float()
