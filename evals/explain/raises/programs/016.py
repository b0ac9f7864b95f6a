# argument: "three"
from torch.fx.experimental.symbolic_shapes import guard_scalar

limit = guard_scalar("three")
