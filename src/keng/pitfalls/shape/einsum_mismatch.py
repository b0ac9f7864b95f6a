r"""The letters of an einsum do not fit its tensors.

In `torch.einsum("ij,jk->ik", a, b)` every letter is one size, the same wherever it stands, or 1, and
each operand has as many letters as dimensions. What stands after `->` stands before it too.

Cure: compare the letters with the shapes; where two dimensions are different things, give them two
letters.

Bad:

```python
import torch

a, b = torch.ones(2, 3), torch.ones(4, 5)
c = torch.einsum("ij,jk->ik", a, b)  # seen: `j is 3 in a and 4 in b`
```

Bad (more letters than dimensions):

```python
import torch

a, b = torch.ones(2, 3), torch.ones(3)
c = torch.einsum("ij,jk->ik", a, b)  # seen: one dimension, two letters
```

Bad (a tensor is missing; `fewer tensors`):

```python
import torch

y = torch.einsum("ij,jk->ik", torch.ones(2, 3))  # seen: one of two
```

Good:

```python
import torch

a, b = torch.ones(2, 3), torch.ones(3, 5)
c = torch.einsum("ij,jk->ik", a, b)
```

Message (torch 2.13; `k`):

```text
RuntimeError: einsum(): output subscript k does not appear in the equation for any input operand
```

Message (torch 2.13; `fewer`):

```text
RuntimeError: einsum(): fewer operands were provided than specified in the equation
```

Message (torch 1.0 to 2.13; `a text`):

```text
ValueError: einsum(): must specify the equation string and at least one operand, or at least one operand and its subscripts list
```

Message (torch 2.13):

```text
RuntimeError: einsum(): output subscript i appears more than once in the output
```

Message (torch 2.13):

```text
RuntimeError: einsum(): invalid subscript given at index 1 in the equation string, subscripts must be in [a-zA-Z]
```

Message (torch 2.13):

```text
RuntimeError: einsum(): subscript i is repeated for operand 0 but the sizes don't match, 3 != 2
```

Message (torch 2.13):

```text
RuntimeError: einsum(): found '.' for operand 0 that is not part of any ellipsis
```

Message (torch 2.13):

```text
RuntimeError: einsum(): found '.' for operand 0 for which an ellipsis was already found
```

Message (torch 0.4 to 1.7; `operand 0 has 3 dimensions, but 2 letters`):

```text
RuntimeError: dimension mismatch for operand 0: equation 2 tensor 3
```

Message (torch 0.4 to 1.7; `dimension 0 of operand 1`):

```text
RuntimeError: size of dimension does not match previous size, operand 1, dim 0
```

Message (torch 0.4 to 1.7; `fewer tensors`):

```text
RuntimeError: more operands in equation than tensors
```

Message (torch 0.4 to 1.7; `more tensors`):

```text
RuntimeError: more tensors than operands in equation
```

Message (torch 0.4 to 1.7; `small letters`):

```text
RuntimeError: only lowercase letters a-z allowed as indices
```

Message (torch 1.10 to 2.13, of a batch; `... stands for those`):

```text
RuntimeError: einsum(): the number of subscripts in the equation (2) does not match the number of dimensions (3) for operand 0 and no ellipsis was given
```

Message (torch 1.8 to 1.13; `53`):

```text
RuntimeError: einsum(): operands do not broadcast with remapped shapes [original->remapped]: [6, 53, 53]->[6, 53, 53] [6, 52]->[6, 1, 52]
```

Message (torch 1.8 to 1.13, cut before the shapes; `differ in size`):

```text
RuntimeError: einsum(): operands do not broadcast with remapped shapes [original->remapped]: [6, 5
```

Message (torch 1.8 to 1.9; `3 and 4`):

```text
RuntimeError: einsum() operands do not broadcast with remapped shapes [original->remapped]: [2, 3]->[2, 1, 3] [4, 5]->[1, 5, 4]
```
"""

