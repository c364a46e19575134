//! Text inside HTML: nothing that comes from a program, a file name or a flag is ever markup.

use sha2::{Digest, Sha256};

/// Text for element content and for attributes in double quotes. Control characters, which HTML does not allow, become
/// the replacement character; tabs and ends of lines stay.
pub(super) fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            '\t' | '\n' => out.push(c),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// JSON for the content of a `script` element: without `<`, `>` and `&`, so that no text can end the element.
pub(super) fn json(value: &serde_json::Value) -> String {
    let plain = value.to_string();
    plain.replace('&', "\\u0026").replace('<', "\\u003c").replace('>', "\\u003e")
}

/// The policy that lets the browser run this script and use this style sheet and nothing else, from nowhere.
pub(super) fn policy(script: &str, style: &str) -> String {
    format!("default-src 'none'; script-src '{}'; style-src '{}'", hash(script), hash(style))
}

fn hash(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text.as_bytes())))
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for group in bytes.chunks(3) {
        let bits =
            group.iter().fold(0u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - group.len()));
        for digit in 0..4 {
            let value = bits >> (18 - 6 * digit) & 63;
            out.push(if digit > group.len() { '=' } else { DIGITS[value as usize] as char });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_text() {
        assert_eq!(text("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
        assert_eq!(text("\u{1b}[31m\t\0"), "\u{fffd}[31m\t\u{fffd}");
    }

    #[test]
    fn no_text_ends_a_script() {
        let value = serde_json::json!(["</script><!-- & é"]);
        assert_eq!(json(&value), "[\"\\u003c/script\\u003e\\u003c!-- \\u0026 é\"]");
    }

    #[test]
    fn base64_as_the_rfc_says() {
        for (plain, coded) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }
}
