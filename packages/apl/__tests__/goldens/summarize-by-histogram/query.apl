web
| where status != 404
| summarize count(), slowest = max(duration) by histogram(duration, 4), wait = histogram(duration * 1ms, 2), ok
