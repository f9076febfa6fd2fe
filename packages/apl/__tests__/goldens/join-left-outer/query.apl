web
| join kind=leftouter (users | summarize n = count() by user) on $right.user == $left.id
| project id, n
