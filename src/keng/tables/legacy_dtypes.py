"""In which words PyTorch tells of dtypes that differ. Before 1.2 it named the type of a tensor,
`torch.cuda.FloatTensor`, `Variable[CPULongType]`: the device is in the name, so that one message tells
of two devices and of two dtypes.
"""

from __future__ import annotations

import re

OLD = r"(?:Variable)?\[?(?:torch\.(?:cuda\.)?|CUDA|CPU)"
"""What stands before the dtype."""
HERE = r"(?:Variable)?\[?(?:torch\.|CPU)[A-Z]\w{1,20}\]?"
CARD = r"(?:Variable)?\[?(?:torch\.cuda\.|CUDA)[A-Z]\w{1,20}\]?"
WANTED = r"(?:object of type |a Tensor of type |xpected type )"
OTHERS = r"MPS|XPU|HPU|XLA|npu|torch\.xpu\."
"""What stands before the dtype on devices that are neither the CPU nor CUDA's, to this day."""
BUT = r"(?: as element \d+ in argument \d+,)? \(?(?:but )?(?:found |got )(?:a )?(?:type )?"

APART = (
    rf"{WANTED}{HERE}{BUT}{CARD}|{WANTED}{CARD}{BUT}{HERE}|"
    rf"xpected torch\.[A-Z]\w{{1,20}}{BUT}{CARD}|xpected torch\.cuda\.\w{{1,20}}{BUT}{HERE}",
    rf"but type (?:{HERE} does not equal {CARD}|{CARD} does not equal {HERE})",
    r"invalid combination of arguments - got \((?=[^()]{0,300}torch\.cuda\.)(?=[^()]{0,300}torch\.[A-Z])",
    r"got \(torch\.(?:cuda\.\w+\), but expected \(torch\.[A-Z]|[A-Z]\w+\), but expected \(torch\.cuda)",
)
"""What tells of tensors on the CPU and on the card by their types."""

KIND = r"(?:torch\.(?:cuda\.)?|CUDA|CPU|c10::)?"
OF_A_LAYER = (
    r"(?:mat1|self) and mat2 must have the same dtype(?:, but got (?P<came>\w+) and (?P<wants>\w+))?",
    rf"Input type \((?P<on>{OTHERS})(?P<came>\w+?)(?:Tensor|Type)\) and (?P<part>weight|bias) type "
    r"\((?P=on)(?P<wants>\w+?)(?:Tensor|Type)\) [Ss]hould be the same",
    rf"Input type \((?!{OTHERS}){KIND}(?P<came>\w+?(?: char| int|<\w+>)?)(?:Tensor|Type)?\) and "
    rf"(?P<part>weight|bias) type \((?!{OTHERS}){KIND}(?P<wants>\w+?(?:<\w+>)?)(?:Tensor|Type)?\) "
    r"[Ss]hould be the same",
    r"RNN input dtype \(torch\.(?P<came>\w+)\) does not match weight dtype \(torch\.(?P<wants>\w+)\)",
    r"input must have the type torch\.(?P<wants>\w+), got type torch\.(?P<came>\w+)",
)
"""What tells of the input of a layer, `came`, and of its weights, `wants`."""

