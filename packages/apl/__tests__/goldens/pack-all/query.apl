users
| project user, age
| extend all = pack(*)
