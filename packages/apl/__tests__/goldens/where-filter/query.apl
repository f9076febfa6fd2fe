web
| filter ok
| where duration
| project id
