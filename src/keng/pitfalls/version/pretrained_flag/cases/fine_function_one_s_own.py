# your own function with that argument
from torchvision import models


def resnet18(pretrained=False):
    return models.resnet18(weights="DEFAULT" if pretrained else None)


net = resnet18(pretrained=False)
