assert sorted(numbers) == sorted(2 * list(range(8)))
