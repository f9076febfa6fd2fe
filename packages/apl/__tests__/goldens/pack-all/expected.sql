SELECT _time AS c0, _row AS c1, data.`user` AS c2, data.`age` AS c3, concat('{', toJSONString(ifNull({p2:String}, '')), ':', ifNull(toJSONString(data.`user`.:String), 'null'), ',', toJSONString(ifNull({p3:String}, '')), ':', ifNull(toJSONString(data.`age`.:Int64), 'null'), '}') AS c4
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY _time DESC, _row DESC
LIMIT {p4:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"user","p3":"age","p4":"1000"}
-- count:
SELECT count() AS n
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
