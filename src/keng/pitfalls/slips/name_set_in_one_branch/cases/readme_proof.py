# the program of README.md without a penalty
try:
    step(model, torch.ones(3, 2), penalty=False)
    raised = False
except UnboundLocalError:
    raised = True
assert raised
