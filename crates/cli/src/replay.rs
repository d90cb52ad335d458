//! `slowpath replay`

use serde_json::{Map, Value};
use slowpath::{Replay, ReplayedSize, Trust};
use slowpath_report::{Align, Style, Table, count, value_to_json};

use crate::args::ReplayArgs;
use crate::common_args::Format;
use crate::exit::{Exit, Failure};
use crate::{native, output};

pub fn main(args: ReplayArgs) -> Result<Exit, Failure> {
    if args.native {
        return native::main(args);
    }
    let trust = Trust { document: args.trust, build: args.trust_build };
    let replay = slowpath::replay(&args.findings, args.program, trust)?;
    match args.output.format {
        Format::Json => output::print(&value_to_json(&replay.to_json()))?,
        Format::Human => output::print(&human(&replay, Style { all: args.all, ..output::style() }))?,
    }
    if replay.sizes.is_empty() {
        return Err(Failure { code: Exit::Stopped, message: "the document has no inputs to run".to_owned() });
    }
    Ok(if replay.agrees() { Exit::Done } else { Exit::Exceeded })
}

fn human(replay: &Replay, style: Style) -> String {
    let mut table = Table::new(&[
        ("size", Align::Right),
        ("counter", Align::Left),
        ("recorded", Align::Right),
        ("machine", Align::Right),
        (slowpath::other_engine(), Align::Right),
    ]);
    let shown = |size: &&ReplayedSize| style.all || !size.differences.is_empty();
    let mut is_empty = true;
    for size in replay.sizes.iter().filter(shown) {
        is_empty = false;
        for (position, name) in size.machine.keys().enumerate() {
            let cell =
                |costs: &Map<String, Value>| costs.get(name).and_then(Value::as_u64).map_or("-".to_owned(), count);
            let label = if position == 0 { size.size.to_string() } else { String::new() };
            let cells = [&size.recorded, &size.machine, &size.replayed].map(cell);
            table.row([label, name.clone()].into_iter().chain(cells).collect());
        }
    }
    let mut out = if is_empty { String::new() } else { table.fit(style, &["machine", "recorded"]).render(style) };
    for size in &replay.sizes {
        for difference in &size.differences {
            out += &format!("{} {difference}\n", style.red(&format!("size {}:", size.size)));
        }
    }
    if replay.agrees() {
        let sizes = replay.sizes.len();
        out += &format!("all {} runs agree: {sizes} worst inputs, each on two engines\n", count(2 * sizes as u64));
    }
    out
}
