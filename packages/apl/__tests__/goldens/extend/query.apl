web
| extend slow = duration > 100, status = status + 1000, n = strlen(id)
| extend m = n * 2
| where slow
| project id, slow, status, n, m
