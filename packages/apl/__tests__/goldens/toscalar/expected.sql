SELECT _time AS c3, _row AS c4, data.`id` AS c5, divideOrNull(coalesce(toFloat64(data.`duration`.:Int64), data.`duration`.:Float64), toFloat64(if(isFinite(JSONExtract((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
), 'Nullable(Float64)')), JSONExtract((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
), 'Nullable(Float64)'), NULL))) AS c6, (
SELECT data.`id`.:String AS c1
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND {p3:Bool}
ORDER BY _time DESC, _row DESC
LIMIT {p2:UInt64}
) AS c7, (
SELECT data.`name`.:String AS c2
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY data.`age`.:Int64 NULLS FIRST, _time DESC, _row DESC
LIMIT {p2:UInt64}
) AS c8
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND ((data.`duration`.:Int64 >= divideOrNull(toFloat64(if(isFinite(JSONExtract((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
), 'Nullable(Float64)')), JSONExtract((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
), 'Nullable(Float64)'), NULL)), toFloat64({p4:Int64}))) OR (data.`duration`.:Float64 >= divideOrNull(toFloat64(if(isFinite(JSONExtract((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
), 'Nullable(Float64)')), JSONExtract((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
), 'Nullable(Float64)'), NULL)), toFloat64({p4:Int64}))))
ORDER BY _time DESC, _row DESC
LIMIT {p5:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"1","p3":false,"p4":"4","p5":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND ((data.`duration`.:Int64 >= divideOrNull(toFloat64(if(isFinite(JSONExtract((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
), 'Nullable(Float64)')), JSONExtract((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
), 'Nullable(Float64)'), NULL)), toFloat64({p4:Int64}))) OR (data.`duration`.:Float64 >= divideOrNull(toFloat64(if(isFinite(JSONExtract((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
), 'Nullable(Float64)')), JSONExtract((
SELECT coalesce(toJSONString(if((isNull(max(data.`duration`.:Float64)) OR max(data.`duration`.:Int64) >= max(data.`duration`.:Float64)), max(data.`duration`.:Int64), NULL)), toJSONString(if((isNull(max(data.`duration`.:Int64)) OR max(data.`duration`.:Float64) > max(data.`duration`.:Int64)), max(data.`duration`.:Float64), NULL))) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p2:UInt64}
), 'Nullable(Float64)'), NULL)), toFloat64({p4:Int64}))))
