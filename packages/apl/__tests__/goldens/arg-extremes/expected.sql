SELECT CAST(data.`ok`.:Bool, 'Nullable(Bool)') AS c0, coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL))) AS c1, tupleElement(argMaxIf(tuple(toNullable(data.`id`.:String)), tuple(isNotNull(coalesce(toFloat64(data.`duration`.:Int64), toFloat64(data.`duration`.:Float64))) = 1, ifNull(coalesce(toFloat64(data.`duration`.:Int64), toFloat64(data.`duration`.:Float64)), 0), ifNull(data.`duration`.:Int64, 0)), (isNotNull(coalesce(toFloat64(data.`duration`.:Int64), toFloat64(data.`duration`.:Float64))) OR isNotNull(data.`duration`.:Int64))), 1) AS c2, tupleElement(argMaxIf(tuple(toNullable(data.`method`.:String)), tuple(isNotNull(coalesce(toFloat64(data.`duration`.:Int64), toFloat64(data.`duration`.:Float64))) = 1, ifNull(coalesce(toFloat64(data.`duration`.:Int64), toFloat64(data.`duration`.:Float64)), 0), ifNull(data.`duration`.:Int64, 0)), (isNotNull(coalesce(toFloat64(data.`duration`.:Int64), toFloat64(data.`duration`.:Float64))) OR isNotNull(data.`duration`.:Int64))), 1) AS c3, min(toNullable(toInt64(lengthUTF8(data.`path`.:String)))) AS c4, tupleElement(argMin(tuple(toNullable(data.`path`.:String)), toInt64(lengthUTF8(data.`path`.:String))), 1) AS c5
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
GROUP BY data.`ok`.:Bool
LIMIT {p2:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"65000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
