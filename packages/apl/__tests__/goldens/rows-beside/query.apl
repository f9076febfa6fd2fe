web
| sort by status asc, id asc
| serialize
| extend n = row_number(), before = prev(id), after = next(status, 2), from = prev(status, 1, 0), sum = row_cumsum(status)
| where n > 1
| project id, n, before, after, from, sum
