web
| extend value = range(1, 10000)
| mv-expand value to typeof(long)
| summarize half = percentile(value, 50), high = percentile(value, 99), list = percentiles_array(value, 50, 99.9), few = percentile(status, 25), bins = histogram(value, 4), fewBins = histogram(duration, 3), noBins = histogramif(duration, 3, status == 1), oneBin = histogramif(duration, 3, id == 'a1')
| project half = abs(half - 5000) < 50, high = abs(high - 9900) < 20, tail = abs(todouble(list[1]) - 9990) < 10, few = round(few), bins, fewBins, noBins, oneBin
