web
| summarize count(), total = sum(status), avg(duration), share = round(100.0 * countif(status >= 500) / count(), 1) by geo.country, ok
