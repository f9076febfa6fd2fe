SELECT CAST(ifNull(match({p0:String}, {p2:String}), false), 'Nullable(Bool)') AS c0, CAST(ifNull(match({p0:String}, {p4:String}), false), 'Nullable(Bool)') AS c1, CAST(ifNull(match({p0:String}, {p5:String}), false), 'Nullable(Bool)') AS c2, if(match({p9:String}, {p7:String}), extractGroups(ifNull({p9:String}, ''), {p7:String})[{p10:UInt64}], NULL) AS c3, if(match({p12:String}, {p2:String}), extractGroups(ifNull({p12:String}, ''), {p13:String})[{p10:UInt64}], NULL) AS c4, replaceRegexpAll({p17:String}, {p15:String}, {p16:String}) AS c5, toInt64(countMatches({p17:String}, {p15:String})) AS c6, if({p17:String} IS NULL, NULL, if(match({p17:String}, {p15:String}), 0 + toInt64(lengthUTF8(extract(ifNull({p17:String}, ''), {p19:String}))), toInt64(-1))) AS c7, replaceRegexpOne({p0:String}, {p22:String}, '') AS c8
FROM system.one
LIMIT {p23:UInt64}
-- {"p0":"a\nb","p2":"(?-s)a.b","p4":"(?-s)(?s)a.b","p5":"a[.\n]b","p7":"(?-s)a(.+)b","p9":"a\nb axb","p10":"1","p12":"a\nb a_b","p13":"(?-s)(a.b)","p15":"(?-s)a.","p16":"x","p17":"a\nab","p19":"^(.*?)(?:(?-s)a.)","p22":"(?-s)(?:.+)$","p23":"65000"}
-- count:
SELECT count() AS n
FROM system.one
