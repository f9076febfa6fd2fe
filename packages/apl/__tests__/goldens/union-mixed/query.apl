web
| project what = status, id
| union (users | project what = name), (web | take 1 | project what = ok)
