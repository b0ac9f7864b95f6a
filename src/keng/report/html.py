"""Pages that need nothing but a browser: one file each, light or dark as that is."""

from __future__ import annotations

from pathlib import Path

TEMPLATES = Path(__file__).with_name("templates")


def filled(template: str, **values: object) -> str:
    """A template with these values in it, escaped. jinja2, which torch itself requires, is imported
    only here."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES, "utf-8"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    return environment.get_template(template).render(**values)
