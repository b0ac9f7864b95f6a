"""What a program does with an object after the call that made it, through names, attributes and calls."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple, cast

from keng.source.calls import Calls
from keng.source.classes import Classes
from keng.source.names import Names
from keng.source.project.trees import Trees
from keng.source.tree import FUNCTIONS, Definition, Function, Tree
from keng.source.types.infer import Types
from keng.source.types.tables import MODULE_CHAIN

FARTHEST = 300
"""Places that one object is followed to."""
MANY_FILES = 12
"""Files that read an attribute of one name. In more of them the name says little about one object."""
READS = frozenset(
    """
    print len isinstance issubclass type str repr id hasattr callable bool trange info debug warning log next
    """.split()
)
"""Functions that read what they are given, and keep none of it."""
PLAIN_BASES = frozenset({"builtins.object", "abc.ABC", "torch.nn.Module", "typing.Generic"})
"""Classes outside the project whose methods use no attribute that they do not set."""
ITERATION = "for"
"""What a loop reads of what it goes through."""
CALL = "()"
"""What a call of the object itself reads."""
WRAPPERS = frozenset({"iter", "enumerate", "zip", "tqdm", "islice", "cycle", "track"})
"""Functions that go through what they are given."""
FETCHES = frozenset({"getattr", "attrgetter", "methodcaller"})
LEADS_BACK = frozenset({"sampler", "batch_sampler"})
"""Attributes by which a holder gives what it was given."""
Path = tuple[int, ...]


class Read(NamedTuple):
    """An attribute of an object that is read, a call of it, a loop through it, or a function that cannot be
    followed and is given it."""

    attribute: str
    tree: Tree
    node: ast.expr


class Uses(NamedTuple):
    """What is read of an object and of what holds it, and whether it also goes where it cannot be followed,
    where anything may be done to it."""

    reads: tuple[Read, ...]
    escapes: bool

    @property
    def attributes(self) -> set[str]:
        return {read.attribute for read in self.reads}


class Objects:
    def __init__(self, tree: Tree, trees: Trees) -> None:
        self.tree = tree
        self.trees = trees
        self._known: dict[tuple[ast.Call, tuple[str, ...]], Uses] = {}

    def of(self, tree: Tree) -> Objects:
        """The same subject of another file."""
        return self if tree is self.tree else self.trees.ask(Objects, tree)

    def uses(self, made: ast.Call, *holders: str) -> Uses:
        """The uses of what a call gives, and of what the calls of some holders make that are given it:
        `DataLoader` of a sampler."""
        if (made, holders) not in self._known:
            walk = _Walk(self.trees, holders)
            walk.follow(self.tree, made, ())
            self._known[made, holders] = Uses(tuple(walk.reads), walk.escapes)
        return self._known[made, holders]


class _Walk:
    """One object on its way through the program. `path` is where a tuple holds it."""

    def __init__(self, trees: Trees, holders: tuple[str, ...]) -> None:
        self.trees = trees
        self.holders = holders
        self.reads: list[Read] = []
        self.escapes = False
        self._seen: set[tuple[ast.AST, Path]] = set()

    def follow(self, tree: Tree, node: ast.expr, path: Path) -> None:
        """Goes from an expression that gives the object to what is done with it there."""
        if (node, path) in self._seen:
            return
        self._seen.add((node, path))
        if len(self._seen) > FARTHEST:
            self.escapes = True
            return
        above = tree.parent[node]
        match above:
            case ast.Attribute(attr=attribute) if not path:
                self._read(tree, above, attribute)
            case ast.Attribute():
                self.escapes = True
            case ast.Assign(value=value, targets=targets) if value is node:
                for target in targets:
                    self._bound(tree, target, path)
            case ast.AnnAssign(target=target) | ast.NamedExpr(target=target):
                self._bound(tree, target, path)
                if isinstance(above, ast.NamedExpr):
                    self.follow(tree, above, path)
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                self.follow(tree, cast(ast.expr, above), (elements.index(node), *path))
            case ast.Subscript(value=value, slice=ast.Constant(value=int() as at)) if value is node:
                if path[:1] == (at,):
                    self.follow(tree, above, path[1:])
                self.escapes |= not path  # a part of the object
            case ast.Return():
                self._returned(tree, above, path)
            case ast.Call(func=function) if function is node and not path:
                self.reads.append(Read(CALL, tree, above))
            case ast.Call():
                self._given(tree, above, node, path)
            case ast.keyword():
                self._given(tree, cast(ast.Call, tree.parent[above]), node, path)
            case ast.IfExp(test=test) | ast.If(test=test) | ast.While(test=test) if test is node:
                return
            case ast.IfExp() | ast.BoolOp():
                self.follow(tree, above, path)
            case ast.Compare() | ast.UnaryOp() | ast.Assert() | ast.Expr() | ast.FormattedValue():
                return
            case ast.For(iter=each) | ast.comprehension(iter=each) if each is node and not path:
                self.reads.append(Read(ITERATION, tree, node))
            case ast.Delete():
                return
            case _:
                self.escapes = True

    def _read(self, tree: Tree, node: ast.Attribute, attribute: str) -> None:
        self.reads.append(Read(attribute, tree, node))
        call = tree.parent[node]
        if attribute in LEADS_BACK:
            self.follow(tree, node, ())
        elif attribute in MODULE_CHAIN and isinstance(call, ast.Call):
            self.follow(tree, call, ())  # `net.to(device)` is the network

    def _bound(self, tree: Tree, target: ast.expr, path: Path) -> None:
        match target:
            case ast.Name():
                self._named(tree, target, path)
            case ast.Attribute(value=owner, attr=name) if self._is_plain_self(tree, owner):
                self._kept(tree, owner, name, path)
            case ast.Tuple(elts=elements) | ast.List(elts=elements) if path:
                starred = any(isinstance(each, ast.Starred) for each in elements)
                if starred or path[0] >= len(elements):
                    self.escapes = True
                else:
                    self._bound(tree, elements[path[0]], path[1:])
            case _:
                self.escapes = True

    def _is_plain_self(self, tree: Tree, owner: ast.expr) -> bool:
        """Whether an expression is the `self` of a class whose methods are all in the project or nn.Module's:
        the methods of other bases may use what is put on it."""
        classes = self.trees.ask(Classes, tree)
        class_ = classes.self_class(owner)
        if class_ is None:
            return False
        for each in classes.mro(class_):
            bases = each.node.bases if isinstance(each.node, ast.ClassDef) else []
            own = self.trees.ask(Classes, each.tree)
            names = self.trees.ask(Names, each.tree)
            known = [own.named(base) or names.resolve(base) in PLAIN_BASES for base in bases]
            if not all(known):
                return False
        return True

    def _named(self, tree: Tree, name: ast.Name, path: Path) -> None:
        """Follows all reads of a name, whichever binding they mean."""
        names = self.trees.ask(Names, tree)
        scope = names.lookup(name)
        if scope is None or self._is_imported(tree, scope.node, name.id):
            self.escapes = True
            return
        for each in tree.names_by_id[name.id]:
            if isinstance(each.ctx, ast.Load) and names.lookup(each) is scope:
                self.follow(tree, each, path)

    def _is_imported(self, tree: Tree, scope: ast.AST, name: str) -> bool:
        """Whether another file may take a name of the module from this one."""
        if not isinstance(scope, ast.Module):
            return False
        last, word = re.escape(tree.module.rpartition(".")[2]), re.escape(name)
        taken = rf"\b{last}\s+import\b[^\n]*(\b{word}\b|\*|\()|\b{last}\.{word}\b"
        says = re.compile(taken.encode())
        others = (f for f in self.trees.members if f != tree.path)
        return any(says.search(self.trees.files.text(file)) for file in others)

    def _kept(self, tree: Tree, owner: ast.expr, name: str, path: Path) -> None:
        """Follows all reads of an attribute of that name in the project, without those of a `self` of another
        class."""
        class_ = self.trees.ask(Classes, tree).self_class(owner)
        heirs = self.trees.files_of_subclasses(class_.name) if class_ is not None else []
        says = rf"(?<!\bself)\.{re.escape(name)}\b|\w\([^()\n]*[\"']{re.escape(name)}[\"']"
        word = re.compile(says.encode())
        members = self.trees.members
        found = [f for f in members if f in heirs or word.search(self.trees.files.text(f))]
        others = [f for f in found if f != tree.path]
        self.escapes |= len(others) > MANY_FILES
        for each in (tree, *map(self.trees.read, others[:MANY_FILES])):
            if isinstance(each, Tree):
                self.escapes |= _fetches(each, name)
                for attribute in each.attributes_by_name.get(name, ()):
                    ours = self._may_be_of(each, attribute.value, class_)
                    if ours and isinstance(attribute.ctx, ast.Load):
                        self.follow(each, attribute, path)

    def _may_be_of(self, tree: Tree, holder: ast.expr, class_: ast.ClassDef | None) -> bool:
        """Whether an expression may be an object of a class: no `self` of one that is no kin of it."""
        classes = self.trees.ask(Classes, tree)
        other = classes.self_class(holder)
        if other is None or class_ is None:
            return True
        home = self.trees.home_of(class_)
        above = self.trees.ask(Classes, home).mro(class_) if home is not None else []
        down = any(each.node is class_ for each in classes.mro(other))
        return down or any(each.node is other for each in above)

    def _returned(self, tree: Tree, statement: ast.Return, path: Path) -> None:
        function = tree.enclosing_function(statement)
        types = self.trees.ask(Types, tree)
        if function is None or types.has_many_callers(function) or function.decorator_list:
            self.escapes = True
            return
        calls = list(types.callers(function))
        self.escapes |= not calls or self._is_passed_on(tree, function, calls)
        for home, call in calls:
            self.follow(home, call, path)

    def _is_passed_on(
        self, tree: Tree, function: Function, calls: list[tuple[Tree, ast.Call]]
    ) -> bool:
        """Whether a function is also named where nothing calls it."""
        called = {call.func for _, call in calls}
        named = [*tree.names_by_id.get(function.name, ())]
        named_so = [*tree.attributes_by_name.get(function.name, ())]
        return any(each not in called for each in (*named, *named_so))

    def _given(self, tree: Tree, call: ast.Call, node: ast.expr, path: Path) -> None:
        """Follows an argument into the function of the project that takes it."""
        dotted = self.trees.ask(Names, tree).resolve(call.func)
        last = dotted.rpartition(".")[2] or _last(call)
        if last in READS:
            return
        if last in self.holders or last in WRAPPERS:
            self.follow(tree, call, ())
            return
        if not path and _is_iterated(tree, call):  # `for batch in logger.log_every(loader)`
            self.reads.append(Read(ITERATION, tree, call))
            return
        if last == "prepare" and isinstance(call.func, ast.Attribute) and node in call.args:
            alone = len(call.args) == 1
            self.follow(tree, call, path if alone else (call.args.index(node), *path))
            return
        types = self.trees.ask(Types, tree)
        found = types.definition(call.func) or types.resolve_function(call)
        parameter = self._parameter(tree, found, call, node) if found is not None else None
        if found is None or parameter is None:
            self.reads.append(Read(last, tree, node))
            self.escapes = True
            return
        home, binding = parameter
        self._named_argument(home, binding, path)

    def _parameter(
        self, tree: Tree, found: Definition, call: ast.Call, node: ast.expr
    ) -> tuple[Tree, ast.arg] | None:
        """The parameter that an argument is bound to."""
        if isinstance(found.node, ast.ClassDef):
            init = self.trees.ask(Classes, found.tree).method(found, "__init__")
            if init is None:
                return None
            found = init
        if not isinstance(found.node, FUNCTIONS):
            return None
        calls = self.trees.ask(Calls, tree)
        function = found.node
        every = [*found.tree.parameters(function), *function.args.kwonlyargs]
        for each in every:
            if calls.bound_argument(call, function, each.arg) is node:
                return found.tree, each
        return None

    def _named_argument(self, tree: Tree, argument: ast.arg, path: Path) -> None:
        names = self.trees.ask(Names, tree)
        for each in tree.names_by_id.get(argument.arg, ()):
            scope = names.lookup(each) if isinstance(each.ctx, ast.Load) else None
            bound = scope.bindings.get(each.id, []) if scope is not None else []
            if any(binding.node is argument for binding in bound):
                self.follow(tree, each, path)


def _is_iterated(tree: Tree, call: ast.expr) -> bool:
    """Whether a loop goes through what a call gives, wrapped in `enumerate` perhaps."""
    above = tree.parent[call]
    while isinstance(above, ast.Call) and _last(above) in WRAPPERS:
        call, above = above, tree.parent[above]
    return isinstance(above, (ast.For, ast.comprehension)) and above.iter is call


def _last(call: ast.Call) -> str:
    """The last part of the name of what is called."""
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def _fetches(tree: Tree, name: str) -> bool:
    """Whether a file asks for an attribute by a text: `getattr(self, "scheduler")`."""
    texts = [each for each in tree.nodes(ast.Constant) if each.value == name]
    above = [tree.parent[each] for each in texts]
    return any(isinstance(each, ast.Call) and _last(each) in FETCHES for each in above)
