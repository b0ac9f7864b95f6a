"""Whose advice an explanation prints: that of its message, or of the page where the message has none."""

from __future__ import annotations

import pytest

from keng.cli.main import main
from keng.explain.engine import explain_text

WITH = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)"
WITHOUT = "TypeError: backward() got an unexpected keyword argument 'retain_variables'"


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")


def test_the_page_does_not_advise_where_the_message_does(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert ". " in explain_text(WITH).diagnoses[0].hit.says
    main(["explain", WITH])
    assert "what to do" not in capsys.readouterr().out


def test_the_page_advises_where_the_message_does_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert ". " not in explain_text(WITHOUT).diagnoses[0].hit.says
    main(["explain", WITHOUT])
    assert "what to do: " in capsys.readouterr().out
