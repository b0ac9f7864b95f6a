"""Source code: features are chosen by the labels of samples that are tested on later."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.splits import BY_LENGTHS, BY_ROWS, TO_TRAIN

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


@finds
def learnt_from_all(code: Code) -> Hits:
    for place, name, part, sure in _fitted_before_split(code):
        if sure:
            yield code.hit(place, say("reads-labels-split-off", part=name, part_2=part))
        else:
            says = say("computed-over-well-split", part=name, part_2=part)
            yield code.hit(place, says, sure=False)
    for fit, name in _fitted_in_class_of_parts(code):
        says = say("computed-over-well-split", part=name, part_2=code.text_of(fit.args[0]))
        yield code.hit(fit, says, sure=False)


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


def _fitted_before_split(code: Code) -> Iterator[tuple[ast.expr, str, str, bool]]:
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
                yield fit, name, held.name, sure


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
    match node:
        case ast.BinOp(left=ast.BinOp(left=ast.Name() as whole, op=ast.Sub(), right=by)):
            least = (code.flow.assigned_value(by) or by) if isinstance(by, ast.Name) else by
        case _:
            return None
    if not isinstance(least, ast.Call) or not isinstance(node.op, ast.Div):
        return None
    if code.calls.attribute_name(least.func) not in ALONG_SAMPLES:
        return None
    method = isinstance(least.func, ast.Attribute) and not code.names.resolve(least.func)
    of = code.tree.receiver(least) if method else next(iter(least.args), None)
    given = [k.value for k in least.keywords if k.arg in ("dim", "axis")]
    given += least.args[0 if method else 1 :]
    along = [*given[0].elts[:1]] if given and isinstance(given[0], ast.Tuple) else given[:1]
    known = all(code.flow.number(each) == 0 for each in along)
    return least if known and of is not None and code.splits.holds_the_same(of, whole) else None
