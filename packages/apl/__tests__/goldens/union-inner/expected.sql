SELECT c0 AS c6, c3 AS c7, c8 AS c11, c12 AS c15
FROM (
SELECT _time AS c0, _row AS c3, data.`id` AS c8, data.`path`.:String AS c12
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`status`.:Int64 >= {p2:Int64})
UNION ALL
SELECT _time AS c1, _row AS c4, data.`user` AS c9, data.`name`.:String AS c13
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
UNION ALL
SELECT _time AS c2, _row AS c5, data.`method` AS c10, {p3:String} AS c14
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
)
ORDER BY c0 DESC, c3 DESC
LIMIT {p4:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"500","p3":"x","p4":"1000"}
-- count:
SELECT count() AS n
FROM (
SELECT _time AS c0, _row AS c3
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`status`.:Int64 >= {p2:Int64})
UNION ALL
SELECT _time AS c1, _row AS c4
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
UNION ALL
SELECT _time AS c2, _row AS c5
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
)
