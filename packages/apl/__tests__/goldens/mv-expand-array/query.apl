print bag = dynamic({"a": 1, "b": "x"})
| mv-expand kind=array pair = bag
| project key = pair[0], value = pair[1]
