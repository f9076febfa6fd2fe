users
| join kind=leftanti (web | project user = id) on user
| project name
