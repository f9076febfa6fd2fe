print line = '1.5|true|2026-01-01T00:00:00Z|x'
| parse kind=relaxed line with a:real '|' b:bool '|' c:datetime '|' d:string
