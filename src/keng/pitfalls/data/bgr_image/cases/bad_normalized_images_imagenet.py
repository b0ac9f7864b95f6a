# normalized as the images of ImageNet are
import cv2
import torch
from torch.utils.data import Dataset
from torchvision import transforms


class Faces(Dataset):
    def __init__(self, paths):
        self.paths = paths
        self.norm = transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])
        self.whole = transforms.Compose(
            [transforms.ToTensor(), transforms.Normalize([0.485, 0.456, 0.406], [0.2, 0.2, 0.2])]
        )

    def __getitem__(self, index):
        image = cv2.resize(cv2.imread(self.paths[index]), (224, 224))
        other = self.whole(image)  # check: blue is taken for red
        if torch.rand(1) < 0.5:
            image = image[:, ::-1].copy()
        x = torch.from_numpy(image.transpose(2, 0, 1)).float() / 255
        return self.norm(x), other  # check: `x`
