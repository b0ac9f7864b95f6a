import pandas as pd

customers = pd.DataFrame({"customer_id": [1, 2, 3], "city": ["Oslo", "Bergen", "Oslo"]})
orders = pd.DataFrame({"order": [10, 11, 12, 13], "customer": [1, 1, 3, 2], "total": [9.5, 3.0, 7.25, 1.0]})


def revenue_by_city(orders, customers):
    joined = orders.merge(customers, on="customer_id", how="left")
    return joined.groupby("city")["total"].sum()


print(revenue_by_city(orders, customers))
