web
| where code == '7'
| project id, code
