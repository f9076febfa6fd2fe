print a10 = 1, a2 = 2, b1 = 3, a1 = 4, c = 5
| project-reorder c, a* granny-asc, * desc
