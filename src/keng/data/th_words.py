"""What the C libraries of PyTorch before 1.2, TH and THNN, say of the arguments of a call."""

from __future__ import annotations

DIMENSION = (
    r"invalid argument \d+: (?:out of range at|dimension(?: \d+)? out of range|dim not in range|"
    r"invalid dimension|cannot select on a vector|Index(?:ing)? dim)"
)
EMPTY = (
    r"invalid argument \d+: (?:empty Tensor|Source tensor is empty|"
    r"(?:[Cc]an't|cannot) (?:expand|unfold) (?:an )?empty tensor)"
)
BATCHES = (
    r"equal number of batches expected|wrong matrix size, batch1|"
    r"invalid argument \d+: number of batches must"
)
WINDOW = (
    r"input (?:image|sequence) (?:\(.{1,60}?\) )?smaller than kernel size|too small\. Calculated output|"
    r"pad should not be greater than half of kernel|too large relative to input|"
    r"output padding must be smaller than either stride"
)
SQUARE = (
    r"invalid argument \d+: A (?:matrices must|should) be square|only implemented for square matrices|"
    r"failed to factorize batch element"
)
GENERATOR = (
    r"RNG state (?:is wrong size|needs to be contiguous)|invalid argument 1: Invalid RNG state"
)
