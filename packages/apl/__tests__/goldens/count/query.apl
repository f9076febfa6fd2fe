web
| where ok
| count
| render card
