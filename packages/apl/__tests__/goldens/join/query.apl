web
| join (users | where age > 30) on $left.id == $right.user
| project id, name, age
