SELECT data.`method`.:String AS c0, accurateCast(toInt128(toInt64(count())) * {p3:Int64}, 'Nullable(Int64)') AS c1
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
GROUP BY data.`method`.:String
HAVING (toInt64(count()) > {p2:Int64})
LIMIT {p4:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"1","p3":"2","p4":"65000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
