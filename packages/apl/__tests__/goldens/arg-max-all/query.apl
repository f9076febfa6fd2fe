users
| summarize arg_max(age, *) by older = age > 30
