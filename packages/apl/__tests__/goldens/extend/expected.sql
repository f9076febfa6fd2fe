SELECT _time AS c0, _row AS c1, data.`id` AS c2, CAST(ifNull(coalesce(toFloat64(data.`duration`.:Int64), data.`duration`.:Float64) > {p2:Int64}, false), 'Nullable(Bool)') AS c3, accurateCast(toInt128(data.`status`.:Int64) + {p3:Int64}, 'Nullable(Int64)') AS c4, toInt64(lengthUTF8(data.`id`.:String)) AS c5, accurateCast(toInt128(toInt64(lengthUTF8(data.`id`.:String))) * {p4:Int64}, 'Nullable(Int64)') AS c6
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (coalesce(toFloat64(data.`duration`.:Int64), data.`duration`.:Float64) > {p2:Int64})
ORDER BY _time DESC, _row DESC
LIMIT {p5:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"100","p3":"1000","p4":"2","p5":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (coalesce(toFloat64(data.`duration`.:Int64), data.`duration`.:Float64) > {p2:Int64})
