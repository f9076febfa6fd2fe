SELECT _time AS c0, _row AS c1, data AS c2, _sysTime AS c3, CAST(ifNull(coalesce(toFloat64(data.`duration`.:Int64), data.`duration`.:Float64) > {p2:Int64}, false), 'Nullable(Bool)') AS c4
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY _time, _row
LIMIT {p4:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"100","p4":"1"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
