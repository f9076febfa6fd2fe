web
| order by size asc nulls last, code desc nulls first, id
| project id, size, code
