web
| redact redactGroups=true @'/(\w+)/[^/]*$' on path
| project id, path
