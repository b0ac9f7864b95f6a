"""Source code: a name of PyTorch that was renamed, replaced or taken away is still in use."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code
from keng.tables.removed_symbols import GONE_MODULES, OLD_NAMES, written_now

NAMES = frozenset(OLD_NAMES)


@finds(fixes=True)
def old_name(code: Code) -> Hits:
    for node, name in code.uses_of_names(NAMES):
        old = OLD_NAMES[name]
        if code.torch_at_least(old.since) is False or code.guarded(node) or code.belongs_to(name):
            continue
        if not old.removed and code.only_named(node):
            continue
        fix = None
        if old.safety:
            fix = code.rewritten(node, written_now, f"Write {old.new}", old.safety)
        yield code.hit(node, old.told(name), fix=fix, sure=old.loud)


@finds
def old_import(code: Code) -> Hits:
    gone = code.imports_of(GONE_MODULES)
    for node, name in (*code.unused_imports(OLD_NAMES, GONE_MODULES), *gone):
        old = OLD_NAMES[name]
        apart = code.guarded(node) or code.belongs_to(name)
        if code.torch_at_least(old.since) is not False and not apart:
            yield code.hit(node, old.told(name), sure=old.loud)


@finds(fixes=True)
def unsaid_order(code: Code) -> Hits:
    for call in code.calls_to("torch.meshgrid"):
        spread = any(k.arg in ("indexing", None) for k in call.keywords)
        if spread or code.torch_at_least("1.10") is False or code.guarded(call):
            continue
        fix = code.add_argument(call, 'indexing="ij"', "Say the order that is meant today", "safe")
        yield code.hit(call, 'which order is meant is to be said: indexing="ij" or "xy"', fix=fix)
