"""Source code: a line that was copied for the second of two siblings still names the first."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import cast

from keng.model import Hits, say
from keng.pitfalls.slips._shared import called_function, liveness
from keng.pitfalls.slips._shared_siblings import (
    Place,
    Swap,
    Word,
    alike,
    difference,
    in_a_row,
    mentions,
    parts,
    places,
    renamed,
    same_but_words,
    same_length,
    swap_between,
    word_pairs,
)
from keng.rules import finds
from keng.source import Code
from keng.source.code import once_per_file
from keng.source.tree import Function, names_in

OF_SAMPLES = re.compile(r"ind|idx|index|weight|label|target|len|num|size|ids?$|subset|mask")
"""What a sampler may be given in place of the data set."""
FORMS = frozenset({"device", "dtype", "shape", "size", "ndim", "dim"})
HELD_OUT = ("val", "valid", "validation", "dev", "eval", "test")
"""Words for the data that a model is not trained on."""
BOUNDS = ({"min", "max"}, {"low", "high"}, {"lower", "upper"}, {"start", "end"}, {"first", "last"})
ABSENT = frozenset({"exists", "is_not_none", "not_none"})
SHARED = re.compile(
    r"(^|_)(in|out|input|output|src|dst)(put)?s?_|dim|channel|size|feature|width|height|planes|num|hidden|kernel"
    r"|stride|pad|embed|heads|len|units|device|dtype|^index$|^columns$"
)
"""Arguments that often get the value of another on purpose."""
Neighbours = list[tuple[ast.stmt, ast.stmt]]
"""Statements of one type, one after the other."""


@finds
def first_of_two_again(code: Code) -> Hits:
    for node, written, meant in _tested_and_unused(code):
        yield code.hit(node, say("tested", tested=meant, used=written))
    for node, written, meant in _in_other_arm(code):
        yield code.hit(node, say("other-arm", used=written, meant=meant))
    for node, written, meant in _chained(code):
        yield code.hit(node, say("copied", used=written, meant=meant))
    neighbours = list(in_a_row(code.tree, ast.If, ast.For, ast.Assign))
    for node, written, meant in _copied(code, neighbours):
        yield code.hit(node, say("copied", used=written, meant=meant))
    for node, written, meant in _of_named_network(code):
        yield code.hit(node, say("copied", used=written, meant=meant))
    for node, written, meant in _loops_over_one(code, neighbours):
        yield code.hit(node, say("copied", used=written, meant=meant))
    for node, written, meant in _left_in_copy(code, neighbours):
        yield code.hit(node, say("left-over", used=written, meant=meant))
    for node, written, meant in _same_for_two_keywords(code):
        yield code.hit(node, say("keyword", used=written, meant=meant))
    for node, written, meant in _scaled_by_maximum(code):
        yield code.hit(node, say("copied", used=written, meant=meant))
    for node, sampled, loaded in _sampler_of_another(code):
        yield code.hit(node, say("sampler", sampled=sampled, loaded=loaded))
    for node, written, stored in _other_left_unread(code):
        meant = stored.arg if isinstance(stored, ast.arg) else stored.id
        says = say("copied", used=written, meant=meant)
        yield code.hit(node, says, level="hint" if _is_optional(code, stored) else None)
    for call, one, other in _in_each_others_place(code):
        yield code.hit(call, say("swapped", one=one, other=other))


def _is_optional(code: Code, stored: ast.AST) -> bool:
    """Whether a name is an argument that may be left out and that often gets the value of another."""
    function = code.tree.enclosing_function(stored)
    if function is None or not isinstance(stored, ast.arg) or not SHARED.search(stored.arg):
        return False
    return code.flow.default_of_argument(function, stored) is not None


def _other_left_unread(
    code: Code,
) -> Iterator[tuple[ast.AST, str, ast.Name | ast.arg]]:
    """`test_loader = DataLoader(train_set)` and `f(x_min=x_min, x_max=x_min)`, where nothing reads the other."""
    for body, unread in _unread(code).items():
        for other, stored in unread.items():
            for one, swap in _siblings(code, other):
                reads = _reads_in(code, body, one)
                if len(reads) < 2 or _reads_in(code, body, other) or _is_shifted(code, reads):
                    continue
                end = code.tree.bounds(code.statement(stored))[1]
                later = [
                    n for n in reads if isinstance(stored, ast.arg) or code.tree.bounds(n)[0] > end
                ]
                wrong = [n for n in later if _is_operand_again(code, n)]
                if not wrong and _is_made_alike(code, stored, one):
                    wrong = [n for n in later if _is_for_other(code, n, reads, swap)]
                yield from ((n, one, stored) for n in wrong[:1])


def _is_shifted(code: Code, reads: list[ast.Name]) -> bool:
    """Whether a sequence is read without its last step and without its first, which are what goes in and what is to
    come out; or whether two parts end and begin at one number: `rows[:n]` and `rows[n:]`."""
    above = [code.tree.parent[read] for read in reads]
    items = [each.slice for each in above if isinstance(each, ast.Subscript)]
    slices = {
        ast.unparse(part)
        for item in items
        for part in ast.walk(item)
        if isinstance(part, ast.Slice)
    }
    ends = {f"{reads[0].id}:", f":{reads[0].id}"}
    cuts = {ast.unparse(each) for each in above if isinstance(each, ast.Slice)}
    return {":-1", "1:"} <= slices or ends <= cuts


def _siblings(code: Code, name: str) -> Iterator[tuple[str, Swap]]:
    """The names of a file that differ from another by one word and are there more than once, and that word."""
    named = _names_by_place(code) if places(name) else {}
    for one in dict.fromkeys(one for place in places(name) for one in named.get(place, ())):
        swap = difference(one, name)
        if swap is not None:
            yield one, swap


@once_per_file
def _names_by_place(code: Code) -> dict[Place, list[str]]:
    found = defaultdict[Place, list[str]](list)
    for name, uses in code.tree.names_by_id.items():
        for place in places(name) if len(uses) > 1 else ():
            found[place].append(name)
    return found


def _reads_in(code: Code, body: Function | ast.Module, name: str) -> list[ast.Name]:
    """Where a function or the top level, and what is nested in it, reads a name."""
    every = [n for n in code.tree.names_by_id.get(name, ()) if isinstance(n.ctx, ast.Load)]
    return [n for n in every if isinstance(body, ast.Module) or code.within(n, body)]


def _unread(code: Code) -> dict[Function | ast.Module, dict[str, ast.Name | ast.arg]]:
    """The names that a function or the top level gives a value and does not read, and where."""
    found: dict[Function | ast.Module, dict[str, ast.Name | ast.arg]] = {}
    for body, live in liveness(code).items():
        stored: list[ast.Name | ast.arg] = [*live.unread, *live.ignored]
        if isinstance(body, ast.Module):
            once = (uses for uses in code.tree.names_by_id.values() if len(uses) == 1)
            alone = [n for (n,) in once if isinstance(n.ctx, ast.Store)]
            stored = [n for n in alone if code.tree.enclosing_body(n) is body]
        if stored:
            found[body] = {n.id if isinstance(n, ast.Name) else n.arg: n for n in reversed(stored)}
    return found


def _is_made_alike(code: Code, stored: ast.Name | ast.arg, one: str) -> bool:
    """Whether a name is given its value next to where another is: by one signature or assignment, or by a call of
    the same function."""
    above = code.tree.parent[stored]
    if isinstance(stored, ast.arg) or isinstance(above, (ast.Tuple, ast.List)):
        inside = code.below(above, ast.arg if isinstance(stored, ast.arg) else ast.Name)
        return one in {n.arg if isinstance(n, ast.arg) else getattr(n, "id", "") for n in inside}
    for twin in code.tree.names_by_id[one]:
        first = code.tree.parent[twin]
        if (
            isinstance(first, ast.Assign)
            and isinstance(above, ast.Assign)
            and twin in first.targets
        ):
            values = (first.value, above.value)
            called = [code.calls.attribute_name(v.func) for v in values if isinstance(v, ast.Call)]
            if len(called) == 2 and (called[0] == called[1] or difference(*called)):
                return True
            if not called and same_but_words(*values):
                return True
    return False


def _is_for_other(code: Code, read: ast.Name, reads: list[ast.Name], swap: Swap) -> bool:
    """Whether a read of the first of two names is where the second belongs: it is an argument again, or what it is
    given to is named after the second, and something else is named after the first."""
    above = code.tree.parent[read]
    again = [n for n in reads if n is not read and code.tree.parent[n] is above]
    bounds = {swap.one, swap.other} in BOUNDS
    if bounds and isinstance(above, ast.Call) and read in above.args and again:
        return again[0] in above.args and above.args.index(read) > above.args.index(again[0])
    place = _given_to(code, read)
    if not _speaks_of(place, swap.other) or _speaks_of(place, swap.one):
        return False
    others = (_given_to(code, n) for n in reads if n is not read)
    return any(_speaks_of(o, swap.one) and not _speaks_of(o, swap.other) for o in others)


def _is_operand_again(code: Code, read: ast.Name) -> bool:
    """Whether a value is subtracted from itself, or divided by itself."""
    match code.tree.parent[read]:
        case ast.BinOp(left=ast.Name(id=left), op=ast.Sub() | ast.Div(), right=right):
            return right is read and left == read.id
    return False


def _given_to(code: Code, read: ast.Name) -> str:
    """The keyword, or the target of the assignment, that a value is for."""
    for above in code.tree.ancestors(read):
        if isinstance(above, ast.keyword):
            return above.arg or ""
        if isinstance(above, ast.stmt):
            return _target(above)
    return ""


def _speaks_of(name: str, word: str) -> bool:
    """Whether a name has a word, or another for it: `eval_loader` speaks of "test"."""
    if not name or word.isdigit():
        return False
    if word.lower() in HELD_OUT:
        return any(each in name.lower() for each in HELD_OUT)
    known = [each.lower() for each in parts(name)[0]]
    return word.lower() in known or (len(word) > 4 and word.lower() in name.lower())


def _tested_and_unused(code: Code) -> Iterator[tuple[ast.AST, str, str]]:
    """`if exists(a): make(b)` where `if exists(b): ...` is another statement of the same block."""
    found = defaultdict[ast.AST, list[tuple[ast.If, str]]](list)
    for node in code.of(ast.If):
        if type(node.test) in (ast.Call, ast.Compare) and (name := _tested(node.test)):
            found[code.tree.parent[node]].append((node, name))
    for tests in found.values():
        for node, name in tests if len(tests) > 1 else ():
            yield from _used_instead(code, node, name, tests)


def _used_instead(
    code: Code, node: ast.If, name: str, tests: list[tuple[ast.If, str]]
) -> Iterator[tuple[ast.AST, str, str]]:
    if len(node.body) > 2:
        return
    inside = {n for each in node.body for n in code.tree.names_in(each)}
    leaves = bool(code.below(node, ast.Raise, ast.Return))  # a check of both, or a choice
    if name in inside or leaves:
        return
    for other, second in tests:
        uses = any(second in code.tree.names_in(each) for each in other.body)
        chosen = bool(node.orelse) and not _is_named_after(node.body[-1], name, second)
        if second != name and second in inside and uses and alike(name, second) and not chosen:
            yield next(n for n in code.below(node, ast.Name) if n.id == second), second, name


def _is_named_after(statement: ast.stmt, name: str, second: str) -> bool:
    """Whether an assignment is to a word of the name that is tested, which the other one has not."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=target)]) | ast.AnnAssign(target=ast.Name(id=target)):
            own = set(parts(name)[0]) - set(parts(second)[0])
            return bool(own & set(parts(target)[0]))
    return False


