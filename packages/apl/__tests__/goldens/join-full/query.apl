web
| summarize n = count() by id
| join kind=fullouter (users | summarize m = count() by user) on $left.id == $right.user
| project id, n, user, m
