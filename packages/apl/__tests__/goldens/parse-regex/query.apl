web
| parse kind=regex path with '/(?:api|Home)' @'.?' rest
| project id, rest
