web
| sort by _time asc
| summarize count(), dcount(method), sum(status), avg(duration), min(duration), max(path), stdev(duration), variance(duration), percentile(duration, 50), percentiles_array(duration, 25, 75), make_list(ok), make_set(method), topk(method, 1), histogram(status, 2), arg_min(duration, id), arg_max(duration, id, path), any(big), rate(duration), minc = min(code), latest = max(_time), set2 = make_set(status, 100)
