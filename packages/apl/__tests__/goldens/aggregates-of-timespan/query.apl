web
| extend since = _time - datetime(2026-01-01)
| summarize avg(since), sum(since), max(since), percentile(since, 50), avg(_time)
