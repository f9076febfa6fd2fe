SELECT c6 AS c10, c8 AS c11, c12 AS c14, c15 AS c17, c18 AS c20
FROM (
SELECT NULL AS c0, data.`status`.:Int64 AS c2, data.`id`.:String AS c4, _time AS c6, _row AS c8, data.`id` AS c12, NULL AS c15, data.`status` AS c18
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
UNION ALL
SELECT data.`name`.:String AS c1, NULL AS c3, NULL AS c5, _time AS c7, _row AS c9, NULL AS c13, data.`name` AS c16, NULL AS c19
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
)
WHERE ((NOT isNull(c0)) OR (c2 = {p2:Int64}))
ORDER BY c6, c8
LIMIT {p3:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"200","p3":"1000"}
-- count:
SELECT count() AS n
FROM (
SELECT NULL AS c0, data.`status`.:Int64 AS c2, data.`id`.:String AS c4, _time AS c6, _row AS c8
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
UNION ALL
SELECT data.`name`.:String AS c1, NULL AS c3, NULL AS c5, _time AS c7, _row AS c9
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
)
WHERE ((NOT isNull(c0)) OR (c2 = {p2:Int64}))
