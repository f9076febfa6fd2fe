SELECT _time AS c0, _row AS c1, data.`id` AS c2, if(isNull(data.`path`.:String), NULL, arrayStringConcat(arrayMap(piece -> if(position(piece, {p3:String}) = 0, piece, concat(arrayStringConcat(arrayMap((part, hides) -> if(hides = 1, repeat({p7:String}, lengthUTF8(part)), part), extractGroups(substring(piece, 1, position(piece, {p3:String}) - 1), {p6:String}), [0, 1, 0])), substring(piece, position(piece, {p3:String}) + 1))), splitByString({p2:String}, replaceRegexpAll(replaceAll(replaceAll(ifNull(data.`path`.:String, ''), {p2:String}, ''), {p3:String}, ''), {p4:String}, {p5:String}))))) AS c3
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY _time DESC, _row DESC
LIMIT {p8:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"\u0001","p3":"\u0002","p4":"((?-s:/(\\w+)/[^/]*$))","p5":"\u0001\\1\u0002","p6":"^((?-s:/))((?-s:\\w+))((?-s:/[^/]*$))$","p7":"*","p8":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
