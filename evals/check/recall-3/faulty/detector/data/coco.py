import json
from pathlib import Path

import cv2
import torch
from torch.utils.data import Dataset
from torchvision import transforms


class CocoBoxes(Dataset):
    def __init__(self, root, split):
        self.root = Path(root)
        listing = json.loads((self.root / f"{split}.json").read_text())
        self.names = listing["images"]
        self.boxes = torch.tensor(listing["boxes"])
        self.transform = transforms.Compose([
            transforms.ToTensor(),
            transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]),
        ])

    def __len__(self):
        return len(self.names)

    def __getitem__(self, i):
        image = cv2.imread(str(self.root / self.names[i]))  # check: bgr-image
        image = cv2.resize(image, (512, 512))
        return self.transform(image), self.boxes[i]
