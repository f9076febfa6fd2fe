web
| summarize spotlight(status >= 500, method, ['geo.country'], ok, status, duration), spotlightif(status >= 500, method, id != 'a2') by half = bin(_time, 1h)
