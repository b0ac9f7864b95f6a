# the attribute was a list of the base class until this line
import torch


class Folder:
    def __init__(self):
        self.targets = [0, 1, 1]


class TensorFolder(Folder):
    def __init__(self):
        super().__init__()
        self.targets = torch.tensor(self.targets)

    def share(self):
        return self.targets.float().mean()


print(TensorFolder().share())