def _tested(test: ast.expr) -> str:
    """The name that a test asks to be given: `exists(a)`, `a is not None`."""
    match test:
        case ast.Call(func=ast.Name(id=asks), args=[ast.Name(id=name)]) if asks in ABSENT:
            return name
        case ast.Compare(
            left=ast.Name(id=name), ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]
        ):
            return name
    return ""


def _in_other_arm(code: Code) -> Iterator[tuple[ast.AST, str, str]]:
    """`both(a, b) if train_b else b`: without `b` it is `a` that is left."""
    for choice in code.of(ast.IfExp):
        if isinstance(choice.body, (ast.Name, ast.Constant, ast.Tuple)):
            continue
        left = code.tree.names_in(choice.orelse)
        if len(left) != 1 or not left <= (within := code.tree.names_in(choice.body)):
            continue
        (kept,) = left
        others = [n for n in within - left if alike(n, kept)]
        if len(others) != 1 or kept in code.tree.names_in(choice.test):
            continue
        asked = set(parts(ast.unparse(choice.test))[0])
        own, word = set(parts(kept)[0]), set(parts(others[0])[0])
        if (own - word) & asked and word - own and not (word - own) & asked:
            wrong = [n for n in code.below(choice, ast.Name) if n.id == kept]
            yield wrong[-1], kept, others[0]


