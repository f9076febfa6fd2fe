users
| join kind=leftsemi (web | project user = id) on user
| project name
