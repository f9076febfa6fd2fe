web
| where id == 'a1'
| redact replaceHash=true '.*' on geo.city
| redact 'G'
