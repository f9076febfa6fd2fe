SELECT _time AS c0, _row AS c1, data.`id` AS c2, if(empty(extractGroups(ifNull(data.`path`.:String, ''), {p2:String})), NULL, extractGroups(ifNull(data.`path`.:String, ''), {p2:String})[{p3:UInt64}]) AS c3, ifNull(toInt64OrNull(if(empty(extractGroups(ifNull(data.`path`.:String, ''), {p2:String})), NULL, extractGroups(ifNull(data.`path`.:String, ''), {p2:String})[{p4:UInt64}])), accurateCastOrNull(trunc(toFloat64OrNull(if(empty(extractGroups(ifNull(data.`path`.:String, ''), {p2:String})), NULL, extractGroups(ifNull(data.`path`.:String, ''), {p2:String})[{p4:UInt64}]))), 'Int64')) AS c4, NULL AS c5, toFloat64(toFloat64OrNull({p5:String})) AS c6
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND notEmpty(extractGroups(ifNull(data.`path`.:String, ''), {p2:String})) AND isNotNull(ifNull(toInt64OrNull(if(empty(extractGroups(ifNull(data.`path`.:String, ''), {p2:String})), NULL, extractGroups(ifNull(data.`path`.:String, ''), {p2:String})[{p4:UInt64}])), accurateCastOrNull(trunc(toFloat64OrNull(if(empty(extractGroups(ifNull(data.`path`.:String, ''), {p2:String})), NULL, extractGroups(ifNull(data.`path`.:String, ''), {p2:String})[{p4:UInt64}]))), 'Int64')))
ORDER BY _time DESC, _row DESC
LIMIT {p6:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"(?s)^/api/(.*?)/(.*)$","p3":"1","p4":"2","p5":"2.5","p6":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND notEmpty(extractGroups(ifNull(data.`path`.:String, ''), {p2:String})) AND isNotNull(ifNull(toInt64OrNull(if(empty(extractGroups(ifNull(data.`path`.:String, ''), {p2:String})), NULL, extractGroups(ifNull(data.`path`.:String, ''), {p2:String})[{p4:UInt64}])), accurateCastOrNull(trunc(toFloat64OrNull(if(empty(extractGroups(ifNull(data.`path`.:String, ''), {p2:String})), NULL, extractGroups(ifNull(data.`path`.:String, ''), {p2:String})[{p4:UInt64}]))), 'Int64')))
