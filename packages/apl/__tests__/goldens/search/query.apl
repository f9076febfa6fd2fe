web
| search 'OSLO' or method:'put' or (*:'Rom*' and not('nothing'))
| project id
