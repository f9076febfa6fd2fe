SELECT _time AS c0, _row AS c1, data.`id` AS c2, if(isNull(data.`path`.:String), NULL, arrayStringConcat(arrayMap(piece -> if(position(piece, {p3:String}) = 0, piece, concat(if(empty(substring(piece, 1, position(piece, {p3:String}) - 1)), '', {p6:String}), substring(piece, position(piece, {p3:String}) + 1))), splitByString({p2:String}, replaceRegexpAll(replaceAll(replaceAll(ifNull(data.`path`.:String, ''), {p2:String}, ''), {p3:String}, ''), {p4:String}, {p5:String}))))) AS c3, if(isNull(data.`method`.:String), NULL, arrayStringConcat(arrayMap(piece -> if(position(piece, {p3:String}) = 0, piece, concat(arrayStringConcat(arrayMap((part, hides) -> if(hides = 1, if(empty(part), '', {p9:String}), part), extractGroups(substring(piece, 1, position(piece, {p3:String}) - 1), {p8:String}), [0, 1, 0])), substring(piece, position(piece, {p3:String}) + 1))), splitByString({p2:String}, replaceRegexpAll(replaceAll(replaceAll(ifNull(data.`method`.:String, ''), {p2:String}, ''), {p3:String}, ''), {p7:String}, {p5:String}))))) AS c4
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY _time DESC, _row DESC
LIMIT {p10:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"\u0001","p3":"\u0002","p4":"((?-s:[a-z]*))","p5":"\u0001\\1\u0002","p6":"<gone>","p7":"((?-s:^(\\w)\\w*$))","p8":"^((?-s:^))((?-s:\\w))((?-s:\\w*$))$","p9":"[x]","p10":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
