print stops = 'a\nb' matches regex 'a.b', asked = 'a\nb' matches regex '(?s)a.b', class = 'a\nb' matches regex 'a[.\n]b',
    found = extract('a(.+)b', 1, 'a\nb axb'), whole = extract('a.b', 0, 'a\nb a_b'), replaced = replace_regex('a.', 'x', 'a\nab'), counted = countof_regex('a.', 'a\nab'), place = indexof_regex('a\nab', 'a.'), trimmed = trim_end_regex('.+', 'a\nb')
