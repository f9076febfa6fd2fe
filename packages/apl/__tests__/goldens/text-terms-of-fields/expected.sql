SELECT _time AS c0, _row AS c1, data.`id` AS c2
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (hasTokenCaseInsensitive(data.`path`.:String, {p4:String}) OR match(data.`id`.:String, concat({p9:String}, if(match(data.`id`.:String, {p5:String}), '', {p6:String}), regexpQuoteMeta(data.`id`.:String), if(match(data.`id`.:String, {p7:String}), '', {p8:String}))))
ORDER BY _time DESC, _row DESC
LIMIT {p10:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p4":"foo","p5":"^[^0-9A-Za-z\\x{80}-\\x{10FFFF}]","p6":"(?:^|[^0-9A-Za-z\\x{80}-\\x{10FFFF}])","p7":"[^0-9A-Za-z\\x{80}-\\x{10FFFF}]$","p8":"(?:$|[^0-9A-Za-z\\x{80}-\\x{10FFFF}])","p9":"(?i)","p10":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (hasTokenCaseInsensitive(data.`path`.:String, {p4:String}) OR match(data.`id`.:String, concat({p9:String}, if(match(data.`id`.:String, {p5:String}), '', {p6:String}), regexpQuoteMeta(data.`id`.:String), if(match(data.`id`.:String, {p7:String}), '', {p8:String}))))
