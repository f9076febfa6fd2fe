web
| where status == 'abc' or geo['planet'] == 'x'
| project id
