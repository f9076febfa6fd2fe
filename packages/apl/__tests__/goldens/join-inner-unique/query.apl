union (print k = 1, a = 'x'), (print k = 2, a = 'y'), (print k = 2, a = 'y2'), (print k = 3, a = 'z')
| join kind=innerunique (union (print k = 2, b = 'p'), (print k = 2, b = 'q'), (print k = 3, b = 'r'), (print k = 4, b = 's')) on k
| project k, a, matched = isnotnull(b)
| sort by k asc, a asc
