r"""TorchScript refuses a part of the program.

`torch.jit.script` compiles a small part of Python: no `*args` and `**kwargs`, no lambdas, no types that it does not know,
arguments without a type are tensors. `torch.jit.trace` records tensors only: what goes in and comes out must be tensors, or
lists, tuples and dicts of one kind of tensors.

Cure: annotate arguments that are no tensors (`x: int`, `Optional[Tensor]`, `List[int]`); `@torch.jit.ignore` or
`@torch.jit.unused` for what need not be compiled; return a tuple, or `strict=False` for dicts. For new programs
`torch.export` instead.

Bad (any number of arguments):

```python
import torch


@torch.jit.script  # seen: `variable number`
def total(*parts):
    return parts[0]
```

Bad (an output that is no tensor):

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return {"size": str(x.shape), "y": x}


traced = torch.jit.trace(Net(), torch.ones(2))  # seen: only tensors come out
```

Bad (an attribute that the constructor does not set):

```python
import torch
from torch import nn


class Blur(nn.Module):
    def forward(self, x):
        return x * self.filt


torch.jit.script(Blur())  # seen: `filt`
```

Bad (one that is set in forward first):

```python
import torch
from torch import nn


class Blur(nn.Module):
    def forward(self, x):
        self.filt = x
        return x


torch.jit.script(Blur())  # seen: `filt`
```

Good:

```python
import torch


def repeat(x: torch.Tensor, times: int) -> torch.Tensor:
    return x.repeat([times, 1])


y = repeat(torch.ones(2), 3)
```

Message (torch 1.0; `return a tuple`):

```text
RuntimeError: Only tensors or tuples of tensors can be output from traced functions (getOutput at ../torch/csrc/jit/tracer.cpp:208)
```

Message (torch 1.0 to 1.2; `leave it out`):

```text
RuntimeError: Only tuples, lists and Variables supported as JIT inputs, but got NoneType
```

Message (torch 1.3 to 1.7; `bind it before`):

```text
RuntimeError: Only tuples, lists and Variables supported as JIT inputs/outputs. Dictionaries and strings are also accepted but their usage is not recommended. But got unsupported type int
```

Message (torch 1.8 to 2.13; `ModelOutput`):

```text
RuntimeError: Only tuples, lists and Variables are supported as JIT inputs/outputs. Dictionaries and strings are also accepted, but their usage is not recommended. Here, received an input of unsupported type: ModelOutput
```

Message (torch 2.13; `Scores`):

```text
RuntimeError: Tracer cannot infer type of <models.Scores object at 0x7f5be1113910>
:Only tensors and (possibly nested) tuples of tensors, lists, or dicts are supported as inputs or outputs of traced functions, but instead got value of type Scores.
```

Message (torch 2.13, an input of None; `None`):

```text
RuntimeError: Type 'Tuple[Tensor, NoneType]' cannot be traced. Only Tensors and (possibly nested) Lists, Dicts, and Tuples of Tensors can be traced
```

Message (torch 1.0 to 2.13):

```text
RuntimeError: Only tensors, lists, tuples of tensors, or dictionary of tensors can be output from traced functions
```

Message (torch 1.0 to 2.13):

```text
torch.jit.frontend.UnsupportedNodeError: function definitions aren't supported:
```

Message (torch 1.0 to 2.13):

```text
RuntimeError: Encountering a dict at the output of the tracer might cause the trace to be incorrect, this is only valid if the container structure does not change based on the module's inputs.
```

Message (torch 1.0 to 2.13; `Config`):

```text
RuntimeError: Unknown type name 'Config':
```

Message (torch 2.13; `one type`):

```text
RuntimeError: if-expression's true branch has type Tensor (inferred) but false branch has type int:
```

Message (torch 1.2 to 2.13; `model.module`):

```text
torch.jit.frontend.NotSupportedError: Compiled functions can't take variable number of arguments or use keyword-only arguments with defaults:
  File "/env/lib/python3.11/site-packages/torch/nn/parallel/data_parallel.py", line 172
    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
                                     ~~~~~~~ <--- HERE
```

Message (torch 1.5 to 2.13; `one type`):

```text
RuntimeError:

Type mismatch: y is set to type Tensor (inferred) in the true branch and type int in the false branch:
```

Message (torch 2.13; `Optional[Tensor] = None`):

```text
RuntimeError:
Variable 'y' previously had type NoneType but is now being assigned to a value of type Tensor (inferred)
```

Message (torch 2.13; `may be None`):

```text
RuntimeError:
Return value was annotated as having type Tensor but is actually of type Optional[Tensor]:
```

Message (torch 2.13; `-> Tensor`):

```text
RuntimeError:
Return value was annotated as having type Tensor but is actually of type int:
```

Message (torch 2.13; `numpy`):

```text
RuntimeError: 'Tensor (inferred)' object has no attribute or method 'numpy'.:
```

Bad (a constant that is a dict):

```python
import torch
from torch import nn


class Net(nn.Module):
    __constants__ = ["sizes"]

    def __init__(self):
        super().__init__()
        self.sizes = {"a": 1}

    def forward(self, x):
        return x * self.sizes["a"]


torch.jit.script(Net())  # seen: `__constants__`
```

Message (torch 1.0 to 1.3; `__constants__`):

```text
TypeError:
'dict' object for attribute 'sizes' is not a valid constant.
Valid constants are:
  1. a nn.ModuleList
```

Message (torch 2.13; `d`):

```text
RuntimeError: Module 'M' has no attribute 'd' (This attribute exists on the Python module, but we failed to convert Python type: 'list' to a TorchScript type. List trace inputs must have elements. Its type was inferred; try adding a type annotation for the attribute.):
```

Message (torch 2.13; `enumerate`):

```text
RuntimeError: Expected integer literal for index but got a variable or non-integer. ModuleList/Sequential indexing is only supported with integer literals.
```

Message (torch 2.13; `false branch`):

```text
RuntimeError: y is not defined in the false branch:
```

Message (torch 2.13; `open`):

```text
RuntimeError: Python builtin <built-in function open> is currently not supported in Torchscript:
```

Message (torch 2.13; `comprehension ifs`):

```text
torch.jit.frontend.NotSupportedError: Comprehension ifs are not supported yet:
```

Message (torch 1.5 to 1.9; `enumerate`):

```text
RuntimeError: Expected integer literal for index. ModuleList/Sequential indexing is only supported with integer literals.
```

Message (torch 1.5 to 2.13; `numpy`):

```text
RuntimeError:
Tried to access nonexistent attribute or method 'numpy' of type 'Tensor'.:
  File "net.py", line 9
        return x.numpy()
               ~~~~~~~ <--- HERE
```

Message (torch 1.5 to 2.13; `f-string`):

```text
torch.jit.frontend.NotSupportedError: Don't support formatting in JoinedStr:
```

Message (torch 1.5 to 2.13; `dict expansion`):

```text
torch.jit.frontend.NotSupportedError: Dict expansion (e.g. `{**dict}`) is not supported:
```

Message (torch 1.5 to 2.13; `@=`):

```text
torch.jit.frontend.NotSupportedError: unsupported kind of augmented assignment: MatMult:
```

Message (torch 1.2; `for a newer PyTorch`):

```text
RuntimeError:
Tried to access to nonexistent attribute filt. Did you forget to initialize it in __init__()?:
at /env/lib/python3.7/site-packages/blur_pool.py:40:15
```

Message (torch 1.5 to 2.13, of a class; `y`):

```text
RuntimeError:
'__torch__.Point (of Python compilation unit at: 0x5590df7883d0)' object has no attribute or method 'y'. Did you forget to initialize an attribute in __init__()?:
```

Message (torch 1.8 to 2.13; `two loops`):

```text
torch.jit.frontend.NotSupportedError: Only a single generator is currently supported:
```
"""

