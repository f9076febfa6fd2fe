SELECT CAST(ifNull(match({p0:String}, {p2:String}), false), 'Nullable(Bool)') AS c0, CAST(ifNull(match({p0:String}, {p4:String}), false), 'Nullable(Bool)') AS c1, CAST(ifNull(match({p0:String}, {p5:String}), false), 'Nullable(Bool)') AS c2, if(extract({p9:String}, {p7:String}) != '', extract({p9:String}, {p7:String}), if(match({p9:String}, {p7:String}), '', NULL)) AS c3, if(extract({p11:String}, {p2:String}) != '', extract({p11:String}, {p2:String}), if(match({p11:String}, {p2:String}), '', NULL)) AS c4, replaceRegexpAll({p15:String}, {p13:String}, {p14:String}) AS c5, toInt64(countMatches({p15:String}, {p13:String})) AS c6, if({p15:String} IS NULL, NULL, if(match({p15:String}, {p13:String}), 0 + toInt64(lengthUTF8(extract(ifNull({p15:String}, ''), {p17:String}))), toInt64(-1))) AS c7, replaceRegexpOne({p0:String}, {p20:String}, '') AS c8
FROM system.one
LIMIT {p21:UInt64}
-- {"p0":"a\nb","p2":"(?-s)a.b","p4":"(?-s)(?s)a.b","p5":"a[.\n]b","p7":"(?-s)a(.+)b","p9":"a\nb axb","p11":"a\nb a_b","p13":"(?-s)a.","p14":"x","p15":"a\nab","p17":"^(.*?)(?:(?-s)a.)","p20":"(?-s)(?:.+)+$","p21":"65000"}
-- count:
SELECT count() AS n
FROM system.one
