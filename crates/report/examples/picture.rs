//! A picture of a part of a page: `picture PAGE.html OUT.png WIDTH light|dark FIRST LAST`, the last two being the ids of
//! sections. `scripts/screenshots.sh` uses it.

#![allow(clippy::print_stderr, clippy::exit, reason = "a command of its own")]

#[path = "../tests/chromium/mod.rs"]
mod chromium;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chromium::Browser;
use serde_json::json;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [page, out, width, scheme, first, last] = args.as_slice() else {
        eprintln!("usage: picture PAGE.html OUT.png WIDTH light|dark FIRST LAST");
        std::process::exit(2);
    };
    let page = std::fs::read_to_string(page).expect("the page can be read");
    let width: u32 = width.parse().expect("a width in pixels");
    let mut browser = Browser::start();
    browser.media("screen", scheme == "dark");
    browser.screen(width, 1000, width < 600);
    browser.open(&page);
    // From the top of the page where the first is the first section there is.
    let edges = browser.eval(&format!(
        "(() => {{ const box = (id) => document.getElementById(id).getBoundingClientRect();
            const top = document.querySelector('section').id === {first:?} ? 0 : box({first:?}).top - 16;
            return [top, box({last:?}).bottom + 16]; }})()"
    ));
    let (top, bottom) = (edges[0].as_f64().expect("a section"), edges[1].as_f64().expect("a section"));
    let clip = json!({"x": 0, "y": top, "width": width, "height": bottom - top, "scale": 1});
    let picture =
        browser.call("Page.captureScreenshot", json!({"format": "png", "clip": clip, "captureBeyondViewport": true}));
    let bytes = STANDARD.decode(picture["data"].as_str().expect("a picture")).expect("base64");
    std::fs::write(out, bytes).expect("the picture can be written");
}
