"""Source code: features are chosen by the labels of samples that are tested on later."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.model import Edit, Fix, Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.splits import BY_LENGTHS, BY_ROWS, TO_TRAIN, HeldOut
from keng.source.tree import names_in

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
STATISTICS = frozenset([*ALONG_SAMPLES, "std", "var", "max", "amax"])


@finds
def learnt_from_all(code: Code) -> Hits:
    for place, name, held, sure in _fitted_before_split(code):
        if sure:
            yield code.hit(place, say("reads-labels-split-off", part=name, part_2=held.name))
        else:
            says = say("computed-over-well-split", part=name, part_2=held.name)
            fix = _computed_over_training(code, place, held)
            yield code.hit(place, says, fix=fix, sure=False)
    yield from _centred_by_all(code)
    for fit, name in _fitted_in_class_of_parts(code):
        says = say("computed-over-well-split", part=name, part_2=code.text_of(fit.args[0]))
        yield code.hit(fit, says, sure=False)


def _centred_by_all(code: Code) -> Hits:
    """Parts that are held out, centred by the mean of all the samples they were taken from."""
    for held in code.splits.held_out:
        for formula in _formulas_of(code, held.name):
            least = _least(code, formula)
            of = _samples_of(code, least) if least is not None else None
            if least is not None and of is not None and _is_of(code, of, held):
                says = say("computed-over-part", part=ast.unparse(least), part_2=held.name)
                fix = _computed_over_training(code, formula, held)
                yield code.hit(formula, says, fix=fix, sure=False)


def _formulas_of(code: Code, part: str) -> Iterator[ast.BinOp]:
    """The formulas `(part - a) / b`."""
    for name in code.tree.names_by_id.get(part, []):
        inner = code.tree.parent[name]
        if not isinstance(inner, ast.BinOp) or inner.left is not name:
            continue
        outer = code.tree.parent[inner]
        if isinstance(outer, ast.BinOp) and outer.left is inner:
            yield outer


def _is_of(code: Code, samples: ast.expr, held: HeldOut) -> bool:
    return any(code.splits.holds_the_same(samples, whole) for whole in held.whole)


def _computed_over_training(code: Code, formula: ast.expr, held: HeldOut) -> Fix | None:
    """A fix that computes the statistics of a formula over the rows before those that are held out,
    where these are the last ones: `X[:split].mean(0)`. What is centred apart has to share them."""
    match held.by:
        case ast.Subscript(
            value=ast.Name() as whole,
            slice=ast.Slice(lower=ast.expr() as cut, upper=None, step=None),
        ):
            pass
        case _:
            return None
    samples = [s for call in _statistics_in(code, formula) if (s := _samples_of(code, call))]
    direct = code.flow.assigned_value(whole) is formula
    shared = not any(isinstance(inner, ast.Call) for inner in ast.walk(formula))
    apart = shared and all(_is_of(code, each, held) for each in samples)
    if not samples or not (direct or apart):
        return None
    first = min(samples, key=code.tree.position)
    moved = _bound_before(code, cut, first)
    if moved is None:
        return None
    text = code.text_of(cut)
    over = [code.edits.append(each, f"[:{text}]") for each in samples]
    return Fix(say("compute-over-training", part=held.name), (*moved, *over))


def _statistics_in(code: Code, formula: ast.expr) -> Iterator[ast.Call]:
    """The statistics of a formula, those in the values of its names as well."""
    names = [n for n in ast.walk(formula) if isinstance(n, ast.Name)]
    values = [formula, *(v for n in names if (v := code.flow.assigned_value(n)) is not None)]
    for call in (n for value in values for n in ast.walk(value) if isinstance(n, ast.Call)):
        if code.calls.attribute_name(call.func) in STATISTICS:
            yield call


def _bound_before(code: Code, cut: ast.expr, place: ast.expr) -> tuple[Edit, ...] | None:
    """The edits after which a place can use an expression that is evaluated later: none, or those that
    move the assignment of its name up. None where neither is so."""
    if not isinstance(cut, ast.Name):
        return None if names_in(cut) else ()
    found = code.flow.reaching_definitions(cut)
    made = code.statement(found[0].node) if len(found) == 1 else None
    if made is None or code.tree.enclosing_body(made) is not code.tree.enclosing_body(place):
        return None
    here = code.statement(place)
    if code.tree.position(made) < code.tree.position(here):
        return ()
    _, behind = code.flow.siblings(here, code.tree.parent[here])
    if not isinstance(made, ast.Assign) or made not in behind or made.lineno != made.end_lineno:
        return None
    between = [here, *behind[: behind.index(made)]]
    if any(
        code.tree.bound_in(each) & names_in(made) or names_in(each) & {cut.id} for each in between
    ):
        return None
    above = code.edits.new_line_before(here, code.text_of(made))
    if above is None or not code.edits.starts_line(made) or code.edits.followed(made):
        return None
    start, stop = (code.source.offset(n, 0) for n in (made.lineno, made.lineno + 1))
    return above, Edit(start, stop, "")


def _fitted_in_class_of_parts(code: Code) -> Iterator[tuple[ast.Call, str]]:
    """The fits on all rows in classes that hold the training or the test part of them, by an argument."""
    for fit in code.calls.method_calls("fit", "fit_transform"):
        owner = code.tree.enclosing_class(fit)
        made = _estimator(code, code.tree.receiver(fit))
        if owner is None or made is None or not fit.args:
            continue
        dotted = code.names.resolve(made.func)
        if (
            READS_SAMPLES.match(dotted)
            and _cut_in_two(code, owner)
            and _is_whole(code, fit.args[0])
        ):
            yield fit, dotted.rpartition(".")[2]


def _cut_in_two(code: Code, owner: ast.ClassDef) -> bool:
    """Whether a class slices its rows at one place, and takes a part by a word: `period == "train"`."""
    words = [c for c in code.below(owner, ast.Compare) if _names_part(c)]
    slices = [s for s in code.below(owner, ast.Slice) if s.step is None]
    ends = {ast.unparse(s.upper) for s in slices if s.lower is None and s.upper is not None}
    starts = {ast.unparse(s.lower) for s in slices if s.upper is None and s.lower is not None}
    return bool(words) and bool(ends & starts)


def _names_part(compare: ast.Compare) -> bool:
    sides = [compare.left, *compare.comparators]
    return any(isinstance(s, ast.Constant) and s.value in ("train", "test", "val") for s in sides)


def _is_whole(code: Code, node: ast.expr) -> bool:
    """Whether data are neither a slice of others nor named for training."""
    value = code.flow.assigned_value(node) or node
    names = (ast.unparse(node).lower(), ast.unparse(value).lower())
    return not isinstance(value, ast.Subscript) and not any("train" in name for name in names)


def _fitted_before_split(code: Code) -> Iterator[tuple[ast.expr, str, HeldOut, bool]]:
    """What is fitted on data of which a part is held out behind that: the place, what is fitted or
    computed, the part, and whether it reads labels and fits nothing else than that data."""
    told: set[ast.AST] = set()
    for held in code.splits.held_out:
        sources = [s for whole in held.whole for s in code.splits.sources(whole)]
        if any(_is_for_training(code.at(tree), node) for tree, node in sources):
            continue
        for tree, node in sources:
            fit, name, sure = _fitted(code.at(tree), node)
            if fit is not None and fit not in told and tree is code.tree:
                told.add(fit)
                yield fit, name, held, sure


def _is_for_training(code: Code, node: ast.expr) -> bool:
    """Whether samples are a part of others already, or are named for training."""
    if isinstance(node, ast.Name):
        return TO_TRAIN.search(node.id.lower()) is not None
    split = isinstance(node, ast.Call) and code.names.resolve(node.func) in (BY_ROWS, BY_LENGTHS)
    return split or code.splits.taken_from(node) is not None


def _fitted(code: Code, node: ast.expr) -> tuple[ast.expr | None, str, bool]:
    """The call or formula that learns from all the samples which a value is made of, its name, and
    whether it learns from their labels."""
    if (call := _fit_for(code, node)) is not None:
        made = _estimator(code, code.tree.receiver(call))
        dotted, name = code.names.resolve(made.func) if made is not None else "", ""
        name = dotted.rpartition(".")[2]
        labelled = READS_LABELS.match(dotted) is not None and _chooses(code, made, call)
        if labelled or READS_SAMPLES.match(dotted):
            return call, name, labelled and not _fits_others(code, call)
    elif (formula := _centred(code, node)) is not None:
        return node, ast.unparse(formula), False
    return None, "", False


def _fit_for(code: Code, node: ast.expr) -> ast.Call | None:
    """The call of `fit` or the like by which a value was made of the same samples."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    name, owner = node.func.attr, node.func.value
    if name in ("fit_transform", "fit_resample"):
        return node
    if name != "transform" or not node.args:
        return None
    fits = [owner] if isinstance(owner, ast.Call) else list(code.calls.method_calls("fit"))
    for fit in fits:
        if code.calls.attribute_name(fit.func) != "fit" or not fit.args:
            continue
        same = fit is owner or code.splits.holds_the_same(code.tree.receiver(fit), owner)
        if same and code.splits.holds_the_same(fit.args[0], node.args[0]):
            return fit
    return None


