web
| where id in ('a1', 'a4')
| mv-expand with_itemindex=at tags, code
| project id, at, tags, code
