web
| where status between (200 .. 204) and _time !between (datetime(2026-01-01T01:00:00Z) .. 1h + datetime(2026-01-01T01:00:00Z)) and duration between (1 .. 50)
| project id
