let slow = materialize(web | where status >= 400);
slow | summarize n = count() by method | join (materialize(slow | summarize m = max(status) by method)) on method | sort by method asc
