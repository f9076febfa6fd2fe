web
| extend a = status + 1, b = status - 1.5, c = status * 2, d = status / 7, e = status % 7, f = -status, g = -(duration + 1) * (2 - 3), h = duration / 0, i = 7.5 % 2
| project id, a, b, c, d, e, f, g, h, i
