web
| where ok
| count
