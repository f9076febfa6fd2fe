SELECT _time AS c0, _row AS c1, data.`id` AS c2, if(extract(ifNull(data.`path`.:String, ''), {p3:String}) != '', extract(ifNull(data.`path`.:String, ''), {p3:String}), if(match(ifNull(data.`path`.:String, ''), {p2:String}), '', NULL)) AS c3, if(extract(ifNull(data.`path`.:String, ''), {p4:String}) != '', extract(ifNull(data.`path`.:String, ''), {p4:String}), if(match(ifNull(data.`path`.:String, ''), {p2:String}), '', NULL)) AS c4, if(extract(ifNull(data.`path`.:String, ''), {p6:String}) != '', extract(ifNull(data.`path`.:String, ''), {p6:String}), if(match(ifNull(data.`path`.:String, ''), {p5:String}), '', NULL)) AS c5
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY _time DESC, _row DESC
LIMIT {p7:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"(?si)^(?-s:/API/)(?:.*)(?-s:/)(?:.*)$","p3":"(?si)^(?-s:/API/)(.*)(?-s:/)(?:.*)$","p4":"(?si)^(?-s:/API/)(?:.*)(?-s:/)(.*)$","p5":"(?sU)^.*(?:(?:s|o))(?:.*)$","p6":"(?sU)^.*(?:(?:s|o))(.*)$","p7":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
