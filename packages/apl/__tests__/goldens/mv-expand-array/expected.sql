SELECT if(startsWith(nullIf(c0, 'null'), '['), nullIf(JSONExtractRaw(nullIf(c0, 'null'), {p2:Int64}), ''), NULL) AS c1, if(startsWith(nullIf(c0, 'null'), '['), nullIf(JSONExtractRaw(nullIf(c0, 'null'), {p3:Int64}), ''), NULL) AS c2
FROM system.one
ARRAY JOIN multiIf(startsWith(ifNull({p0:String}, 'null'), '['), JSONExtractArrayRaw(ifNull({p0:String}, 'null')), startsWith(ifNull({p0:String}, 'null'), '{'), arrayMap(e -> concat('[', toJSONString(e.1), ',', e.2, ']'), JSONExtractKeysAndValuesRaw(ifNull({p0:String}, 'null'))), [ifNull({p0:String}, 'null')]) AS c0
LIMIT {p4:UInt64}
-- {"p0":"{\"a\":1,\"b\":\"x\"}","p2":"1","p3":"2","p4":"65000"}
-- count:
SELECT count() AS n
FROM system.one
ARRAY JOIN multiIf(startsWith(ifNull({p0:String}, 'null'), '['), JSONExtractArrayRaw(ifNull({p0:String}, 'null')), startsWith(ifNull({p0:String}, 'null'), '{'), arrayMap(e -> concat('[', toJSONString(e.1), ',', e.2, ']'), JSONExtractKeysAndValuesRaw(ifNull({p0:String}, 'null'))), [ifNull({p0:String}, 'null')]) AS c0
