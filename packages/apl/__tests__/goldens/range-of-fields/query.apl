web
| extend n = toint(code), at = bin(_time, 1h)
| project id, up = range(1, n), down = range(n, 0, -3), halves = range(0.5, duration / 100, 0.5), of_field = range(0, code, 2),
    hours = range(at, at + 150m), quarters = range(at, at + 40m, 15m), spans = range(0s, n * 1h, 3h), none = range(n, 1), step0 = range(1, 3, n - 7), many = array_length(range(1, n * 10000))
