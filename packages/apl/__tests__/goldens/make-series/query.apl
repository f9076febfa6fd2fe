web
| make-series n = count(), avg(duration) default=0.5 on _time from datetime(2026-01-01) to datetime(2026-01-01T03:00:00Z) step 1h by method
