SELECT _time AS c0, _row AS c1, if(extract(ifNull(data.`path`.:String, ''), {p4:String}) != '', extract(ifNull(data.`path`.:String, ''), {p4:String}), if(match(ifNull(data.`path`.:String, ''), {p2:String}), '', NULL)) AS c2, if(extract(ifNull(data.`path`.:String, ''), {p3:String}) != '', extract(ifNull(data.`path`.:String, ''), {p3:String}), if(match(ifNull(data.`path`.:String, ''), {p2:String}), '', NULL)) AS c3, if(extract(ifNull(data.`method`.:String, ''), {p6:String}) != '', extract(ifNull(data.`method`.:String, ''), {p6:String}), if(match(ifNull(data.`method`.:String, ''), {p5:String}), '', NULL)) AS c4, if(extract(ifNull(data.`method`.:String, ''), {p7:String}) != '', extract(ifNull(data.`method`.:String, ''), {p7:String}), if(match(ifNull(data.`method`.:String, ''), {p5:String}), '', NULL)) AS c5
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY _time DESC, _row DESC
LIMIT {p8:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"(?s)(?-s:/(?:\\w+)/(?:\\w+)/?(?:\\d*))","p3":"(?s)(?-s:/(\\w+)/(?:\\w+)/?(?:\\d*))","p4":"(?s)(?-s:/(?:\\w+)/(?:\\w+)/?(\\d*))","p5":"(?s)^.*?(?-s:(?:[AEIOU]))(?:.*)$","p6":"(?s)^.*?(?-s:([AEIOU]))(?:.*)$","p7":"(?s)^.*?(?-s:(?:[AEIOU]))(.*)$","p8":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
