SELECT _time AS c0, _row AS c1, if(empty(extractGroups(ifNull(data.`path`.:String, ''), {p2:String})), NULL, extractGroups(ifNull(data.`path`.:String, ''), {p2:String})[{p4:UInt64}]) AS c2, if(empty(extractGroups(ifNull(data.`path`.:String, ''), {p2:String})), NULL, extractGroups(ifNull(data.`path`.:String, ''), {p2:String})[{p3:UInt64}]) AS c3, if(empty(extractGroups(ifNull(data.`method`.:String, ''), {p5:String})), NULL, extractGroups(ifNull(data.`method`.:String, ''), {p5:String})[{p3:UInt64}]) AS c4, if(empty(extractGroups(ifNull(data.`method`.:String, ''), {p5:String})), NULL, extractGroups(ifNull(data.`method`.:String, ''), {p5:String})[{p6:UInt64}]) AS c5
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY _time DESC, _row DESC
LIMIT {p7:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"(?s)(?-s:/(?P<first>\\w+)/(\\w+)/?(?<id>\\d*))","p3":"1","p4":"3","p5":"(?s)^.*?(?-s:(?P<vowel>[AEIOU]))(.*)$","p6":"2","p7":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
