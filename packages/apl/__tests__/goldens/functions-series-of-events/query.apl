web
| make-series n = count() on _time from datetime(2026-01-01) to datetime(2026-01-01T03:00:00Z) step 1h by method
| extend share = series_divide(n, series_sum(n)), grew = series_greater(n, 0), last = series_stats_dynamic(n).max_idx
| sort by method asc
