web
| make-series count() on _time step 6h
