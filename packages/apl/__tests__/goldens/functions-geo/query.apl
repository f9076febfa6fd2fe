datatable (ip:string) ['10.1.2.3', '::ffff:10.0.0.1', '2001:db8::1', '11.0.0.1', 'x', null]
| extend geo = geo_info_from_ip_address(ip)
| project ip, geo, country = tostring(geo.country), constant = geo_info_from_ip_address('10.255.0.1').city
