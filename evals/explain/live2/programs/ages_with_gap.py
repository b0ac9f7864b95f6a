import numpy as np
import pandas as pd
import torch

people = pd.DataFrame({"age": [31, np.nan, 45, 27], "height": [1.70, 1.82, 1.65, 1.75]})
TYPES = {"age": "int64", "height": "float32"}


def tensors(frame):
    typed = frame.astype(TYPES)
    return {name: torch.tensor(typed[name].to_numpy()) for name in typed}


print(tensors(people))
