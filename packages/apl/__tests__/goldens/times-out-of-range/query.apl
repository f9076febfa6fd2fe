web
| where id == 'a1'
| project
    later = _time + 1d,
    noSuchYear = datetime_add('year', 300, _time),
    noSuchHour = datetime_add('hour', 100000000, _time),
    month = datetime_add('month', 14, _time),
    noSuchDay = startofday(_time, 200000),
    year = startofyear(_time, 200),
    lastYear = endofyear(_time, 236),
    before = startofmonth(_time, -24),
    beyond = _time + totimespan(tolong('9000000000000000000')),
    fromText = todatetime(strcat(substring('2300', 0), '-01-01')),
    exact = unixtime_nanoseconds_todatetime(1700000000123456789),
    tooMany = unixtime_seconds_todatetime(1e18)
