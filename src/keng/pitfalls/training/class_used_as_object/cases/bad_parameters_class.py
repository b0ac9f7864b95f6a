# the parameters of a class
from torch import nn
from torch.optim import SGD


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)


model = Net
optimizer = SGD(model.parameters(), lr=0.1)  # run: `model` is the class
