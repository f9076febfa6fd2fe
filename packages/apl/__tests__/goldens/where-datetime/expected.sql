SELECT _time AS c0, _row AS c1, data.`id` AS c2
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND ((_time > {p4:DateTime64(9,'UTC')}) AND (_time < {p7:DateTime64(9,'UTC')}) AND ifNull(_time != {p0:DateTime64(9,'UTC')}, true))
ORDER BY _time DESC, _row DESC
LIMIT {p8:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p4":"2026-01-01 01:00:00.000000000","p7":"2026-01-01 02:50:00.000000000","p8":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND ((_time > {p4:DateTime64(9,'UTC')}) AND (_time < {p7:DateTime64(9,'UTC')}) AND ifNull(_time != {p0:DateTime64(9,'UTC')}, true))
