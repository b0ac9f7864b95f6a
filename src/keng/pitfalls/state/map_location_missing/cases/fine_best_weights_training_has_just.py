# the best weights of the training that just finished
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(4, 2).to(device)
for epoch in range(2):
    torch.save(model.state_dict(), "best.pt")
model.load_state_dict(torch.load("best.pt"))
