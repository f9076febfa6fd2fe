SELECT _time AS c0, _row AS c1, data.`id` AS c2, data.`code` AS c3
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND ((coalesce(toFloat64(data.`code`.:Int64), data.`code`.:Float64, toFloat64(if(isFinite(toFloat64OrNull(data.`code`.:String)), toFloat64OrNull(data.`code`.:String), NULL)), toFloat64(toInt64(data.`code`.:Bool))) = {p2:Int64}) OR (coalesce(CAST((data.`code`.:Int64 != 0), 'Nullable(Bool)'), CAST((data.`code`.:Float64 != 0), 'Nullable(Bool)'), CAST(transform(lower(data.`code`.:String), ['true', '1', 'false', '0'], [true, true, false, false], CAST(NULL, 'Nullable(Bool)')), 'Nullable(Bool)'), CAST(data.`code`.:Bool, 'Nullable(Bool)')) = {p3:Bool}))
ORDER BY _time DESC, _row DESC
LIMIT {p4:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"7","p3":true,"p4":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND ((coalesce(toFloat64(data.`code`.:Int64), data.`code`.:Float64, toFloat64(if(isFinite(toFloat64OrNull(data.`code`.:String)), toFloat64OrNull(data.`code`.:String), NULL)), toFloat64(toInt64(data.`code`.:Bool))) = {p2:Int64}) OR (coalesce(CAST((data.`code`.:Int64 != 0), 'Nullable(Bool)'), CAST((data.`code`.:Float64 != 0), 'Nullable(Bool)'), CAST(transform(lower(data.`code`.:String), ['true', '1', 'false', '0'], [true, true, false, false], CAST(NULL, 'Nullable(Bool)')), 'Nullable(Bool)'), CAST(data.`code`.:Bool, 'Nullable(Bool)')) = {p3:Bool}))
