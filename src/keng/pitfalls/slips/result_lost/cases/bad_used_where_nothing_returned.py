# a method that returns nothing, where its result is computed with; handed on and dropped, it is a hint
import torch


class Filter:
    def __init__(self, x):
        self.x = x

    def filtering(self):
        self.kept = self.x[self.x > 0]

    def count(self):
        kept = self.filtering()  # check: returns nothing, and its length is asked
        return len(kept)


finder = Filter(torch.ones(3))
try:
    finder.count()
except TypeError as error:
    refused = str(error)

# proof
assert "NoneType" in refused
