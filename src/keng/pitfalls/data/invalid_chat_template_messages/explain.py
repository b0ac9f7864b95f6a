"""Error messages: a conversation does not suit the template of the tokenizer."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("messages-of-another-form")
def messages_of_another_form(failure: Failure) -> Hits:
    what, name = failure.groups["what"], failure.groups["name"]
    if what == "str":
        yield failure.hit(say("message-is-a-text", name=name))
    else:
        yield failure.hit(say("message-has-other-keys", name=name))


@explains("content-of-parts")
def content_of_parts(failure: Failure) -> Hits:
    if failure.passed_through("chat_template_utils.py") or failure.passed_through("<template>"):
        yield failure.hit(say("content-is-a-list", what=failure.groups["what"]))
