"""Source code: the loss of the policy teaches the critic as well."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def critic_hears_the_policy(code: Code) -> Hits:
    for advantage, value in code.advantages_with_graph():
        text = code.text_of(advantage)
        says = f"`{text}` keeps the graph of `{value}`, and so the policy's loss changes the critic: `.detach()`"
        fix = Fix("Take the advantage as given", (code.append(advantage, ".detach()"),))
        yield code.hit(advantage, says, fix)
