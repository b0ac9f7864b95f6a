"""The version of keng, for modules that must not import the package itself."""

VERSION = "0.1.0"
