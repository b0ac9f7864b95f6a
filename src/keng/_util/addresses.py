"""The project's addresses, from `[project.urls]` of pyproject.toml. They are empty until they are known."""

from __future__ import annotations


def documentation() -> str:
    """The address of the documentation, with a slash at its end; empty while there is none."""
    from importlib.metadata import PackageNotFoundError, metadata  # only editors and reports ask

    try:
        urls = metadata("keng").get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    for url in urls:
        label, _, address = str(url).partition(", ")
        if label == "Documentation":
            return f"{address.rstrip('/')}/"
    return ""
