"""A layer of Code: what is held out of data for a test, and what the data went through before that."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from keng.source.names import Binding
from keng.source.spreads import Spreads
from keng.source.values import Kind

if TYPE_CHECKING:
    from keng.source.code import Code

HELD_OUT = re.compile(
    r"(?:^|_|^[xy])(?:testing|test|validation|valid|val|eval|hold_?out)(?=_|[xy]?$|\d|set|data|ds)"
)
"""How a part is named that no training is to see: `X_test`, `val_set`."""
TO_TRAIN = re.compile(r"(?:^|_|^[xy])(?:train|training)(?=_|[xy]?$|\d|set|data|ds|val)")
BY_ROWS = "sklearn.model_selection.train_test_split"
BY_LENGTHS = "torch.utils.data.random_split"
SUBSET = "torch.utils.data.Subset"
KEEPS_SAMPLES = frozenset(
    "astype float double to copy to_numpy numpy reshape view toarray todense clone detach cpu contiguous "
    "unsqueeze squeeze".split()
)
"""Methods that leave the samples what they are."""
OVER_SAMPLES = frozenset(
    [
        *(
            "asarray array ascontiguousarray log log1p exp sqrt nan_to_num clip float32 stack".split()
        ),
        *(
            "tensor as_tensor from_numpy FloatTensor Tensor TensorDataset DataFrame list zip".split()
        ),
    ]
)
"""Functions of numpy's, torch's, pandas' and Python's of which the same is true."""
LIBRARIES = ("numpy.", "torch.", "pandas.", "builtins.")
FARTHEST_BACK = 14
READS_LABELS = re.compile(
    r"(?:sklearn\.feature_selection\.(?:\w+\.)?(?:Select(?:KBest|Percentile|Fpr|Fdr|Fwe|FromModel)|"
    r"GenericUnivariateSelect|RFE|RFECV|SequentialFeatureSelector)|"
    r"sklearn\.discriminant_analysis\.LinearDiscriminantAnalysis|"
    r"sklearn\.neighbors\.NeighborhoodComponentsAnalysis|"
    r"imblearn\.(?:over_sampling|combine)\.(?:\w+\.)?\w+|"
    r"category_encoders\.(?:\w+\.)?(?:Target|LeaveOneOut|JamesStein|MEstimate|CatBoost|WOE|GLMM)Encoder)$"
)
"""What chooses, makes or encodes samples by their labels."""
READS_SAMPLES = re.compile(
    r"sklearn\.(?:preprocessing\.(?:\w+\.)?(?:StandardScaler|MinMaxScaler|RobustScaler|MaxAbsScaler|"
    r"PowerTransformer|QuantileTransformer|KBinsDiscretizer|TargetEncoder)|"
    r"decomposition\.(?:\w+\.)?[A-Z]\w+|impute\.(?:\w+\.)?[A-Z]\w+|"
    r"feature_extraction\.text\.TfidfVectorizer|feature_selection\.VarianceThreshold)$"
)
ALONG_SAMPLES = ("mean", "min", "median", "amin")


class HeldOut(NamedTuple):
    """A part of data that is kept for a test: the data as a whole, the name of the part, and what takes
    it out."""

    whole: tuple[ast.expr, ...]
    name: str
    by: ast.expr


class Parting(Spreads):
    def fitted_before_split(self) -> Iterator[tuple[ast.expr, str, str, bool]]:
        """What is fitted on data of which a part is held out behind that: the place, what is fitted or
        computed, the part, and whether it reads labels and fits nothing else than that data."""
        told: set[ast.AST] = set()
        for held in self.held_out():
            sources = [s for whole in held.whole for s in self.sources(whole)]
            if any(code.me._is_for_training(node) for code, node in sources):
                continue
            for code, node in sources:
                fit, name, sure = code.me._fitted(node)
                if fit is not None and fit not in told and code is self.me:
                    told.add(fit)
                    yield fit, name, held.name, sure

    def held_out(self) -> Iterator[HeldOut]:
        """The parts of data that are split off for a test, or cut off beside one for training."""
        for call in self.calls_to(BY_ROWS, BY_LENGTHS):
            for name in filter(self._is_for_tests, self.names_of_parts(call)):
                given = call.args if self.resolve(call.func) == BY_ROWS else call.args[:1]
                yield HeldOut(tuple(given), name, call)
                break
        trained = [taken for _, taken in self._taken_by_rows(TO_TRAIN)]
        for name, (whole, by) in self._taken_by_rows(HELD_OUT):
            text = ast.unparse(whole)
            if any(
                ast.unparse(other) == text and self.body_around(place) is self.body_around(by)
                for other, place in trained
            ):
                yield HeldOut((whole,), name, by)

    def _is_for_tests(self, part: str) -> bool:
        """Whether a part is named for tests, or split again so that parts of it are."""
        again = [
            call
            for call in self.calls_to(BY_ROWS, BY_LENGTHS)
            if call.args and getattr(call.args[0], "id", "") == part
        ]
        return is_held_out(part) or any(
            is_held_out(name)
            for call in (again if not TO_TRAIN.search(part.lower()) else ())
            for name in self.names_of_parts(call)
        )

    def names_of_parts(self, call: ast.Call) -> list[str]:
        """The names that the parts of a split get, where it stands or where a function returns them."""
        above = self.parent[call]
        if isinstance(above, ast.Return) and (function := self.function_around(call)) is not None:
            calls = [(c.me, each) for c, each in self.callers(function)]
            return [name for c, each in calls for name in c._names_unpacked(c.parent[each])]
        return self._names_unpacked(above)

    def _names_unpacked(self, assigned: ast.AST) -> list[str]:
        target = assigned.targets[0] if isinstance(assigned, ast.Assign) else None
        parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else []
        return [p.id if isinstance(p, ast.Name) else getattr(p, "attr", "") for p in parts]

    def _taken_by_rows(
        self, named: re.Pattern[str]
    ) -> Iterator[tuple[str, tuple[ast.expr, ast.expr]]]:
        """Rows that are taken out of data for what has such a name: that, the data and the place."""
        for assigned in self.of(ast.Assign):
            target, value = assigned.targets[0], assigned.value
            pairs = [(target, value)]
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs = list(zip(target.elts, value.elts, strict=False))
            for each, given in pairs:
                if isinstance(each, ast.Name) and named.search(each.id.lower()):
                    for taken in (given, *self.below(given, ast.Subscript, ast.Call)):
                        if (whole := self.taken_from(taken)) is not None:
                            yield each.id, (whole, taken)

    def taken_from(self, node: ast.AST) -> ast.expr | None:
        """The data of which some rows are taken: `X[n:]`, `X.iloc[test_rows]`, `Subset(data, rows)`."""
        if isinstance(node, ast.Call):
            return node.args[0] if self.resolve(node.func) == SUBSET and node.args else None
        if not isinstance(node, ast.Subscript) or not _names_rows(node.slice):
            return None
        whole = node.value
        located = isinstance(whole, ast.Attribute) and whole.attr in ("iloc", "loc")
        return whole.value if located and isinstance(whole, ast.Attribute) else whole

    def sources(
        self, node: ast.expr, depth: int = FARTHEST_BACK
    ) -> Iterator[tuple[Code, ast.expr]]:
        """What samples were before, the last first: through names, conversions, data sets made of them,
        what was fitted on them, and functions of the project; up to where they are a part of others."""
        if depth:
            yield self.me, node
            for code, before in self._made_of(node):
                yield from code.me.sources(before, depth - 1)

    def _made_of(self, node: ast.expr) -> Iterator[tuple[Code, ast.expr]]:
        match node:
            case ast.Name():
                found = [b for b in self.reaching(node) if b.how != "augment"]
                yield from self._bound_from(found[0]) if len(found) == 1 else ()
            case ast.Subscript() if not _names_rows(node.slice):
                yield self.me, node.value
            case ast.Attribute(attr="values", value=inner) | ast.BinOp(left=inner):
                yield self.me, inner
            case ast.Call():
                yield from self._call_made_of(node)

    def _call_made_of(self, call: ast.Call) -> Iterator[tuple[Code, ast.expr]]:
        name, dotted = self.written_name(call.func), self.resolve(call.func)
        if isinstance(call.func, ast.Attribute) and not dotted:
            if name in ("fit_transform", "fit_resample", "transform"):
                yield from ((self.me, each) for each in call.args[:1])
            elif name in KEEPS_SAMPLES:
                yield self.me, call.func.value
        elif dotted.startswith(LIBRARIES):
            last = dotted.rpartition(".")[2]
            yield from ((self.me, each) for each in call.args if last in OVER_SAMPLES)
        elif self.kind_of(call) is Kind.DATASET:
            yield from ((self.me, each) for each in call.args)
        elif (runs := self.what_runs(call)) is not None:
            yield from ((runs.code, each) for each in runs.code.returns(runs.node))

    def _bound_from(self, binding: Binding) -> Iterator[tuple[Code, ast.expr]]:
        """What a name was given by an assignment, or an argument by the only call of its function."""
        value, path = binding.value, binding.path
        if binding.how == "argument":
            given = list(self.given_by_callers(binding.node))
            yield from (
                (code, each) for code, each in given if each is not None and len(given) == 1
            )
        if binding.how != "assign" or value is None:
            return
        runs = self.what_runs(value) if isinstance(value, ast.Call) and path else None
        ways = [(self.me, value)]
        if runs is not None:
            ways = [(runs.code, each) for each in runs.code.returns(runs.node)]
        for code, way in ways:
            inside = isinstance(way, ast.Tuple) and len(path) == 1 and path[0] < len(way.elts)
            yield code, way.elts[path[0]] if inside and isinstance(way, ast.Tuple) else way

    def _is_for_training(self, node: ast.expr) -> bool:
        """Whether samples are a part of others already, or are named for training."""
        if isinstance(node, ast.Name):
            return TO_TRAIN.search(node.id.lower()) is not None
        split = isinstance(node, ast.Call) and self.resolve(node.func) in (BY_ROWS, BY_LENGTHS)
        return split or self.taken_from(node) is not None

    def _fitted(self, node: ast.expr) -> tuple[ast.expr | None, str, bool]:
        """The call or formula that learns from all the samples which a value is made of, its name, and
        whether it learns from their labels."""
        if (call := self._fit_for(node)) is not None:
            made = self._estimator(self.me.receiver(call))
            dotted, name = self.resolve(made.func) if made is not None else "", ""
            name = dotted.rpartition(".")[2]
            labelled = READS_LABELS.match(dotted) is not None and self._chooses(made, call)
            if labelled or READS_SAMPLES.match(dotted):
                return call, name, labelled and not self._fits_others(call)
        elif (formula := self._centred(node)) is not None:
            return node, ast.unparse(formula), False
        return None, "", False

    def _fit_for(self, node: ast.expr) -> ast.Call | None:
        """The call of `fit` or the like by which a value was made of the same samples."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return None
        name, owner = node.func.attr, node.func.value
        if name in ("fit_transform", "fit_resample"):
            return node
        if name != "transform" or not node.args:
            return None
        fits = [owner] if isinstance(owner, ast.Call) else list(self.method_calls("fit"))
        for fit in fits:
            if self.written_name(fit.func) != "fit" or not fit.args:
                continue
            same = fit is owner or self._holds_the_same(self.me.receiver(fit), owner)
            if same and self._holds_the_same(fit.args[0], node.args[0]):
                return fit
        return None

    def _holds_the_same(self, one: ast.expr, other: ast.expr) -> bool:
        """Whether two names, in one body, were given one value."""
        if not isinstance(one, ast.Name) or not isinstance(other, ast.Name) or one.id != other.id:
            return False
        if self.body_around(one) is not self.body_around(other):
            return False
        return [b.node for b in self.reaching(one)] == [b.node for b in self.reaching(other)]

    def _estimator(self, node: ast.expr) -> ast.Call | None:
        made = self.assigned(node) if isinstance(node, ast.Name) else node
        return made if isinstance(made, ast.Call) else None

    def _chooses(self, made: ast.Call | None, fit: ast.Call) -> bool:
        """Whether a fit is given labels, and not asked to take all there is."""
        given = {k.arg: k.value for k in made.keywords} if made is not None else {}
        whole = self.me.text_constant(given.get("k")) == "all" or "prefit" in given
        return self.argument(fit, "y", 1) is not None and not whole

    def _fits_others(self, fit: ast.Call) -> bool:
        """Whether what is fitted transforms other samples as well, which are the test then."""
        owner = self.me.receiver(fit)
        return isinstance(owner, ast.Name) and any(
            self._holds_the_same(self.me.receiver(call), owner)
            and bool(call.args)
            and ast.unparse(call.args[0]) != ast.unparse(fit.args[0])
            for call in self.method_calls("transform")
        )

    def _centred(self, node: ast.expr) -> ast.expr | None:
        """The mean of `(X - X.mean(0)) / X.std(0)`, or the least, over all samples and none by itself."""
        match node:
            case ast.BinOp(left=ast.BinOp(left=ast.Name() as whole, op=ast.Sub(), right=by)):
                least = (self.assigned(by) or by) if isinstance(by, ast.Name) else by
            case _:
                return None
        if not isinstance(least, ast.Call) or not isinstance(node.op, ast.Div):
            return None
        if self.written_name(least.func) not in ALONG_SAMPLES:
            return None
        method = isinstance(least.func, ast.Attribute) and not self.resolve(least.func)
        of = self.me.receiver(least) if method else next(iter(least.args), None)
        given = [k.value for k in least.keywords if k.arg in ("dim", "axis")]
        given += least.args[0 if method else 1 :]
        along = [*given[0].elts[:1]] if given and isinstance(given[0], ast.Tuple) else given[:1]
        known = all(self.me.number(each) == 0 for each in along)
        return least if known and of is not None and self._holds_the_same(of, whole) else None


def is_held_out(name: str) -> bool:
    return HELD_OUT.search(name.lower()) is not None


def _names_rows(index: ast.expr) -> bool:
    """Whether an index is of some rows: no column by name, no single row, no whole column."""
    if isinstance(index, ast.Tuple):
        index = index.elts[0] if index.elts else index
        return not (isinstance(index, ast.Slice) and not (index.lower or index.upper))
    if isinstance(index, ast.Slice):
        return bool(index.lower or index.upper)
    return not isinstance(index, (ast.Constant, ast.List, ast.UnaryOp))
