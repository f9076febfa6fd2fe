SELECT _time AS c2, _row AS c3, data.`id` AS c4, data.`status` AS c5, data.`code` AS c6
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (ifNull(data.`status`.:Int64 IN (
SELECT data.`status`.:Int64 AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`ok`.:Bool = {p2:Bool})
), false) OR ifNull(CAST(data.`code`, 'Nullable(String)') IN (
SELECT CAST(data.`code`, 'Nullable(String)') AS c1
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY data.`size`.:Int64 DESC NULLS LAST, _time DESC, _row DESC
LIMIT {p4:UInt64}
), false))
ORDER BY _time DESC, _row DESC
LIMIT {p5:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":false,"p4":"1","p5":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (ifNull(data.`status`.:Int64 IN (
SELECT data.`status`.:Int64 AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`ok`.:Bool = {p2:Bool})
), false) OR ifNull(CAST(data.`code`, 'Nullable(String)') IN (
SELECT CAST(data.`code`, 'Nullable(String)') AS c1
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY data.`size`.:Int64 DESC NULLS LAST, _time DESC, _row DESC
LIMIT {p4:UInt64}
), false))
