told = " ".join(str(each.message) for each in said)
assert "epoch parameter" in told and "get_last_lr" in told
