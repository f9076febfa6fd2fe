print bag = dynamic({"a": 1, "b": [2]})
| mv-expand bag
