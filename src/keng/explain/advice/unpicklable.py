"""What keeps a thing from being pickled, and how it gets to another process or into a file all the same."""

from __future__ import annotations

import re

from keng.explain.failure import Failure

HELD = re.compile(r"^(?:_thread\.|_queue\.|(?:_?ssl\.)?_?SSL|socket|weakref|select\.|Environment)")
"""What belongs to one process."""
HOOK, WANDBS = re.compile(r"(?<!web)hook", re.IGNORECASE), ("TorchHistory.", "TorchGraph.")
LOADER = "torch/utils/data/dataloader.py"
LOADS = re.compile(r"num_workers|DataLoader|data_?loader")
SAVES = re.compile(r"\btorch\.save\(")

BY_NAME = "functions at the top level of a module can"
IN_PLACE_OF_IT = {
    "generator": "it is used up by one reader: keep list(...) of what it gives",
    **dict.fromkeys(("dict_keys", "dict_values", "dict_items"), "keep list(...) of it"),
    "mappingproxy": "keep dict(...) of it",
    "module": "it is a file of Python, kept as by self.np = numpy: import it where it is used",
    "torch._C.Generator": "make it there, from a seed",
}
"""A type -> what is kept in its place."""
TORCHS = (
    "PyTorch 1.5.0 cannot pickle its own functions: nn.Tanh() for torch.tanh, or another version"
)
ANEW = (
    "under its name is another by now, which a cell or a reload has defined since, or a decorator has "
    "put there: make the object anew"
)
UNDER_ANOTHER = (
    "its module does not have it under that name, as where Config = namedtuple('Other', ...): one name "
    "for both, at the top level"
)


def instead(failure: Failure, what: str) -> str:
    """What is done about a thing that cannot be pickled, by how the message calls it."""
    if "it's not the same object as" in failure.message:
        return TORCHS if "_VariableFunctions" in what else ANEW
    if what.startswith("<class '") and "attribute lookup" in failure.message:
        return UNDER_ANOTHER
    if what in IN_PLACE_OF_IT:
        return IN_PLACE_OF_IT[what]
    told = f"{failure.message} {failure.told}"
    if failure.passed_through(LOADER) or LOADS.search(told):
        return f"{BY_NAME}, and with num_workers=0 nothing is sent"
    if failure.saves or SAVES.search(told):
        states = (
            "save the state_dict() of a model, an optimizer or a scheduler in place of the whole"
        )
        return f"{states}; {BY_NAME}"
    return BY_NAME
