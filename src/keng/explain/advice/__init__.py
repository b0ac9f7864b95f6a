"""Advice that several pitfalls share."""
