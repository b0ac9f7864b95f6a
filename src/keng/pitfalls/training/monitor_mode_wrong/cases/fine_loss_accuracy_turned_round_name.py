# a loss; a negated accuracy; a name that says nothing; a mode that is not known
import torch
from torch import nn

model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
falls = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
chosen = "max"
rises = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, chosen)
for epoch in range(4):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
    val_loss, val_acc, value, loss_of_accuracy = 1.0, 0.5, 0.3, 0.2
    falls.step(val_loss)
    falls.step(-val_acc)
    falls.step(1 - val_acc)
    falls.step(value)
    falls.step(loss_of_accuracy)
    rises.step(val_acc)
