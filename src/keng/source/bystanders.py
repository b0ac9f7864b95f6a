"""A layer of Code: models that take part in training and are not to learn: targets, teachers, backbones."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from keng.source.contexts import Grad
from keng.source.index import LOOPS, Function, Index
from keng.source.loops import Act, Loop_, Round
from keng.source.models import Models
from keng.source.names import Binding, Definition
from keng.source.values import MODULES, Kind

if TYPE_CHECKING:
    from keng.source.code import Code

CUTS = frozenset({"detach", "detach_", "data"})
SWITCHES = re.compile(r"eval|train|optim|infer", re.IGNORECASE)
"""In the names of calls that may put a model in another mode."""
FREEZES = ("requires_grad", "no_grad", "inference_mode", "detach")


class Bystanders(Models):
    def recorded_bystanders(self) -> Iterator[tuple[ast.Call, str]]:
        """Calls, with a graph, of models that no optimizer takes and nothing freezes, whose result enters
        a loss that goes backward in the same function: such that copy the weights of another, and such
        that are in eval mode and get the batches of the loop. The call and the model."""
        if not self.project.says(b"backward", self.path) or self.uses_framework():
            return
        copies, teachers = self._copies(), self._teachers()
        for call in self.of(ast.Call) if copies | teachers else ():
            name = ast.unparse(call.func)
            if name not in copies and not (name in teachers and self._gets_batch(call)):
                continue
            recorded = self.kind_of(call.func) is Kind.MODULE and self.grad_at(call) is Grad.ON
            enters = recorded and self._enters_loss(call) and self._others_called(call)
            if enters and not self._may_be_frozen(call.func):
                yield call, name

    def _others_called(self, call: ast.Call) -> bool:
        """Whether the body that calls a model calls another one: else the loss is that of the first."""
        body, name = self.body_around(call), ast.unparse(call.func)
        called = [c.func for c in self.below(body, ast.Call)]
        return any(self.kind_of(f) is Kind.MODULE and ast.unparse(f) != name for f in called)

    def _copies(self) -> set[str]:
        """The models, as text, that were given the weights of another one of the file."""
        found = set()
        for call in self.method_calls("load_state_dict"):
            match call.args:
                case [ast.Call(func=ast.Attribute(attr="state_dict", value=other))]:
                    if self.kind_of(other) in MODULES:
                        found.add(ast.unparse(self.me.receiver(call)))
        for copied in self.calls_to("copy.deepcopy"):
            assign = self.parent[copied]
            if isinstance(assign, ast.Assign) and self.kind_of(copied) in MODULES:
                found |= {ast.unparse(target) for target in assign.targets}
        return found | {ast.unparse(model) for model in self._averaged()}

    def _averaged(self) -> Iterator[ast.expr]:
        """The models whose parameters a loop takes from another's, where a function is given both:
        `for t, p in zip(target.parameters(), model.parameters()): t.data.copy_(...)`."""
        for call in self.method_calls("copy_"):
            written = self.me.receiver(call)
            name = written.value if isinstance(written, ast.Attribute) else written
            for binding in self.reaching(name) if isinstance(name, ast.Name) else ():
                model = _model_gone_through(binding)
                function = self.function_around(model) if model is not None else None
                if isinstance(model, ast.Name) and function is not None:
                    for code, each in self.callers(function):
                        given = code.passed(each, function, model.id) if code is self.me else None
                        yield from [given] if given is not None else []
                elif model is not None:
                    yield model

    def _teachers(self) -> set[str]:
        """The models, as text, that are in eval mode or loaded, and never in training mode."""
        trained = {ast.unparse(self.me.receiver(c)) for c in self.method_calls("train")}
        evaluated = {ast.unparse(self.me.receiver(c)) for c in self.method_calls("eval")}
        return evaluated - trained | self._loaded() - trained

    def _loaded(self) -> set[str]:
        """The models, as text, whose weights come from a file as they are."""
        loads = [c for c in self.method_calls("load_state_dict") if len(c.args) == 1]
        read = [c for c in loads if isinstance(c.args[0], ast.Call)]
        return {
            ast.unparse(self.me.receiver(c))
            for c in read
            if self.resolve(getattr(c.args[0], "func", None)) == "torch.load"
        }

    def _gets_batch(self, call: ast.Call) -> bool:
        """Whether a model is given what the training loop around it goes through."""
        loop = self.around(call, *LOOPS)
        if not isinstance(loop, ast.For) or len(call.args) != 1:
            return False
        return any(
            b.how == "for" and self.within(b.node, loop) for b in self._unmoved(call.args[0])
        )

    def _unmoved(self, node: ast.expr, depth: int = 2) -> Iterator[Binding]:
        """What binds a name, or binds what was moved to give it its value: `x = x.to(device)`."""
        for binding in self.reaching(node) if isinstance(node, ast.Name) and depth else ():
            value, path = binding.value, binding.path
            if path and isinstance(value, ast.Tuple) and path[0] < len(value.elts):
                value, path = value.elts[path[0]], path[1:]
            match value:
                case ast.Call(func=ast.Attribute(attr="to" | "cuda", value=inner)) if not path:
                    yield from self._unmoved(inner, depth - 1)
                case _:
                    yield binding

    def _may_be_frozen(self, model: ast.expr, depth: int = 3) -> bool:
        """Whether a model may be frozen, optimized or handed on, as far as the file, its class and those
        that call with it tell."""
        name, made = ast.unparse(model), self.value_of(model).definition
        if not depth or self._frozen_by_callers(model, depth - 1) or self._part_of_module(model):
            return True
        if made is None and not self.value_of(model).dotted.startswith("torch.nn."):
            return True
        if made is not None and _speaks_of_freezing(made):
            return True
        for call in self.method_calls("requires_grad_"):
            receiver = self.me.receiver(call)
            same = self.value_of(receiver).call is self.value_of(model).call
            if same or ast.unparse(receiver) == name:
                return True
        for call in self.of(ast.Call):
            if isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == name:
                if call.func.attr.endswith("parameters") and not self._only_copied(call):
                    return True
            elif any(ast.unparse(a) == name for a in call.args):
                function = self.definition(call.func)
                if function is None or _speaks_of_freezing(function):
                    return True
        return False

    def _frozen_by_callers(self, model: ast.expr, depth: int) -> bool:
        """Whether a model is an argument that nobody is seen to give, or that is frozen where it is."""
        for binding in self.reaching(model) if isinstance(model, ast.Name) else ():
            function = self.function_around(binding.node)
            if binding.how != "argument" or function is None:
                continue
            calls = self.callers(function)
            given = [(code, code.passed(call, function, binding.name)) for code, call in calls]
            if not given or any(g is None or c.me._may_be_frozen(g, depth) for c, g in given):
                return True
        return False

    def _part_of_module(self, model: ast.expr) -> bool:
        """Whether a model is an attribute of a module, whose parameters it shares."""
        owner = self.self_class(model.value) if isinstance(model, ast.Attribute) else None
        return owner is not None and self.kind_of_class(owner) in MODULES

    def _only_copied(self, parameters: ast.Call) -> bool:
        """Whether parameters are gone through by a loop in which nothing freezes them."""
        loop = self.around(parameters, ast.For)
        inside = loop is not None and self.within(parameters, loop.iter)
        return inside and loop is not None and not list(self._grad_switches(loop))

    def _enters_loss(self, call: ast.Call) -> bool:
        """Whether a backward of the same function goes through what a call gives, then a step is taken,
        and nothing cuts a graph on the way."""
        block = self.function_around(call) or self.around(call, *LOOPS)
        if block is None or not self.may_go_backward(block):
            return False
        steps = Round(self.me, cast("Loop_ | Function", block))
        backwards = [s.call for s in steps.own(Act.BACKWARD) if isinstance(s.call, ast.Call)]
        lost = [name for backward in backwards for name in self.lost(backward)]
        made = {self.statement(b.node) for name in lost for b, _ in self._made_from(name, 6)}
        shown = {name.id for name in lost}
        cut = [
            each
            for each in self.below(block, ast.Attribute)
            if each.attr in CUTS and ast.unparse(each.value) not in shown
        ]
        return steps.has(Act.STEP) and self.statement(call) in made and not cut

    # models that are only used

    def used_as_made(self) -> Iterator[ast.Call]:
        """Calls of models with trained weights, in a file that calls nothing to train or evaluate, whose
        layers act differently in training mode, in which they are made."""
        text = self.project.text(self.path)
        loads = any(word in text for word in (b"load_state_dict", b"weights", b"pretrained"))
        if not loads or any(map(SWITCHES.search, self.calls_by_name)):
            return
        if self.project.says(b"backward", self.path):
            return
        makers = self._makers_with_weights()
        for call in self.of(ast.Call) if makers else ():
            model = call.func
            if not isinstance(model, (ast.Name, ast.Attribute)) or self.module_around(call):
                continue
            made = self.value_of(model)
            used = made.kind is Kind.MODULE and made.call in makers
            if used and self.mode_layers(model) and not self.result_unused(call):
                yield call

    def _makers_with_weights(self) -> set[ast.Call]:
        """The calls of this file that make a model whose weights are loaded, or a published one with its."""
        loads = self.method_calls("load_state_dict")
        loaded = {self.value_of(self.me.receiver(load)).call for load in loads}
        makes = self.of(ast.Call) if self.project.says(b"torchvision", self.path) else ()
        return {call for call in loaded if call in self.parent} | set(
            filter(self._published, makes)
        )

    def _published(self, made: ast.Call) -> bool:
        """Whether a published model is made with its weights."""
        given = [k.value for k in made.keywords if k.arg in ("weights", "pretrained")]
        if not any(not isinstance(v, ast.Constant) or bool(v.value) for v in given):
            return False
        return self.resolve(made.func).startswith("torchvision.models.")

    # switches

    def imports_switching_off(self) -> Iterator[tuple[ast.stmt, str, int]]:
        """Imports, at the top of a file that goes backward, of files of the project that switch gradients
        off as they are read; with that file's name and the line."""
        switches = self.calls_to("torch.set_grad_enabled", "torch.enable_grad")
        backwards = [c for c in self.method_calls("backward") if not self.probed(c)]
        says = backwards and self.project.says(b"set_grad_enabled", self.path)
        if not says or any(True for _ in switches):
            return
        imports = [(each, [alias.name for alias in each.names]) for each in self.of(ast.Import)]
        parts = [(each, [each.module or ""]) for each in self.of(ast.ImportFrom) if not each.level]
        for statement, modules in (*imports, *parts):
            if self.function_around(statement) is not None:
                continue
            for there in [self._file_of(module) for module in modules]:
                call = there.switches_off_when_read() if there is not None else None
                if there is not None and call is not None:
                    yield statement, there.path.rpartition("/")[2], call.lineno

    def _file_of(self, module: str) -> Code | None:
        """The file of the project that a module is, where it can be read."""
        file = self.project.file_of(module, self.path) if module else None
        there = self.project.read(file) if file is not None and file != self.path else None
        return there.me if isinstance(there, Index) else None

    def switches_off_when_read(self) -> ast.Call | None:
        """The call at the top of this file that switches gradients off for good."""
        calls = list(self.calls_to("torch.set_grad_enabled"))
        top = [c for c in calls if self.parent[self.parent[c]] is self.tree]
        bare = [c for c in top if isinstance(self.parent[c], ast.Expr) and c.args]
        last = max(bare, key=self.position, default=None)
        return last if last is not None and self.is_constant(last.args[0], False) else None

    # backbones

    def woken_backbones(self) -> Iterator[tuple[ast.Call, str, set[str]]]:
        """Calls of `train()`, in training, on a model of the project that has a frozen part with batch
        norm, which they wake; the call, the part and its norms."""
        for call in self.method_calls("train"):
            if call.args and not self.is_constant(call.args[0], True):
                continue
            made, scope = self.value_of(self.me.receiver(call)), self.body_around(call)
            if made.kind is not Kind.MODULE or made.definition is None:
                continue
            later = [c for c in self.method_calls("eval", "apply") if self.body_around(c) is scope]
            again = any(self.position(c) > self.position(call) for c in later)
            trains = any(self.body_around(loop.node) is scope for loop in self.training_loops)
            if trains and not again:
                code = made.definition.code.me
                parts = code.frozen_parts(made.definition)
                yield from ((call, part, norms) for _, part, norms in parts)

    def frozen_as_made(self) -> Iterator[tuple[ast.AST, str, set[str]]]:
        """Where a module that is trained in this file freezes a part with batch norm, and nothing takes
        the module, or the part, out of the training mode that it is made in; the part and its norms.
        What copies another part may normalize by the batch as that does."""
        if any(True for _ in self.woken_backbones()):
            return
        evaluated = {ast.unparse(self.me.receiver(call)) for call in self.method_calls("eval")}
        followers = self._copies()
        trained = [Definition(self.me, c) for c in self.of(ast.ClassDef) if self._is_trained(c)]
        for model in trained:
            for where, part, norms in self.frozen_parts(model):
                put = any(each.endswith(f".{part}") for each in evaluated)
                if not put and f"self.{part}" not in followers:
                    yield where, part, norms

    def _is_trained(self, owner: ast.ClassDef) -> bool:
        """Whether a class is of a module that a loop of this file trains in the mode that it was made in,
        or a trainer of Lightning."""
        if self.uses_framework():
            return self.member(owner, ["training_step"]) is not None
        steps = [s for loop in self.training_loops for s in loop.all(Act.FORWARD)]
        for step in steps:
            model = self.called_model(step)
            made = self.value_of(model).definition
            if model is not None and made is not None and made.node is owner:
                return self.mode_at(model, step.call) in ("", "train")
        return False

    def frozen_parts(self, model: Definition) -> Iterator[tuple[ast.AST, str, set[str]]]:
        """The parts of a module of this file that its constructor freezes whole, with the batch norms in
        them, where the class neither overrides `train` nor puts anything in eval mode; and where."""
        owner = model.node
        if not isinstance(owner, ast.ClassDef) or self.method(model, "train") is not None:
            return
        if any(each.attr == "eval" for each in self.below(owner, ast.Attribute)):
            return
        for name, given in self.attributes(owner).items():
            layers = [self.mode_layers(value) for value, path in given if value and not path]
            norms = {layer for known in layers for layer in known or () if "BatchNorm" in layer}
            frozen = self._frozen_whole(owner, f"self.{name}") if norms else None
            if frozen is not None:
                yield frozen, name, norms

    def _frozen_whole(self, owner: ast.ClassDef, part: str) -> ast.AST | None:
        """Where a class freezes all parameters of a part, once, if none of it is thawed in the file."""
        found: list[tuple[ast.AST, bool]] = []
        for call in self.method_calls("requires_grad_"):
            if ast.unparse(self.me.receiver(call)) == part and self.within(call, owner):
                found.append((call, bool(call.args) and self.is_constant(call.args[0], False)))
        for loop, _ in self.parameter_loops():
            switches = list(self._grad_switches(loop))
            if ast.unparse(loop.iter) == f"{part}.parameters()" and self.within(loop, owner):
                bare = not any(isinstance(each, ast.If) for each in loop.body)
                named = [n for n in self.below(loop, ast.Attribute) if "requires_grad" in n.attr]
                where = self.statement(named[0]) if named else loop
                found.append((where, bare and switches == [False]))
        thawed = any(self._grad_switches(self.tree))
        return found[0][0] if [once for _, once in found] == [True] and not thawed else None


def _model_gone_through(binding: Binding) -> ast.expr | None:
    """The model whose parameters a loop goes through beside another's, as it binds a name to one."""
    match binding:
        case Binding(how="for", value=ast.Call(func=ast.Name(id="zip"), args=models), path=(at,)):
            match models[at] if at < len(models) else None:
                case ast.Call(func=ast.Attribute(attr="parameters", value=model)):
                    return model
    return None


def _speaks_of_freezing(found: Definition) -> bool:
    text = found.code.text_of(found.node)
    return any(word in text for word in FREEZES)
