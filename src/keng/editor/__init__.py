"""The language server: diagnostics, fixes and pages for editors."""
