web
| project id,
    named = coalesce(geo.city, '', id),
    mixed = coalesce(code, 'none'),
    blank = coalesce('', ''),
    text = tostring(geo.city),
    spelled = tobool(method),
    missing = tobool(size),
    nothing = bool(null),
    notJson = todynamic(method),
    keys = bag_keys(tags)
| sort by id asc
