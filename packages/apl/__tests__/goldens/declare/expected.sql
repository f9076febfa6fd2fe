SELECT _time AS c0, _row AS c1, data.`id` AS c2
FROM `ds_web`
WHERE _time >= {p2:DateTime64(9,'UTC')} AND _time < {p3:DateTime64(9,'UTC')} AND ((ifNull({p0:String}, '') = '') OR (data.`method`.:String = {p0:String})) AND (data.`status`.:Int64 >= {p1:Int64})
ORDER BY _time DESC, _row DESC
LIMIT {p4:UInt64}
-- {"p0":"GET","p1":"100","p2":"2026-01-01 00:00:00.000000000","p3":"2026-01-02 00:00:00.000000000","p4":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p2:DateTime64(9,'UTC')} AND _time < {p3:DateTime64(9,'UTC')} AND ((ifNull({p0:String}, '') = '') OR (data.`method`.:String = {p0:String})) AND (data.`status`.:Int64 >= {p1:Int64})
