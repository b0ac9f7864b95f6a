import io

import pandas as pd

CSV = """name,age,group
Ada,36,a
Alan,,b
Grace,45,a
"""
TYPES = {"name": "str", "age": "int64", "group": "category"}


def load(text):
    table = pd.read_csv(io.StringIO(text))
    return table.astype(TYPES)


people = load(CSV)
print(people.groupby("group", observed=True)["age"].mean())