def _chained(code: Code) -> Iterator[tuple[ast.AST, str, str]]:
    """`out_l = out_r = x * self.att_l`, where the class has `self.att_r`."""
    for assigned in code.of(ast.Assign):
        if len(assigned.targets) != 2:
            continue
        names = [t.id for t in assigned.targets if isinstance(t, ast.Name)]
        if len(names) != 2 or (swap := difference(*names)) is None:
            continue
        for attribute in code.below(assigned.value, ast.Attribute):
            for each in (swap, Swap(swap.other, swap.one)):
                meant = renamed(attribute.attr, each)
                owner = code.classes.self_class(attribute.value)
                if owner and meant and code.classes.sets_attribute(owner, meant):
                    yield attribute, attribute.attr, meant


def _copied(code: Code, neighbours: Neighbours) -> Iterator[tuple[ast.AST, str, str]]:
    """Two assignments in a row that differ by one word in all names but one of the second."""
    for first, second in neighbours:
        if not isinstance(first, ast.Assign) or not same_length(code.tree, first, second):
            continue
        one = _target(first)
        other = _target(second) if one else ""
        if other and (swap := difference(one, other)) is not None:
            yield from _left_over(code, first, second, swap)


def _target(assigned: ast.stmt) -> str:
    """The name or attribute of `self` that an assignment sets."""
    if not isinstance(assigned, ast.Assign) or len(assigned.targets) > 1:
        return ""
    target = assigned.targets[0]
    if isinstance(target, ast.Name):
        return target.id
    if not isinstance(target, ast.Attribute) or not isinstance(target.value, ast.Name):
        return ""
    return target.attr if target.value.id == "self" else ""


