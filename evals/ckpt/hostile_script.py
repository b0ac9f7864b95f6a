"""Hostile TorchScript: code that writes, reads or sends when the archive is loaded or called."""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import cache

from containers import MARKER, Hostile, changed, plain, unzipped

KIND = "TorchScript"
PLACE = "code/__torch__/hostile_modules.py"
SAVE = f'torch.save(x, "{MARKER}")'


@cache
def _clean() -> bytes:
    """A scripted module with `__getstate__`, `__setstate__` and `forward`."""
    import hostile_modules
    import torch

    out = io.BytesIO()
    torch.jit.save(torch.jit.script(hostile_modules.Stateful()), out)
    return out.getvalue()


@cache
def code() -> str:
    entries = dict(unzipped(_clean()))
    return next(data for name, data in entries.items() if name.endswith(PLACE)).decode()


def with_line(method: str, *lines: str) -> bytes:
    """The clean archive with lines put in front of the last statement of a method."""
    text = code()
    at = text.index(f"def {method}(")
    start = text.index(":\n", text.index("->", at)) + 2
    body = "".join(f"    {line}\n" for line in lines)
    return changed(_clean(), {PLACE: (text[:start] + body + text[start:]).encode()})


def acting_at_load() -> bytes:
    return with_line("__setstate__", f'torch.save((states)[0], "{MARKER}")')


def files() -> Iterator[Hostile]:
    yield _of("setstate-save", acting_at_load(), "issue 34: aten::save in __setstate__", "jit")
    save = with_line("forward", f'torch.save(x, "{MARKER}")')
    yield _of("forward-save", save, "issue 34: aten::save in forward", "jit-call")
    ops = with_line("forward", f'ops.aten.save(x, "{MARKER}")')
    yield _of("forward-ops", ops, "issue 34: aten::save by another name", "jit-call")
    mapped = with_line("forward", f'self.w = torch.from_file("{MARKER}", True, 2, dtype=6)')
    yield _of("forward-from-file", mapped, "issue 34: aten::from_file", "jit-call")
    at_load = with_line("__setstate__", f'self.w = torch.from_file("{MARKER}", True, 2, dtype=6)')
    yield _of("setstate-from-file", at_load, "aten::from_file in __setstate__", "jit")
    spaced = with_line("__setstate__", f'torch . save((states)[0], "{MARKER}")')
    yield _of("spaced", spaced, "blanks within a name", "jit")
    broken = with_line("__setstate__", f'torch.\\\n  save((states)[0], "{MARKER}")')
    yield _of("continued", broken, "a line that is continued", "jit")
    quoted = with_line("__setstate__", f'_9 = """ " """; torch.save((states)[0], "{MARKER}") #" "')
    yield _of("quotes-semicolon", quoted, "strings of three quotes", "")
    hidden = f'_9 = [""" " """, torch.save((states)[0], "{MARKER}"), " "]'
    yield _of("quotes", with_line("__setstate__", hidden), "strings of three quotes", "jit")
    comment = with_line("__setstate__", '# "', f'torch.save((states)[0], "{MARKER}")', '# "')
    yield _of("comment", comment, "a quote in a comment", "jit")
    semi = with_line("__setstate__", f'_9 = 1; torch.save((states)[0], "{MARKER}")')
    yield _of("semicolon", semi, "two statements in a line", "")
    member = with_line("__setstate__", f'((states)[0]).save("{MARKER}")')
    yield _of("method", member, "an operator called as a method", "")
    network = with_line("forward", '_9 = ops.rpc.rpc_sync("w", "f", (x,), {})')
    yield _of("rpc", network, "issue 34: network operators", "")
    custom = with_line("forward", "_9 = ops.evil.run(x)")
    yield _of("custom", custom, "an operator of a library", "")
    custom_class = code().replace(
        "w : Tensor\n", "w : Tensor\n  e : __torch__.torch.classes.evil.E\n"
    )
    data = changed(_clean(), {PLACE: custom_class.encode()})
    yield _of("custom-class", data, "a class of a library", "")
    more = changed(
        _clean(), {"code/__torch__/more.py": b'def f(x: Tensor) -> None:\n  torch.save(x, "y")\n'}
    )
    yield _of("more-code", more, "a file of code that nothing names", "")
    upper = changed(_clean(), {PLACE.upper(): with_text(SAVE)})
    yield _of("case", upper, "code by a name in another case", "")
    pickled = changed(_clean(), {"constants.pkl": b"\x80\x02cos\nsystem\n."})
    yield _of("constants", pickled, "a name in the constants", "")
    model_json = changed(_clean(), {"model.json": b"{}"})
    yield _of("model-json", model_json, "the format of 1.0, which is read first", "")
    mobile = changed(
        _clean(), {"bytecode.pkl": plain((6, ("f", ("operators", (("aten::save", ""),)))))}
    )
    yield _of("bytecode", mobile, "operators of the mobile format", "")
    extra = changed(_clean(), {"extra/x.pt": b"\x80\x02cos\nsystem\n."})
    yield _of("extra", extra, "extra files", "")


def with_text(line: str) -> bytes:
    return f"def f(x: Tensor) -> None:\n  {line}\n".encode()


def _of(name: str, data: bytes, source: str, loader: str) -> Hostile:
    return Hostile(f"script-{name}.pt", data, KIND, loader, source)
