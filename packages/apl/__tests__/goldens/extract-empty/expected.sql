SELECT if(extract({p2:String}, {p0:String}) != '', extract({p2:String}, {p0:String}), if(match({p2:String}, {p0:String}), '', NULL)) AS c0, if(extract({p3:String}, {p0:String}) != '', extract({p3:String}, {p0:String}), if(match({p3:String}, {p0:String}), '', NULL)) AS c1, if(extract({p6:String}, {p5:String}) != '', extract({p6:String}, {p5:String}), if(match({p6:String}, {p0:String}), '', NULL)) AS c2, if(extract({p10:String}, {p9:String}) != '', extract({p10:String}, {p9:String}), if(match({p10:String}, {p7:String}), '', NULL)) AS c3, if(extract({p13:String}, {p12:String}) != '', extract({p13:String}, {p12:String}), if(match({p13:String}, {p7:String}), '', NULL)) AS c4, if(isNotNull(toInt64OrNull(extract({p15:String}, {p14:String}))), toInt64OrNull(extract({p15:String}, {p14:String})), accurateCastOrNull(trunc(if(isFinite(toFloat64OrNull(extract({p15:String}, {p14:String}))), toFloat64OrNull(extract({p15:String}, {p14:String})), NULL)), 'Int64')) AS c5
FROM system.one
LIMIT {p16:UInt64}
-- {"p0":"a(x*)b","p2":"ab","p3":"ac","p5":"a(?:x*)b","p6":"zaxxb","p7":"([(])(?:a|(b))(?P<third>c)","p9":"(?:[(])(?:a|(?:b))(c)","p10":"(bc","p12":"(?:[(])(?:a|(b))(?:c)","p13":"(ac","p14":"x=([0-9]*)","p15":"x=","p16":"65000"}
-- count:
SELECT count() AS n
FROM system.one
