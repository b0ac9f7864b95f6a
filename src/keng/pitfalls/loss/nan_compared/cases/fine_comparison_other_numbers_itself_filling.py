# comparison with other numbers, with itself, and filling in NaN
import math

import torch

x = torch.tensor([1.0, float("nan")])
infinite = x == float("inf")
nans = x != x
values = {"missing": float("nan")}
worst = math.nan
unset = worst is math.nan
filled = torch.full((2,), float("nan"))
same = str(worst) == "nan"
