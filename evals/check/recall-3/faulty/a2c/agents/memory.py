from collections import namedtuple

Step = namedtuple("Step", "log_prob value reward entropy")


class Rollout:
    def __init__(self):
        self.steps = []
        self.returns = []
        self.losses = []

    def push(self, *args):
        self.steps.append(Step(*args))

    def clear(self):
        del self.steps[:]

    def discounted(self, last, gamma=0.99):
        out, R = [], last
        for step in reversed(self.steps):
            R = step.reward + gamma * R
            out.insert(0, R)
        return out
