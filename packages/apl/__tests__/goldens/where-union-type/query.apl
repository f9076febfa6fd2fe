web
| where code == 7 or code == true
| project id, code
