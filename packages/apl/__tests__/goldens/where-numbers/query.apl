web
| where status >= 500 or (status < 300 and duration > 40.0) or status <= 200 and duration < 1
| project id, status, duration
