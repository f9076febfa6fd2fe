SELECT JSONExtract(nullIf(c0, 'null'), 'Nullable(String)') AS c8, JSONExtract(nullIf(c1, 'null'), 'Nullable(Int64)') AS c9, JSONExtract(nullIf(c2, 'null'), 'Nullable(Float64)') AS c10, CAST(transform(lower(JSONExtract(nullIf(c3, 'null'), 'Nullable(String)')), ['true', '1', 'false', '0'], [true, true, false, false], CAST(NULL, 'Nullable(Bool)')), 'Nullable(Bool)') AS c11, parseDateTime64BestEffortOrNull(JSONExtract(nullIf(c4, 'null'), 'Nullable(String)'), 9, 'UTC') AS c12, JSONExtract(nullIf(c5, 'null'), 'Nullable(Int64)') AS c13, nullIf(c6, 'null') AS c14, accurateCast(toInt128(JSONExtract(nullIf(c1, 'null'), 'Nullable(Int64)')) * {p8:Int64}, 'Nullable(Int64)') AS c15, nullIf(JSONExtractRaw(nullIf(c6, 'null'), {p23:String}), '') AS c16
FROM system.one
ARRAY JOIN {p2:Array(String)} AS c0, {p6:Array(String)} AS c1, {p9:Array(String)} AS c2, {p12:Array(String)} AS c3, {p15:Array(String)} AS c4, {p18:Array(String)} AS c5, {p21:Array(String)} AS c6, arrayEnumerate({p22:Array(String)}) AS c7
ORDER BY c7
LIMIT {p24:UInt64}
-- {"p2":["\"it's\"","\"😀\"","null"],"p6":["9007199254740993","-1","null"],"p8":"2","p9":["1.5","2","null"],"p12":["true","false","null"],"p15":["\"2026-01-31T12:00:00.5Z\"","\"2026-01-31T00:00:00Z\"","null"],"p18":["3600000000000","90000000000","null"],"p21":["{\"a\":[1]}","\"text\"","null"],"p22":["","",""],"p23":"a","p24":"65000"}
-- count:
SELECT count() AS n
FROM system.one
ARRAY JOIN {p2:Array(String)} AS c0
