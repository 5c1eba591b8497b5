//! Seeds of text: the sample cut small, and a text for each way in which one can be odd or hostile.

use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::Seed;

fn sample(name: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/sample").join(name);
    fs::read_to_string(path).expect("the sample is committed").lines().map(str::to_owned).collect()
}

fn joined(lines: &[String]) -> Vec<u8> {
    (lines.join("\n") + "\n").into_bytes()
}

/// The header and some rows.
fn cut(name: &str, from: usize, to: usize) -> Vec<u8> {
    let lines = sample(name);
    joined(&[&lines[..1], &lines[from..to.min(lines.len())]].concat())
}

/// The shortest events.
fn events() -> Vec<String> {
    let mut lines = sample("nostr-events.jsonl");
    lines.sort_by_key(String::len);
    lines.truncate(3);
    lines
}

fn plain() -> String {
    sample("bitcoin-64.jsonl")[0].clone()
}

pub(super) fn seeds() -> Vec<Seed> {
    let mut seeds = csv();
    seeds.extend(json());
    seeds.extend(cells());
    for (name, bytes) in [
        ("empty", &b""[..]),
        ("line-feeds", b"\n\n\n"),
        ("zeros", &[0; 16]),
        ("parquet-magic", b"PAR1PAR1"),
        ("gzip-magic", &[0x1f, 0x8b]),
        ("gzip-cut", &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]),
        ("zstd-magic", &[0x28, 0xb5, 0x2f, 0xfd]),
        // A frame that promises 2^62 bytes.
        ("zstd-promise", &[0x28, 0xb5, 0x2f, 0xfd, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0x40, 1, 0, 0]),
        ("mark", b"\xef\xbb\xbf"),
        ("mark-json", b"\xef\xbb\xbf{\"sig\":1}\n"),
        ("utf-16", b"\xff\xfe{\0}\0"),
        ("spaces-then-json", b"  \r\n\t {}\n"),
    ] {
        seeds.push(Seed("any", name.to_owned(), bytes.to_vec()));
    }
    seeds
}

fn csv() -> Vec<Seed> {
    let bitcoin = String::from_utf8(cut("bitcoin-64.csv", 1, 4)).expect("text");
    let quoted: Vec<String> = bitcoin.lines().map(|line| format!("\"{}\"", line.replace(',', "\",\""))).collect();
    let late = bitcoin.replacen("\n", "\n\n", 2) + "\"a quote, late\",b\n\"never closed,\n";
    let put = |name: &str, bytes: Vec<u8>| Seed("csv", name.to_owned(), bytes);
    vec![
        put("bitcoin", bitcoin.clone().into_bytes()),
        put("ethereum", cut("ethereum-64.csv", 1, 5)),
        put("schnorr", cut("schnorr-64.csv", 1, 5)),
        put("errors-1", cut("errors.csv", 1, 12)),
        put("errors-2", cut("errors.csv", 30, 42)),
        put("errors-3", cut("errors.csv", 60, 72)),
        put("recover-errors", cut("recover-errors.csv", 1, 12)),
        put("quoted", (quoted.join("\r\n") + "\r\n").into_bytes()),
        put("quote-late", late.into_bytes()),
        put("carriage-returns", bitcoin.replace('\n', "\r").into_bytes()),
        put("mark", [b"\xef\xbb\xbf", bitcoin.as_bytes()].concat()),
        put("no-last-end", bitcoin.trim_end().as_bytes().to_vec()),
        put("header-only", b"msg_hash,pubkey,sig".to_vec()),
        put("header-late", b"\n\r\n\nmsg_hash,pubkey,sig\n,,\n1,2,3\n".to_vec()),
        put("header-twice", b"sig,sig,msg_hash,pubkey\n1,2,3,4\n".to_vec()),
        put("header-aliases", b"PUBLIC_KEY,Signature,digest,message,scheme\n00,00,00,00,schnorr\n".to_vec()),
        put("header-commas", b",,,,,,,,,,,,,,,,msg_hash,pubkey,sig,,,,\n".to_vec()),
        put("uneven", b"msg_hash,pubkey,sig\n1\n1,2,3,4\n,\n1,2\n".to_vec()),
        put("not-utf-8", b"msg_hash,pubkey,sig\n\xff,\xfe,\xfd\n".to_vec()),
        put("zeros", b"msg_hash,pubkey,sig\n\0,\0,\0\n".to_vec()),
        put(
            "recovery-ids",
            b"msg_hash,pubkey,r,s,v\n00,02,1,1,0\n00,02,1,1,0x1b\n0,0,0,0,true\n,,,,-1\n,,,,35.0\n".to_vec(),
        ),
        put("quotes-only", b"\"msg_hash\",\"pubkey\",\"sig\"\n\"\"\"\",\"\"\"\",\"\n\"\n\"".to_vec()),
    ]
}

