['web']
| extend first = tags[0], last = tags[-1], beyond = tags[9], items = array_length(tags), joined = strcat_array(tags, '-')
| extend eu = 'eu' in (tags), one = '1' in (tags), any = 'EU' in~ (tags), slow = set_has_element(tags, 'slow'), method_ = method in (tags)
| extend part = split(path, '/')[1], end = split(path, '/')[-1], none = split(['error.message'], 'x')[0], parts = array_length(split(path, '/'))
| extend isApi = set_has_element(split(path, '/'), 'api'), again = strcat_array(split(path, '/'), '|')
| project id, first, last, beyond, items, joined, eu, one, any, slow, method_, part, end, none, parts, isApi, again
| sort by id asc
