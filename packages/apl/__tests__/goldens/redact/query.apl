web
| redact replaceToken='x' @'\d+', mails=@'[a-z]+@[a-z.]+' on path, method
| project id, path, method
