"""How PyTorch before 1.2 names the type of a tensor: `torch.cuda.FloatTensor`, `Variable[CPULongType]`.

The device is in the name, so that one message tells of two devices and of two dtypes.
"""

from __future__ import annotations

import re

OLD = r"(?:Variable)?\[?(?:torch\.(?:cuda\.)?|CUDA|CPU)"
"""What stands before the dtype."""
HERE = r"(?:Variable)?\[?(?:torch\.|CPU)[A-Z]\w{1,20}\]?"
CARD = r"(?:Variable)?\[?(?:torch\.cuda\.|CUDA)[A-Z]\w{1,20}\]?"
WANTED = r"(?:object of type |a Tensor of type |xpected type )"
BUT = r"(?: as element \d+ in argument \d+,)? \(?(?:but )?(?:found |got )(?:a )?(?:type )?"

APART = (
    rf"{WANTED}{HERE}{BUT}{CARD}|{WANTED}{CARD}{BUT}{HERE}|"
    rf"xpected torch\.[A-Z]\w{{1,20}}{BUT}{CARD}|xpected torch\.cuda\.\w{{1,20}}{BUT}{HERE}",
    rf"but type (?:{HERE} does not equal {CARD}|{CARD} does not equal {HERE})",
    r"invalid combination of arguments - got \((?=[^()]{0,300}torch\.cuda\.)(?=[^()]{0,300}torch\.[A-Z])",
    r"got \(torch\.(?:cuda\.\w+\), but expected \(torch\.[A-Z]|[A-Z]\w+\), but expected \(torch\.cuda)",
)
"""What tells of tensors on the CPU and on the card by their types."""

TWO_DTYPES = (
    r"input tensors must have the same dtype, but got (?P<one>\w+), (?P<other>\w+)",
    r"expected both vectors to have same dtype, but found (?P<one>\w+) and (?P<other>\w+)",
    r"expected (?:torch\.)?(?P<one>[A-Z][a-z]{2,5}?) ?(?:[Tt]ensor)? "
    r"\(got (?:torch\.)?(?P<other>[A-Z][a-z]{2,5}?) ?(?:[Tt]ensor)?\)",
    r"expected device (?P<device>[\w:]+) and dtype (?P<one>\w+) "
    r"but got device (?P=device) and dtype (?P<other>\w+)",
    rf"but type {OLD}(?P<one>[A-Z]\w+?)(?:Tensor|Type)\]? does not equal "
    rf"{OLD}(?!(?P=one)T)(?P<other>[A-Z]\w+?)T",
    r"Expected object of scalar type (?P<one>\w+) "
    r"but got scalar type (?P<other>\w+) for (?:argument|sequence|second argument)",
    rf"{WANTED}{OLD}(?P<one>[A-Z]\w+?)(?:Tensor|Type)\]?{BUT}{OLD}(?!(?P=one)T)(?P<other>[A-Z]\w+?)T",
    r"Expected tensor for argument #\d '(?!indices)\w+' to have scalar type (?P<one>\w+); "
    r"but got torch\.(?:cuda\.)?(?P<other>\w+)Tensor",
    r"(?:self \(|expected dtype |mat1 dtype |found b of type |but got input with dtype )"
    r"(?:c10::)?(?P<one>\w+)(?:\) and source \(| for `\w+` but got dtype | does not match mat2 dtype "
    r"| and A of type | and bins for dimension \d+ with dtype )(?:c10::)?(?P<other>\w+)",
)
"""What tells of two dtypes, `one` and `other`."""

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
