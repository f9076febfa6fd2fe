web
| union users
| where isnotnull(name) or status == 200
| sort by _time asc
| project id, name, status
