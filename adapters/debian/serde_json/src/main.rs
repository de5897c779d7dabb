// Lets Touchstone ask serde_json by the line protocol, used as if it were
// RFC 8785: its maps are sorted trees unless it is told otherwise.
use std::io::{self, BufRead, Write};

fn canonicalize(text: &[u8]) -> Result<Vec<u8>, serde_json::Error> {
    let value: serde_json::Value = serde_json::from_slice(text)?;
    serde_json::to_vec(&value)
}

fn hex(bytes: &[u8]) -> String {
    if bytes.is_empty() { "-".to_string() } else { bytes.iter().map(|b| format!("{b:02x}")).collect() }
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).expect("hex")).collect()
}

fn main() -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        let line = line?;
        let word: Vec<&str> = line.split(' ').collect();
        let reply = match (word[0], word.get(1), word.get(2)) {
            ("hello", _, Some(&"profile=rfc8785")) => "hello 1 name=serde_json window=64".to_string(),
            ("hello", ..) | ("bye", ..) | (_, _, None) => break,
            (id, Some(&"canon"), Some(payload)) => match canonicalize(&unhex(payload)) {
                Ok(out) => format!("{id} ok {}", hex(&out)),
                Err(why) => format!("{id} reject - {}", hex(why.to_string().as_bytes())),
            },
            (id, ..) => format!("{id} skip"),
        };
        writeln!(io::stdout(), "{reply}")?;
    }
    Ok(())
}