from keng.explain.advice.compiled import SCRIPTED_WRAPPER, of_two_types
from keng.explain.advice.programs import IN_PLAIN, told_of_attribute, told_of_traced
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

pitfall.answers(
    {
        "Compiled functions can't take variable number of arguments": "no *args or **kwargs (a variable number of arguments) in TorchScript: name each, or ignore the function",
        "Expected integer literal for index": "a ModuleList is indexed by a number as written: for i, layer in enumerate(self.layers)",
        "is not a valid constant.": "what stands in __constants__ or is Final is a number, a text, None, or a list or tuple of them: no dict, module or tensor",
    },
    odds=0.95,
)


pitfall.answers({"def forward(self, *inputs": SCRIPTED_WRAPPER}, odds=0.97)


@pitfall.explains(r"Unknown type name '(?P<name>\w+)'(?!: ?Serialized File)", odds=0.9)
def type_not_known(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` is no type that TorchScript knows: annotate it with a type of TorchScript, as int or Optional[Tensor]"
    )


@pitfall.explains(
    r"(?:Only tensors(?: or|, lists,) tuples of tensors(?:, or dictionary of tensors)? can be (?:output from|inputs to) traced|[Tt]racer cannot (?:get value trace|infer type) of|"
    r"Encountering a (?:dict|list) at the output of the tracer)",
    odds=0.93,
)
def no_tensors(failure: Failure) -> Hits:
    says = "tracing takes only tensors, and lists, tuples or dicts of them, in and out: bind the other inputs before, return a tuple"
    yield failure.hit(says)


@pitfall.explains(
    r"supported as JIT inputs(?:, but got|/outputs\..{0,100}?(?:But got|received an input of) unsupported type:?) (?P<kind>[\w.]{1,80})",
    r"inputs or outputs of traced functions,? but instead got value of type (?P<kind>[\w.]{1,80}?)\.?(?:\s|$)",
    r"Type 'Tuple\[[\w.\[\], ]{0,160}?\b(?P<kind>NoneType|int|float|bool|str)\b[\w.\[\], ]{0,160}\]' cannot be traced",
    odds=0.94,
)
def of_a_kind_that_is_no_tensor(failure: Failure) -> Hits:
    yield failure.hit(told_of_traced(failure.groups["kind"]))


@pitfall.explains(
    r"(?:UnsupportedNodeError: |NotSupportedError: )?(?P<what>\w[\w -]{2,40})(?: \(e\.g\. `[^`]{1,20}`\))? (?:aren't|isn't|are not|is not) supported(?: yet)?:",
    r"(?:^|Error: )Don't support (?P<what>(?:formatting|conversion) in JoinedStr)",
    r"(?:^|Error: )unsupported (?P<what>kind of augmented assignment|\w{5,10} operator): \w",
    r"(?:^|Error: )Only (?P<what>a single generator) is currently supported:",
    odds=0.8,
)
def not_of_the_language(failure: Failure) -> Hits:
    what = IN_PLAIN.get(failure.groups["what"], failure.groups["what"])
    if failure.kind.startswith("torch.jit"):
        yield failure.hit(
            f"TorchScript does not know {what[0].lower() + what[1:]}: other code in its place, @torch.jit.ignore, or torch.jit.trace"
        )


