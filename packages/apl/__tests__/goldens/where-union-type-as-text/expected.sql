SELECT _time AS c0, _row AS c1, data.`id` AS c2, data.`code` AS c3
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND ((data.`code`.:Int64 = {p3:Int64}) OR (data.`code`.:Float64 = {p3:Int64}) OR (data.`code`.:String = {p2:String}) OR (toString(CAST(data.`code`.:Bool, 'Nullable(Bool)')) = {p2:String}))
ORDER BY _time DESC, _row DESC
LIMIT {p4:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"7","p3":"7","p4":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND ((data.`code`.:Int64 = {p3:Int64}) OR (data.`code`.:Float64 = {p3:Int64}) OR (data.`code`.:String = {p2:String}) OR (toString(CAST(data.`code`.:Bool, 'Nullable(Bool)')) = {p2:String}))
