web
| take 4
| summarize count() by method
