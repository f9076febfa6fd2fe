web
| where id == 'none'
| summarize count(), sum(duration), min(path), make_list(id), percentile(duration, 50), topk(method, 3)
