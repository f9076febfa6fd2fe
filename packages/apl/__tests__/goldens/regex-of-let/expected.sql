SELECT _time AS c0, _row AS c1, data.`id` AS c2
FROM `ds_web`
WHERE _time >= {p4:DateTime64(9,'UTC')} AND _time < {p5:DateTime64(9,'UTC')} AND match(data.`path`.:String, {p6:String})
ORDER BY _time DESC, _row DESC
LIMIT {p7:UInt64}
-- {"p4":"2026-01-01 00:00:00.000000000","p5":"2026-01-02 00:00:00.000000000","p6":"(?-s)^/api.*","p7":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p4:DateTime64(9,'UTC')} AND _time < {p5:DateTime64(9,'UTC')} AND match(data.`path`.:String, {p6:String})
