assert features["user"] is not given["user"]
