"""keng for coding agents.

server.py    the MCP server of `keng mcp`: tools and pages
child.py     a command of keng in a process of its own, and its JSON
findings.py  findings for a reader with a token budget: the sum first, then the worst
clients.py   the skill, and the configuration of the clients that read it
SKILL.md     when an agent should call what
"""
