SELECT _time AS c0, _row AS c1, data.`id` AS c2
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND ((positionCaseInsensitive(data.`path`.:String, {p2:String}) > 0) OR (position(data.`path`.:String, {p3:String}) > 0) OR (positionCaseInsensitiveUTF8(data.`path`.:String, {p4:String}) > 0)) AND ((NOT ifNull((positionCaseInsensitive(data.`method`.:String, {p5:String}) > 0), false)) AND (NOT ifNull((position(data.`method`.:String, {p6:String}) > 0), false)))
ORDER BY _time DESC, _row DESC
LIMIT {p7:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"API","p3":"Home","p4":"MÜLLER","p5":"delete","p6":"POST","p7":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND ((positionCaseInsensitive(data.`path`.:String, {p2:String}) > 0) OR (position(data.`path`.:String, {p3:String}) > 0) OR (positionCaseInsensitiveUTF8(data.`path`.:String, {p4:String}) > 0)) AND ((NOT ifNull((positionCaseInsensitive(data.`method`.:String, {p5:String}) > 0), false)) AND (NOT ifNull((position(data.`method`.:String, {p6:String}) > 0), false)))
