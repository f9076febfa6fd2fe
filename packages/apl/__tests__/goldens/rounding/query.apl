print up = round(2.5), down = round(-2.5), half = round(0.5), below = round(0.49999999999999994), digits = round(1234.5678, 2), hundreds = round(1250.0, -2), zero = round(-0.4), large = round(1e300, 2),
    nan = isnan(0.0 / 0), infinite = isinf(1.0 / 0), finite = isfinite(1.0 / 0), logarithm = isinf(log(0)), missing = isnull(1.0 / 0), whole = isfinite(1 / 2)