TWO_DTYPES = (
    r"input tensors must have the same dtype, but got (?P<one>\w+), (?:(?P=one), and )?(?P<other>\w+)",
    r"expected both vectors to have same dtype, but found (?P<one>\w+) and (?P<other>\w+)",
    r"expected (?:torch\.)?(?P<one>[A-Z][a-z]{2,5}?) ?(?:[Tt]ensor)? "
    r"\(got (?:torch\.)?(?P<other>[A-Z][a-z]{2,5}?) ?(?:[Tt]ensor)?\)",
    r"expected device (?P<device>[\w:]+) and dtype (?P<one>\w+) "
    r"but got device (?P=device) and dtype (?P<other>\w+)",
    rf"but type {OLD}(?P<one>[A-Z]\w+?)(?:Tensor|Type)\]? does not equal "
    rf"{OLD}(?!(?P=one)T)(?P<other>[A-Z]\w+?)T",
    r"Expected object of scalar type (?P<one>\w+) "
    r"but got scalar type (?P<other>\w+) for (?:argument|sequence|second argument)",
    r"Input dtypes must be the same, got: input (?:c10::)?(?P<one>[\w<>]+(?: int| char)?), "
    r"batch1: (?:(?:c10::)?(?P=one), batch2: )?(?:c10::)?(?P<other>[\w<>]+)",
    r"expected type TensorOptions\(dtype=(?:c10::)?(?P<one>[\w ]+), device=(?P<on>[\w:]+), "
    r".{1,160}? but got TensorOptions\(dtype=(?:c10::)?(?!(?P=one),)(?P<other>[\w ]+), device=(?P=on)",
    r"all tensors must have be the same dtype but tensor \d+ is (?:c10::)?(?P<one>[\w<>]+(?: int| char)?) "
    r"and tensor \d+ (?:c10::)?(?P<other>[\w<>]+)",
    rf"{WANTED}{OLD}(?P<one>[A-Z]\w+?)(?:Tensor|Type)\]?{BUT}{OLD}(?!(?P=one)T)(?P<other>[A-Z]\w+?)T",
    r"Expected tensor for argument #\d '(?!indices)\w+' to have scalar type (?P<one>\w+); "
    r"but got torch\.(?:cuda\.)?(?P<other>\w+)Tensor",
    r"(?:self \(|expected dtype |mat1 dtype |found b of type |but got input with dtype )"
    r"(?:c10::)?(?P<one>\w+)(?: int| char)?(?:\) and source \(| for `\w+` but got dtype "
    r"| does not match mat2 dtype | and A of type "
    r"| and bins for dimension \d+ with dtype )(?:c10::)?(?P<other>\w+)",
    r"(?:^|Error: )(?P<one>[A-Z]\w{3,9}) did not match (?P<other>[A-Z]\w{3,9})$",
    r"(?:[Qq]uery, key, and value to|Query/Key/Value should (?:either )?all) have the same dtype,?"
    r"(?: but got| or \(in the quantized case\) Key/Value should have dtype torch\.int32)? "
    r"query\.dtype: (?:c10::|torch\.)?(?P<one>\w+) "
    r"key\.dtype ?: (?:(?:c10::|torch\.)?(?P=one) and value\.dtype ?: )?(?:c10::|torch\.)?(?P<other>\w+)",
)
"""What tells of two dtypes, `one` and `other`."""

ONE_WANTED = (
    r"mixed dtype \((?P<cpu>CPU)\): (?:all inputs must share same data ?type|"
    r"expect \w+ to have scalar type of)",
    r": [Ee]xpected [\w, ]{3,40} to have (?:the )?same dtypes?(?: but got ?(?P<one>\w+) and (?P<other>\w+))?|"
    r"(?:[Tt]ensors|query and key) must have (?:the )?same dtype|"
    r"parameter tensors are not the same dtype|"
    r"meshgrid expects all tensors to have the same dtype|"
    r"is not yet implemented for tensors with different dtypes|"
    r"q tensor must be same dtype as the input tensor",
)
"""What wants one dtype, and does not say which ones came."""

RESULT = r"result type (?P<one>\w+) can't be cast to the desired output type (?P<other>\w+)"
"""What tells of a result that its tensor cannot hold."""

TENSOR = re.compile(r"torch\.(cuda\.\w+|\w+)Tensor!?(?: (\w+))?")
GOT = re.compile(r"- got \(([^()]*)\), but expected")
FORM = re.compile(r"\(([^()]*)\)")
OPTIONAL = re.compile(r"\[[^\[\]]*\]")
INDICES = {"index", "indices"}


def differ_in_dtype(message: str) -> bool:
    """Whether a call with "an invalid combination of arguments" has a form for as many tensors, of other
    dtypes; indices are not computed with."""
    got = GOT.search(message)
    given = [kind for kind, _ in TENSOR.findall(got[1])] if got is not None else []
    for form in FORM.findall(message[got.end() :]) if got is not None else ():
        for text in (form, OPTIONAL.sub("", form)):
            wanted = TENSOR.findall(text)
            others = {
                name for (kind, name), came in zip(wanted, given, strict=False) if kind != came
            }
            if len(wanted) == len(given) and others:
                return not others & INDICES
    return False
