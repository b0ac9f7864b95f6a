# reversed before; equal means for all channels
import cv2
import torch
from torch.utils.data import Dataset
from torchvision import transforms


class Faces(Dataset):
    def __init__(self, paths):
        self.paths = paths
        self.norm = transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])
        self.alike = transforms.Normalize([0.5, 0.5, 0.5], [0.5, 0.5, 0.5])

    def __getitem__(self, index):
        image = cv2.imread(self.paths[index])
        first = torch.from_numpy(image[..., ::-1].copy()).permute(2, 0, 1).float() / 255
        second = torch.from_numpy(image[:, :, ::-1].transpose(2, 0, 1).copy()).float() / 255
        third = torch.from_numpy(image.transpose(2, 0, 1)[::-1].copy()).float() / 255
        image = cv2.cvtColor(image, cv2.COLOR_BGR2RGB)
        last = torch.from_numpy(image.transpose(2, 0, 1)).float() / 255
        return [self.norm(x) for x in (first, second)], self.norm(third), self.norm(last)

    def grey(self, index):
        x = torch.from_numpy(cv2.imread(self.paths[index])).permute(2, 0, 1).float() / 255
        return self.alike(x)
