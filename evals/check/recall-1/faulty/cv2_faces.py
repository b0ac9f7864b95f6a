import glob

import cv2
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset
from torchvision import models, transforms

MEAN, STD = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]


class Faces(Dataset):
    def __init__(self, root, train=True):
        self.paths = np.array(sorted(glob.glob(root + '/*.jpg')))
        self.train = train
        self.norm = transforms.Normalize(MEAN, STD)

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, i):
        img = cv2.imread(str(self.paths[i]))  # check: bgr-image
        img = cv2.resize(img, (224, 224))
        if self.train and np.random.rand() < 0.5:
            img = img[:, ::-1]
        x = torch.from_numpy(img.transpose(2, 0, 1)).float()  # check: numpy-negative-stride
        return self.norm(x)  # check: image-scale-unexpected


def embed_all(root, device='cuda'):
    net = models.resnet50(weights=models.ResNet50_Weights.DEFAULT)
    net.fc = torch.nn.Identity()
    net.to(device)
    feats = []
    with torch.no_grad():
        for x in DataLoader(Faces(root, train=False), 32, num_workers=4):
            feats.append(net(x.to(device)).cpu())  # check: eval-mode-missing
    return torch.cat(feats)


if __name__ == '__main__':
    np.save('faces.npy', embed_all('faces').numpy())
