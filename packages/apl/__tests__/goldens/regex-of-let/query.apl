let wanted = strcat('^/', regex_quote('api'), '.*');
web
| where path matches regex wanted
| project id