from keng.explain.advice.fits import other_letter
from keng.explain.advice.matrices import letter_apart, without_letters
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"einsum\(\): subscript (?P<letter>\w) has size (?P<size>\d+) for operand (?P<operand>\d+) which does not "
    r"broadcast with previously seen size (?P<before>\d+)",
    odds=0.97,
)
def letter_of_two_sizes(failure: Failure) -> Hits:
    groups, there = failure.groups, [o.name for o in failure.live.operands]
    letter, size, nth = groups["letter"], groups["size"], int(groups["operand"])
    says = f"{letter} is {groups['before']} before and {size} in operand {nth}"
    if len(there) == 2 and nth == 1:
        says = f"{letter} is {groups['before']} in {there[0]} and {size} in {there[1]}"
    yield failure.hit(
        f"{says}: one letter is one size", other_letter(failure, letter, nth, int(size))
    )


@pitfall.explains(
    r"einsum\(\): the number of subscripts in the equation \((?P<letters>\d+)\) (?:does not match|is more "
    r"than) the number of dimensions \((?P<dims>\d+)\) for operand (?P<operand>\d+)",
    r"dimension mismatch for operand (?P<operand>\d+): equation (?P<letters>\d+) tensor (?P<dims>\d+)",
    odds=0.97,
)
def letters_and_dimensions(failure: Failure) -> Hits:
    groups, there, nth = failure.groups, failure.live.operands, int(failure.groups["operand"])
    several = len(there) == 2 and nth < 2
    what = f"`{there[nth].name}` of shape {there[nth].shape}" if several else f"operand {nth}"
    dims, letters = int(groups["dims"]), int(groups["letters"])
    cure = without_letters(dims, letters)
    yield failure.hit(f"{what} has {dims} dimensions, but {letters} letters: {cure}")


@pitfall.explains(
    r"einsum\(\): output subscript (?P<letter>\w) does not appear in the equation for any input operand",
    odds=0.97,
)
def letter_from_nowhere(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['letter']} stands after -> only: no operand has such a dimension"
    )


@pitfall.explains(
    r"size of dimension does not match previous size, operand (?P<operand>\d+), dim (?P<dim>\d+)",
    odds=0.95,
)
def size_of_a_letter_before(failure: Failure) -> Hits:
    operand, dim = failure.groups["operand"], failure.groups["dim"]
    yield failure.hit(
        f"dimension {dim} of operand {operand} is not as large as its letter was before: one letter is one size"
    )


@pitfall.explains(
    r"operands do not broadcast with remapped shapes \[original->remapped\]: (?P<shapes>[\d, \[\]>-]{1,300})",
    odds=0.95,
)
def letters_of_two_sizes(failure: Failure) -> Hits:
    met = letter_apart(failure.groups["shapes"])
    yield failure.hit(f"two dimensions of one letter differ in size{met}")


pitfall.answers(
    {
        "fewer operands were provided than": "there are fewer tensors than groups of letters between the commas",
        "more operands were provided than": "there are more tensors than groups of letters between the commas",
        "more operands in equation than tensors": "there are fewer tensors than groups of letters between the commas",
        "more tensors than operands in equation": "there are more tensors than groups of letters between the commas",
        "only lowercase letters a-z allowed as indices": "einsum before torch 1.8 knows small letters alone: b for B",
        "einsum(): must specify the equation string": "einsum takes a text first, and then the tensors",
        "appears more than once in the output": "a letter stands once after ->: torch.diag_embed puts values on a diagonal",
        "subscripts must be in [a-zA-Z]": "an equation holds letters, commas, ... and -> alone: another character, or an arrow without its >",
        "is repeated for operand": "a letter twice for one operand takes its diagonal, of two equal sizes",
        "that is not part of any ellipsis": "leading dimensions are three dots, ...",
        "for which an ellipsis was already found": "an operand has one ... alone",
    },
    odds=0.95,
)
