users
| lookup kind=leftouter (web | project user = id, method) on user
| project user, name, method