@pitfall.explains(
    r"if-expression's true branch has type|Type mismatch: \w+ is set to type|[Vv]ariable '\w+' (?:is annotated with type|previously had type)|"
    r"Could not match type \w+ to \w+ in argument|Return value was annotated as having type",
    odds=0.9,
)
def of_another_type(failure: Failure) -> Hits:
    yield failure.hit(of_two_types(failure.message))


@pitfall.explains(
    r"'Tensor(?: \(inferred\))?' object has no attribute or method '(?P<name>\w+)'",
    r"Tried to access nonexistent attribute or method '(?P<name>\w+)' of type",
    r"Module '\w+' has no attribute '(?P<name>\w+)' \(This (?:attribute|function) exists",
    r"Python builtin <built-in (?:function|method) (?P<name>\w+).{0,60}?> is currently not supported in Torchscript",
    r"(?:Module '\w+'|'__torch__\.[^']{1,200}' object) has no (?P<own>attribute)(?: or method)? '(?P<name>\w+)'(?: ?:|\. Did you forget)",
    r"Tried to (?P<own>access to|set) nonexistent attribute:? (?P<name>\w+)\. Did you forget",
    odds=0.95,
)
def unknown_to_it(failure: Failure) -> Hits:
    yield failure.hit(told_of_attribute(failure.groups["name"], bool(failure.groups.get("own"))))


@pitfall.explains(r"\b(?P<name>\w{1,80}) is not defined in the (?P<branch>\w+) branch", odds=0.95)
def in_one_branch(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` has no value in the {failure.groups['branch']} branch: give it one before the if"
    )
