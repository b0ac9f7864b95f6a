# ruff: noqa: E501  (a row is a line)
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
EMPTIES = dict.fromkeys(
    (
        "result of slicing is an empty tensor",
        "indexing an empty tensor",
        "given sequence has an invalid size of dimension",
        "Zero-sized dimensions are not supported in PyTorch",
    ),
    "before 0.4 there are no tensors without elements, and nothing is left here: ask before, or update torch",
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
SQUARE = r"invalid argument \d+: A (?:matrices must|should) be square|only implemented for square matrices"
GENERATOR = (
    r"RNG state (?:is wrong size|needs to be contiguous)|invalid argument 1: Invalid RNG state"
)
INDICES = {
    "same number of dimensions as src tensor": "the index fits the tensor, and the source has another number of dimensions, as torch.tensor(1.0) has "
    "none: a plain number for one value, else src.expand_as(index)",
    "Index is supposed to be a vector": "the index has other than one dimension: index.flatten(), or x[index]",
    "only supports a 0-dimensional value": "fill takes one number: torch.where(mask, values, x) for several",
    "only supports 0-dimension value": "fill takes one number: copy_ for a tensor of values",
    "shape must match self tensor shape, excluding the specified dimension": "what is added has the tensor's sizes but in dim: view or expand it",
    "shape of indices to be same as that of the input": "unpooling takes the indices that the pooling of this input gave",
    "Input tensor must have same dimensions as output": "tensor, index and source have one number of dimensions: index.unsqueeze(1)",
    "Input tensor must have same size as output tensor": "tensor and index may differ in the dimension that is gathered alone",
    "Number of indices should be equal to source:size": "one index is wanted for each slice of what is added or copied",
    "length of src.size[dim] is not equal to length of indices": "one index is wanted for each slice of what is added or copied",
    "Source/destination tensor must have same slice shapes": "what is copied has another shape than the tensor, apart from the dimension of the index: (len(index), *x.shape[1:]) for index_copy_(0, ...)",
    "src should have the same number of elements as index": "put_ takes one value for each index",
    "argument index must be 1-D long-tensor": "the index has other than one dimension: index.flatten(), or x[index]",
    "Index is supposed to be an empty tensor or a vector": "the index has other than one dimension: index.flatten(), or x[index]",
    "thus we expect a vector, but the ind": "the index has other than one dimension: index.flatten(), or x[index]",
    "source < number of ones in mask": "the mask has more places that are True than there are values",
}
"""Of indices and what they index, of later versions too."""
SCORES = {
    "For 1D input, 1D target must have size 1": "the scores are of one sample, (C,), and there are several labels: scores of (N, C), or one label",
    "weight tensor should be defined either for all or no classes": "`weight` has one number for each class, as many as the scores have: the last layer is for another number, or weights are missing",
    "ignore_index is not supported for floating point target": "probabilities as targets know no ignore_index: class numbers, or leave it out",
    "Expected 2 or 4 dimensions (got": "the loss of torch 0.1 and 0.2 takes scores of (N, C) or (N, C, H, W): view(-1, C) for those of sequences, and view(-1) for their labels",
    "Expected 2 or more dimensions (got": "the scores are of one dimension: this version's loss takes a batch, scores.unsqueeze(0) and labels of one dimension",
}
