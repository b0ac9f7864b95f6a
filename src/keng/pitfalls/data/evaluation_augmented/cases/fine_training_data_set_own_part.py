# in training; a separate dataset for the part; parts used only for training
import torch
from torch.utils.data import Subset, random_split
from torchvision import datasets, transforms

augment = transforms.Compose([transforms.RandomCrop(4), transforms.ToTensor()])
plain = transforms.Compose([transforms.CenterCrop(4), transforms.ToTensor()])
torch.manual_seed(0)
train_set = datasets.FakeData(8, (3, 8, 8), transform=augment)
val_set = datasets.FakeData(8, (3, 8, 8), transform=plain)
order = torch.randperm(8).tolist()
train_part, val_part = Subset(train_set, order[:4]), Subset(val_set, order[4:])
labelled, unlabelled = random_split(train_set, [4, 4])
both, val_half = random_split(train_set, [4, 4])
val_half = Subset(val_set, val_half.indices)
data_transforms = {"train": augment, "val": plain}
kinds = {"test": augment, "demo": plain}