def _left_over(
    code: Code, first: ast.stmt, second: ast.stmt, swap: Swap
) -> Iterator[tuple[ast.AST, str, str]]:
    if not mentions(code.tree, second, swap.one):
        return
    pairs = word_pairs(code.tree, first, second)
    if any(w.text != c.text and renamed(w.text, swap) != c.text for w, c in pairs):
        return
    stale = [c for w, c in pairs if w.text == c.text and renamed(c.text, swap)]
    for word in stale if len(stale) == 1 and same_but_words(first, second) else []:
        meant = renamed(word.text, swap)
        if _exists(code, word.node, meant):
            yield word.node, word.text, meant


def _exists(code: Code, node: ast.AST, name: str) -> bool:
    """Whether the sibling is there, and nothing else of the function uses it."""
    body = code.tree.enclosing_body(node)
    if isinstance(node, ast.Name):
        there = [n for n in code.below(body, ast.Name) if n.id == name]
        arguments = [a for a in code.below(body, ast.arg) if a.arg == name]
        return bool(there or arguments) and not any(isinstance(n.ctx, ast.Load) for n in there)
    if isinstance(node, ast.Attribute) and (owner := code.classes.self_class(node.value)):
        used = [a for a in code.below(body, ast.Attribute) if a.attr == name]
        return code.classes.sets_attribute(owner, name) and not used
    return False


def _of_named_network(code: Code) -> Iterator[tuple[ast.AST, str, str]]:
    """`loss_D_B = D_A(...)` where `loss_D_A = D_A(...)`, and there is a `D_B`."""
    if b"loss" not in code.tree.data:
        return
    blocks = defaultdict[ast.AST, list[ast.Assign]](list)
    for assigned in code.of(ast.Assign):
        if _target(assigned).startswith("loss_"):
            blocks[code.tree.parent[assigned]].append(assigned)
    for block in blocks.values():
        for first, second in combinations(block, 2):
            one, other = _target(first)[5:], _target(second)[5:]
            (of_one, _), (of_other, _) = parts(one), parts(other)
            kin = of_one[:1] == of_other[:1] and len(of_one) > 1 < len(of_other)
            if not kin or one == other or other not in code.tree.names_by_id:
                continue
            used = [n for n in code.below(second.value, ast.Name) if n.id == one]
            if used and one in names_in(first.value) and other not in names_in(second.value):
                yield used[0], one, other


