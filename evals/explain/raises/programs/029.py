# argument: first
from torch.fx.experimental.migrate_gradual_types.constraint import Transpose, TVar

first, second = "0", 1
swap = Transpose(2, TVar(1), first, second, TVar(2))
