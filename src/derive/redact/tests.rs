use super::*;

fn redacted(text: &str) -> String {
    Redactor::default().text(text)
}

#[test]
fn secrets_and_hosts_do_not_survive() {
    let seeds = [
        "Get \"https://user:pw@api.acme.internal:8443/login?access_token=s3cr3t\": EOF",
        "Authorization: Bearer abcdef123456",
        "authorization=Basic dXNlcjpwYXNz",
        "cookie: session=0123456789abcdef",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
        "dial tcp 10.20.30.40:443: connect: refused",
        "peer [2001:db8::8a2e:370:7334]:443 and fe80::1ff:fe23:4567:890a",
        "projects/acme-prod-4711/instances/db-main",
        "acme-prod:europe-west6:db-main",
        "at /home/ann/load/tests/login.js:9:69",
        "file:///home/ann/load/tests/login.js:9:69(33)",
        "open /home/ann/load/users.json: no such file or directory",
        "stat /home/ann: permission denied",
        r"open C:\Users\ann\load\users.json: not found",
        "Authorization: Token 0123456789abcdef, realm=acme",
        "Cookie: a=1; session=0123456789abcdef; b=acme",
        r#"{"password":"s3cr3t","x":1} and {\"client_secret\": \"s3cr3t\"}"#,
        "GET /login?code=s3cr3t&state=0123456789 failed",
        "authorization%3A Bearer%20abcdef123456",
        "key glpat-0123456789abcdefghij",
        "sent AbCdEfGhIjKlMnOpQrStUvWxYz0123456789_abcdef",
        "host=acme-db user=ann dbname=acme",
        "project_id: acme-prod, instanceName=acme-7",
        "arn:aws:rds:eu-west-1:012345678901:db:acme",
        "node gke-acme-pool-1a2b3c4d-x7k2 and pod acme-6d4cf56db6-x7k2p",
        "mail to ann@acme.example",
        "dial acme-db:5432 and peer 2001:db8::",
        "lookup acme-db.prod.museum: no such host",
        "/subscriptions/acme/resourceGroups/acme",
        "dial unix /var/run/acme/secret.sock: connect: no such file or directory",
        "dial unix /acme/secret.sock: permission denied",
        "open /var/lib/acme/key.pem: permission denied",
        r"open C:\Users\ann\x.js",
        "dial postgres-acme:5432 failed",
        "connect ann:s3cr3t@acme failed",
        "sent ghp_0123456789abcdefghijABCDEFGHIJ012345 and AKIA0123456789ABCDEF",
        "pw=s3cr3t&pass=s3cr3t",
        "Bearer s3cr3t9",
        "Bearer s3c",
        "authorization was Bearer acme",
        "-----BEGIN PRIVATE KEY-----\nacme\n-----END PRIVATE KEY-----",
        "-----BEGIN CERTIFICATE-----\nacme\n-----END CERTIFICATE-----",
        "Cookie: theme=dark; session=s3cr3t; acme=1",
        "Cookie: jwt=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln; theme=acme",
        "token: acmeacme",
        "token: s3cr3t9",
    ];
    let telling = [
        "acme",
        "pw@",
        "s3cr3t",
        "abcdef123456",
        "dXNlcjpwYXNz",
        "0123456789",
        "eyJ",
        "10.20",
        "2001:db8",
        "fe80",
        "db-main",
        "ann",
        "/home",
    ];
    for seed in seeds {
        let text = redacted(seed);
        for word in telling {
            assert!(!text.contains(word), "`{word}` left in `{text}`");
        }
    }
}

#[test]
fn ordinary_texts_stay_as_they_are() {
    for text in [
        "token status ok",
        "token: valid",
        "token: present",
        "password ok",
        "refresh token: Valid",
        "bearer token is set",
        "unix time is now",
        "access token created",
        "login shows password page",
        "::users::add::bad",
        "http_req_duration..............: min=14.56ms avg=2.09s p(99.9)=38.43s",
        "running (30m22.6s), 000/200 VUs, 34399 complete and 0 interrupted iterations",
        "default ✓ [ 100% ] 200 VUs  30m0s",
        "2026-08-27 13:41:19 UTC",
        "ok {status} <200> a|b",
        "ann@example",
        "k6 v2.1.0 (go1.27.3)",
        "basic authentication works",
        "response.body.id is set",
        "human_password_login_with_otp_and_passkey_and_reset_duration",
        "login is ok? yes",
        "GET /v2/users/{id}",
        "search.test.js:9:69",
        "rows:100",
        "create user, \"new\" = ok",
    ] {
        assert_eq!(redacted(text), text);
    }
}

