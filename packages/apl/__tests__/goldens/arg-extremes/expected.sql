SELECT CAST(data.`ok`.:Bool, 'Nullable(Bool)') AS c0, max(ifNull(data.`duration`.:Float64, toFloat64(data.`duration`.:Int64))) AS c1, tupleElement(argMax(tuple(toNullable(data.`id`.:String)), ifNull(data.`duration`.:Float64, toFloat64(data.`duration`.:Int64))), 1) AS c2, tupleElement(argMax(tuple(toNullable(data.`method`.:String)), ifNull(data.`duration`.:Float64, toFloat64(data.`duration`.:Int64))), 1) AS c3, min(toNullable(toInt64(lengthUTF8(data.`path`.:String)))) AS c4, tupleElement(argMin(tuple(toNullable(data.`path`.:String)), toInt64(lengthUTF8(data.`path`.:String))), 1) AS c5
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
GROUP BY data.`ok`.:Bool
LIMIT {p2:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"65000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
