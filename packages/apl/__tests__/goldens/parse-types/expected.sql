SELECT {p0:String} AS c0, toFloat64OrNull(if(empty(extractGroups(ifNull({p0:String}, ''), {p1:String})), NULL, extractGroups(ifNull({p0:String}, ''), {p1:String})[{p2:UInt64}])) AS c1, CAST(transform(lower(if(empty(extractGroups(ifNull({p0:String}, ''), {p1:String})), NULL, extractGroups(ifNull({p0:String}, ''), {p1:String})[{p3:UInt64}])), ['true', '1', 'false', '0'], [true, true, false, false], CAST(NULL, 'Nullable(Bool)')), 'Nullable(Bool)') AS c2, parseDateTime64BestEffortOrNull(if(empty(extractGroups(ifNull({p0:String}, ''), {p1:String})), NULL, extractGroups(ifNull({p0:String}, ''), {p1:String})[{p4:UInt64}]), 9, 'UTC') AS c3, if(empty(extractGroups(ifNull({p0:String}, ''), {p1:String})), NULL, extractGroups(ifNull({p0:String}, ''), {p1:String})[{p5:UInt64}]) AS c4
FROM system.one
LIMIT {p6:UInt64}
-- {"p0":"1.5|true|2026-01-01T00:00:00Z|x","p1":"(?s)^(.*?)\\|(.*?)\\|(.*?)\\|(.*)$","p2":"1","p3":"2","p4":"3","p5":"4","p6":"65000"}
-- count:
SELECT count() AS n
FROM system.one
