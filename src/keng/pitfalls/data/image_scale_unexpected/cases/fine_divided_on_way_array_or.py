# divided on the way, in the array or in the tensor
import cv2
import numpy as np
import torch
from torchvision import transforms

normalize = transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])


def load(path):
    image = cv2.cvtColor(cv2.imread(path), cv2.COLOR_BGR2RGB)
    scaled = image.astype(np.float32) / 255
    one = normalize(torch.from_numpy(scaled.transpose(2, 0, 1)))
    other = normalize(torch.from_numpy(image.transpose(2, 0, 1)).float().div(255))
    x = torch.from_numpy(image.transpose(2, 0, 1)).float()
    x = x / 255
    return one, other, normalize(x)
