web
| redact replaceToken='<gone>' @'[a-z]*' on path
| redact replaceToken='[x]' redactGroups=true @'^(\w)\w*$' on method
| project id, path, method
