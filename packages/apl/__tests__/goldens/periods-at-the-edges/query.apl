datatable (t: datetime) [
  datetime(1900-01-01), datetime(1900-01-07T12:00:00Z), datetime(1960-02-29T01:00:00Z), datetime(1969-12-31T23:59:59.999999999Z),
  datetime(2024-02-29T23:00:00Z), datetime(2150-06-15), datetime(2262-01-05), datetime(2262-03-31T05:00:00Z), datetime(2262-04-11T20:00:00Z)]
| extend day = startofday(t), week = startofweek(t), month = startofmonth(t), year = startofyear(t)
| extend dayEnd = endofday(t), weekEnd = endofweek(t), monthEnd = endofmonth(t), yearEnd = endofyear(t)
| sort by t asc
