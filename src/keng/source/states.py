"""The twelfth layer: what is saved, what is loaded, and what a model is wrapped in."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.source.devices import Devices
from keng.source.index import LOOPS
from keng.source.loops import Act, Loop, Step
from keng.source.values import Kind

PARALLEL = frozenset(
    [
        "torch.nn.DataParallel",
        "torch.nn.parallel.DataParallel",
        "torch.nn.parallel.DistributedDataParallel",
        "torch.nn.parallel.distributed.DistributedDataParallel",
    ]
)

ON_EVERY_WRAPPER = frozenset(
    """
    module forward device device_ids output_device dim gather scatter join logger no_sync
    process_group reducer replicate parallel_apply broadcast_buffers find_unused_parameters
    static_graph training train eval to cpu cuda half float double bfloat16 type apply parameters
    named_parameters buffers named_buffers children named_children modules named_modules state_dict
    load_state_dict zero_grad requires_grad_ register_buffer register_parameter register_module
    add_module get_submodule get_parameter register_forward_hook register_forward_pre_hook
    register_full_backward_hook extra_repr share_memory compile dump_patches
    """.split()
)
"""Names of a wrapper itself, or of every module."""

WEIGHTED = frozenset(
    f"torch.nn.{name}"
    for name in (
        "Linear Bilinear Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d Embedding "
        "BatchNorm1d BatchNorm2d BatchNorm3d LayerNorm GroupNorm LSTM GRU RNN MultiheadAttention "
        "PReLU TransformerEncoderLayer TransformerDecoderLayer"
    ).split()
)
"""Layers of torch.nn that always have parameters."""


class States(Devices):
    def wrapped_by(self, model: ast.expr) -> str:
        """The attribute under which the wrapper of a model holds it, "module" or "_orig_mod"; nothing
        where it is not known to be wrapped."""
        value = self.value_of(model)
        if value.dotted in PARALLEL:
            return "module"
        call = value.call
        compiled = call is not None and call in self.parent
        if compiled and value.kind is Kind.MODULE and self._compiles(call):
            return "_orig_mod"
        return ""

    def _compiles(self, call: ast.Call | None) -> bool:
        return call is not None and self.resolve(call.func) == "torch.compile"

    def inside(self, model: ast.expr) -> ast.expr | None:
        """The model that `nn.DataParallel(model)` and its kin wrap, as it is written there."""
        call = self.value_of(model).call
        if call is None or call not in self.parent or self.wrapped_by(model) != "module":
            return None
        return call.args[0] if call.args else None

    def loads_wrapped(self) -> bool:
        """Whether a state dict is loaded into a wrapped model in this file, whose own prefix it may
        have, or into one that is not known."""
        for call in self.method_calls("load_state_dict"):
            receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
            value = self.value_of(receiver)
            known = value.kind is not Kind.UNKNOWN and bool(value.dotted or value.definition)
            if receiver is not None and (self.wrapped_by(receiver) or not known):
                return True
        return False

    def saves(self) -> Iterator[tuple[ast.Call, list[ast.expr]]]:
        """Calls of torch.save, and what they save: one expression, or the values of a dict, which may
        have been given a name before."""
        for call in self.calls_to("torch.save"):
            given = self.argument(call, "obj", position=0)
            if given is not None:
                yield call, self._entries(given)

    def _entries(self, saved: ast.expr) -> list[ast.expr]:
        if isinstance(saved, ast.Name):
            found = self.reaching(saved)
            value = found[0].value if len(found) == 1 and not found[0].path else None
            if isinstance(value, ast.Dict) or (
                isinstance(value, ast.Call) and self.kind_of(saved) is Kind.UNKNOWN
            ):
                return self._entries(value)
        if isinstance(saved, ast.Dict):
            return saved.values
        if isinstance(saved, ast.Call) and self.resolve(saved.func) == "builtins.dict":
            return [keyword.value for keyword in saved.keywords]
        return [saved]

    def saved(self, node: ast.expr) -> bool:
        """Whether torch.save is given a value, by itself or in a dict."""
        return any(node is entry for _, entries in self.saves() for entry in entries)

    def loaded_state(self, call: ast.Call) -> bool:
        """Whether what torch.load gives is handed to `load_state_dict`, whole or an entry of it."""
        text, scope = "", self.function_around(call) or self.tree
        statement = self.statement(call)
        if isinstance(statement, ast.Assign) and statement.value is call:
            text = ast.unparse(statement.targets[0])
        for load in self.below(scope, ast.Call):
            if not isinstance(load.func, ast.Attribute) or load.func.attr != "load_state_dict":
                continue
            given = load.args[0] if load.args else None
            while isinstance(given, ast.Subscript):
                given = given.value
            if given is call or (given is not None and text and ast.unparse(given) == text):
                return True
        return False

    def reads_all(self, load: ast.Call) -> bool:
        """Whether a torch.load takes every class, or may do so."""
        flag = self.argument(load, "weights_only")
        return flag is not None and not self.is_constant(flag, True)

    def parsed_arguments(self, node: ast.expr) -> bool:
        """Whether a value is the Namespace that `parse_args()` gives."""
        if not isinstance(node, ast.Name):
            return False
        ways = [b.value for b in self.reaching(node) if b.how == "assign" and not b.path]
        return bool(ways) and all(
            isinstance(way, ast.Call)
            and isinstance(way.func, ast.Attribute)
            and way.func.attr == "parse_args"
            for way in ways
        )

    def mapped_elsewhere(self, load: ast.Call) -> bool:
        """Whether the other arm of an `if` around a torch.load says where to load to."""
        return any(
            self._exclusive(load, other) and self.argument(other, "map_location", 1) is not None
            for other in self.calls_to("torch.load")
        )

    def picked_by_hand(self, state: ast.expr | None) -> bool:
        """Whether a state dict was put together here: picked from another by an `if`, or filled."""
        ways: list[ast.AST | None] = [state]
        if isinstance(state, ast.Name):
            ways = [binding.value for binding in self.reaching(state)]
        picked = [
            w for w in ways if isinstance(w, ast.DictComp) and any(p.ifs for p in w.generators)
        ]
        filled = [w for w in ways if isinstance(w, ast.Dict) and not w.keys]
        return bool(picked or filled) or any(map(self._matched, ways))

    def _matched(self, made: ast.AST | None) -> bool:
        """Whether a function was given a state dict of a model to match another against."""
        given = made.args if isinstance(made, ast.Call) and len(made.args) > 1 else []
        names = [arg.func for arg in given if isinstance(arg, ast.Call)]
        return any(isinstance(f, ast.Attribute) and f.attr == "state_dict" for f in names)

    def text_constant(self, node: ast.AST | None) -> str:
        """The text of a string literal."""
        constant = isinstance(node, ast.Constant) and isinstance(node.value, str)
        return str(node.value) if constant and isinstance(node, ast.Constant) else ""

    def attributes_of_wrapped(self) -> Iterator[ast.Attribute]:
        """Reads of `model.name` where the model is in a DataParallel or DistributedDataParallel and the
        name is one that its class gives it, and no wrapper has."""
        for node in self.of(ast.Attribute):
            if not isinstance(node.ctx, ast.Load) or node.attr in ON_EVERY_WRAPPER:
                continue
            inner = self.inside(node.value)
            owner = self.value_of(inner).definition if inner is not None else None
            if owner is None or not isinstance(owner.node, ast.ClassDef) or self._asked(node):
                continue
            given = node.attr in owner.code.attributes(owner.node)
            if given or owner.code.member(owner.node, [node.attr]) is not None:
                yield node

    def _asked(self, node: ast.Attribute) -> bool:
        """Whether a `hasattr` or `isinstance` around a node asks what the object is."""
        tests = [
            above.test for above in self.ancestors(node) if isinstance(above, (ast.If, ast.IfExp))
        ]
        calls = [call for test in tests for call in ast.walk(test) if isinstance(call, ast.Call)]
        names = {self.resolve(call.func) for call in calls}
        return bool(names & {"builtins.hasattr", "builtins.isinstance"}) or self.probed(node)

    def scheduled_first(self, loop: Loop) -> Iterator[tuple[ast.Call, ast.stmt]]:
        """Scheduler steps that every round of a loop takes before its optimizer steps, and none has been
        taken before; with the statement of the loop after which they belong."""
        schedules = [s for s in loop.steps if s.act in (Act.SCHEDULE, Act.STEP)]
        first = schedules[0] if schedules else None
        if first is None or first.act is not Act.SCHEDULE or first.via is not first.call:
            return
        call, steps = first.call, [s for s in schedules if s.act is Act.STEP]
        if not isinstance(call, ast.Call) or call.args or call.keywords or not steps:
            return
        around = self.parent[self.parent[call]] if isinstance(self.parent[call], ast.Expr) else None
        known = isinstance(call.func, ast.Attribute) and self.value_of(call.func.value)
        if around is not loop.node or not known or known.kind is not Kind.SCHEDULER:
            return
        if not self._stepped_before(loop):
            last = steps[-1].via
            yield call, next(s for s in loop.node.body if self.within(last, s))

    def _stepped_before(self, loop: Loop) -> bool:
        """Whether something in the function of a loop takes a step before it."""
        scope = self.function_around(loop.node) or self.tree
        return any(
            (self.function_around(call) or self.tree) is scope
            for call in self.method_calls("step")
            if self.position(call) < self.position(loop.node)
        )

    def samplers_over_epochs(self) -> Iterator[tuple[ast.Call, str, Loop]]:
        """DistributedSamplers of loaders that are gone through once in each round of a training loop,
        where the whole project never says `set_epoch`: the call, its name, and that loop."""
        if self.project.says(b"set_epoch", self.me):
            return
        for made in self.calls_to("torch.utils.data.DistributedSampler"):
            sampler = self._assigned_to(made)
            for call in self.calls_to("torch.utils.data.DataLoader") if sampler else ():
                given, loader = self.argument(call, "sampler", 4), self._assigned_to(call)
                if given is None or not loader or ast.unparse(given) != sampler:
                    continue
                epochs = [loop for loop in self.training_loops if self._goes_through(loop, loader)]
                around = [o for loop in epochs for o in self.loops if loop in o.inner]
                if around:
                    yield made, sampler, around[0]

    def _goes_through(self, loop: Loop, loader: str) -> bool:
        names = ast.walk(loop.node.iter) if not isinstance(loop.node, ast.While) else ()
        return any(isinstance(n, ast.expr) and ast.unparse(n) == loader for n in names)

    def _assigned_to(self, call: ast.Call) -> str:
        """The name or attribute that a call's result is given to."""
        above = self.parent[call]
        if isinstance(above, ast.Assign) and len(above.targets) == 1:
            target = above.targets[0]
            return ast.unparse(target) if isinstance(target, (ast.Name, ast.Attribute)) else ""
        return ""

    def counter(self, loop: Loop) -> str:
        """The name that counts the rounds of a loop over a range."""
        node = loop.node
        if isinstance(node, ast.While) or not isinstance(node.target, ast.Name):
            return ""
        counts = (
            isinstance(node.iter, ast.Call) and self.resolve(node.iter.func) == "builtins.range"
        )
        return node.target.id if counts else ""

    def scaled_loops(self) -> list[Loop]:
        """Training loops that call backward on what a GradScaler has scaled."""
        return [
            loop for loop in self.training_loops if any(map(self._scaled, loop.all(Act.BACKWARD)))
        ]

    def _scaled(self, step: Step) -> bool:
        match step.call:
            case ast.Call(
                func=ast.Attribute(value=ast.Call(func=ast.Attribute(attr="scale") as made))
            ):
                scaler = step.code.kind_of(made.value) is Kind.SCALER
                return scaler and step.code is self.me and step.via is step.call
        return False

    def scaler_steps(self, loop: Loop) -> list[ast.Call]:
        """The `scaler.step(optimizer)` calls of a loop; in another file or function they count too."""
        return [
            step.call
            for step in loop.all(Act.STEP)
            if isinstance(step.call, ast.Call)
            and isinstance(step.call.func, ast.Attribute)
            and (step.call.args or step.code is not self.me)
        ]

    def alternatives(self, one: ast.AST, other: ast.AST) -> bool:
        """Whether only one of two nodes of a file runs."""
        return other not in self.parent or self._exclusive(one, other)

    def called_model(self, step: Step) -> ast.expr | None:
        """The model that a forward step of this file calls, where it is one with parts."""
        if not isinstance(step.call, ast.Call) or step.call not in self.parent:
            return None
        value = self.value_of(step.call.func)
        layer = value.dotted.startswith("torch.nn.") and value.dotted != "torch.nn.Sequential"
        return None if value.kind is not Kind.MODULE or layer else step.call.func

    def left_in_eval(self, step: Step) -> ast.Call | None:
        """The call that leaves the model of a forward step in eval mode at the end of a round of one of
        the loops around, where nothing in that round switches it to training mode before the step."""
        model = self.called_model(step)
        if model is None or step.via is not step.call:
            return None
        text, here = ast.unparse(model), self.position(step.call)
        scope = self.function_around(step.call)
        for loop in [a for a in self.ancestors(step.call) if isinstance(a, LOOPS)]:
            if self.function_around(loop) is not scope:
                break
            calls = [c for c in self.below(loop, ast.Call) if self.function_around(c) is scope]
            modes = [(c, mode) for c in calls if (mode := self._mode_after(c, text, 2))]
            if any(self.position(c) < here for c, _ in modes):
                break
            if modes and modes[-1][1] == "eval" and not self._leaves(modes[-1][0], loop):
                return modes[-1][0]
        return None

    def _leaves(self, node: ast.AST, loop: ast.AST) -> bool:
        """Whether the block of a node ends the loop."""
        for above in self.ancestors(node):
            if above is loop:
                return False
            last = getattr(above, "body", [None])
            if isinstance(last, list) and isinstance(last[-1], (ast.Break, ast.Return)):
                return True
        return False

    def accumulates(self, loop: Loop) -> ast.expr | None:
        """How many rounds of a loop one optimizer step is taken for: `k` where all steps and all
        clearing of gradients stand under `if (i + 1) % k == 0`."""
        acts = [s for s in loop.steps if s.act in (Act.STEP, Act.ZERO_GRAD)]
        tests = {self._test_of(s.via, loop) for s in acts}
        test = tests.pop() if len(tests) == 1 else None
        if test is None or not loop.has(Act.ZERO_GRAD) or loop.has(Act.OPAQUE):
            return None
        for node in ast.walk(test.test):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
                inner = [n for n in ast.walk(test) if isinstance(n, (ast.Attribute, ast.Name))]
                by_hand = any(getattr(n, "attr", getattr(n, "id", "")) == "grad" for n in inner)
                divided = any(isinstance(n, ast.AugAssign) for n in ast.walk(test))
                return None if by_hand and divided else node.right
        return None

    def _test_of(self, node: ast.AST, loop: Loop) -> ast.If | None:
        """The `if` of a loop's own body that a node stands under."""
        for above in self.ancestors(node):
            if isinstance(above, ast.If) and self.parent.get(above) is loop.node:
                return above
        return None

    def undivided(self, step: Step) -> ast.Name | None:
        """The name that backward is called on, where it is a mean that was never divided."""
        call = step.call
        if not isinstance(call, ast.Call) or step.via is not call:
            return None
        named = self.lost(call)
        whole = call.func.value if isinstance(call.func, ast.Attribute) else None
        if isinstance(whole, ast.Call) and whole.args:
            whole = whole.args[0]
        if len(named) != 1 or named[0] is not whole or self._under_if(call):
            return None
        return named[0] if self._a_mean(named[0]) else None

    def _under_if(self, node: ast.AST) -> bool:
        for above in self.ancestors(node):
            if isinstance(above, LOOPS):
                return False
            if isinstance(above, ast.If):
                return True
        return False

    def _a_mean(self, name: ast.Name) -> bool:
        """Whether a name is known to hold a mean loss of torch, as it came."""
        ways = self.reaching(name)
        if not ways or any(b.how != "assign" or b.path for b in ways):
            return False
        return all(isinstance(b.value, ast.Call) and self._mean_loss(b.value) for b in ways)

    def _mean_loss(self, call: ast.Call) -> bool:
        made = self.value_of(call)
        if not self.is_scalar(call) or made.call is None:
            return False
        if made.dotted in ("torch.Tensor.mean", "torch.mean"):
            return True
        maker = self.value_of(call.func).call or call
        choices = [k for c in {call, maker} for k in c.keywords if k.arg in ("reduction", "reduce")]
        return made.dotted.startswith("torch.nn.") and not choices

    def layers_after_optimizer(self) -> Iterator[tuple[ast.Call, str, ast.expr]]:
        """Layers with parameters that are put into a model after an optimizer took its parameters, in
        the same function and for good: the optimizer's call, the model, and the attribute."""
        for target in self.of(ast.Attribute):
            above = self.parent[target]
            if not isinstance(above, ast.Assign) or target not in above.targets:
                continue
            model, layer = ast.unparse(target.value), self.value_of(above.value)
            scope = self.function_around(target) or self.tree
            if layer.dotted not in WEIGHTED or self._mentions(above.value, target):
                continue
            made = list(self._optimizers_of(model, scope))
            late = any(self.position(c) > self.position(target) for c in made)
            if not made or late or any(self.method_calls("add_param_group")):
                continue
            if not self._replaced_between(target.value, made[-1], target):
                yield made[-1], model, target

    def _optimizers_of(self, model: str, scope: ast.AST) -> Iterator[ast.Call]:
        for call in self.below(scope, ast.Call):
            if self.value_of(call).kind is not Kind.OPTIMIZER or not call.args:
                continue
            same = (self.function_around(call) or self.tree) is scope
            if same and ast.unparse(call.args[0]) == f"{model}.parameters()":
                yield call

    def _mentions(self, value: ast.expr, target: ast.expr) -> bool:
        text = ast.unparse(target)
        return any(isinstance(n, ast.expr) and ast.unparse(n) == text for n in ast.walk(value))

    def _replaced_between(self, model: ast.expr, made: ast.AST, target: ast.AST) -> bool:
        """Whether a model became another one between two places, or they stand on different ways."""
        if not isinstance(model, ast.Name) or self._exclusive(made, target):
            return True
        first, last = self.position(made), self.position(target)
        return any(first < self.position(b.node) < last for b in self.bindings(model))

    def byte_masks(self) -> Iterator[tuple[ast.Subscript, ast.expr, ast.Call]]:
        """Tensors that are indexed with a mask of bytes, or with its inverse: the index, the mask, and
        the `.byte()` or ByteTensor that made it; the first use of each."""
        seen: set[ast.Call] = set()
        for node in self.of(ast.Subscript):
            mask = node.slice.operand if isinstance(node.slice, ast.UnaryOp) else node.slice
            made = self._bytes_made_by(mask) if self.kind_of(node.value) is Kind.TENSOR else None
            if made is not None and made not in seen:
                seen.add(made)
                yield node, mask, made

    def _bytes_made_by(self, mask: ast.expr) -> ast.Call | None:
        ways: list[ast.AST | None] = [mask]
        if isinstance(mask, ast.Name):
            ways = [b.value if not b.path else None for b in self.reaching(mask)]
        only = ways[0] if len(ways) == 1 else None
        if not isinstance(only, ast.Call):
            return None
        method = isinstance(only.func, ast.Attribute) and only.func.attr == "byte"
        if method and isinstance(only.func, ast.Attribute):
            return only if self.kind_of(only.func.value) is Kind.TENSOR else None
        return only if self.resolve(only.func) == "torch.ByteTensor" else None

    def resumes_from(self, save: ast.Call) -> set[str]:
        """The keys of checkpoints that this file reads outside of a `load_state_dict`: "epoch"."""
        loads = {self._assigned_to(call) for call in self.calls_to("torch.load")} - {""}
        return {
            self.text_constant(node.slice)
            for node in self.of(ast.Subscript)
            if isinstance(node.ctx, ast.Load) and ast.unparse(node.value) in loads
        } & self.saved_keys(save)

    def saved_keys(self, save: ast.Call) -> set[str]:
        """The keys of the dict that torch.save is given; with "" where it has others."""
        given = self.argument(save, "obj", position=0)
        if isinstance(given, ast.Name):
            ways = self.reaching(given)
            given = ways[0].value if len(ways) == 1 and not ways[0].path else None
        if not isinstance(given, ast.Dict):
            return set()
        return {self.text_constant(key) for key in given.keys}

    def saves_state_of(self, entries: list[ast.expr], kind: Kind) -> bool:
        """Whether one of the saved values is, or may be, the state dict of a thing of this kind."""
        for entry in entries:
            owner = entry.func if isinstance(entry, ast.Call) else None
            known = self.kind_of(owner.value) if isinstance(owner, ast.Attribute) else Kind.UNKNOWN
            text = ast.unparse(entry).lower()
            if known is kind or (known is Kind.UNKNOWN and "opt" in text):
                return True
        return False

    def carrying_optimizers(self) -> Iterator[ast.Call]:
        """Optimizers that have a memory of earlier steps: running averages or momentum."""
        for call in self.of(ast.Call):
            if self.resolve(call.func).startswith("torch.optim.") and self.carries_on(call):
                memory = "SGD" not in self.resolve(call.func) or self.argument(call, "momentum", 2)
                if memory:
                    yield call

    def under_with(self, node: ast.AST, dotted: str) -> bool:
        """Whether a node stands in a `with` of this call."""
        for above in self.ancestors(node):
            if isinstance(above, ast.With):
                calls = [
                    i.context_expr for i in above.items if isinstance(i.context_expr, ast.Call)
                ]
                if any(self.resolve(call.func) == dotted for call in calls):
                    return True
        return False

    def seeds_by_name(self) -> bool:
        """Whether something that the file calls or imports is named for setting seeds, torch's own
        `manual_seed` apart."""
        for name, calls in self.calls_by_name.items():
            own = name.startswith("manual_seed")
            others = [c for c in calls if "manual_seed" not in self.resolve(c.func)]
            if "seed" in name and not own and others:
                return True
        return any(
            "seed" in alias.name and not alias.name.startswith("manual_seed")
            for node in self.of(ast.ImportFrom)
            for alias in node.names
        )
