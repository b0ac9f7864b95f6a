"""The plan: what is found to go together, judged by its shapes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping

from keng.ckpt.mapping import fused_attention, shapes
from keng.ckpt.mapping.names import unwrapped, wrappers_of
from keng.ckpt.mapping.plan import EXACT, Entries, Entry, Move, Plan, Rule, Shape, Unmatched, Why
from keng.ckpt.mapping.search import Search
from keng.tables.state_names import COUNTERS, NESTINGS, QUANTIZED, REMADE, RENAMED, TURNED

SEVERAL = 3
"""Entries of other widths that make it another variant, where they are most of the model."""


def best(candidates: Mapping[tuple[str, ...], Entries], model: Entries) -> Plan:
    """The plan of the entry of a checkpoint that fits best, `candidates` being the state dicts in it by
    the keys that lead there. Others that fit as well are its rivals."""
    plans = [matched(file, model)._replace(nesting=keys) for keys, file in candidates.items()]
    if not plans:
        return matched({}, model)
    plans.sort(key=lambda plan: (*(-n for n in plan.score), _rank(plan.nesting)))
    first = plans[0]
    equal = [plan for plan in plans[1:] if plan.score == first.score and plan.exact]
    names = tuple(".".join(plan.nesting) for plan in equal if plan.nesting)
    return first._replace(rivals=first.rivals + names)


def _rank(nesting: tuple[str, ...]) -> tuple[int, int]:
    """What is nearer to the root comes first, and what usually holds the weights."""
    last = nesting[-1] if nesting else ""
    return len(nesting), NESTINGS.index(last) if last in NESTINGS else len(NESTINGS)


def matched(file: Entries, model: Entries) -> Plan:
    """The plan for one state dict. Matrices of an adapter go into no weights, whatever their shapes."""
    adapter = {} if any(map(_is_lora, model)) else {n: e for n, e in file.items() if _is_lora(n)}
    ours, theirs = fused_attention.apart({n: e for n, e in file.items() if n not in adapter}, model)
    search = Search(ours.entries, theirs.entries)
    widths = _variant(list(_shapes(search.pairs, ours.entries, theirs.entries)))
    found, unlike = _judged(search.pairs, ours, theirs, widths)
    moves = fused_attention.together(found, ours, theirs)
    moves = [move._replace(shape=model[move.target].shape) for move in moves]
    tied = _tied(moves, model)
    moves += tied
    taken = {name for move in moves for name in (move.source, *move.more)}
    filled = {move.target for move in moves}
    unused = {ours.real(one): each for one, _, each in unlike if ours.real(one) not in taken}
    missing = {theirs.real(two): each for _, two, each in unlike if theirs.real(two) not in filled}
    left = [name for name in file if name not in taken and name not in unused]
    wanted = [name for name in model if name not in filled and name not in missing]
    within = fused_attention.hidden(left, wanted) | fused_attention.hidden(wanted, left)
    lacking = [each._replace(name=name) for name, each in missing.items()]
    lacking += [Unmatched(n, _why_alone(n, within), None, model[n].shape) for n in wanted]
    over = [each._replace(name=name) for name, each in unused.items()]
    over += [Unmatched(n, _why_alone(n, within), file[n].shape) for n in left]
    rules = tuple(_rules(found + tied, search))
    return Plan(tuple(moves), tuple(lacking), tuple(over), rules, (), search.rivals, widths)


def _shapes(
    pairs: Mapping[str, str], file: Entries, model: Entries
) -> Iterator[tuple[Shape, Shape]]:
    for one, other in pairs.items():
        saved, wanted = file[one].shape, model[other].shape
        if saved is not None and wanted is not None:
            yield saved, wanted


def _judged(
    pairs: Mapping[str, str], ours: fused_attention.Side, theirs: fused_attention.Side, widths: str
) -> tuple[list[Move], list[tuple[str, str, Unmatched]]]:
    """What is moved, and what goes together and is not."""
    file, model = ours.entries, theirs.entries
    turned = {
        _layer(name)
        for one, other in pairs.items()
        if shapes.way(other, file[one].shape, model[other].shape) == "transpose"
        for name in (one, other)
    }
    scaled = {_front(name) for name in file if "scale" in name.rpartition(".")[2]}
    moves, skipped = [], []
    for one, other in pairs.items():
        saved, wanted = file[one].shape, model[other].shape
        how = shapes.way(other, saved, wanted)
        unsure = _square(saved) or (wanted is None and len(saved or ()) == 2)
        like = _layer(one) in turned or _layer(other) in turned or _is_turned(one, other)
        if how == "copy" and unsure and (like or (one in ours.turned) != (other in theirs.turned)):
            how = "transpose"
        packed = _is_packed(file[one], model[other], _front(one) in scaled)
        unlike = fused_attention.differ(one, other)
        if not (packed or unlike) and (how in EXACT or (how and not widths)):
            moves.append(Move(one, other, how, wanted))
            continue
        why = _why_not(other, file[one], model[other], packed, widths)
        skipped.append((one, other, Unmatched(other, "fused" if unlike else why, saved, wanted)))
    return moves, skipped


def _tied(moves: list[Move], model: Entries) -> list[Move]:
    """What a file has once, and the model under two names."""
    filled = {model[move.target].tied or move.target: move for move in moves}
    names = model.keys() - {move.target for move in moves}
    pairs = ((name, filled.get(model[name].tied or name)) for name in model if name in names)
    return [move._replace(target=name) for name, move in pairs if move is not None]


def _square(shape: Shape | None) -> bool:
    return shape is not None and len(shape) == 2 and shape[0] == shape[1]


def _is_turned(one: str, other: str) -> bool:
    return one.endswith(TURNED) and not other.endswith(TURNED)


def _is_packed(file: Entry, model: Entry, scaled: bool) -> bool:
    """A quantized matrix means nothing without its scale; that its shape is the model's makes it no
    weight."""
    matrix = file.shape is not None and len(file.shape) > 1
    few = file.dtype.startswith(QUANTIZED) or (scaled and file.dtype.startswith("float8"))
    floats = model.dtype.startswith(("float", "bfloat")) if model.dtype else scaled
    return matrix and few and floats


def _why_not(name: str, file: Entry, model: Entry, packed: bool, widths: str) -> Why:
    if packed:
        return "quantized"
    return "variant" if widths else shapes.why_not(name, file.shape or (), model.shape or ())


def _front(name: str) -> str:
    return name.rpartition(".")[0]


def _layer(name: str) -> str:
    """Of a transposed kind of layer, the square ones cannot be told by their shape, but by this."""
    return ".".join(name.split(".")[-2:])


def _variant(pairs: list[tuple[Shape, Shape]]) -> str:
    """Where most shapes differ: the widths that do. Heads differ in their outputs alone, and what was
    saved empty tells nothing."""
    unlike = [(file, model) for file, model in pairs if file != model and 0 not in file]
    much = len(unlike) >= SEVERAL and 2 * len(unlike) > len(pairs)
    inner = any(max(shapes.differing(file, model), default=0) >= 1 for file, model in unlike)
    exact = sum(shapes.way("", file, model) in EXACT for file, model in unlike)
    return shapes.variant(unlike) if much and inner and 2 * exact < len(unlike) else ""


def _why_alone(name: str, in_fused: Container[str]) -> Why:
    if name in in_fused:
        return "fused"
    if name.endswith(COUNTERS):
        return "counter"
    if _is_lora(name):
        return "lora"
    return "remade" if name.endswith(REMADE) else "absent"


def _is_lora(name: str) -> bool:
    return any(part.startswith("lora_") for part in name.split("."))


def _rules(moves: list[Move], search: Search) -> Iterator[Rule]:
    taken: Counter[str] = Counter()
    put: Counter[str] = Counter()
    renames: Counter[tuple[str, str]] = Counter()
    for move in moves:
        one, other = wrappers_of(move.source), wrappers_of(move.target)
        taken.update(set(one - other))
        put.update(set(other - one))
        renames.update(_end_changed(unwrapped(move.source), unwrapped(move.target)))
    yield from (Rule("wrapper", part, "", times) for part, times in taken.items())
    yield from (Rule("wrapper", "", part, times) for part, times in put.items())
    if search.spelled:
        yield Rule("spelled", "", "", search.spelled)
    yield from (Rule("order", *change, times) for change, times in search.orders)
    for (old, new), times in search.changes:
        yield Rule("prefix", old, new, times, sure=not (old and new))
    yield from (Rule("rename", old, new, times) for (old, new), times in renames.items())
    if search.only is not None:
        times = sum(move.source.startswith(search.only[0]) for move in moves)
        yield Rule("only", *search.only, times, sure=False)


def _end_changed(one: str, other: str) -> Iterator[tuple[str, str]]:
    """How two ends differ that the table of renames has as one."""
    for old, new, _ in RENAMED:
        if one.endswith(f".{old}") and other.endswith(f".{new}"):
            yield old, new
        elif one.endswith(f".{new}") and other.endswith(f".{old}"):
            yield new, old
