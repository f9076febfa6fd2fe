union (print id = '9007199254740993', n = 9007199254740993), (print id = '9007199254740992', n = 1), (print id = 9007199254740993, n = 2), (print id = 'x', n = 9223372036854775807)
| extend
    asLong = tolong(id),
    found = id == 9007199254740993,
    other = id != 9007199254740993,
    listed = id in (9007199254740993, 5),
    sameAsField = id == n,
    text = n == '9223372036854775807',
    cut = tolong('7.9'),
    most = tolong('9223372036854775807'),
    tooMuch = tolong('9223372036854775808')
| sort by n asc
