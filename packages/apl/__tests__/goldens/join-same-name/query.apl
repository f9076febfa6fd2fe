web
| project id, method
| join kind=inner (web | project id, method, status) on id
| sort by id asc
