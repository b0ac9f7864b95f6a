"""Why an exception was raised, read at the `raise` in the source: the guard, its values, who passed them.

It needs no list of messages and holds for any Python library and for the user's own code. Source is read with
`ast`; nothing of a program or a library is imported or called.
"""
