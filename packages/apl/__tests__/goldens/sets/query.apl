web
| where status in (200, 204, 404) and method in ('GET', "PUT", 'DELETE') and method in~ ('get', 'put', 'delete') and id !in ('a9') and id !in~ ('A3') and code !in (1.5, 'x', null)
| project id
