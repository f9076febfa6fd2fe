SELECT _time AS c0, _row AS c1, if(extract(ifNull(data.`path`.:String, ''), {p3:String}) != '', extract(ifNull(data.`path`.:String, ''), {p3:String}), if(match(ifNull(data.`path`.:String, ''), {p2:String}), '', NULL)) AS c2, if(isNotNull(toInt64OrNull(extract(ifNull(data.`path`.:String, ''), {p4:String}))), toInt64OrNull(extract(ifNull(data.`path`.:String, ''), {p4:String})), accurateCastOrNull(trunc(if(isFinite(toFloat64OrNull(extract(ifNull(data.`path`.:String, ''), {p4:String}))), toFloat64OrNull(extract(ifNull(data.`path`.:String, ''), {p4:String})), NULL)), 'Int64')) AS c3
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND match(ifNull(data.`path`.:String, ''), {p2:String}) AND isNotNull(if(isNotNull(toInt64OrNull(extract(ifNull(data.`path`.:String, ''), {p4:String}))), toInt64OrNull(extract(ifNull(data.`path`.:String, ''), {p4:String})), accurateCastOrNull(trunc(if(isFinite(toFloat64OrNull(extract(ifNull(data.`path`.:String, ''), {p4:String}))), toFloat64OrNull(extract(ifNull(data.`path`.:String, ''), {p4:String})), NULL)), 'Int64')))
ORDER BY _time DESC, _row DESC
LIMIT {p5:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"(?s)^/api/(?:[^\\x{2f}]*)/(?:.*)$","p3":"(?s)^/api/([^\\x{2f}]*)/(?:.*)$","p4":"(?s)^/api/(?:[^\\x{2f}]*)/(.*)$","p5":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND match(ifNull(data.`path`.:String, ''), {p2:String}) AND isNotNull(if(isNotNull(toInt64OrNull(extract(ifNull(data.`path`.:String, ''), {p4:String}))), toInt64OrNull(extract(ifNull(data.`path`.:String, ''), {p4:String})), accurateCastOrNull(trunc(if(isFinite(toFloat64OrNull(extract(ifNull(data.`path`.:String, ''), {p4:String}))), toFloat64OrNull(extract(ifNull(data.`path`.:String, ''), {p4:String})), NULL)), 'Int64')))
