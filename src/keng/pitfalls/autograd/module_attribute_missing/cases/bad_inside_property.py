# inside of a property
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(2, 2)

    @property
    def width(self):
        return self.fc1.out_feature


width = Net().width  # run: `width is a property of Net`
