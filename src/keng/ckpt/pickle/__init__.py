"""The pickle machine: reads a pickle into plain nodes and never imports or calls anything."""
