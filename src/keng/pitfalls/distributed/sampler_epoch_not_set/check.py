"""Source code: a distributed sampler gives every epoch the same order."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Fix, Hits, say
from keng.pitfalls.distributed.sampler_epoch_not_set.protocol import SameOrder
from keng.rules import finds
from keng.source import Code, Loop
from keng.source.execution.values import Constant, Object, Role
from keng.source.objects import ITERATION, Read, Uses
from keng.source.tree import FUNCTIONS

SAMPLER = "torch.utils.data.DistributedSampler"


@finds(fixes=True)
def same_order_in_every_epoch(code: Code) -> Hits:
    for made, sampler, epochs in _samplers_over_epochs(code):
        if code.flow.is_constant(code.calls.argument(made, "shuffle", position=3), False):
            continue
        epoch, fix = _counter(code, epochs) if epochs else "", None
        if epochs and epoch:
            line = code.edits.new_line_before(epochs.node.body[0], f"{sampler}.set_epoch({epoch})")
            fix = Fix(say("tell-sampler-epoch"), (line,)) if line else None
        yield code.hit(made, say("epoch-not-set", sampler=sampler), fix=fix)
    for place, made in _samplers_from_elsewhere(code):
        if not code.flow.is_constant(code.calls.argument(made, "shuffle", position=3), False):
            yield code.hit(place, say("epoch-not-set-of-loader", loader=code.text_of(place)))


@finds(mentions=[SAMPLER])
def same_order_of_followed_sampler(code: Code) -> Hits:
    """Samplers made in a branch, loaders handed through functions, objects and files: as the file runs, or by
    what any path does with the sampler and its loader."""
    for made in code.calls.calls_to(SAMPLER):
        if code.flow.is_constant(code.calls.argument(made, "shuffle", position=3), False):
            continue
        uses = code.objects.uses(made, "DataLoader")
        if "set_epoch" in uses.attributes or (uses.escapes and b"set_epoch" in code.tree.data):
            continue
        if not _runs_in_same_order(code, made) and not _goes_through_in_rounds(code, made, uses):
            continue
        if not code.execution.is_shown(made, same_order_in_every_epoch(code)):
            yield code.hit(made, say("epoch-not-set", sampler=_named(code, made)))


def _named(code: Code, made: ast.Call) -> str:
    """The name that a sampler gets, in one branch of an expression perhaps."""
    statement = code.statement(made)
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    alone = target is not None and code.around(made, ast.Call, ast.stmt) is statement
    return code.text_of(target) if target is not None and alone else "loader.sampler"


def _runs_in_same_order(code: Code, made: ast.Call) -> bool:
    samplers = [each for each in code.execution.objects(Role.SAMPLER) if each.node is made]
    rules = [SameOrder(each) for each in samplers if not _keeps_order(each)]
    return any(code.execution.watched(rule).found for rule in rules)


def _goes_through_in_rounds(code: Code, made: ast.Call, uses: Uses) -> bool:
    named = any("train" in ast.unparse(each).lower() for each in made.args[:1])
    return not uses.escapes and any(_trains_in_rounds(code, read, named) for read in uses.reads)


def _trains_in_rounds(code: Code, read: Read, named: bool) -> bool:
    """Whether a loop goes through what is read once in each round of another, and trains on it, as its steps or
    the name of the data say."""
    if read.attribute != ITERATION:
        return False
    there = code.at(read.tree)
    training = there.loops.all if named else there.loops.training
    return any(
        loop.iterable is not None
        and there.within(read.node, loop.iterable)
        and _in_other_rounds(there, loop)
        for loop in training
    )


def _keeps_order(sampler: Object) -> bool:
    shuffle = sampler.fields.get("shuffle")
    return not isinstance(shuffle, Constant) or not shuffle.value


def _counter(code: Code, loop: Loop) -> str:
    """The name that counts the rounds of a loop over a range."""
    node = loop.node
    if isinstance(node, ast.While) or not isinstance(node.target, ast.Name):
        return ""
    counts = (
        isinstance(node.iter, ast.Call) and code.names.resolve(node.iter.func) == "builtins.range"
    )
    return node.target.id if counts else ""


def _samplers_over_epochs(code: Code) -> Iterator[tuple[ast.Call, str, Loop | None]]:
    """DistributedSamplers of loaders that are iterated once in each round of another loop, where
    the whole project never says `set_epoch`: the call, how the sampler is reached there, and that
    loop where it stands around."""
    loaders = list(code.calls.calls_to("torch.utils.data.DataLoader"))
    if not loaders or code.trees.files.contains(b"set_epoch", code.path):
        return
    for loader in loaders:
        given, name = code.calls.argument(loader, "sampler", 4), code.tree.target_of(loader)
        made = code.flow.call_behind(given)
        if made is None or code.names.resolve(made.func) != SAMPLER:
            continue
        sampler = code.tree.target_of(made) or f"{name or 'loader'}.sampler"
        for loop in code.loops.training:
            if _goes_through(code, loop, loader, name):
                around = [outer for outer in code.loops.all if loop in outer.inner]
                if around or _called_in_a_loop(code, loop):
                    yield made, sampler, around[0] if around and name else None
                    break
        else:
            if "train" in name and _iterated_in_rounds(code, name):
                yield made, sampler, None


def _iterated_in_rounds(code: Code, loader: str) -> bool:
    """Whether a loop goes through a loader in each round of another one, whatever trains in it."""
    for loop in code.of(ast.For):
        named = {
            ast.unparse(n) for n in ast.walk(loop.iter) if isinstance(n, (ast.Name, ast.Attribute))
        }
        outer = code.around(loop, ast.For, ast.While, *FUNCTIONS)
        if loader in named and isinstance(outer, (ast.For, ast.While)):
            return True
    return False


def _samplers_from_elsewhere(code: Code) -> Iterator[tuple[ast.expr, ast.Call]]:
    """The same where another file makes loader and sampler: what the loop goes through, and the call."""
    for loop in code.loops.training:
        loader = code.loaders.loader_made(loop.iterable)
        if loader is None or loop.iterable is None or loader in code.tree.parent:
            continue
        home = code.trees.home_of(loader)
        made = (
            code.flow.of(home).call_behind(code.calls.of(home).argument(loader, "sampler", 4))
            if home
            else None
        )
        if made is None or home is None or not _in_other_rounds(code, loop):
            continue
        distributed = code.names.of(home).resolve(made.func) == SAMPLER
        if distributed and not _sets_epoch_anywhere(code):
            yield loop.iterable, made


def _in_other_rounds(code: Code, loop: Loop) -> bool:
    """Whether a loop is run once in each round of another one."""
    return any(loop in outer.inner for outer in code.loops.all) or _called_in_a_loop(code, loop)


def _goes_through(code: Code, loop: Loop, loader: ast.Call, name: str) -> bool:
    """Whether a loop goes through what a call of DataLoader made, by its name or whatever it is
    called there."""
    return name in loop.iterable_names or code.loaders.loader_made(loop.iterable) is loader


def _called_in_a_loop(code: Code, loop: Loop) -> bool:
    """Whether the function of a loop is called in another one."""
    function = code.tree.enclosing_function(loop.node)
    calls = code.types.callers(function) if function is not None else ()
    return any(tree.enclosing(call, ast.For, ast.While) is not None for tree, call in calls)


def _sets_epoch_anywhere(code: Code) -> bool:
    files = code.trees.files
    return any(b"set_epoch" in files.text(file) for file in code.trees.members)
