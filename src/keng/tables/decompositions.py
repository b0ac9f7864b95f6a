# ruff: noqa: E501  (a row is a line)
"""What decompositions of matrices give, and what functions of matrices refuse."""

from __future__ import annotations

PARTS = {
    "eig": "eigenvalues and eigenvectors",
    "eigh": "eigenvalues and eigenvectors",
    "svd": "U, S and V or Vh",
    "qr": "Q and R",
    "lu": "P, L and U",
    "lstsq": "solution, residuals, rank and singular_values",
    "slogdet": "sign and logabsdet",
}

SHAPE = "the shape of unravel_index is an int or a tuple of ints, none below zero"
LISTS = "dims is a number, or two lists of dimensions, of the one and of the other"
MISFITS = {
    "tensordot expects dims to be int or": LISTS,
    "dims tensor must have size 2 in first": LISTS,
    "expected 'shape' sequence to only contain ints": SHAPE,
    "'shape' cannot have negative values": SHAPE,
    "multi_dot(): expected at least 2 tensors": "multi_dot takes a list of two or more matrices",
    "chain_matmul(): Expected one or more matrices": "chain_matmul takes the matrices one by one, not as a list: torch.linalg.multi_dot(matrices)",
    "lstsq: input.size(-2) should match other.size(-2)": "the equations and their right sides have other numbers of rows",
    "lstsq: input must have at least 2 dimensions": "the equations are a matrix: a.unsqueeze(-1) for one unknown",
    "linalg.cross: inputs must have the same number of dimensions": "cross() spreads single dimensions but adds none: x.unsqueeze(0) for the one that has fewer",
    "both dimension lists should have same length": "the dimensions of the two lists go together one by one: as many in one as in the other",
    "x must be a one-dimensional tensor": "torch.vander takes one vector: torch.linalg.vander knows batches of them",
    "driver=` is only supported on CUDA inputs": "the routine of an svd is chosen on the card alone: without driver=",
    "matrix_norm: dims must be different": "a matrix norm goes over two dimensions that differ: dim=(-2, -1)",
    "pivots should be a Tensor of scalar type torch.int32": "the pivots are those of lu_factor, int32: hand them on as they came",
    "satisfy the requirement prod(self.shape": "the dimensions before ind= and those behind it hold equally many numbers, as a square matrix does",
    "size does not match weight size: got": "the weight of bilinear is (out, in1, in2): an input ends in another size, or the bias has another length",
    "bilinear(): input dimensions do not match": "both inputs of bilinear have the same dimensions but the last",
    "Did you properly pass the result of": "pivots and factors come of one call: LU, pivots = torch.linalg.lu_factor(A), and both handed on",
}
