import torch
from torch import nn


class Recommender(nn.Module):
    def __init__(self, users=50, films=80, dim=8):
        super().__init__()
        self.users = nn.Embedding(users, dim)
        self.films = nn.Embedding(films, dim)

    def forward(self, user, film):
        return (self.users(user) * self.films(film)).sum(-1)


def column(ratings, i):
    ids = [row[i] for row in ratings]
    return torch.Tensor(ids)


ratings = [(0, 3, 4.5), (1, 7, 3.0), (4, 3, 5.0), (2, 9, 1.5)]
model = Recommender()
predicted = model(column(ratings, 0), column(ratings, 1))
loss = nn.functional.mse_loss(predicted, column(ratings, 2))
