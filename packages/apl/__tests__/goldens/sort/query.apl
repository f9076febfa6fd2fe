web
| sort by status, id asc
| project id, status
