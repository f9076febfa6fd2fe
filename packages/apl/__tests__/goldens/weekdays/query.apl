print day = dayofweek(datetime(2020-02-29)), sunday = dayofweek(datetime(2026-01-04)), weekend = dayofweek(datetime(2020-02-29)) in (0, 6),
    crossed = datetime_diff('week', datetime(2026-01-04), datetime(2026-01-03)), same = datetime_diff('week', datetime(2026-01-10), datetime(2026-01-04))
