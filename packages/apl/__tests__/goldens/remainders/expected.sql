SELECT _time AS c0, _row AS c1, data.`id` AS c2, toInt64(positiveModuloOrNull(accurateCast(negate(toInt128(data.`status`.:Int64)), 'Nullable(Int64)'), {p2:Int64})) AS c3, coalesce(toJSONString(toInt64(positiveModuloOrNull(accurateCast(negate(toInt128(data.`duration`.:Int64)), 'Nullable(Int64)'), {p2:Int64}))), toJSONString(if(isNotNull(accurateCast(negate(toInt128(data.`duration`.:Int64)), 'Nullable(Int64)')) AND isNotNull({p2:Int64}), NULL, positiveModuloOrNull(coalesce(toFloat64(accurateCast(negate(toInt128(data.`duration`.:Int64)), 'Nullable(Int64)')), negate(data.`duration`.:Float64)), toFloat64({p2:Int64}))))) AS c4, toInt64(positiveModuloOrNull(data.`status`.:Int64, {p3:Int64})) AS c5, {p6:Int64} AS c6, toInt64(positiveModuloOrNull(accurateCast(toInt128(toUnixTimestamp64Nano(_time)) - toUnixTimestamp64Nano({p0:DateTime64(9,'UTC')}), 'Nullable(Int64)'), {p7:Int64})) AS c7
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY data.`id`.:String NULLS FIRST, _time DESC, _row DESC
LIMIT {p8:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"7","p3":"0","p6":"2","p7":"420000000000","p8":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
