# computed without recording; made a leaf again; moved to the device where it already is
import torch

w = (torch.randn(3, requires_grad=True) * 0.1).detach().requires_grad_()
with torch.no_grad():
    v = torch.randn(3, requires_grad=True) * 0.1
v.requires_grad_()
u = torch.randn(3, requires_grad=True)
loss = (u * 0.1).sum()
optimizer = torch.optim.SGD([u, v, w], lr=0.1)
