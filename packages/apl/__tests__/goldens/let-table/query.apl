let errors = web | where status >= 500;
let other = users;
errors
| union (errors | project id), other
| count