fn json() -> Vec<Seed> {
    let events = events();
    let event = &events[0];
    let opened = event.trim_end_matches('}');
    let wrapped = |before: &str, after: &str| format!("{before}{event}{after}\n");
    let id = event.split("\"id\":\"").nth(1).and_then(|rest| rest.get(..64)).expect("an event has an id");
    let altered = event.replacen("\"content\":\"", "\"content\":\"x", 1);
    let forged = format!("{},\"digest\":\"{id}\",\"msg_hash\":\"{id}\"}}\n", altered.trim_end_matches('}'));
    let renamed = |from: &str, to: &str| event.replacen(from, to, 1) + "\n";
    let put = |name: &str, text: String| Seed("json", name.to_owned(), text.into_bytes());
    let lines = |name: &str, from: usize, to: usize| sample(name)[from..to].join("\n") + "\n";
    vec![
        put("plain", lines("bitcoin-64.jsonl", 0, 3)),
        put("errors-1", lines("errors.jsonl", 0, 12)),
        put("errors-2", lines("errors.jsonl", 40, 52)),
        put("errors-3", lines("errors.jsonl", 82, 95)),
        put("events", events.join("\r\n")),
        put("event-errors", lines("nostr-errors.jsonl", 0, 17)),
        put("forged", forged),
        put("message-event", wrapped("[\"EVENT\",\"s\",", "]")),
        put("message-client", wrapped(" [ \"EVENT\" , ", " ] ")),
        put("message-auth", wrapped("[\"AUTH\",", "]") + "[\"AUTH\",\"challenge\"]\n"),
        put(
            "messages",
            "[\"EOSE\",\"s\"]\n[\"OK\",\"00\",true,\"\"]\n[\"NOTICE\",\"x\"]\n[\"EVENT\",\"s\",5]\n".to_owned(),
        ),
        put("array", format!("[{event},{event}]")),
        put("twice", format!("{opened},\"kind\":1}}\n{opened},\"\\u006bind\":1}}\n")),
        put("mixed", format!("{}\n{event}\n\n{{}}\n5\n\"\"\n", plain())),
        put("escapes", renamed("\"content\":\"", r#""content":"\u0001\ud83d\ude00\/\b\f\n\r\t\"\\\u0000\u001f\u007f"#)),
        put("half-character", renamed("\"content\":\"", r#""content":"\ud83d"#)),
        put("negative-kind", renamed("\"kind\":", "\"kind\":-")),
        put("late-time", renamed("\"created_at\":", "\"created_at\":99999999")),
        put("tags-of-numbers", renamed("\"tags\":[", "\"tags\":[1,[1],[[]],{},[null],")),
        put("capitals", event.to_uppercase() + "\n"),
        put("deep", "[".repeat(300) + "\n" + &"{\"a\":".repeat(300) + "\n"),
        put("types", "{\"msg_hash\":1,\"pubkey\":null,\"sig\":[],\"v\":{}}\n{\"sig\":true,\"v\":1e2}\n".to_owned()),
        put("unfinished", plain().trim_end_matches('}').to_owned()),
        put("white-space", "\t \r\n {} \x0b\n\u{a0}{}\n".to_owned()),
        put(
            "transaction",
            "{\"hash\":\"0x00\",\"r\":\"0x1\",\"s\":\"0x2\",\"yParity\":\"0x1\",\"msg_hash\":\"00\"}\n".to_owned(),
        ),
    ]
}

/// `column:value` lines from rows of the sample, and variants of them.
fn cells() -> Vec<Seed> {
    let row = |name: &str, number: usize| {
        let lines = sample(name);
        let pairs = lines[0].split(',').zip(lines[number].split(','));
        pairs.map(|(column, value)| format!("{column}:{value}\n")).collect::<String>()
    };
    let ecdsa = row("bitcoin-64.csv", 1);
    let value = |text: &str, column: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(column)?.strip_prefix(':').map(str::to_owned));
        line.unwrap_or_default()
    };
    let ethereum = row("ethereum-64.csv", 1);
    let [digest, from] = ["msg_hash", "from_address"].map(|column| value(&ethereum, column));
    let [r, s] = ["r", "s"].map(|column| value(&ethereum, column));
    let put = |name: &str, text: String| Seed("cells", name.to_owned(), text.into_bytes());
    vec![
        put("ecdsa", ecdsa.clone()),
        put("ecdsa-odd-length", ecdsa.clone() + "\n"),
        put("schnorr", row("schnorr-64.csv", 1)),
        put("schnorr-named", row("schnorr-64.csv", 2) + "scheme:SCHNORR\nmessage:00\n"),
        put("ethereum", ethereum.clone()),
        put("ethereum-r-s", format!("msg_hash:{digest}\nfrom_address:{from}\nr:{r}\ns:{s}\nv:27\n")),
        put("odd-digits", "msg_hash:00\nr:0x1\ns:123\nv:0x1c\npubkey:02\n".to_owned()),
        put("65-bytes", format!("msg_hash:{}\nsig:{}1b\npubkey:02\n", "11".repeat(32), "01".repeat(64))),
        put("65-bytes-beyond", format!("msg_hash:{}\nsig:0x{}04\nv:9\n", "11".repeat(32), "01".repeat(64))),
        put("empty-values", "scheme:\nmsg_hash:\npubkey:\nsig:\nv:\n".to_owned()),
        put("white-space", "msg_hash: 00\npubkey:00 \nsig:\t00\nv: 1\n".to_owned()),
        put("not-hex", "msg_hash:0x\npubkey:0x0x02\nsig:xyz\nv:1.0\n".to_owned()),
        put("quotes", "msg_hash:\"00\"\npubkey:a,b\nsig:\\u0030\nv:'1'\n".to_owned()),
    ]
}

/// Texts within gzip and zstd.
pub(super) fn packed() -> Vec<Seed> {
    let gzip = |bytes: &[u8]| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).expect("memory");
        encoder.finish().expect("memory")
    };
    let zstd = |bytes: &[u8]| zstd::encode_all(bytes, 19).expect("memory");
    let (csv, json) = (cut("bitcoin-64.csv", 1, 3), joined(&events()));
    let put = |name: &str, bytes: Vec<u8>| Seed("any", name.to_owned(), bytes);
    let mut damaged = gzip(&csv);
    *damaged.last_mut().expect("a trailer") ^= 1;
    vec![
        put("csv.gz", gzip(&csv)),
        put("csv-members.gz", [gzip(&csv[..100]), gzip(&csv[100..])].concat()),
        put("csv-damaged.gz", damaged),
        put("csv.zst", zstd(&csv)),
        put("json.gz", gzip(&json)),
        put("json.zst", zstd(&json)),
        put("json-frames.zst", [zstd(&json[..50]), zstd(&json[50..])].concat()),
        put("gzip-in-gzip", gzip(&gzip(&csv))),
        put("parquet-in-gzip", gzip(b"PAR1")),
        put("bomb.gz", gzip(&[b"msg_hash,pubkey,sig\n", &[b','; 1 << 16][..]].concat())),
    ]
}
