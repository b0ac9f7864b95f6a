r"""A graph of `torch.fx` is changed so that it does not hold together.

A node uses others by reference, in the order of the graph: what uses a node keeps it from being erased, a new node stands behind those that it uses, and no node of one graph is used in another. A
`call_module` or `get_attr` names a part of the module that the graph belongs to. Arguments of a node are not changed where they are.

Cure: `node.replace_all_uses_with(new)` and then `erase_node(node)`; `with graph.inserting_after(node):` around what is inserted; `graph.node_copy` between graphs;
`gm.add_submodule(name, layer)` before it is called; `node.args = (...)` as a whole; `graph.lint()` and `gm.recompile()` at the end.

Bad (still used):

```python
import torch
from torch import nn

gm = torch.fx.symbolic_trace(nn.Sequential(nn.Linear(2, 2), nn.ReLU()))
first = next(node for node in gm.graph.nodes if node.op == "call_module")
gm.graph.erase_node(first)  # seen: `replace_all_uses_with`
```

Bad (before what it uses):

```python
import torch
from torch import nn

gm = torch.fx.symbolic_trace(nn.Sequential(nn.Linear(2, 2), nn.ReLU()))
entry, linear, *_ = gm.graph.nodes
with gm.graph.inserting_before(linear):
    gm.graph.call_function(torch.neg, (linear,))
gm.graph.lint()  # seen: `inserting_after`
```

Bad (a part that is not there):

```python
import torch
from torch import nn

gm = torch.fx.symbolic_trace(nn.Sequential(nn.Linear(2, 2), nn.ReLU()))
gm.delete_submodule("1")
gm.graph.lint()  # seen: `add_submodule`
```

Bad (changed in place):

```python
import torch


def joined(x):
    return torch.cat([x, x])


gm = torch.fx.symbolic_trace(joined)
entry, cat, _ = gm.graph.nodes
cat.args[0].append(entry)  # seen: `node.args`
```

Good:

```python
import torch
from torch import nn

gm = torch.fx.symbolic_trace(nn.Sequential(nn.Linear(2, 2), nn.ReLU()))
entry, linear, relu, _ = gm.graph.nodes
gm.add_submodule("gelu", nn.GELU())
with gm.graph.inserting_after(linear):
    new = gm.graph.call_module("gelu", (linear,))
relu.replace_all_uses_with(new)
gm.graph.erase_node(relu)
gm.graph.lint()
gm.recompile()
```

Message (torch 1.8 to 2.13; `node_copy`):

```text
RuntimeError: Argument 'relu' of Node 'neg' does not belong to this Graph, but was used as an argument! If you are copying nodes from another graph, make sure to use ``arg_transform`` on node_copy() to remap values
```

Message (torch 1.8 to 2.13; `add_submodule`):

```text
RuntimeError: Node weight referenced target weight but that target was not provided in ``root``!
```

Message (torch 1.8 to 2.13; `call_method`):

```text
ValueError: Node [graph = graph():
    %x : [num_users=0] = placeholder[target=x], name = 'relu'] target relu has type str but a Callable is expected
```

Message (torch 1.8 to 2.13; `placeholders`):

```text
RuntimeError: Expected positional argument for parameter x, but one was not passed in!
```

Message (torch 1.10 to 2.13; `pydot`):

```text
RuntimeError: FXGraphDrawer requires the pydot package to be installed. Please install pydot through your favorite Python package manager.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Tried to erase Node (?P<node>\w{1,100}) but it still had (?P<users>\d+) users", odds=0.97
)
def still_used(failure: Failure) -> Hits:
    node, users = failure.groups["node"], failure.groups["users"]
    yield failure.hit(
        f"`{node}` is used by {users} other nodes: `{node}.replace_all_uses_with(...)` before it is erased"
    )


@pitfall.explains(
    r"Argument '(?P<used>\w{1,100})' of Node '(?P<node>\w{1,100})' was used before it has been defined",
    odds=0.97,
)
def before_what_it_uses(failure: Failure) -> Hits:
    used, node = failure.groups["used"], failure.groups["node"]
    yield failure.hit(
        f"`{node}` stands before `{used}`, which it uses: `with graph.inserting_after({used}):` around it"
    )


@pitfall.explains(
    r"Argument '(?P<used>\w{1,100})' of Node '(?P<node>\w{1,100})' does not belong to this Graph",
    odds=0.97,
)
def of_another_graph(failure: Failure) -> Hits:
    used, node = failure.groups["used"], failure.groups["node"]
    yield failure.hit(
        f"`{node}` uses `{used}` of another graph: graph.node_copy, whose second argument says what stands for it here"
    )


@pitfall.explains(
    r"Node (?P<node>\w{1,100}) (?:target \S{1,100} references nonexistent attribute|referenced target \S{1,100} but that target was not provided)",
    odds=0.97,
)
def names_what_is_not_there(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['node']}` names a part that the module has not: gm.add_submodule or register_buffer first, or erase the node"
    )


@pitfall.explains(
    r"\] target .{1,120}? has type \S{1,80} but a (?P<wants>Callable|str) is expected", odds=0.96
)
def called_by_the_wrong_means(failure: Failure) -> Hits:
    how = "call_function takes the function itself, and call_method a name"
    if failure.groups["wants"] == "str":
        how = "call_method takes the name of a method as a text, and call_function the function"
    yield failure.hit(how)


@pitfall.explains(
    r"Expected positional argument for parameter (?P<name>\w{1,80}), but one was not passed in",
    odds=0.96,
)
def fewer_inputs(failure: Failure) -> Hits:
    yield failure.hit(
        f"the graph has an input `{failure.groups['name']}`, which run() is not given: as many inputs as placeholders"
    )


pitfall.answers(
    {
        "object does not support mutation. If you are attempting to modify the kwargs or args": "arguments of a node are replaced as a whole: `node.args = (...)`, or node.update_arg",
        "FXGraphDrawer requires the pydot package": "drawing a graph wants a package: pip install pydot, and graphviz",
    },
    odds=0.97,
)
