# another Variable, and one of one's own
import torch


class Variable:
    def __init__(self, name, volatile=False):
        self.name = name


x = Variable("x", volatile=True)
