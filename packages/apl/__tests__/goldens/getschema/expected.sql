SELECT tupleElement(c0, 1) AS c1, (toInt64(tupleElement(c0, 3)) - 1) AS c2, tupleElement(c0, 2) AS c3
FROM system.one
ARRAY JOIN arrayZip({p3:Array(String)}, {p4:Array(String)}, arrayEnumerate({p3:Array(String)})) AS c0
ORDER BY (toInt64(tupleElement(c0, 3)) - 1)
LIMIT {p5:UInt64}
-- {"p3":["_sysTime","_time","big","code","duration","error.codes","error.message","extra","geo.city","geo.country","id","ip","it's","method","ok","path","size","status","tags","when","since"],"p4":["datetime","datetime","integer","boolean|float|integer|string","float|integer","array","string","string","string","string","string","string","string","string","boolean","string","integer","integer","array","string","timespan"],"p5":"65000"}
-- count:
SELECT count() AS n
FROM system.one
ARRAY JOIN arrayZip({p3:Array(String)}, {p4:Array(String)}, arrayEnumerate({p3:Array(String)})) AS c0
