web
| limit 3
| extend gap = _time - prev(_time), n = row_number(10)
| summarize max(gap), max(n)
