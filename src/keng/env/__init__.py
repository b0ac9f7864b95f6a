"""Checks the machine: drivers, libraries, packages, limits. Changes nothing except in `cleanup.remove`."""
