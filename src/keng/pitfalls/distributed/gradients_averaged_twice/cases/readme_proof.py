alone = nn.Linear(4, 1)
alone.load_state_dict(model.module.state_dict())
model.zero_grad()
for net in (model, alone):
    net(x).square().mean().backward()
assert torch.allclose(model.module.weight.grad, alone.weight.grad)
