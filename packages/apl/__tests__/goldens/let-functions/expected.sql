SELECT c6 AS c12, c9 AS c13, c14 AS c17, multiIf((c0 >= {p6:Int64}), {p7:String}, {p8:String}) AS c18, multiIf((c0 >= {p6:Int64}), {p7:String}, {p9:String}) AS c19
FROM (
SELECT data.`status`.:Int64 AS c0, data.`id`.:String AS c3, _time AS c6, _row AS c9, data.`id` AS c14
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (coalesce(toFloat64(data.`duration`.:Int64), data.`duration`.:Float64) > {p2:Int64})
UNION ALL
SELECT data.`status`.:Int64 AS c1, data.`id`.:String AS c4, _time AS c7, _row AS c10, data.`id` AS c15
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`ok`.:Bool = {p3:Bool}) AND (coalesce(toFloat64(data.`duration`.:Int64), data.`duration`.:Float64) > {p4:Int64})
UNION ALL
SELECT data.`status`.:Int64 AS c2, data.`id`.:String AS c5, _time AS c8, _row AS c11, data.`id` AS c16
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`id`.:String = {p5:String})
)
ORDER BY c6 DESC, c9 DESC
LIMIT {p10:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"50","p3":false,"p4":"999","p5":"a3","p6":"500","p7":"bad","p8":"fine","p9":"good","p10":"1000"}
-- count:
SELECT count() AS n
FROM (
SELECT data.`status`.:Int64 AS c0, data.`id`.:String AS c3, _time AS c6, _row AS c9
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (coalesce(toFloat64(data.`duration`.:Int64), data.`duration`.:Float64) > {p2:Int64})
UNION ALL
SELECT data.`status`.:Int64 AS c1, data.`id`.:String AS c4, _time AS c7, _row AS c10
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`ok`.:Bool = {p3:Bool}) AND (coalesce(toFloat64(data.`duration`.:Int64), data.`duration`.:Float64) > {p4:Int64})
UNION ALL
SELECT data.`status`.:Int64 AS c2, data.`id`.:String AS c5, _time AS c8, _row AS c11
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`id`.:String = {p5:String})
)
