web
| where method == 'GET'
| make-series n = count() on _time step 8s
| project steps = array_length(n), total = series_sum(n), first = _time[0], last = _time[array_length(_time) - 1]
