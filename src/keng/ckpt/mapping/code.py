"""The plan as a program: with torch alone it makes a dict that loads."""

from __future__ import annotations

import json
from collections.abc import Iterator

from keng.ckpt.mapping.names import unwrapped
from keng.ckpt.mapping.plan import Move, Plan
from keng.tables.state_names import WRAPPERS

HEAD = """\
import torch
{imports}
saved = {load}
"""
BY_RULE = """
WRAPPERS = {wrappers}
PREFIXES = {prefixes}
LEFT_OUT = {left_out}


def renamed(name):
    name = ".".join(part for part in name.split(".") if part not in WRAPPERS)
    for old, new in PREFIXES:
        if name.startswith(old):
            return new + name.removeprefix(old)
    return name


state = {{renamed(name): value for name, value in saved.items() if name not in LEFT_OUT}}
"""
BY_NAME = """
NAMES = {names}

state = {{new: saved[old] for new, old in NAMES.items()}}
"""
POSITIONS = '''

def interpolated(table, shape):
    """A table of positions at another length: as a square grid where it is one, and else as a line.
    A first row that is left over belongs to the class token."""
    rows, length = table.reshape(-1, shape[-1]), shape[-2]
    extra = 0 if int(len(rows) ** 0.5) ** 2 == len(rows) else 1
    side, new_side = int((len(rows) - extra) ** 0.5), int((length - extra) ** 0.5)
    grid = rows[extra:].float().T[None]
    if side**2 == len(rows) - extra and new_side**2 == length - extra:
        grid = grid.reshape(1, -1, side, side)
        grid = torch.nn.functional.interpolate(grid, (new_side, new_side), mode="bicubic")
    else:
        extra, grid = 0, rows.float().T[None]
        grid = torch.nn.functional.interpolate(grid, length, mode="linear")
    grid = grid.reshape(1, shape[-1], -1)[0].T.to(table.dtype)
    return torch.cat([rows[:extra], grid]).reshape(shape)

'''


def python(plan: Plan, path: str, safetensors: bool) -> str:
    """Raises ValueError where two entries would need one name."""
    text = _head(plan, path, safetensors) + (_by_rule(plan) or _by_name(plan))
    if any(move.how == "interpolate" for move in plan.moves):
        text += POSITIONS
    text += "".join(f"{line}\n" for move in plan.moves for line in _remade(move))
    for each in plan.missing:
        if each.why == "counter":
            text += f"state[{_quoted(each.name)}] = torch.zeros((), dtype=torch.int64)\n"
    lacking = [each.name for each in plan.missing if each.why != "counter"]
    strict = ", strict=False" if lacking else ""
    text += "".join(f"# the model keeps its own {_quoted(name)}\n" for name in lacking[:10])
    text += f"# and {len(lacking) - 10} more\n" if len(lacking) > 10 else ""
    return f"{text}# model.load_state_dict(state{strict})\n"


def _head(plan: Plan, path: str, safetensors: bool) -> str:
    inside = "".join(f"[{_quoted(key)}]" for key in plan.nesting)
    if safetensors:
        imports, load = "from safetensors.torch import load_file\n", f"load_file({_quoted(path)})"
    else:
        imports = ""
        load = f'torch.load({_quoted(path)}, map_location="cpu", weights_only=True)'
    return HEAD.format(imports=imports, load=load + inside)


def _by_rule(plan: Plan) -> str:
    """Nothing where rules do not say just what the plan does."""
    prefixes = [(rule.old, rule.new) for rule in plan.rules if rule.kind == "prefix"]
    taken = {move.source for move in plan.moves}
    left_out = sorted({each.name for each in plan.unused} - taken)
    exactly = all(_follows(prefixes, move.source) == move.target for move in plan.moves)
    if not exactly or any(move.how in ("split", "join") for move in plan.moves):
        return ""
    wrappers = _set(
        [part for part in WRAPPERS if any(part in m.source.split(".") for m in plan.moves)]
    )
    return BY_RULE.format(wrappers=wrappers, prefixes=_lines(prefixes), left_out=_set(left_out))


def _follows(prefixes: list[tuple[str, str]], name: str) -> str:
    name = unwrapped(name)
    for old, new in prefixes:
        if name.startswith(old):
            return new + name.removeprefix(old)
    return name


def _by_name(plan: Plan) -> str:
    lines = "".join(f"    {_quoted(move.target)}: {_quoted(move.source)},\n" for move in plan.moves)
    return BY_NAME.format(names=f"{{\n{lines}}}")


def _remade(move: Move) -> Iterator[str]:
    name, shape = f"state[{_quoted(move.target)}]", move.shape or ()
    if move.how == "reshape":
        yield f"{name} = {name}.reshape({shape})"
    elif move.how == "transpose":
        yield f"{name} = {name}.T.contiguous()"
    elif move.how == "split":
        start, stop, _ = move.rows
        rows = f"[:, {start}:{stop}].T.contiguous()" if move.turned else f"[{start}:{stop}].clone()"
        yield f"{name} = {name}{rows}"
    elif move.how == "join":
        parts = [name, *(f"saved[{_quoted(each)}]" for each in move.more)]
        yield f"{name} = torch.cat([{', '.join(parts)}]){'.T.contiguous()' if move.turned else ''}"
    elif move.how == "channels":
        yield f"value = {name}"
        yield f"mean = value.sum(1, keepdim=True) / {shape[1]}"
        yield f"{name} = mean.expand{shape}.clone()  # colours together"
    elif move.how == "rows":
        yield f"value = {name}"
        yield f"new = value.mean(0, keepdim=True).expand(max(0, {shape[0]} - len(value)), *value.shape[1:])"
        yield f"{name} = torch.cat([value[:{shape[0]}], new])  # new tokens begin at the mean"
    elif move.how == "interpolate":
        yield f"{name} = interpolated({name}, {shape})"


def _quoted(text: str) -> str:
    """A name may hold lines and signs that turn a text: they are not to become code."""
    return json.dumps(text, ensure_ascii=not text.isprintable())


def _set(names: list[str]) -> str:
    if len(names) > 3:
        return "{\n" + "".join(f"    {_quoted(name)},\n" for name in names) + "}"
    return "{" + ", ".join(map(_quoted, names)) + "}" if names else "set()"


def _lines(prefixes: list[tuple[str, str]]) -> str:
    pairs = [f"({_quoted(old)}, {_quoted(new)})" for old, new in prefixes]
    return "[" + ", ".join(pairs) + "]"
