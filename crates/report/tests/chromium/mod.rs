//! A headless Chromium to open pages in: its own protocol over a pair of pipes, with a time limit on every answer.
// Not everybody who includes it needs all of it.
#![allow(dead_code)]

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The longest wait for one answer; a busy machine may take seconds to start a browser.
const PATIENCE: Duration = Duration::from_secs(60);

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

const FLAGS: [&str; 14] = [
    "--headless=new",
    "--remote-debugging-pipe",
    // Tests run as root in containers, where the sandbox cannot start.
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--hide-scrollbars",
    "--mute-audio",
    "--no-first-run",
    "--no-default-browser-check",
];

/// One browser with one page, gone when dropped.
pub struct Browser {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    /// What the browser said unasked.
    pub events: Vec<Value>,
    asked: u64,
    session: Option<String>,
    folder: tempfile::TempDir,
}

fn find() -> PathBuf {
    let folders: Vec<PathBuf> =
        std::env::var_os("PATH").map_or_else(Vec::new, |path| std::env::split_paths(&path).collect());
    let all = folders.iter().flat_map(|folder| NAMES.iter().map(|name| folder.join(name)));
    all.into_iter().find(|file| file.is_file()).unwrap_or_else(|| {
        panic!("no Chromium found in PATH, looking for {}; run `make setup`, which installs it", NAMES.join(", "))
    })
}

impl Browser {
    /// A browser with an empty page.
    pub fn start() -> Browser {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let profile = folder.path().join("profile");
        // The protocol is spoken over descriptors 3 and 4, which a shell can put there.
        let mut child = Command::new("sh")
            .args(["-c", r#"exec "$@" 3<&0 4>&1 </dev/null >/dev/null 2>/dev/null"#, "sh"])
            .arg(find())
            .args(FLAGS)
            .arg(format!("--user-data-dir={}", profile.display()))
            .env("HOME", folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell starts");
        let to = child.stdin.take().expect("a pipe");
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        let (send, from) = channel();
        std::thread::spawn(move || {
            let mut message = Vec::new();
            while out.read_until(0, &mut message).is_ok_and(|length| length > 0) {
                message.pop();
                let Ok(value) = serde_json::from_slice(&message) else { break };
                if send.send(value).is_err() {
                    break;
                }
                message.clear();
            }
        });
        let mut browser = Browser { child, to, from, events: Vec::new(), asked: 0, session: None, folder };
        let page = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": page["targetId"], "flatten": true});
        let session = browser.call("Target.attachToTarget", attach);
        browser.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Network", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser.screen(1000, 900, false);
        browser
    }

    /// One command of the protocol, and its answer.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        let mut message = json!({"id": id, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        self.to.write_all(format!("{message}\0").as_bytes()).expect("Chromium listens");
        let answer = self.until(method, |message| message["id"].as_u64() == Some(id));
        assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
        answer["result"].clone()
    }

    fn until(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            match self.from.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(message) if wanted(&message) => return message,
                Ok(message) => self.events.push(message),
                Err(RecvTimeoutError::Timeout) => panic!("Chromium did not answer in {PATIENCE:?}: {what}"),
                Err(RecvTimeoutError::Disconnected) => panic!("Chromium ended before it answered: {what}"),
            }
        }
    }

    /// Shows a page from a file, as a user would open it.
    pub fn open(&mut self, page: &str) {
        let file = self.folder.path().join("report.html");
        std::fs::write(&file, page).expect("the page can be written");
        self.call("Page.navigate", json!({"url": format!("file://{}", file.display())}));
        self.until("the page to load", |message| message["method"] == "Page.loadEventFired");
        self.settle();
    }

    /// Puts another page beside the one that will be opened.
    pub fn put(&self, name: &str, page: &str) {
        std::fs::write(self.folder.path().join(name), page).expect("the page can be written");
    }

    /// Clicks on a link, and waits for the page that it leads to, which may have come before the answer to the click.
    pub fn follow(&mut self, selector: &str, index: usize) {
        let at = self.middle(selector, index);
        let is_load = |message: &Value| message["method"] == "Page.loadEventFired";
        self.events.retain(|message| !is_load(message));
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            self.mouse(kind, at);
        }
        if !self.events.iter().any(is_load) {
            self.until("the next page to load", is_load);
        }
        self.settle();
    }

    /// The value of a JavaScript expression.
    pub fn eval(&mut self, expression: &str) -> Value {
        let answer = self.call(
            "Runtime.evaluate",
            json!({"expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true}),
        );
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// Waits until what was changed is drawn.
    pub fn settle(&mut self) {
        self.eval("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))");
    }

    /// The middle of the `index`-th element that a selector finds, scrolled into view.
    pub fn middle(&mut self, selector: &str, index: usize) -> (f64, f64) {
        let found = self.eval(&format!(
            "(() => {{ const e = document.querySelectorAll({selector:?})[{index}]; if (!e) return null;
                e.scrollIntoView({{block: 'center', behavior: 'instant'}});
                const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})()"
        ));
        match (found[0].as_f64(), found[1].as_f64()) {
            (Some(x), Some(y)) => (x, y),
            _ => panic!("there is no element {index} of {selector}"),
        }
    }

    /// One event of the mouse: `mouseMoved`, `mousePressed`, `mouseReleased`.
    pub fn mouse(&mut self, kind: &str, (x, y): (f64, f64)) {
        let button = if kind == "mouseMoved" { "none" } else { "left" };
        self.call("Input.dispatchMouseEvent", json!({"type": kind, "x": x, "y": y, "button": button, "clickCount": 1}));
    }

    pub fn hover(&mut self, selector: &str, index: usize) {
        let at = self.middle(selector, index);
        self.mouse("mouseMoved", at);
        self.settle();
    }

    pub fn click(&mut self, selector: &str, index: usize) {
        let at = self.middle(selector, index);
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            self.mouse(kind, at);
        }
        self.settle();
    }

    /// A key pressed and let go where the focus is.
    pub fn key(&mut self, name: &str) {
        let text = if name == "Enter" { "\r" } else { "" };
        let code = if name == "Enter" { 13 } else { 0 };
        for kind in ["keyDown", "keyUp"] {
            let event = json!({"type": kind, "key": name, "code": name, "text": text, "windowsVirtualKeyCode": code});
            self.call("Input.dispatchKeyEvent", event);
        }
        self.settle();
    }

    /// The size of the window.
    pub fn screen(&mut self, width: u32, height: u32, mobile: bool) {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile});
        self.call("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// `screen` or `print`, and whether the reader prefers dark pages.
    pub fn media(&mut self, media: &str, dark: bool) {
        let scheme = if dark { "dark" } else { "light" };
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.call("Emulation.setEmulatedMedia", json!({"media": media, "features": features}));
        self.settle();
    }

    /// The events of one kind so far.
    pub fn said(&self, method: &str) -> Vec<&Value> {
        self.events.iter().filter(|event| event["method"] == method).map(|event| &event["params"]).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Killed rather than asked: nothing of it is worth keeping, and its helpers end with it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
