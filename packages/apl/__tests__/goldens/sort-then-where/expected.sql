SELECT _time AS c0, _row AS c1, data.`id` AS c2
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND data.`ok`.:Bool
ORDER BY (isNull(coalesce(toFloat64(data.`duration`.:Int64), toFloat64(data.`duration`.:Float64))) AND isNull(coalesce(data.`duration`.:Int64, accurateCastOrNull(data.`duration`.:Float64, 'Int64')))) DESC, coalesce(toFloat64(data.`duration`.:Int64), toFloat64(data.`duration`.:Float64)) NULLS LAST, coalesce(data.`duration`.:Int64, accurateCastOrNull(data.`duration`.:Float64, 'Int64')) NULLS LAST, _time DESC, _row DESC
LIMIT {p2:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND data.`ok`.:Bool
