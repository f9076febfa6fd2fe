web
| where _time > ago(2h) and _time < now(-10m) and _time != datetime(2026-01-01)
| project id, _time
