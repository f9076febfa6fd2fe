SELECT fromUnixTimestamp64Nano(toUnixTimestamp64Nano(_time) - positiveModulo(toUnixTimestamp64Nano(_time), toInt64(86400000000000)), 'UTC') AS c0, lowerUTF8(data.`method`.:String) AS c1, toInt64(count()) AS c2
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
GROUP BY fromUnixTimestamp64Nano(toUnixTimestamp64Nano(_time) - positiveModulo(toUnixTimestamp64Nano(_time), toInt64(86400000000000)), 'UTC'), lowerUTF8(data.`method`.:String)
LIMIT {p2:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"65000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
