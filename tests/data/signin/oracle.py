#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Others' own clients at gate.py, to know that it plays its parts: keystoneauth1 (OpenStack's) and
oauthlib. Prints the status of what they are let in to; ends with 77 where one is not installed.

    oracle.py keystone|oauth ORIGIN PATH
"""

import os
import sys

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"  # it is the loopback
kind, origin, path = sys.argv[1:]
try:
    import requests
    if kind == "keystone":
        from keystoneauth1 import session
        from keystoneauth1.identity import v3
    else:
        from oauthlib.oauth2 import BackendApplicationClient
except ImportError as missing:
    print(missing)
    sys.exit(77)

if kind == "keystone":
    who = v3.Password(auth_url=origin + "/identity/v3", username="alice", password="pass word of alice",
                      user_domain_name="Default", project_name="lab", project_domain_name="Default")
    print(session.Session(auth=who).get(origin + path).status_code)
else:
    from urllib.parse import quote_plus
    client = BackendApplicationClient(client_id="the client", scope=["read"])
    answer = requests.post(origin + "/token", data=dict(
        pair.split("=", 1) for pair in client.prepare_request_body().split("&")),
        auth=(quote_plus("the client"), quote_plus("s3cret:of+the client/1")))
    client.parse_request_body_response(answer.text)
    url, headers, _ = client.add_token(origin + path)
    print(requests.get(url, headers=headers).status_code)
