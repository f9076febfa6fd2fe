let config = dynamic({"limits": {"slow": 100}});
let hour = 1h;
web
| where duration > toint(config.limits.slow) and _time > now() - 3 * hour
| project id
