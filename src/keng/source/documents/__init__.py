"""Programs inside notebooks and Markdown."""
