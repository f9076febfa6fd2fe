web
| take 3
| where status > 0
