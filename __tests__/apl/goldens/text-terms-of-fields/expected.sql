SELECT _time AS c0, _row AS c1, data.`id` AS c2
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (match(data.`path`.:String, concat({p4:String}, regexpQuoteMeta(concat('', ifNull({p2:String}, ''), ifNull({p3:String}, ''))), {p5:String})) OR match(data.`id`.:String, concat({p4:String}, regexpQuoteMeta(data.`id`.:String), {p5:String})))
ORDER BY _time DESC, _row DESC
LIMIT {p6:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"fo","p3":"o","p4":"(?i)(?:^|[^0-9A-Za-z\\x{80}-\\x{10FFFF}])","p5":"(?:$|[^0-9A-Za-z\\x{80}-\\x{10FFFF}])","p6":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (match(data.`path`.:String, concat({p4:String}, regexpQuoteMeta(concat('', ifNull({p2:String}, ''), ifNull({p3:String}, ''))), {p5:String})) OR match(data.`id`.:String, concat({p4:String}, regexpQuoteMeta(data.`id`.:String), {p5:String})))