def _estimator(code: Code, node: ast.expr) -> ast.Call | None:
    made = code.flow.assigned_value(node) if isinstance(node, ast.Name) else node
    return made if isinstance(made, ast.Call) else None


def _chooses(code: Code, made: ast.Call | None, fit: ast.Call) -> bool:
    """Whether a fit is given labels, and not asked to take all there is."""
    given = {k.arg: k.value for k in made.keywords} if made is not None else {}
    whole = code.flow.text_constant(given.get("k")) == "all" or "prefit" in given
    return code.calls.argument(fit, "y", 1) is not None and not whole


def _fits_others(code: Code, fit: ast.Call) -> bool:
    """Whether what is fitted transforms other samples as well, which are the test then."""
    owner = code.tree.receiver(fit)
    return isinstance(owner, ast.Name) and any(
        code.splits.holds_the_same(code.tree.receiver(call), owner)
        and bool(call.args)
        and ast.unparse(call.args[0]) != ast.unparse(fit.args[0])
        for call in code.calls.method_calls("transform")
    )


def _centred(code: Code, node: ast.expr) -> ast.expr | None:
    """The mean of `(X - X.mean(0)) / X.std(0)`, or the least, over all samples and none by itself."""
    least = _least(code, node)
    of = _samples_of(code, least) if least is not None else None
    match node:
        case ast.BinOp(left=ast.BinOp(left=ast.Name() as whole)) if of is not None:
            return least if code.splits.holds_the_same(of, whole) else None
    return None


def _least(code: Code, node: ast.expr) -> ast.Call | None:
    """What `(x - X.mean(0)) / X.std(0)` subtracts: a statistic over all samples."""
    match node:
        case ast.BinOp(left=ast.BinOp(op=ast.Sub(), right=by), op=ast.Div()):
            least = (code.flow.assigned_value(by) or by) if isinstance(by, ast.Name) else by
        case _:
            return None
    if not isinstance(least, ast.Call):
        return None
    return least if code.calls.attribute_name(least.func) in ALONG_SAMPLES else None


def _samples_of(code: Code, statistic: ast.Call) -> ast.expr | None:
    """The samples that a statistic is computed over; None where it is one of each sample by itself."""
    method = isinstance(statistic.func, ast.Attribute) and not code.names.resolve(statistic.func)
    of = code.tree.receiver(statistic) if method else next(iter(statistic.args), None)
    given = [k.value for k in statistic.keywords if k.arg in ("dim", "axis")]
    given += statistic.args[0 if method else 1 :]
    along = [*given[0].elts[:1]] if given and isinstance(given[0], ast.Tuple) else given[:1]
    return of if all(code.flow.number(each) == 0 for each in along) else None