#[test]
fn own_patterns_apply_and_bad_ones_are_named() {
    let own = Redactor::new(&["internal-[a-z0-9-]+".to_owned()]).unwrap();
    assert_eq!(own.text("pool internal-a-7 is full"), "pool {redacted} is full");
    let fault = Redactor::new(&["(".to_owned()]).unwrap_err();
    assert!(fault.message.contains("`(`"), "{fault}");
    for empty in ["", "a*", "(?:x|)"] {
        let fault = Redactor::new(&[empty.to_owned()]).unwrap_err();
        assert!(fault.message.contains(&format!("`{empty}` fits the empty text")), "{fault}");
    }
}

#[test]
fn a_rewritten_text_stays_as_it_is() {
    for text in [
        "Authorization: Bearer abcdef123456",
        "cookie: a=1; b=2",
        "password=s3cr3t&token=abc",
        "10.1.2.3:80 api.acme.dev 2001:db8::1 acme-db:5432",
        "open /home/ann/x/users.json",
        "projects/acme/instances/x",
    ] {
        let once = redacted(text);
        assert_ne!(once, text);
        assert_eq!(redacted(&once), once);
    }
}

#[test]
fn evidence_loses_identity_in_every_name_and_text() {
    let names = |name: &str| std::collections::BTreeMap::from([(name.to_owned(), Default::default())]);
    let mut evidence =
        Evidence { target: "login".to_owned(), trends: names("x{url:https://api.acme.dev/a}"), ..Evidence::default() };
    evidence.k6.scenarios = vec!["default: exec 10.1.2.3".to_owned()];
    evidence.warnings = vec![crate::model::Warning::new("x", "host api.acme.dev")];
    let clean = Redactor::new(&["exec".to_owned()]).unwrap().evidence(evidence);
    assert_eq!(clean.trends.keys().collect::<Vec<_>>(), ["x{url:/a}"]);
    assert_eq!(clean.k6.scenarios, ["default: {redacted} {address}"]);
    assert_eq!(clean.warnings[0].message, "host {host}");
    assert_eq!(clean.target, "login");
}

/// Whatever a rule would change it has to be let look at.
#[test]
fn screening_changes_no_text() {
    let pieces = [
        "-----BEGIN RSA PRIVATE KEY-----x-----END RSA PRIVATE KEY-----",
        "eyJhbGciOiJIUzI1NiJ9.e30",
        "ghp_0123456789abcdef",
        "sk-0123456789abcdef",
        "AKIA0123456789ABCDEF",
        "hvs.0123456789abcdef",
        "npm_0123456789ab",
        "Bearer abcdef123456",
        "BASIC dXNlcjpwYXNz",
        "Set-Cookie: a=1",
        "X-Api-Key: 123456789",
        "pw=abc",
        "csrf=abc1",
        "my_assertion=x1",
        "pass=abc",
        "ann:s3cr3t@acme",
        "unixgram /x/y",
        "sid=1",
        "auth=1",
        "SESSION-ID=4711",
        "/a/b?code=x",
        "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789_abcdef",
        "/home/ann/x.js",
        r"C:\Users\ann\x",
        "resourceGroups/acme",
        "Account-Number: 4711",
        "username=ann",
        "pod=p",
        "acme-prod:europe-west6:db-main",
        "arn:aws:x",
        "i-0123456789",
        "gke-acme",
        "ip-10-0-0-1",
        "acme-6d4cf56db6-x7k2p",
        "ann@acme.example",
        "10.20.30.40:443",
        "[2001:db8::1]:1",
        "1:2:3:4:5:6:7:8",
        "fe80::1",
        "1:2::",
        "API.acme.COM",
        "acme.zone:80",
        "my-db.x.y",
        "LocalHost:80",
        "acme-db:5432",
        "8f14e45f-ceea-467f-9c9a-1b2c3d4e5f60",
        "123456789012345",
        "login.test.js:9:69",
        "avg=1.5ms",
        "http_reqs....: 17",
        "\u{661}\u{662}.\u{661}.\u{661}.\u{661}",
        "to\u{212a}en=abc1",
        "pa\u{17f}\u{17f}word=abc1",
        "a-b:c-d\u{661}:ef",
        "\u{e9}",
    ];
    let both = |text: &str| {
        let (mut screened, mut all) = (screen::Screened::new(text.to_owned()), screen::Screened::new(text.to_owned()));
        RULES.iter().for_each(|rule| rule.apply(&mut screened));
        RULES.iter().for_each(|rule| rule.apply_unscreened(&mut all));
        assert_eq!(screened.as_str(), all.as_str(), "{text}");
    };
    for (a, b) in pieces.iter().flat_map(|a| pieces.iter().map(move |b| (a, b))) {
        ["", " ", ".", "=", "-"].iter().for_each(|between| both(&[*a, *between, *b].concat()));
    }
}
