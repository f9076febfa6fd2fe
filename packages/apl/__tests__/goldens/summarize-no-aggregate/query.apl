web
| summarize by method, status
