datatable (said:string, loud:bool) [
  'Use title case. Cover the related future queries', true,
  'use title case, and COVER RELATED FUTURE QUERIES in the first query', false,
  'The first query (use title case) waits 300 ms', true,
  'connection refused to db-1: connection refused', false,
  '/api/v1/users/17', true,
  '', true,
  null, false
]
| summarize common = phrases(said, 10), phrasesif(said, 10, loud), none = phrasesif(said, 3, said == 'x')
