SELECT c5 AS c7, c6 AS c8, c9 AS c10, c11 AS c12, (
SELECT data.`id`.:String AS c1
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND {p3:Bool}
ORDER BY _time DESC, _row DESC
LIMIT {p2:UInt64}
) AS c13, (
SELECT data.`name`.:String AS c2
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY data.`age`.:Int64 NULLS FIRST, _time DESC, _row DESC
LIMIT {p2:UInt64}
) AS c14
FROM (
SELECT data.`id`.:String AS c3, coalesce(toFloat64(intDivOrNull(data.`duration`.:Int64, toInt64OrNull((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), if(isNull(toInt64OrNull(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)))), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), concat(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), '.0'))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
)))), if(isNotNull(data.`duration`.:Int64) AND isNotNull(toInt64OrNull((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), if(isNull(toInt64OrNull(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)))), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), concat(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), '.0'))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
))), NULL, divideOrNull(coalesce(toFloat64(data.`duration`.:Int64), data.`duration`.:Float64), toFloat64(toFloat64OrNull((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), if(isNull(toInt64OrNull(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)))), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), concat(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), '.0'))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
)))))) AS c4, _time AS c5, _row AS c6, data.`id` AS c9, coalesce(toJSONString(intDivOrNull(data.`duration`.:Int64, toInt64OrNull((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), if(isNull(toInt64OrNull(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)))), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), concat(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), '.0'))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
)))), toJSONString(if(isNotNull(data.`duration`.:Int64) AND isNotNull(toInt64OrNull((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), if(isNull(toInt64OrNull(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)))), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), concat(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), '.0'))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
))), NULL, divideOrNull(coalesce(toFloat64(data.`duration`.:Int64), data.`duration`.:Float64), toFloat64(toFloat64OrNull((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), if(isNull(toInt64OrNull(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)))), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), concat(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), '.0'))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
))))))) AS c11
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND ((data.`duration`.:Int64 >= intDivOrNull(toInt64OrNull((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), if(isNull(toInt64OrNull(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)))), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), concat(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), '.0'))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
)), {p4:Int64})) OR (data.`duration`.:Int64 >= if(isNotNull(toInt64OrNull((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), if(isNull(toInt64OrNull(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)))), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), concat(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), '.0'))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
))) AND isNotNull({p4:Int64}), NULL, divideOrNull(toFloat64(toFloat64OrNull((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), if(isNull(toInt64OrNull(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)))), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), concat(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), '.0'))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
))), toFloat64({p4:Int64})))) OR (data.`duration`.:Float64 >= intDivOrNull(toInt64OrNull((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), if(isNull(toInt64OrNull(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)))), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), concat(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), '.0'))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
)), {p4:Int64})) OR (data.`duration`.:Float64 >= if(isNotNull(toInt64OrNull((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), if(isNull(toInt64OrNull(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)))), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), concat(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), '.0'))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
))) AND isNotNull({p4:Int64}), NULL, divideOrNull(toFloat64(toFloat64OrNull((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), if(isNull(toInt64OrNull(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)))), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), concat(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), '.0'))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
))), toFloat64({p4:Int64})))))
)
ORDER BY c5 DESC, c6 DESC
LIMIT {p5:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"1","p3":false,"p4":"4","p5":"1000"}
-- count:
SELECT count() AS n
FROM (
SELECT data.`id`.:String AS c3, coalesce(toFloat64(intDivOrNull(data.`duration`.:Int64, toInt64OrNull((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), if(isNull(toInt64OrNull(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)))), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), concat(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), '.0'))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
)))), if(isNotNull(data.`duration`.:Int64) AND isNotNull(toInt64OrNull((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), if(isNull(toInt64OrNull(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)))), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), concat(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), '.0'))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
))), NULL, divideOrNull(coalesce(toFloat64(data.`duration`.:Int64), data.`duration`.:Float64), toFloat64(toFloat64OrNull((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), if(isNull(toInt64OrNull(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)))), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), concat(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), '.0'))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
)))))) AS c4, _time AS c5, _row AS c6
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND ((data.`duration`.:Int64 >= intDivOrNull(toInt64OrNull((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), if(isNull(toInt64OrNull(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)))), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), concat(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), '.0'))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
)), {p4:Int64})) OR (data.`duration`.:Int64 >= if(isNotNull(toInt64OrNull((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), if(isNull(toInt64OrNull(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)))), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), concat(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), '.0'))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
))) AND isNotNull({p4:Int64}), NULL, divideOrNull(toFloat64(toFloat64OrNull((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), if(isNull(toInt64OrNull(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)))), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), concat(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), '.0'))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
))), toFloat64({p4:Int64})))) OR (data.`duration`.:Float64 >= intDivOrNull(toInt64OrNull((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), if(isNull(toInt64OrNull(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)))), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), concat(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), '.0'))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
)), {p4:Int64})) OR (data.`duration`.:Float64 >= if(isNotNull(toInt64OrNull((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), if(isNull(toInt64OrNull(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)))), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), concat(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), '.0'))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
))) AND isNotNull({p4:Int64}), NULL, divideOrNull(toFloat64(toFloat64OrNull((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), if(isNull(toInt64OrNull(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)))), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), concat(toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL)), '.0'))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
))), toFloat64({p4:Int64})))))
)
