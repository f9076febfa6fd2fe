web
| summarize count(), count(*), dcount(id)
