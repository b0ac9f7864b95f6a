import pandas as pd
import torch

ratings = pd.DataFrame(
    {
        "user": ["ann", "ann", "bob", "bob", "ann"],
        "film": ["up", "heat", "up", "heat", "up"],
        "stars": [4.0, 3.0, 5.0, 2.0, 1.0],
    }
)


def matrix(table):
    wide = table.pivot(index="user", columns="film", values="stars")
    return torch.tensor(wide.fillna(0.0).to_numpy())


print(matrix(ratings).shape)
