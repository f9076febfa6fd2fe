web
| where size != 1536 and not(ok == true) or code == null or when != null
| project id, size, ok, code
