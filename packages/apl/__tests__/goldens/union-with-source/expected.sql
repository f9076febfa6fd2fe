SELECT c6 AS c10, c8 AS c11, c12 AS c14, c15 AS c17, c4 AS c18
FROM (
SELECT data.`id`.:String AS c0, NULL AS c2, {p3:String} AS c4, _time AS c6, _row AS c8, data.`id` AS c12, NULL AS c15
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`status`.:Int64 >= {p2:Int64})
UNION ALL
SELECT NULL AS c1, data.`user`.:String AS c3, {p4:String} AS c5, _time AS c7, _row AS c9, NULL AS c13, data.`user` AS c16
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
)
ORDER BY c6 DESC, c8 DESC
LIMIT {p5:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"500","p3":"web","p4":"users","p5":"1000"}
-- count:
SELECT count() AS n
FROM (
SELECT data.`id`.:String AS c0, NULL AS c2, {p3:String} AS c4, _time AS c6, _row AS c8
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`status`.:Int64 >= {p2:Int64})
UNION ALL
SELECT NULL AS c1, data.`user`.:String AS c3, {p4:String} AS c5, _time AS c7, _row AS c9
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
)
