# an argument for a signature that others share, which the docstring says
import torch


class Encoding:
    def __init__(self, buckets):
        self.weights = torch.zeros(buckets)


class Resistance(Encoding):
    """One number for each pair."""

    def __init__(self, num_buckets=1):
        """num_buckets: always 1 for a resistance."""
        super().__init__(buckets=1)


Resistance(4)
