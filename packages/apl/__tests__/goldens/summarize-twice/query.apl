web
| summarize n = count() by method
| summarize methods = count(), most = max(n)
| project methods, most
