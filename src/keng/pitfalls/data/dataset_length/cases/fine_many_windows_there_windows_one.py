# as many windows as there are; windows of one; windows that begin apart; the last ones padded
import torch
import torch.nn.functional as F
from torch.utils.data import Dataset


class Whole(Dataset):
    def __init__(self, x, width, ahead=1):
        self.x, self.width, self.ahead = x, width, ahead

    def __len__(self):
        return len(self.x) - self.width - self.ahead + 1

    def __getitem__(self, i):
        end = i + self.width
        return self.x[i:end], self.x[end : end + self.ahead]


class Ones(Whole):
    def __init__(self, x, width=1):
        super().__init__(x, width)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i : i + 1], self.x[i - 1]


class Single(Dataset):
    def __init__(self, x, width=1):
        self.x, self.width = x, width

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        width = self.width
        return self.x[i : i + width]


class Pieces(Whole):
    def __len__(self):
        return len(self.x) // self.width

    def __getitem__(self, i):
        begin = i * self.width
        return self.x[begin : begin + self.width]


class Padded(Whole):
    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        cut = self.x[i : i + self.width]
        return F.pad(cut, (0, self.width - len(cut)))


x = torch.randn(40)
whole = Whole(x, 8)
assert len(whole[len(whole) - 1][1]) == len(Single(x)[39]) == 1
assert [len(each[len(each) - 1]) for each in (Ones(x), Pieces(x, 8), Padded(x, 8))] == [2, 8, 8]