def _left_in_copy(code: Code, neighbours: Neighbours) -> Iterator[tuple[ast.AST, str, str]]:
    """Two statements in a row that differ by one word, but in one place of the second."""
    for first, second in neighbours:
        if isinstance(first, ast.Assign) and not isinstance(first.targets[0], ast.Subscript):
            continue  # `_copied` compares these
        if not same_length(code.tree, first, second):
            continue
        pairs = word_pairs(code.tree, first, second)
        swap = swap_between([(w.text, c.text) for w, c in pairs if w.text != c.text])
        if swap is not None and same_but_words(first, second):
            yield from _inconsistent(code, pairs, swap, isinstance(first, ast.Assign))


def _loops_over_one(code: Code, neighbours: Neighbours) -> Iterator[tuple[ast.AST, str, str]]:
    """Two loops in a row that are the same, where the sibling of what they go over is there."""
    for first, second in neighbours:
        match first, second:
            case ast.For(iter=ast.Name(id=one)), ast.For(iter=ast.Name(id=again) as over):
                pass
            case _:
                continue
        if one != again or ast.dump(first) != ast.dump(second):
            continue
        body = code.tree.enclosing_body(second)
        for other in sorted({n.id for n in code.below(body, ast.Name)}):
            swap = difference(one, other)
            if swap is not None and swap.one.isdigit():
                yield over, one, other


def _inconsistent(
    code: Code, pairs: list[tuple[Word, Word]], swap: Swap, assigned: bool
) -> Iterator[tuple[ast.AST, str, str]]:
    """The one name of a copy that was not renamed where the same name was in other places, or where the key
    under which its value is kept was."""
    stale = [c for w, c in pairs if w.text == c.text and renamed(c.text, swap)]
    if len(stale) != 1 or _is_asked_for_form(code, stale[0].node):
        return
    (word,) = stale
    changed = [c for w, c in pairs if w.text == word.text != c.text]
    if assigned:
        key = len(changed) == 1 and isinstance(changed[0].node, ast.Constant)
        there = code.tree.attributes_by_name.get(swap.other, [])
        told = key and isinstance(word.node, ast.Attribute) and bool(there)
    else:
        own = code.statement(word.node)
        beside = any(w.text != c.text and code.within(c.node, own) for w, c in pairs)
        told = beside and len([c for c in changed if not isinstance(c.node, ast.Constant)]) > 1
    if told and isinstance(word.node, (ast.Name, ast.Attribute)):
        yield word.node, word.text, renamed(word.text, swap)


def _is_asked_for_form(code: Code, node: ast.AST) -> bool:
    """Whether only the device, dtype or shape of something is read, which both may take from the first."""
    above = code.tree.parent[node]
    return isinstance(above, ast.Attribute) and above.attr in FORMS


def _same_for_two_keywords(code: Code) -> Iterator[tuple[ast.AST, str, str]]:
    """`add(value=label.value, score=label.value)` where labels have a `score`."""
    given = defaultdict[ast.AST, set[tuple[str, str]]](set)
    for keyword in code.of(ast.keyword):
        value = keyword.value
        alike_named = isinstance(value, ast.Attribute) and value.attr == keyword.arg
        if alike_named and isinstance(owner := getattr(value, "value", None), ast.Name):
            given[code.tree.parent[keyword]].add((owner.id, keyword.arg or ""))
    for call, same in given.items():
        for keyword in call.keywords if isinstance(call, ast.Call) else ():
            match keyword.value:
                case ast.Attribute(value=ast.Name(id=owner), attr=used) if (owner, used) in same:
                    meant = keyword.arg or used
                    shared = meant == used or SHARED.search(meant)
                    if not shared and _has(code, owner, meant):
                        yield keyword.value, f"{owner}.{used}", f"{owner}.{meant}"


def _has(code: Code, owner: str, name: str) -> bool:
    """Whether the file reads an attribute of what has this name, or a class of the project defines it."""
    for attribute in code.tree.attributes_by_name.get(name, []):
        if isinstance(attribute.value, ast.Name) and attribute.value.id == owner:
            return True
    return owner != "self" and code.trees.files.may_define(name, code.path)


