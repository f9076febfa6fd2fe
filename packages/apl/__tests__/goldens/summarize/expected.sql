SELECT data.`geo.country`.:String AS c0, CAST(data.`ok`.:Bool, 'Nullable(Bool)') AS c1, toInt64(count()) AS c2, ifNull(accurateCast(sum(toInt128(data.`status`.:Int64)), 'Nullable(Int64)'), 0) AS c3, avg(coalesce(toFloat64(data.`duration`.:Int64), data.`duration`.:Float64)) AS c4, if(toInt64(greatest(least(ifNull({p4:Int64}, 0), 15), -15)) < 0, (sign((toFloat64(divideOrNull(({p2:Float64} * toFloat64(toInt64(countIf(ifNull(data.`status`.:Int64 >= {p3:Int64}, false))))), toFloat64(toInt64(count())))) / exp10(abs(toInt64(greatest(least(ifNull({p4:Int64}, 0), 15), -15)))))) * floor(abs((toFloat64(divideOrNull(({p2:Float64} * toFloat64(toInt64(countIf(ifNull(data.`status`.:Int64 >= {p3:Int64}, false))))), toFloat64(toInt64(count())))) / exp10(abs(toInt64(greatest(least(ifNull({p4:Int64}, 0), 15), -15)))))) + 0.49999999999999994) + 0) * exp10(abs(toInt64(greatest(least(ifNull({p4:Int64}, 0), 15), -15)))), (sign((toFloat64(divideOrNull(({p2:Float64} * toFloat64(toInt64(countIf(ifNull(data.`status`.:Int64 >= {p3:Int64}, false))))), toFloat64(toInt64(count())))) * exp10(abs(toInt64(greatest(least(ifNull({p4:Int64}, 0), 15), -15)))))) * floor(abs((toFloat64(divideOrNull(({p2:Float64} * toFloat64(toInt64(countIf(ifNull(data.`status`.:Int64 >= {p3:Int64}, false))))), toFloat64(toInt64(count())))) * exp10(abs(toInt64(greatest(least(ifNull({p4:Int64}, 0), 15), -15)))))) + 0.49999999999999994) + 0) / exp10(abs(toInt64(greatest(least(ifNull({p4:Int64}, 0), 15), -15))))) AS c5
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
GROUP BY data.`geo.country`.:String, data.`ok`.:Bool
LIMIT {p5:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"100","p3":"500","p4":"1","p5":"65000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
