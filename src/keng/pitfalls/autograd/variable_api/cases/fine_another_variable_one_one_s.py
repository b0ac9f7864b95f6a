# a Variable of a different library or of the program
import torch


class Variable:
    def __init__(self, name, volatile=False):
        self.name = name


x = Variable("x", volatile=True)
