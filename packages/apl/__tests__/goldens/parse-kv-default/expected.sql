SELECT {p0:String} AS c0, nullIf(concat(extractGroups(ifNull({p0:String}, ''), {p1:String})[1], extractGroups(ifNull({p0:String}, ''), {p1:String})[2]), '') AS c1, if(isNotNull(toInt64OrNull(nullIf(concat(extractGroups(ifNull({p0:String}, ''), {p2:String})[1], extractGroups(ifNull({p0:String}, ''), {p2:String})[2]), ''))), toInt64OrNull(nullIf(concat(extractGroups(ifNull({p0:String}, ''), {p2:String})[1], extractGroups(ifNull({p0:String}, ''), {p2:String})[2]), '')), accurateCastOrNull(trunc(if(isFinite(toFloat64OrNull(nullIf(concat(extractGroups(ifNull({p0:String}, ''), {p2:String})[1], extractGroups(ifNull({p0:String}, ''), {p2:String})[2]), ''))), toFloat64OrNull(nullIf(concat(extractGroups(ifNull({p0:String}, ''), {p2:String})[1], extractGroups(ifNull({p0:String}, ''), {p2:String})[2]), '')), NULL)), 'Int64')) AS c2, nullIf(concat(extractGroups(ifNull({p0:String}, ''), {p3:String})[1], extractGroups(ifNull({p0:String}, ''), {p3:String})[2]), '') AS c3
FROM system.one
LIMIT {p4:UInt64}
-- {"p0":"level:warn code:7 text:'two words'","p1":"(?s)(?:^| )[ \\t]*(?:')?level(?:')?[ \\t]*:[ \\t]*(?:'(.*?)'|(.*?))[ \\t]*(?: |$)","p2":"(?s)(?:^| )[ \\t]*(?:')?code(?:')?[ \\t]*:[ \\t]*(?:'(.*?)'|(.*?))[ \\t]*(?: |$)","p3":"(?s)(?:^| )[ \\t]*(?:')?text(?:')?[ \\t]*:[ \\t]*(?:'(.*?)'|(.*?))[ \\t]*(?: |$)","p4":"65000"}
-- count:
SELECT count() AS n
FROM system.one
