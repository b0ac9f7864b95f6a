# an image of OpenCV, made into floats and no more
import cv2
import torch
from torchvision import transforms

normalize = transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])


def load(path):
    image = cv2.cvtColor(cv2.imread(path), cv2.COLOR_BGR2RGB)
    x = torch.from_numpy(image.transpose(2, 0, 1)).float()
    return normalize(x)  # check: 0 to 255
