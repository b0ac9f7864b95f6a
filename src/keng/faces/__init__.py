"""Where people meet keng. Arguments and glue; an engine is imported when its command is called."""
