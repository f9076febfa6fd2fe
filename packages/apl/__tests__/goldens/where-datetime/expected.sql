SELECT _time AS c0, _row AS c1, data.`id` AS c2
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND ((_time > {p3:DateTime64(9,'UTC')}) AND (_time < {p6:DateTime64(9,'UTC')}) AND ifNull(_time != {p0:DateTime64(9,'UTC')}, true))
ORDER BY _time DESC, _row DESC
LIMIT {p7:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p3":"2026-01-01 01:00:00.000000000","p6":"2026-01-01 02:50:00.000000000","p7":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND ((_time > {p3:DateTime64(9,'UTC')}) AND (_time < {p6:DateTime64(9,'UTC')}) AND ifNull(_time != {p0:DateTime64(9,'UTC')}, true))
