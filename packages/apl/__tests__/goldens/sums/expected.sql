SELECT data.`method`.:String AS c0, ifNull(accurateCast(sum(toInt128(data.`status`.:Int64)), 'Nullable(Int64)'), 0) AS c1, ifNull(accurateCast(sumIf(toInt128(data.`status`.:Int64), ifNull(data.`status`.:Int64 = {p2:Int64}, false)), 'Nullable(Int64)'), 0) AS c2, coalesce(toJSONString(if(countIf(data.`duration`.:Float64, ifNull(data.`status`.:Int64 = {p2:Int64}, false)) = 0, ifNull(accurateCast(sumIf(toInt128(data.`duration`.:Int64), ifNull(data.`status`.:Int64 = {p2:Int64}, false)), 'Nullable(Int64)'), 0), NULL)), toJSONString(if(countIf(data.`duration`.:Float64, ifNull(data.`status`.:Int64 = {p2:Int64}, false)) = 0, NULL, toFloat64(ifNull(sumIf(toInt128(data.`duration`.:Int64), ifNull(data.`status`.:Int64 = {p2:Int64}, false)), 0)) + sumIf(data.`duration`.:Float64, ifNull(data.`status`.:Int64 = {p2:Int64}, false))))) AS c3, ifNull(accurateCast(sum(toInt128(if(isNotNull(toInt64OrNull(data.`path`.:String)), toInt64OrNull(data.`path`.:String), accurateCastOrNull(trunc(if(isFinite(toFloat64OrNull(data.`path`.:String)), toFloat64OrNull(data.`path`.:String), NULL)), 'Int64')))), 'Nullable(Int64)'), 0) AS c4, divideOrNull(({p3:Float64} * toFloat64(ifNull(accurateCast(sumIf(toInt128(data.`size`.:Int64), ifNull(data.`status`.:Int64 = {p2:Int64}, false)), 'Nullable(Int64)'), 0))), toFloat64(ifNull(accurateCast(sum(toInt128(data.`size`.:Int64)), 'Nullable(Int64)'), 0))) AS c5
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
GROUP BY data.`method`.:String
ORDER BY data.`method`.:String NULLS FIRST
LIMIT {p4:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"1","p3":"1","p4":"65000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
