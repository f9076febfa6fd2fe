SELECT _time AS c0, _row AS c1, data.`id` AS c2
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND ((hasTokenCaseInsensitive(data.`path`.:String, {p2:String}) OR hasTokenCaseInsensitive(data.`path`.:String, {p3:String})) AND (hasToken(data.`path`.:String, {p4:String}) OR hasToken(data.`path`.:String, {p5:String})) AND (NOT (ifNull(hasTokenCaseInsensitive(data.`path`.:String, {p6:String}), false))) AND (NOT (ifNull(hasToken(data.`path`.:String, {p7:String}), false))) AND (ifNull(hasTokenCaseInsensitive(data.`path`.:String, {p8:String}), false) AND ifNull(hasTokenCaseInsensitive(data.`path`.:String, {p4:String}), false)))
ORDER BY _time DESC, _row DESC
LIMIT {p9:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"API","p3":"foo","p4":"users","p5":"bar","p6":"none","p7":"NONE","p8":"api","p9":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND ((hasTokenCaseInsensitive(data.`path`.:String, {p2:String}) OR hasTokenCaseInsensitive(data.`path`.:String, {p3:String})) AND (hasToken(data.`path`.:String, {p4:String}) OR hasToken(data.`path`.:String, {p5:String})) AND (NOT (ifNull(hasTokenCaseInsensitive(data.`path`.:String, {p6:String}), false))) AND (NOT (ifNull(hasToken(data.`path`.:String, {p7:String}), false))) AND (ifNull(hasTokenCaseInsensitive(data.`path`.:String, {p8:String}), false) AND ifNull(hasTokenCaseInsensitive(data.`path`.:String, {p4:String}), false)))
