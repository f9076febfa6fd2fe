web
| parse kind=regex path with @'/(?P<first>\w+)/(\w+)/?(?<id>\d*)'
| parse kind=regex method with * @'(?P<vowel>[AEIOU])' rest
| project id, first, vowel, rest
