web
| project id, status
| join kind=rightouter users on $left.id == $right.user
| project id, name
