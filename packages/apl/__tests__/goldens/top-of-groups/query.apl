web
| summarize n = count() by method
| top 1 by n
