SELECT _time AS c0, _row AS c1, data.`id` AS c2, data.`path` AS c3
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (startsWithCaseInsensitive(data.`path`.:String, {p2:String}) OR endsWithCaseInsensitive(data.`path`.:String, {p3:String}) OR startsWith(data.`path`.:String, {p4:String}) OR endsWith(data.`path`.:String, {p5:String})) AND ((NOT ifNull(startsWithCaseInsensitive(data.`path`.:String, {p6:String}), false)) AND (NOT ifNull(endsWithCaseInsensitive(data.`path`.:String, {p7:String}), false)) AND (NOT ifNull(startsWith(data.`path`.:String, {p8:String}), false)) AND (NOT ifNull(endsWith(data.`path`.:String, {p9:String}), false)))
ORDER BY _time DESC, _row DESC
LIMIT {p10:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"/API","p3":"BAR","p4":"/H","p5":"frag","p6":"x","p7":"y","p8":"z","p9":"w","p10":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (startsWithCaseInsensitive(data.`path`.:String, {p2:String}) OR endsWithCaseInsensitive(data.`path`.:String, {p3:String}) OR startsWith(data.`path`.:String, {p4:String}) OR endsWith(data.`path`.:String, {p5:String})) AND ((NOT ifNull(startsWithCaseInsensitive(data.`path`.:String, {p6:String}), false)) AND (NOT ifNull(endsWithCaseInsensitive(data.`path`.:String, {p7:String}), false)) AND (NOT ifNull(startsWith(data.`path`.:String, {p8:String}), false)) AND (NOT ifNull(endsWith(data.`path`.:String, {p9:String}), false)))
