import pandas as pd
import torch

FORMAT = "%d.%m.%Y"
orders = pd.DataFrame(
    {"day": ["2024-01-05", "2024-02-11", "2024-02-28"], "amount": [10.0, 25.5, 8.0]}
)


def features(frame):
    day = pd.to_datetime(frame["day"], format=FORMAT)
    return torch.tensor(day.dt.dayofyear.to_numpy())


print(features(orders))
