web
| project id, method, status
| project-reorder status, *, id
