SELECT _time AS c0, _row AS c1, data.`id` AS c2, accurateCast(toInt128(data.`status`.:Int64) + {p2:Int64}, 'Nullable(Int64)') AS c3, (toFloat64(data.`status`.:Int64) - {p3:Float64}) AS c4, accurateCast(toInt128(data.`status`.:Int64) * {p4:Int64}, 'Nullable(Int64)') AS c5, divideOrNull(toFloat64(data.`status`.:Int64), toFloat64({p5:Int64})) AS c6, toInt64(positiveModuloOrNull(data.`status`.:Int64, {p5:Int64})) AS c7, accurateCast(negate(toInt128(data.`status`.:Int64)), 'Nullable(Int64)') AS c8, coalesce(toJSONString(accurateCast(toInt128(accurateCast(negate(toInt128(accurateCast(toInt128(data.`duration`.:Int64) + {p2:Int64}, 'Nullable(Int64)'))), 'Nullable(Int64)')) * {p7:Int64}, 'Nullable(Int64)')), toJSONString(if(isNotNull(accurateCast(negate(toInt128(accurateCast(toInt128(data.`duration`.:Int64) + {p2:Int64}, 'Nullable(Int64)'))), 'Nullable(Int64)')) AND isNotNull({p7:Int64}), NULL, (coalesce(toFloat64(accurateCast(negate(toInt128(accurateCast(toInt128(data.`duration`.:Int64) + {p2:Int64}, 'Nullable(Int64)'))), 'Nullable(Int64)')), negate(if(isNotNull(data.`duration`.:Int64) AND isNotNull({p2:Int64}), NULL, (coalesce(toFloat64(data.`duration`.:Int64), data.`duration`.:Float64) + toFloat64({p2:Int64}))))) * toFloat64({p7:Int64}))))) AS c9, divideOrNull(coalesce(toFloat64(data.`duration`.:Int64), data.`duration`.:Float64), toFloat64({p8:Int64})) AS c10, positiveModuloOrNull({p9:Float64}, toFloat64({p4:Int64})) AS c11
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY _time DESC, _row DESC
LIMIT {p10:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"1","p3":"1.5","p4":"2","p5":"7","p7":"-1","p8":"0","p9":"7.5","p10":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
