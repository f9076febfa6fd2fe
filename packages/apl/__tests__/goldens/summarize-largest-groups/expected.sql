SELECT fromUnixTimestamp64Nano(toInt64(intDiv(toUInt64(toUnixTimestamp64Nano(_time) + {p4:Int64}), {p3:UInt64}) * {p3:UInt64}) - {p4:Int64}, 'UTC') AS c1, data.`method`.:String AS c2, toInt64(count()) AS c3
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
GROUP BY fromUnixTimestamp64Nano(toInt64(intDiv(toUInt64(toUnixTimestamp64Nano(_time) + {p4:Int64}), {p3:UInt64}) * {p3:UInt64}) - {p4:Int64}, 'UTC'), data.`method`.:String
HAVING concat('', ifNull(toJSONString(data.`method`.:String), 'null')) IN (
SELECT concat('', ifNull(toJSONString(data.`method`.:String), 'null')) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
GROUP BY data.`method`.:String
ORDER BY toInt64(count()) DESC, data.`method`.:String NULLS FIRST
LIMIT {p6:UInt64}
)
LIMIT {p7:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p3":"3600000000000","p4":"2208992400000000000","p6":"1","p7":"65000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
-- totals:
SELECT data.`method`.:String AS c0, toInt64(count()) AS c1
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
GROUP BY data.`method`.:String
ORDER BY toInt64(count()) DESC, data.`method`.:String NULLS FIRST
LIMIT {p3:UInt64}
