# each round of the outer loop evaluates its model at the end, and the next one has a new model
import torch
from torch import nn

for width in (2, 4):
    model = nn.Sequential(nn.Linear(2, width), nn.Dropout(0.5), nn.Linear(width, 1)).to("cpu")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        for x in torch.ones(3, 4, 2):
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()
    model.eval()
    with torch.no_grad():
        print(model(torch.ones(1, 2)))
