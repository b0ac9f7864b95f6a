"""Error messages: Transformers does not match the version of a model, of its code or of a package next to it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains
from keng.tables import libraries
from keng.tables.older_transformers import ARGUMENTS, BEFORE, INSTEAD

CACHE_MEMBERS = {
    "seen_tokens": "get_seq_length()",
    "get_max_length": "get_max_cache_shape()",
    "get_usable_length": "get_seq_length()",
    "key_cache": "layers[i].keys",
    "value_cache": "layers[i].values",
    "to_legacy_cache": "",
    "from_legacy_cache": "DynamicCache()",
}

TAKEN_AWAY = {"dispatch_batches", "even_batches", "use_seedable_sampler"}


@explains("said-by-the-code")
def said_by_the_code(failure: Failure) -> Hits:
    who, bound, version = (failure.groups[key] for key in ("who", "bound", "version"))
    wanted = f"transformers{BEFORE.get(bound, bound)}{version}"
    yield failure.hit(say("made-for-older", who=who, wanted=wanted))


@explains("argument-taken-away")
def argument_taken_away(failure: Failure) -> Hits:
    name = failure.groups["name"]
    instead = ARGUMENTS[name]
    renamed = say("argument-removed", name=name, instead=instead)
    yield failure.hit(renamed if instead else say("argument-without-effect", name=name))


@explains("taken-away")
def taken_away(failure: Failure) -> Hits:
    who, name = failure.groups["who"], failure.groups["name"]
    advice = say("use-matching-revision")
    says = say("name-removed", name=name, who=who, advice=advice)
    if name in INSTEAD:
        says = say("name-replaced", name=name, who=who, instead=INSTEAD[name], advice=advice)
    yield failure.hit(says)


@explains("repeated-twice")
def repeated_twice(failure: Failure) -> Hits:
    rows, there = int(failure.groups["rows"]), int(failure.groups["there"])
    beams = there // max(rows, 1)
    searches = any("beam" in frame.function + frame.text for frame in failure.frames)
    if searches and beams > 1 and there == rows * beams and rows % beams == 0:
        yield failure.hit(say("repeated-twice", beams=beams))


@explains("not-finished")
def not_finished(failure: Failure) -> Hits:
    yield failure.hit(
        say("post-init-missing", who=failure.groups["who"], advice=say("use-matching-revision"))
    )


@explains("not-inherited")
def not_inherited(failure: Failure) -> Hits:
    yield failure.hit(
        say(
            "generation-mixin-missing",
            who=failure.groups["who"],
            advice=say("use-matching-revision"),
        )
    )


@explains("type-not-known")
def type_not_known(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    version = libraries.version_that_knows(kind)
    asked = failure.kind != "KeyError" or failure.passed_through(
        "/transformers/models/auto/configuration_auto.py"
    )
    if version and asked:
        yield failure.hit(say("type-came-later", kind=kind, version=version))
    elif asked:
        yield failure.hit(say("type-unknown", kind=kind))


@explains("tokenizer-not-known")
def tokenizer_not_known(failure: Failure) -> Hits:
    name = failure.groups["name"]
    change = libraries.of_name("transformers", name)
    if name == "LLaMATokenizer":
        yield failure.hit(say("tokenizer-class-misspelt"))
    elif change is not None and change.came:
        yield failure.hit(say("tokenizer-came-later", name=name, version=change.came))


@explains("positions-not-known")
def positions_not_known(failure: Failure) -> Hits:
    kind = failure.groups.get("kind")
    says = say("positions-unknown")
    if kind == "llama3":
        says = say("llama3-positions")
    elif kind:
        says = say("positions-of-kind", kind=kind)
    yield failure.hit(says)


@explains("cache-member-removed")
def cache_member_removed(failure: Failure) -> Hits:
    what = failure.groups["what"]
    instead = CACHE_MEMBERS[what]
    replaced = say("cache-member-replaced", name=what, instead=instead)
    yield failure.hit(replaced if instead else say("cache-itself", name=what))


@explains("out-of-its-range")
def out_of_its_range(failure: Failure) -> Hits:
    wanted, has = failure.groups["wanted"], failure.groups["has"]
    known = say("outside-its-range", wanted=wanted, has=has)
    yield failure.hit(known if has else say("another-installed", wanted=wanted))


@explains("saved-by-a-newer")
def saved_by_a_newer(failure: Failure) -> Hits:
    names, kind = failure.groups["names"], failure.groups["kind"]
    yield failure.hit(say("adapter-was-saved-newer", kind=names, kind_2=kind))


@explains("beside-an-older")
def beside_an_older(failure: Failure) -> Hits:
    name, came, wants = (failure.groups[key] for key in ("name", "came", "wants"))
    yield failure.hit(say("peft-takes-from-on", came=name, wants=wants, came_2=came))


@explains("packed-otherwise")
def packed_otherwise(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    yield failure.hit(say("not-bitsandbytes-installed-pip", kind=name, kind_2=kind))


@explains("argument-of-another-version")
def argument_of_another_version(failure: Failure) -> Hits:
    name = failure.groups["name"]
    if name == "logging_dir":
        if "Accelerator." in failure.message or failure.contains("ccelerat"):
            yield failure.hit(say("logging-dir-removed"))
    elif name in TAKEN_AWAY:
        yield failure.hit(say("argument-removed-in-1-0", name=name))
    else:
        yield failure.hit(say("accelerate-older-than-caller", name=name))


@explains("missing-or-too-old")
def missing_or_too_old(failure: Failure) -> Hits:
    version = failure.groups["version"]
    known = say("accelerate-too-old", version=version)
    yield failure.hit(known if version else say("accelerate-missing"))
