import pandas as pd
import torch

readings = pd.DataFrame(
    {
        "time": ["2024-03-01 08:00", "2024-03-01 09:30", "2024-03-02 10:00", "2024-03-03 07:45"],
        "power": [1.5, 2.5, 2.0, 3.0],
    }
).set_index("time")


def windows(frame, rule, length):
    daily = frame.resample(rule).mean()
    values = torch.tensor(daily["power"].to_numpy())
    return values.unfold(0, length, 1)


print(windows(readings, "D", 2).shape)
