"""Formats that other programs read, one module each."""
