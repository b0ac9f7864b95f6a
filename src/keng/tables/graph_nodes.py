"""The nodes of a graph that are PyTorch's own, as messages call them.

Since 1.10 they all end in a number; the class of an `autograd.Function` of one's own has none, and gives its
name to the node: `ScaleBackward`.
"""

from __future__ import annotations

OWN = (
    r"\w{1,60}Backward\d|(?:_?[Cc]udnn\w{2,20}|Mkldnn\w{2,20}|Miopen\w{2,20}|Thnn\w{2,30}|Slow\w{2,30}|Native\w{2,20}|Adaptive\w{2,20}|"
    r"Max\w{1,20}|Avg\w{1,20}|Upsample\w{2,20}|Nll\w{2,10}|Index\w{0,10}|Log\w{0,10}|Soft\w{2,10}|Embedding\w{0,10}|As_?[Ss]trided|"
    r"Add|Addb?mm|Addmv|Ba?d?d?bmm|Mm|Mv|Mul|Div|Sub|Pow|Neg|Exp|Sqrt|Abs|Clamp\w{0,3}|Sum|Mean|Norm|Std|Var|View|UnsafeView|T|Transpose|Permute|"
    r"Expand|Repeat|Squeeze|Unsqueeze|Select|Slice|Gather|Scatter\w{0,3}|(?:Con)?[Cc]at|Stack|Clone|Relu|LeakyRelu|Sigmoid|Tanh|Gelu|Elu|MseLoss|"
    r"L1Loss|SmoothL1Loss|KlDiv|Where|Broadcast)Backward"
)
