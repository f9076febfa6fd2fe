SELECT _time AS c3, _row AS c4, data.`id` AS c5
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (ifNull(data.`id`.:String IN (
SELECT data.`id`.:String AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`status`.:Int64 >= {p2:Int64})
), false) AND (NOT ifNull(if(match(data.`id`.:String, '(?i)^(?:(?:(?:(?:19|2[01])[0-9][0-9]|22[0-5][0-9]|226[0-2])-[0-9]?[0-9](?:-[0-9]?[0-9])?|(?:(?:19|2[01])[0-9][0-9]|22[0-5][0-9]|226[0-2])/[0-9]?[0-9]/[0-9]?[0-9]|[0-9]?[0-9]/[0-9]?[0-9]/(?:(?:19|2[01])[0-9][0-9]|22[0-5][0-9]|226[0-2])|(?:(?:19|2[01])[0-9][0-9]|22[0-5][0-9]|226[0-2])[0-9]{4}|(?:[a-z]{3,9},? )?[0-9]?[0-9][- ](?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[- ](?:(?:19|2[01])[0-9][0-9]|22[0-5][0-9]|226[0-2])|(?:[a-z]{3,9},? )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* [0-9]?[0-9],? (?:(?:19|2[01])[0-9][0-9]|22[0-5][0-9]|226[0-2]))(?:[t ] ?(?:(?:[01]?[0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]+)?)?(?: ?[ap]m)?(?: ?(?:z|utc|gmt|[-+][01][0-9]:?[0-5][0-9]))?|(?:[01][0-9]|2[0-3])[0-5][0-9][0-5][0-9](?: ?(?:z|utc|gmt|[-+][01][0-9]:?[0-5][0-9]))?))?|(?:(?:19|2[01])[0-9][0-9]|22[0-5][0-9]|226[0-2])|[0-9]{10}(?:[.][0-9]+)?|[0-9]{13}|[0-9]{16}|[0-9]{19})$'), parseDateTime64BestEffortUSOrNull(data.`id`.:String, 9, 'UTC'), NULL) IN (
SELECT _sysTime AS c1
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`age`.:Int64 > {p3:Int64})
), false)) AND ifNull(replaceAll(lowerUTF8(data.`id`.:String), 'ς', 'σ') IN (
SELECT replaceAll(lowerUTF8(data.`user`.:String), 'ς', 'σ') AS c2
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
GROUP BY data.`user`.:String
), false))
ORDER BY _time DESC, _row DESC
LIMIT {p4:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"500","p3":"40","p4":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (ifNull(data.`id`.:String IN (
SELECT data.`id`.:String AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`status`.:Int64 >= {p2:Int64})
), false) AND (NOT ifNull(if(match(data.`id`.:String, '(?i)^(?:(?:(?:(?:19|2[01])[0-9][0-9]|22[0-5][0-9]|226[0-2])-[0-9]?[0-9](?:-[0-9]?[0-9])?|(?:(?:19|2[01])[0-9][0-9]|22[0-5][0-9]|226[0-2])/[0-9]?[0-9]/[0-9]?[0-9]|[0-9]?[0-9]/[0-9]?[0-9]/(?:(?:19|2[01])[0-9][0-9]|22[0-5][0-9]|226[0-2])|(?:(?:19|2[01])[0-9][0-9]|22[0-5][0-9]|226[0-2])[0-9]{4}|(?:[a-z]{3,9},? )?[0-9]?[0-9][- ](?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[- ](?:(?:19|2[01])[0-9][0-9]|22[0-5][0-9]|226[0-2])|(?:[a-z]{3,9},? )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* [0-9]?[0-9],? (?:(?:19|2[01])[0-9][0-9]|22[0-5][0-9]|226[0-2]))(?:[t ] ?(?:(?:[01]?[0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]+)?)?(?: ?[ap]m)?(?: ?(?:z|utc|gmt|[-+][01][0-9]:?[0-5][0-9]))?|(?:[01][0-9]|2[0-3])[0-5][0-9][0-5][0-9](?: ?(?:z|utc|gmt|[-+][01][0-9]:?[0-5][0-9]))?))?|(?:(?:19|2[01])[0-9][0-9]|22[0-5][0-9]|226[0-2])|[0-9]{10}(?:[.][0-9]+)?|[0-9]{13}|[0-9]{16}|[0-9]{19})$'), parseDateTime64BestEffortUSOrNull(data.`id`.:String, 9, 'UTC'), NULL) IN (
SELECT _sysTime AS c1
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`age`.:Int64 > {p3:Int64})
), false)) AND ifNull(replaceAll(lowerUTF8(data.`id`.:String), 'ς', 'σ') IN (
SELECT replaceAll(lowerUTF8(data.`user`.:String), 'ς', 'σ') AS c2
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
GROUP BY data.`user`.:String
), false))
