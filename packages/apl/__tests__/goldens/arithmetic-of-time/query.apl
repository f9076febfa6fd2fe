web
| extend since = _time - datetime(2026-01-01), later = _time + 1d, earlier = _time - 90m, double = 2 * (_time - datetime(2026-01-01)), part = (_time - datetime(2026-01-01)) / 1h, rest = (_time - datetime(2026-01-01)) % 1h, sum = 1h + 30m, minus = -(_time - now())
| project id, since, later, earlier, double, part, rest, sum, minus
