datatable (x:dynamic, y:real) [dynamic([0.5 * pi(), 1 + 2, {'deep': -pi()}]), pi(), dynamic([100ms, timespan(1h), datetime(2026-01-01)]), 3]
| extend later = case(y > 3, 'pi'), hex = tohex(toint(y), 4), second = indexof('abcabc', strcat('b', tostring(toint(y) - 3 + 1)), 0, -1, 1), again = indexof('abcabc', tolower('BC'), 0, -1, toint(y) - 1)
