"""The command line, one module per command. An engine is imported when its command is called."""
