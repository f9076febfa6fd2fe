SELECT {p0:String} AS c0, if(isFinite(toFloat64OrNull(extract(ifNull({p0:String}, ''), {p2:String}))), toFloat64OrNull(extract(ifNull({p0:String}, ''), {p2:String})), NULL) AS c1, CAST(transform(lower(extract(ifNull({p0:String}, ''), {p3:String})), ['true', '1', 'false', '0'], [true, true, false, false], CAST(NULL, 'Nullable(Bool)')), 'Nullable(Bool)') AS c2, parseDateTime64BestEffortOrNull(extract(ifNull({p0:String}, ''), {p4:String}), 9, 'UTC') AS c3, if(extract(ifNull({p0:String}, ''), {p5:String}) != '', extract(ifNull({p0:String}, ''), {p5:String}), if(match(ifNull({p0:String}, ''), {p1:String}), '', NULL)) AS c4
FROM system.one
LIMIT {p6:UInt64}
-- {"p0":"1.5|true|2026-01-01T00:00:00Z|x","p1":"(?s)^(?:[^\\x{7c}]*)\\|(?:[^\\x{7c}]*)\\|(?:[^\\x{7c}]*)\\|(?:.*)$","p2":"(?s)^([^\\x{7c}]*)\\|(?:[^\\x{7c}]*)\\|(?:[^\\x{7c}]*)\\|(?:.*)$","p3":"(?s)^(?:[^\\x{7c}]*)\\|([^\\x{7c}]*)\\|(?:[^\\x{7c}]*)\\|(?:.*)$","p4":"(?s)^(?:[^\\x{7c}]*)\\|(?:[^\\x{7c}]*)\\|([^\\x{7c}]*)\\|(?:.*)$","p5":"(?s)^(?:[^\\x{7c}]*)\\|(?:[^\\x{7c}]*)\\|(?:[^\\x{7c}]*)\\|(.*)$","p6":"65000"}
-- count:
SELECT count() AS n
FROM system.one
