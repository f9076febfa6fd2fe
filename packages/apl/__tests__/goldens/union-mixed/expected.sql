SELECT c0 AS c6, c3 AS c7, c8 AS c11, c12 AS c15
FROM (
SELECT _time AS c0, _row AS c3, data.`status` AS c8, data.`id` AS c12
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
UNION ALL
SELECT _time AS c1, _row AS c4, data.`name` AS c9, NULL AS c13
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
UNION ALL
SELECT * FROM (
SELECT _time AS c2, _row AS c5, data.`ok` AS c10, NULL AS c14
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY _time DESC, _row DESC
LIMIT {p3:UInt64}
)
)
ORDER BY c0 DESC, c3 DESC
LIMIT {p4:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p3":"1","p4":"1000"}
-- count:
SELECT count() AS n
FROM (
SELECT _time AS c0, _row AS c3
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
UNION ALL
SELECT _time AS c1, _row AS c4
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
UNION ALL
SELECT * FROM (
SELECT _time AS c2, _row AS c5
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY _time DESC, _row DESC
LIMIT {p3:UInt64}
)
)
