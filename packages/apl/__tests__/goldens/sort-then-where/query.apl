web
| sort by duration asc
| where ok
| project id