def _scaled_by_maximum(code: Code) -> Iterator[tuple[ast.AST, str, str]]:
    """`(x - max(x)) / (max(x) - min(x))`."""
    for quotient in code.of(ast.BinOp):
        match quotient:
            case ast.BinOp(left=above, op=ast.Div(), right=below):
                pass
            case _:
                continue
        above = above.right if isinstance(above, ast.BinOp) and _is_scaled(above) else above
        match above:
            case ast.BinOp(op=ast.Sub(), right=ast.Call() as taken):
                for span in [below, *code.below(below, ast.BinOp)]:
                    match span:
                        case ast.BinOp(
                            left=ast.Call() as most, op=ast.Sub(), right=ast.Call() as least
                        ):
                            one, other = ast.unparse(most), ast.unparse(least)
                            same = ast.unparse(taken) == one and "max" in one
                            if same and one.replace("max", "min") == other:
                                yield taken, code.text_of(taken), code.text_of(least)


def _is_scaled(product: ast.BinOp) -> bool:
    """Whether a number is multiplied: `255 * (x - max(x))`."""
    return isinstance(product.op, ast.Mult) and isinstance(product.left, ast.Constant)


def _sampler_of_another(code: Code) -> Iterator[tuple[ast.AST, str, str]]:
    """`DataLoader(train, sampler=DistributedSampler(test))`."""
    for loader in code.calls.calls_to("torch.utils.data.DataLoader"):
        sampler = code.flow.call_behind(code.calls.argument(loader, "sampler", 3))
        data = code.calls.argument(loader, "dataset", 0)
        if sampler is None or not sampler.args or "Sampler" not in ast.unparse(sampler.func):
            continue
        sampled, loaded = _data_in(sampler.args[0]), _data_in(data)
        named = bool(sampled and loaded) and not OF_SAMPLES.search(sampled)
        if named and sampled != loaded and alike(sampled, loaded):
            yield sampler.args[0], code.text_of(sampler.args[0]), loaded


def _data_in(node: ast.expr | None) -> str:
    """The data that a loader or a sampler is given: its name, or that of what a data set is made of."""
    match node:
        case ast.Name(id=text):
            return text
        case ast.Attribute():
            return ast.unparse(node)
        case ast.Call(func=ast.Name(id=made), args=[ast.Name() | ast.Attribute() as inner, *_]):
            return _data_in(inner) if "Dataset" in made else ""
    return ""


def _in_each_others_place(code: Code) -> Iterator[tuple[ast.Call, str, str]]:
    """`cost(pred, gold, smoothing, padding)` of `def cost(pred, gold, padding, smoothing)`."""
    straight = defaultdict[ast.AST, list[bool]](list)
    found: list[tuple[ast.AST, ast.Call, str, str]] = []
    for call in code.of(ast.Call):
        if len(call.args) < 2:
            continue
        given = [a.id if isinstance(a, ast.Name) else "" for a in call.args]
        if len(set(filter(None, given))) < 2 or (callee := _callee(code, call)) is None:
            continue
        taken = [a.arg for a in _taken(callee, call)]
        pairs = [*combinations(zip(given, taken, strict=False), 2)]
        swaps = [(a, b) for (a, p), (b, q) in pairs if a == q and b == p and a != b]
        straight[callee].append(not swaps)
        if len(swaps) == 1 and not alike(*swaps[0]) and min(map(len, swaps[0])) > 2:
            found.append((callee, call, *swaps[0]))
    for function, call, one, other in found:
        if _is_called_both_ways(code, call, {one, other}):
            continue
        if straight[function].count(True) or len(straight[function]) == 1:
            yield call, one, other


def _is_called_both_ways(code: Code, call: ast.Call, names: set[str]) -> bool:
    """Whether a function calls another with the same two names twice: `(score(a, b) + score(b, a)) / 2`."""
    called = ast.unparse(call.func)
    both = [
        each
        for each in code.below(code.tree.enclosing_body(call), ast.Call)
        if names <= {a.id for a in each.args if isinstance(a, ast.Name)}
    ]
    return sum(ast.unparse(each.func) == called for each in both) > 1


def _callee(code: Code, call: ast.Call) -> Function | None:
    """The function of the project that a call runs, by its name or as a method of `self`."""
    if not isinstance(call.func, (ast.Name, ast.Attribute)):
        return None
    there = called_function(code, call)
    return cast("Function", there.node) if there is not None else None


def _taken(callee: Function, call: ast.Call) -> list[ast.arg]:
    """The parameters that the positional arguments of a call go to."""
    given = [*callee.args.posonlyargs, *callee.args.args]
    bound = bool(given) and given[0].arg in ("self", "cls") and isinstance(call.func, ast.Attribute)
    return given[1:] if bound else given
