SELECT fromUnixTimestamp64Nano(toInt64(intDiv(toUInt64(toUnixTimestamp64Nano(_time) + {p3:Int64}), {p2:UInt64}) * {p2:UInt64}) - {p3:Int64}, 'UTC') AS c0, data.`method`.:String AS c1, toInt64(count()) AS c2, avg(coalesce(toFloat64(data.`duration`.:Int64), data.`duration`.:Float64)) AS c3
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
GROUP BY fromUnixTimestamp64Nano(toInt64(intDiv(toUInt64(toUnixTimestamp64Nano(_time) + {p3:Int64}), {p2:UInt64}) * {p2:UInt64}) - {p3:Int64}, 'UTC'), data.`method`.:String
ORDER BY fromUnixTimestamp64Nano(toInt64(intDiv(toUInt64(toUnixTimestamp64Nano(_time) + {p3:Int64}), {p2:UInt64}) * {p2:UInt64}) - {p3:Int64}, 'UTC'), data.`method`.:String NULLS FIRST
LIMIT {p4:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"900000000000","p3":"2208989700000000000","p4":"65000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
