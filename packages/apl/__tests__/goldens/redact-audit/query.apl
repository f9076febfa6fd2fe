web
| redact auditField=found digits=@'\d+', @'(?i)home' on path, method, ['geo.city']
| project id, path, found
