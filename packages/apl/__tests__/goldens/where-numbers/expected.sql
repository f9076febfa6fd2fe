SELECT _time AS c0, _row AS c1, data.`id` AS c2, data.`status` AS c3, data.`duration` AS c4
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND ((data.`status`.:Int64 >= {p2:Int64}) OR ((data.`status`.:Int64 < {p3:Int64}) AND (coalesce(toFloat64(data.`duration`.:Int64), data.`duration`.:Float64) > {p4:Float64})) OR ((data.`status`.:Int64 <= {p5:Int64}) AND (coalesce(toFloat64(data.`duration`.:Int64), data.`duration`.:Float64) < {p6:Int64})))
ORDER BY _time DESC, _row DESC
LIMIT {p7:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"500","p3":"300","p4":"40","p5":"200","p6":"1","p7":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND ((data.`status`.:Int64 >= {p2:Int64}) OR ((data.`status`.:Int64 < {p3:Int64}) AND (coalesce(toFloat64(data.`duration`.:Int64), data.`duration`.:Float64) > {p4:Float64})) OR ((data.`status`.:Int64 <= {p5:Int64}) AND (coalesce(toFloat64(data.`duration`.:Int64), data.`duration`.:Float64) < {p6:Int64})))
