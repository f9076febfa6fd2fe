web
| limit 4
| where ok
| sort by id asc
| project id, _time
