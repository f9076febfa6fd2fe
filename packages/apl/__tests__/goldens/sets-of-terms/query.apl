web
| where path has_any ('API', 'foo') and path has_any_cs ('users', 'bar') and path !has_any ('none') and path !has_any_cs ('NONE') and path has_all ('api', 'users')
| project id
