SELECT _time AS c0, _row AS c1, data.`id` AS c2, data.`size` AS c3, data.`code` AS c4
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY data.`size`.:Int64 NULLS LAST, (isNull(coalesce(toFloat64(data.`code`.:Int64), toFloat64(data.`code`.:Float64))) AND isNull(coalesce(data.`code`.:Int64, accurateCastOrNull(data.`code`.:Float64, 'Int64'))) AND isNull(if(isNull(coalesce(toFloat64(data.`code`.:Int64), toFloat64(data.`code`.:Float64))), CAST(data.`code`, 'Nullable(String)'), NULL))) DESC, coalesce(toFloat64(data.`code`.:Int64), toFloat64(data.`code`.:Float64)) DESC NULLS LAST, coalesce(data.`code`.:Int64, accurateCastOrNull(data.`code`.:Float64, 'Int64')) DESC NULLS LAST, if(isNull(coalesce(toFloat64(data.`code`.:Int64), toFloat64(data.`code`.:Float64))), CAST(data.`code`, 'Nullable(String)'), NULL) DESC NULLS LAST, data.`id`.:String DESC NULLS LAST, _time DESC, _row DESC
LIMIT {p2:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
