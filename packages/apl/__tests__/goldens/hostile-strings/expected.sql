SELECT _time AS c0, _row AS c1, data.`id` AS c2, {p5:String} AS c3
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (ifNull(data.`path`.:String != {p2:String}, true) AND ifNull(data.`path`.:String != {p3:String}, true) AND (NOT ifNull((positionCaseInsensitive(data.`path`.:String, {p4:String}) > 0), false)))
ORDER BY _time DESC, _row DESC
LIMIT {p6:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"'; DROP TABLE ds_web; --","p3":"`x` \\' {p0:String}","p4":"%_\\","p5":"\\'; SELECT 1 --","p6":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (ifNull(data.`path`.:String != {p2:String}, true) AND ifNull(data.`path`.:String != {p3:String}, true) AND (NOT ifNull((positionCaseInsensitive(data.`path`.:String, {p4:String}) > 0), false)))
