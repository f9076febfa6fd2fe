datatable (name: string, n: long, share: real, ok: bool, at: datetime, took: timespan, more: dynamic) [
  "it's", 9007199254740993, 1.5, true, datetime(2026-01-31T12:00:00.5Z), 1h, dynamic({"a": [1]}),
  "\u{1F600}", -1, 2, false, datetime(2026-01-31), 90s, 'text',
  null, null, null, null, null, null, null,
]
| extend twice = n * 2, a = more.a
