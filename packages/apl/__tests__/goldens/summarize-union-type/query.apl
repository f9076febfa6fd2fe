web
| summarize count() by code
