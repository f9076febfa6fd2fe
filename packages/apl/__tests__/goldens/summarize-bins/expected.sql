SELECT fromUnixTimestamp64Nano(toInt64(intDiv(toUInt64(toUnixTimestamp64Nano(_time) + {p4:Int64}), {p3:UInt64}) * {p3:UInt64}) - {p4:Int64}, 'UTC') AS c0, toInt64(count()) AS c1
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
GROUP BY fromUnixTimestamp64Nano(toInt64(intDiv(toUInt64(toUnixTimestamp64Nano(_time) + {p4:Int64}), {p3:UInt64}) * {p3:UInt64}) - {p4:Int64}, 'UTC')
ORDER BY fromUnixTimestamp64Nano(toInt64(intDiv(toUInt64(toUnixTimestamp64Nano(_time) + {p4:Int64}), {p3:UInt64}) * {p3:UInt64}) - {p4:Int64}, 'UTC')
LIMIT {p5:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p3":"3600000000000","p4":"2208992400000000000","p5":"65000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
-- totals:
SELECT toInt64(count()) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
LIMIT {p2:UInt64}
-- together:
SELECT grouping(fromUnixTimestamp64Nano(toInt64(intDiv(toUInt64(toUnixTimestamp64Nano(_time) + {p4:Int64}), {p3:UInt64}) * {p3:UInt64}) - {p4:Int64}, 'UTC')) AS c0, toInt64(count()) AS c1, fromUnixTimestamp64Nano(toInt64(intDiv(toUInt64(toUnixTimestamp64Nano(_time) + {p4:Int64}), {p3:UInt64}) * {p3:UInt64}) - {p4:Int64}, 'UTC') AS c2
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
GROUP BY fromUnixTimestamp64Nano(toInt64(intDiv(toUInt64(toUnixTimestamp64Nano(_time) + {p4:Int64}), {p3:UInt64}) * {p3:UInt64}) - {p4:Int64}, 'UTC') WITH ROLLUP
ORDER BY fromUnixTimestamp64Nano(toInt64(intDiv(toUInt64(toUnixTimestamp64Nano(_time) + {p4:Int64}), {p3:UInt64}) * {p3:UInt64}) - {p4:Int64}, 'UTC')
LIMIT {p5:UInt64} BY c0
