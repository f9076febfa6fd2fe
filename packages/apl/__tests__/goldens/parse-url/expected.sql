SELECT c0 AS c4, nullIf(JSONExtractRaw(arrayMap(g -> concat('{', '"scheme":', toJSONString(g[1]), ',"username":', toJSONString(toValidUTF8(decodeURLComponent(g[2]))), ',"password":', toJSONString(toValidUTF8(decodeURLComponent(g[3]))), ',"host":', toJSONString(g[4]), ',"port":', toJSONString(g[5]), ',"path":', toJSONString(g[6]), ',"query":', toJSONString(g[7]), ',"fragment":', toJSONString(toValidUTF8(decodeURLComponent(g[8]))), '}'), [extractGroups(ifNull(c0, ''), '^(?:([A-Za-z][-+.0-9A-Za-z]*):)?(?://(?:([^/?#@:]*)(?::([^/?#@]*))?@)?(\\[[^\\]/?#]*\\]|[^/?#:]*)(?::([0-9]*))?)?([^?#]*)(?:\\?([^#]*))?(?:#(.*))?$')])[1], {p4:String}), '') AS c5, nullIf(JSONExtractRaw(arrayMap(g -> concat('{', '"scheme":', toJSONString(g[1]), ',"username":', toJSONString(toValidUTF8(decodeURLComponent(g[2]))), ',"password":', toJSONString(toValidUTF8(decodeURLComponent(g[3]))), ',"host":', toJSONString(g[4]), ',"port":', toJSONString(g[5]), ',"path":', toJSONString(g[6]), ',"query":', toJSONString(g[7]), ',"fragment":', toJSONString(toValidUTF8(decodeURLComponent(g[8]))), '}'), [extractGroups(ifNull(c0, ''), '^(?:([A-Za-z][-+.0-9A-Za-z]*):)?(?://(?:([^/?#@:]*)(?::([^/?#@]*))?@)?(\\[[^\\]/?#]*\\]|[^/?#:]*)(?::([0-9]*))?)?([^?#]*)(?:\\?([^#]*))?(?:#(.*))?$')])[1], {p5:String}), '') AS c6, JSONExtract(nullIf(JSONExtractRaw(arrayMap(g -> concat('{', '"scheme":', toJSONString(g[1]), ',"username":', toJSONString(toValidUTF8(decodeURLComponent(g[2]))), ',"password":', toJSONString(toValidUTF8(decodeURLComponent(g[3]))), ',"host":', toJSONString(g[4]), ',"port":', toJSONString(g[5]), ',"path":', toJSONString(g[6]), ',"query":', toJSONString(g[7]), ',"fragment":', toJSONString(toValidUTF8(decodeURLComponent(g[8]))), '}'), [extractGroups(ifNull(c0, ''), '^(?:([A-Za-z][-+.0-9A-Za-z]*):)?(?://(?:([^/?#@:]*)(?::([^/?#@]*))?@)?(\\[[^\\]/?#]*\\]|[^/?#:]*)(?::([0-9]*))?)?([^?#]*)(?:\\?([^#]*))?(?:#(.*))?$')])[1], {p6:String}), ''), 'Nullable(Int64)') AS c7, nullIf(JSONExtractRaw(arrayMap(g -> concat('{', '"scheme":', toJSONString(g[1]), ',"username":', toJSONString(toValidUTF8(decodeURLComponent(g[2]))), ',"password":', toJSONString(toValidUTF8(decodeURLComponent(g[3]))), ',"host":', toJSONString(g[4]), ',"port":', toJSONString(g[5]), ',"path":', toJSONString(g[6]), ',"query":', toJSONString(g[7]), ',"fragment":', toJSONString(toValidUTF8(decodeURLComponent(g[8]))), '}'), [extractGroups(ifNull(c0, ''), '^(?:([A-Za-z][-+.0-9A-Za-z]*):)?(?://(?:([^/?#@:]*)(?::([^/?#@]*))?@)?(\\[[^\\]/?#]*\\]|[^/?#:]*)(?::([0-9]*))?)?([^?#]*)(?:\\?([^#]*))?(?:#(.*))?$')])[1], {p7:String}), '') AS c8, nullIf(JSONExtractRaw(arrayMap(g -> concat('{', '"scheme":', toJSONString(g[1]), ',"username":', toJSONString(toValidUTF8(decodeURLComponent(g[2]))), ',"password":', toJSONString(toValidUTF8(decodeURLComponent(g[3]))), ',"host":', toJSONString(g[4]), ',"port":', toJSONString(g[5]), ',"path":', toJSONString(g[6]), ',"query":', toJSONString(g[7]), ',"fragment":', toJSONString(toValidUTF8(decodeURLComponent(g[8]))), '}'), [extractGroups(ifNull(c0, ''), '^(?:([A-Za-z][-+.0-9A-Za-z]*):)?(?://(?:([^/?#@:]*)(?::([^/?#@]*))?@)?(\\[[^\\]/?#]*\\]|[^/?#:]*)(?::([0-9]*))?)?([^?#]*)(?:\\?([^#]*))?(?:#(.*))?$')])[1], {p8:String}), '') AS c9, nullIf(JSONExtractRaw(arrayMap(g -> concat('{', '"scheme":', toJSONString(g[1]), ',"username":', toJSONString(toValidUTF8(decodeURLComponent(g[2]))), ',"password":', toJSONString(toValidUTF8(decodeURLComponent(g[3]))), ',"host":', toJSONString(g[4]), ',"port":', toJSONString(g[5]), ',"path":', toJSONString(g[6]), ',"query":', toJSONString(g[7]), ',"fragment":', toJSONString(toValidUTF8(decodeURLComponent(g[8]))), '}'), [extractGroups(ifNull(c0, ''), '^(?:([A-Za-z][-+.0-9A-Za-z]*):)?(?://(?:([^/?#@:]*)(?::([^/?#@]*))?@)?(\\[[^\\]/?#]*\\]|[^/?#:]*)(?::([0-9]*))?)?([^?#]*)(?:\\?([^#]*))?(?:#(.*))?$')])[1], {p9:String}), '') AS c10, nullIf(JSONExtractRaw(arrayMap(g -> concat('{', '"scheme":', toJSONString(g[1]), ',"username":', toJSONString(toValidUTF8(decodeURLComponent(g[2]))), ',"password":', toJSONString(toValidUTF8(decodeURLComponent(g[3]))), ',"host":', toJSONString(g[4]), ',"port":', toJSONString(g[5]), ',"path":', toJSONString(g[6]), ',"query":', toJSONString(g[7]), ',"fragment":', toJSONString(toValidUTF8(decodeURLComponent(g[8]))), '}'), [extractGroups(ifNull(c0, ''), '^(?:([A-Za-z][-+.0-9A-Za-z]*):)?(?://(?:([^/?#@:]*)(?::([^/?#@]*))?@)?(\\[[^\\]/?#]*\\]|[^/?#:]*)(?::([0-9]*))?)?([^?#]*)(?:\\?([^#]*))?(?:#(.*))?$')])[1], {p10:String}), '') AS c11, nullIf(JSONExtractRaw(arrayMap(g -> concat('{', '"scheme":', toJSONString(g[1]), ',"username":', toJSONString(toValidUTF8(decodeURLComponent(g[2]))), ',"password":', toJSONString(toValidUTF8(decodeURLComponent(g[3]))), ',"host":', toJSONString(g[4]), ',"port":', toJSONString(g[5]), ',"path":', toJSONString(g[6]), ',"query":', toJSONString(g[7]), ',"fragment":', toJSONString(toValidUTF8(decodeURLComponent(g[8]))), '}'), [extractGroups(ifNull(c0, ''), '^(?:([A-Za-z][-+.0-9A-Za-z]*):)?(?://(?:([^/?#@:]*)(?::([^/?#@]*))?@)?(\\[[^\\]/?#]*\\]|[^/?#:]*)(?::([0-9]*))?)?([^?#]*)(?:\\?([^#]*))?(?:#(.*))?$')])[1], {p11:String}), '') AS c12
FROM (
SELECT {p0:String} AS c0
FROM system.one
UNION ALL
SELECT {p1:String} AS c1
FROM system.one
UNION ALL
SELECT {p2:String} AS c2
FROM system.one
UNION ALL
SELECT {p3:String} AS c3
FROM system.one
)
ORDER BY c0
LIMIT {p12:UInt64}
-- {"p0":"https://us%20er:pw@example.com:8080/a/b?x=1&y=2#top","p1":"http://[::1]:80/","p2":"mailto:a@example.com","p3":"nonsense","p4":"scheme","p5":"host","p6":"port","p7":"path","p8":"username","p9":"password","p10":"query","p11":"fragment","p12":"65000"}
-- count:
SELECT count() AS n
FROM (
SELECT {p0:String} AS c0
FROM system.one
UNION ALL
SELECT {p1:String} AS c1
FROM system.one
UNION ALL
SELECT {p2:String} AS c2
FROM system.one
UNION ALL
SELECT {p3:String} AS c3
FROM system.one
)
