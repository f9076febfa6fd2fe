SELECT c2 AS c4, c3 AS c5, c6 AS c7
FROM (
SELECT data.`ok`.:Bool AS c0, data.`id`.:String AS c1, _time AS c2, _row AS c3, data.`id` AS c6
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY _time DESC, _row DESC
LIMIT {p3:UInt64}
)
WHERE c0
ORDER BY c1 NULLS FIRST, c2 DESC, c3 DESC
LIMIT {p4:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p3":"4","p4":"65000"}
-- count:
SELECT count() AS n
FROM (
SELECT data.`ok`.:Bool AS c0, data.`id`.:String AS c1, _time AS c2, _row AS c3
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY _time DESC, _row DESC
LIMIT {p3:UInt64}
)
WHERE c0
