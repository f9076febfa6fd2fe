let failed = web | where status >= 500 | project id;
let known = users | distinct user;
web
| where id in (failed) and id !in (users | where age > 40) and id in~ (known)
| project id
