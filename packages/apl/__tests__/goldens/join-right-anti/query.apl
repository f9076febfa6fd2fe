web
| join kind=rightanti users on $left.id == $right.user
| project name
