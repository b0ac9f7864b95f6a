"""A layer of Code: how a failing line, known by its number, is put right."""

from __future__ import annotations

import ast
import re

from keng.model import Edit, Fix
from keng.source.edits import whole_number
from keng.source.handing import Handing
from keng.source.index import LOOPS, part_at

COLLATES = re.compile(r"collate|pad_?batch|batchify", re.IGNORECASE)
"""Names of functions that make a batch of samples."""
SIGNS = {
    ast.Add: ("+", "Add"),
    ast.Sub: ("-", "Sub"),
    ast.Mult: ("*", "Mul"),
    ast.Div: ("/", "Div"),
}
"""With what the graph calls the operation."""


class Mending(Handing):
    def resized(self, line: int, name: str, as_large_as: str) -> Fix | None:
        """A fix that gives a map the height and width of another where a line names it."""
        here = [n for n in self.on_line(line, ast.Name) if n.id == name]
        function = self.spell("torch.nn.functional.interpolate", here[0]) if here else None
        form = f"{function}({name}, size={as_large_as}.shape[2:])"
        return self.turned(line, name, form) if function else None

    def padded(self, line: int) -> Fix | None:
        """A fix that pads what a line stacks along a first dimension of its own."""
        stacks = [c for c in self.on_line(line, ast.Call) if self.resolve(c.func) == "torch.stack"]
        call = stacks[0] if len(stacks) == 1 else None
        along = self.argument(call, "dim", 1) if call is not None else None
        if call is None or not call.args or (along is not None and whole_number(along) != 0):
            return None
        function = self.spell("torch.nn.utils.rnn.pad_sequence", call)
        text = f"{function}({self.text_of(call.args[0])}, batch_first=True)"
        return Fix("Pad to the longest", (self.replace(call, text),), "shown") if function else None

    def spread(self, line: int, packed: str) -> Fix | None:
        """A fix that gives a call the parts of what the program itself has put together for it; a batch of
        a loader may hold other things."""
        here = [n for n in self.on_line(line, ast.Name) if n.id == packed]
        found = self.reaching(here[0]) if here else []
        made = [b.value for b in found if b.how == "assign"]
        together = len(found) == len(made) == 1 and isinstance(made[0], (ast.Tuple, ast.List))
        return self.turned(line, packed, f"*{packed}") if together else None

    def inverted(self, line: int, mask: str) -> Fix | None:
        """A fix for `1 - mask` on a line."""
        for minus in self.on_line(line, ast.BinOp):
            of_one = isinstance(minus.op, ast.Sub) and self.is_constant(minus.left, 1)
            if of_one and self.text_of(minus.right) == mask:
                return Fix("Invert the mask", (self.replace(minus, f"~{mask}"),), "shown")
        return None

    def emptied(self, line: int) -> Fix | None:
        """A fix that lays a module of the meta device somewhere without copying."""
        moves = [c for c in self.on_line(line, ast.Call) if getattr(c.func, "attr", "") == "to"]
        if len(moves) != 1 or len(moves[0].args) != 1 or moves[0].keywords:
            return None
        edits = (
            self.rename_attribute(moves[0].func, "to_empty"),
            self.insert(moves[0].args[0], "device="),
        )
        return Fix("Give it memory, then load the weights", edits, "shown")

    def not_in_place(self, change: ast.AST, node: str) -> Fix | None:
        """A fix that makes a new tensor in place of `x += y`, where that is what the graph has recorded, or
        where `x` is made once, by the operation whose result was changed."""
        if not isinstance(change, ast.AugAssign) or not isinstance(change.target, ast.Name):
            return None
        name, (sign, operation) = change.target.id, SIGNS.get(type(change.op), ("", ""))
        made = [b.value for b in self.reaching(change.target) if b.node is not change.target]
        called = made[0].func if len(made) == 1 and isinstance(made[0], ast.Call) else None
        maker = getattr(called, "attr", getattr(called, "id", "")).replace("_", "")
        if not sign or (node != operation and not (maker and maker == node.lower())):
            return None
        text = f"{name} = {name} {sign} {self.operand(change.value)}"
        return Fix("Make a new tensor", (self.replace(change, text),), "shown")

    def under_no_grad(self, line: int) -> Fix | None:
        """A fix for a line that moves a tensor along its gradient, with those right behind it that do."""
        here = [s for s in self.on_line(line, ast.AugAssign) if _is_along_gradient(s)]
        header = self.spell("torch.no_grad", here[0]) if here else None
        if len(here) != 1 or header is None:
            return None
        above = self.parent[here[0]]
        blocks = [b for _, b in ast.iter_fields(above) if isinstance(b, list) and here[0] in b]
        edits: list[Edit] = []
        for statement in blocks[0][blocks[0].index(here[0]) :] if blocks else ():
            wrapped = (
                self.wrap(statement, f"with {header}():") if _is_along_gradient(statement) else None
            )
            if wrapped is None:
                break
            first = wrapped[0]
            step = "\t" if first.text.endswith("\t") else "    "
            edits += [first._replace(text=step) if edits else first, *wrapped[1:]]
        return Fix("Change it outside of the graph", tuple(edits), "shown") if edits else None

    def recorded(self, line: int, name: str) -> Fix | None:
        """A fix by which a tensor that a line names records gradients from where it is made, before
        anything else on that line is."""
        here = [n for n in self.on_line(line, ast.Name) if n.id == name]
        made = [b.node for b in self.reaching(here[0])] if here else []
        assign = self.parent[made[0]] if len(made) == 1 and made[0] in self.parent else None
        if not isinstance(assign, ast.Assign) or assign.targets != made:
            return None
        others = [n for n in self.on_line(line, ast.Name) if n.id != name]
        later = [b.node for n in others for b in self.reaching(n) if b.how != "import"]
        if any(self.position(node) <= self.position(assign) for node in later):
            return None
        text = ".requires_grad_()"
        return Fix("Record from here on", (self.append(assign.value, text),), "shown")

    def in_a_list(self, line: int) -> tuple[str, Fix] | None:
        """The generator on a line that something went through before, and a fix that keeps a list."""
        for name, made, _, _ in self.used_up():
            if name.lineno == line:
                return name.id, Fix("Keep them in a list", (self.as_list(made),), "shown")
        return None

    def renamed(self, line: int, name: str, meant: str) -> Fix | None:
        """A fix that writes another attribute where a line has one of this name once."""
        here = [n for n in self.on_line(line, ast.Attribute) if n.attr == name]
        if len(here) != 1:
            return None
        return Fix(f"Write `{meant}`", (self.rename_attribute(here[0], meant),), "shown")

    def kept_by(self, kind: str) -> set[str]:
        """The attributes that the one class of this name in the file puts on `self`."""
        owners = [c for c in self.of(ast.ClassDef) if c.name == kind]
        return set(self.attributes(owners[0])) if len(owners) == 1 else set()

    def has_no_result(self, function: ast.FunctionDef) -> bool:
        return not self.below(function, ast.Return, ast.Yield, ast.YieldFrom)

    def given_back(self, line: int, name: str) -> tuple[str, Fix] | None:
        """The one function in the file that computes what a line names, under the same name, and returns
        nothing; and a fix that returns it."""
        here = [n for n in self.on_line(line, ast.Name) if n.id == name]
        made = [b.value for b in self.reaching(here[0])] if here else []
        called = made[0].func if len(made) == 1 and isinstance(made[0], ast.Call) else None
        short = getattr(called, "attr", getattr(called, "id", ""))
        found = [f for f in self.of(ast.FunctionDef) if f.name == short]
        if len(found) != 1 or not self.has_no_result(found[0]):
            return None
        body = found[0].body
        own = [t for s in body if isinstance(s, ast.Assign) for t in s.targets]
        if name not in [t.id for t in own if isinstance(t, ast.Name)] or not self.starts_line(
            body[-1]
        ):
            return None
        text = f"{self.newline}{self.indentation(body[-1])}return {name}"
        return short, Fix("Return what it computes", (self.append(body[-1], text),), "shown")

    def cut_each_round(self, line: int, name: str, packed: bool) -> Fix | None:
        """A fix that cuts the graph of a state which the loop around a backward makes of itself."""
        around = [loop for kind in LOOPS for loop in self.on_line(line, kind)]
        loop = max(around, key=lambda each: each.lineno, default=None)
        uses = [n for n in self.below(loop, ast.Name) if n.id == name] if loop is not None else []
        renewed = {self.statement(n) for n in uses if isinstance(n.ctx, ast.Store)}
        read = [n for n in uses if isinstance(n.ctx, ast.Load) and self.statement(n) in renewed]
        if len(read) != 1 or len(renewed) != 1 or self.around(read[0], *LOOPS) is not loop:
            return None
        if any(isinstance(part_at(b.value, b.path), ast.Constant) for b in self.reaching(read[0])):
            return None  # None, or a number, that has no graph
        text = f"tuple(each.detach() for each in {name})" if packed else f"{name}.detach()"
        return Fix("Cut the graph of the round before", (self.replace(read[0], text),), "shown")

    def cut_for_the_first(
        self, before: ast.Call, part: ast.Name, steps: list[ast.Call]
    ) -> Fix | None:
        """A fix that keeps the first of two backwards out of what made a value, where the optimizers that
        step after it do not train that."""
        bound = self.reaching(part)
        made = bound[0].value if len(bound) == 1 else None
        maker = self.text_of(made.func) if isinstance(made, ast.Call) else ""
        trained = [self.value_of(self.me.receiver(step)).call for step in steps]
        texts = [self.text_of(call) for call in trained if call is not None and call in self.parent]
        if not maker or len(texts) != len(steps) or any(f"{maker}." in text for text in texts):
            return None
        first = [
            n
            for n in self.of(ast.Name)
            if n.id == part.id
            and isinstance(n.ctx, ast.Load)
            and self.position(bound[0].node) < self.position(n) < self.position(before)
        ]
        one = len(first) == 1 and isinstance(self.parent[first[0]], ast.Call)
        return Fix("Cut the graph", (self.append(first[0], ".detach()"),), "shown") if one else None

    def unscaled_once(self, line: int) -> Fix | None:
        """A fix that takes out the line of an `unscale_` that stands behind another of the same."""
        calls = list(self.method_calls("unscale_"))
        here = [c for c in calls if c.lineno == line]
        statement = self.statement(here[0]) if len(here) == 1 else None
        if not isinstance(statement, ast.Expr) or not self.starts_line(statement):
            return None
        text, siblings = self.text_of(statement), self.beside(statement, self.parent[statement])
        first = [c for c in calls if c.lineno < line and self.text_of(c) == text]
        loop = self.around(statement, *LOOPS)
        same = [
            c for c in first if self.around(c, *LOOPS) is loop and self._always_before(c, here[0])
        ]
        updates = [c.lineno for c in self.method_calls("update")]
        between = any(same and same[-1].lineno < at < line for at in updates)
        if not same or between or not any(siblings) or statement.end_lineno != line:
            return None
        start, end = (self.source.offset(n, 0) for n in (line, line + 1))
        return Fix("Unscale once", (Edit(start, end, ""),), "shown")

    def for_all_rounds(self, line: int) -> Fix | None:
        """A fix for a OneCycleLR that is stepped for each batch of each epoch, and is made for one of the
        two only."""
        steps = [c for c in self.method_calls("step") if c.lineno == line]
        made = self.value_of(self.me.receiver(steps[0])).call if len(steps) == 1 else None
        total = (
            self.argument(made, "total_steps", 2)
            if made is not None and made in self.parent
            else None
        )
        loops = sorted(self.on_line(line, ast.For), key=lambda loop: loop.lineno)
        if total is None or made is None or len(loops) != 2:
            return None
        epochs, batches = (self._counted(loop.iter) for loop in loops)
        if self.function_around(made) is not self.function_around(loops[0]):
            return None
        both = {f"len({batches})": f" * {epochs}", epochs: f" * len({batches})"}
        more = both.get(self.text_of(total), "") if epochs and batches else ""
        return Fix("Make it for all steps", (self.append(total, more),), "shown") if more else None

    def _counted(self, given: ast.expr) -> str:
        """What a loop counts to, or goes through, as text: `range(n)`, `enumerate(loader)`."""
        match given:
            case ast.Call(func=ast.Name(id="range" | "enumerate"), args=[one], keywords=[]):
                given = one
        whole = isinstance(given, (ast.Name, ast.Attribute, ast.Constant))
        return self.text_of(given) if whole else ""

    def mask_as_bool(self, line: int) -> Fix | None:
        """A fix that gives the attention on a line a mask of bools."""
        sdpa = "torch.nn.functional.scaled_dot_product_attention"
        calls = [c for c in self.on_line(line, ast.Call) if self.resolve(c.func) == sdpa]
        mask = self.argument(calls[0], "attn_mask", 3) if len(calls) == 1 else None
        if mask is None:
            return None
        return Fix("Write `.bool()`", (self.append(mask, ".bool()"),), "shown")

    def gradients_left_out(self, _: int, function: str, given: int) -> tuple[str, Fix] | None:
        """The last arguments of the forward of an autograd function, to which its backward gives nothing,
        and a fix that returns None for them."""
        owners = [c for c in self.of(ast.ClassDef) if c.name == function]
        methods = {m.name: m for c in owners for m in c.body if isinstance(m, ast.FunctionDef)}
        forward, backward = methods.get("forward"), methods.get("backward")
        returns = self.below(backward, ast.Return) if backward is not None else []
        value = returns[0].value if len(returns) == 1 else None
        if len(owners) != 1 or forward is None or value is None or forward.args.vararg is not None:
            return None
        gives = value.elts if isinstance(value, ast.Tuple) else [value]
        if gives == [value] and isinstance(self.assigned(value), ast.Tuple | ast.List):
            return None
        left_out = [a.arg for a in forward.args.args[1 + given :]]
        if len(gives) != given or not left_out:
            return None
        text = ", None" * len(left_out)
        names = ", ".join(f"`{name}`" for name in left_out)
        return names, Fix("Give None for the rest", (self.append(gives[-1], text),), "shown")

    def leaving_out(self, line: int, path: str, label: int) -> Fix | None:
        """A fix that makes a loss, named by its path, leave a label out."""
        made = self.constructor(path, line) if path else None
        if made not in self.parent or self.argument(made, "ignore_index") is not None:
            return None
        return self.add_argument(made, f"ignore_index={label}", "Leave it out", "shown")

    def collated(self, line: int) -> tuple[str, Fix] | None:
        """The function of the file that is named after making a batch and is not used, and a fix that gives
        it to the one loader on a line, which has none."""
        named = [f for f in self.of(ast.FunctionDef) if COLLATES.search(f.name)]
        used = {n.id for n in self.of(ast.Name)} | {n.attr for n in self.of(ast.Attribute)}
        idle = [f for f in named if f.name not in used and len(f.args.args) == 1]
        made = {self._loader_made(n) for n in self.on_line(line, ast.Name)}
        calls = [each for each in made if each in self.parent]
        call = calls[0] if len(calls) == 1 else None
        if len(idle) != 1 or call is None or self.argument(call, "collate_fn", 6) is not None:
            return None
        name = idle[0].name
        return name, self.add_argument(call, f"collate_fn={name}", "Collate with it", "shown")

    def changed_by(
        self, line: int, held: tuple[str, ...], steppers: tuple[str, ...]
    ) -> tuple[ast.AST | None, bool]:
        """What changed one of these, held by modules, before a line: the last step of their optimizers,
        which is told, or the first change of an attribute so named."""
        changes = self.changes_before(line)
        ours = tuple(f"{name}.step" for name in steppers)
        steps = [n for n, t in changes if t is None and ours and self.text_of(n).startswith(ours)]
        if steps:
            return steps[-1], True
        own = {name.rpartition(".")[2] for name in held}
        return next((n for n, t in changes if getattr(t, "attr", "") in own), None), False

    def steps_of_others(self, line: int, steppers: tuple[str, ...]) -> bool:
        """Whether the function steps other optimizers alone after a line: what the backward there gives to
        the parameters of these is not wanted."""
        home, steps = self.function_on(line), self.steps_called
        after = [c for c in steps if c.lineno >= line and self.function_around(c) is home]
        ours = tuple(f"{name}.step" for name in steppers)
        return bool(after) and not any(self.text_of(c).startswith(ours) for c in after)

    def relettered(self, line: int, nth: int, letter: str, other: str) -> Fix | None:
        """A fix that writes another letter for a dimension of one operand of the einsum on a line."""
        texts = [n for n in self.on_line(line, ast.Constant) if isinstance(n.value, str)]
        equations = [n for n in texts if re.fullmatch(r"[\w, ]+->\w*", str(n.value))]
        if len(equations) != 1:
            return None
        left, _, right = str(equations[0].value).partition("->")
        groups = left.split(",")
        groups[nth] = groups[nth].replace(letter, other)
        text = self.text_of(equations[0])
        written = text.replace(str(equations[0].value), f"{','.join(groups)}->{right}")
        return Fix(f"Call it {other} there", (self.replace(equations[0], written),), "shown")


def _is_along_gradient(statement: ast.AST) -> bool:
    """`w -= rate * w.grad`."""
    return isinstance(statement, ast.AugAssign) and any(
        isinstance(n, ast.Attribute) and n.attr == "grad" for n in ast.walk(statement.value)
    )
