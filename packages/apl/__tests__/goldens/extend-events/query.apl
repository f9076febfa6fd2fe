web
| extend slow = duration > 100
| sort by _time asc
| take 1
