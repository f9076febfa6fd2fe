SELECT _time AS c0, _row AS c1, data.`id` AS c2
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (((data.`status`.:Int64 >= {p2:Int64}) AND (data.`status`.:Int64 <= {p3:Int64})) AND (NOT (ifNull(_time >= {p4:DateTime64(9,'UTC')}, false) AND ifNull(_time <= {p6:DateTime64(9,'UTC')}, false))) AND ((coalesce(toFloat64(data.`duration`.:Int64), data.`duration`.:Float64) >= {p7:Int64}) AND (coalesce(toFloat64(data.`duration`.:Int64), data.`duration`.:Float64) <= {p8:Int64})))
ORDER BY _time DESC, _row DESC
LIMIT {p9:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"200","p3":"204","p4":"2026-01-01 01:00:00.000000000","p6":"2026-01-01 02:00:00.000000000","p7":"1","p8":"50","p9":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (((data.`status`.:Int64 >= {p2:Int64}) AND (data.`status`.:Int64 <= {p3:Int64})) AND (NOT (ifNull(_time >= {p4:DateTime64(9,'UTC')}, false) AND ifNull(_time <= {p6:DateTime64(9,'UTC')}, false))) AND ((coalesce(toFloat64(data.`duration`.:Int64), data.`duration`.:Float64) >= {p7:Int64}) AND (coalesce(toFloat64(data.`duration`.:Int64), data.`duration`.:Float64) <= {p8:Int64})))
