web
| sample 1
| project id
