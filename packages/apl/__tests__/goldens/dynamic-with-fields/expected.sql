SELECT _time AS c0, _row AS c1, concat('{', toJSONString(ifNull({p3:String}, '')), ':', ifNull(toJSONString(data.`method`.:String), 'null'), ',', toJSONString(ifNull({p4:String}, '')), ':', ifNull(concat('[', ifNull({p5:String}, 'null'), ',', ifNull(toJSONString(data.`status`.:Int64), 'null'), ',', ifNull({p6:String}, 'null'), ',', ifNull(NULL, 'null'), ']'), 'null'), ',', toJSONString(ifNull({p7:String}, '')), ':', ifNull({p8:String}, 'null'), '}') AS c2
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`id`.:String = {p2:String})
ORDER BY _time DESC, _row DESC
LIMIT {p9:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"a1","p3":"way","p4":"list","p5":"1","p6":"\"x\"","p7":"fixed","p8":"{\"a\":[true]}","p9":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`id`.:String = {p2:String})
