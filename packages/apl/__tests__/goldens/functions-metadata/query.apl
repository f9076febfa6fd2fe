web
| extend cursor = cursor_current(), ingested = ingestion_time()
| project id, cursor, ingested, late = datetime_diff('second', ingested, _time)
