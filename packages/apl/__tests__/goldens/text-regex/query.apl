web
| where path matches regex @'^/api/\w+(?:/\d+)?$' and id matches regex 'a[12]'
| project id
