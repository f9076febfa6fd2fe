SELECT _time AS c0, _row AS c1, data.`id` AS c2, if(extract(ifNull(data.`path`.:String, ''), {p3:String}) != '', extract(ifNull(data.`path`.:String, ''), {p3:String}), if(match(ifNull(data.`path`.:String, ''), {p2:String}), '', NULL)) AS c3, if(extract(ifNull(data.`path`.:String, ''), {p4:String}) != '', extract(ifNull(data.`path`.:String, ''), {p4:String}), if(match(ifNull(data.`path`.:String, ''), {p2:String}), '', NULL)) AS c4, if(isNotNull(toInt64OrNull(extract(ifNull(data.`path`.:String, ''), {p5:String}))), toInt64OrNull(extract(ifNull(data.`path`.:String, ''), {p5:String})), accurateCastOrNull(trunc(if(isFinite(toFloat64OrNull(extract(ifNull(data.`path`.:String, ''), {p5:String}))), toFloat64OrNull(extract(ifNull(data.`path`.:String, ''), {p5:String})), NULL)), 'Int64')) AS c5
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (NOT isNull(if(extract(ifNull(data.`path`.:String, ''), {p4:String}) != '', extract(ifNull(data.`path`.:String, ''), {p4:String}), if(match(ifNull(data.`path`.:String, ''), {p2:String}), '', NULL))))
ORDER BY _time DESC, _row DESC
LIMIT {p6:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"(?s)^.*?://(?:[^\\x{40}]*)@(?:[^\\x{3a}]*):(?:[^\\x{2f}]*)/","p3":"(?s)^.*?://([^\\x{40}]*)@(?:[^\\x{3a}]*):(?:[^\\x{2f}]*)/","p4":"(?s)^.*?://(?:[^\\x{40}]*)@([^\\x{3a}]*):(?:[^\\x{2f}]*)/","p5":"(?s)^.*?://(?:[^\\x{40}]*)@(?:[^\\x{3a}]*):([^\\x{2f}]*)/","p6":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (NOT isNull(if(extract(ifNull(data.`path`.:String, ''), {p4:String}) != '', extract(ifNull(data.`path`.:String, ''), {p4:String}), if(match(ifNull(data.`path`.:String, ''), {p2:String}), '', NULL))))
