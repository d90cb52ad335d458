//! A check as JUnit XML: one test case for each target and bound, as CI systems show them.

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use crate::check::{CheckReport, CheckedBound, CheckedTarget, Evidence, Judgement};
use crate::visible::visible;

/// The report as a whole document.
pub fn junit(report: &CheckReport) -> String {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    // Writing into memory cannot fail.
    let _ = write(&mut writer, report);
    let mut text = String::from_utf8_lossy(&writer.into_inner()).into_owned();
    text.push('\n');
    text
}

type Out = Writer<Vec<u8>>;

fn write(writer: &mut Out, report: &CheckReport) -> std::io::Result<()> {
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let totals = report.targets.iter().map(Totals::of).fold(Totals::default(), Totals::plus);
    let suites = writer.create_element("testsuites").with_attribute(("name", "slowpath check"));
    totals
        .put(suites)
        .write_inner_content(|writer| report.targets.iter().try_for_each(|target| suite(writer, target)))?;
    Ok(())
}

#[derive(Clone, Copy, Default)]
struct Totals {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
    seconds: f64,
}

impl Totals {
    fn of(target: &CheckedTarget) -> Totals {
        let error = usize::from(target.error.is_some());
        let failures = target.bounds.iter().filter(|bound| bound.fails()).count();
        let open = target.bounds.iter().filter(|bound| bound.judgement == Judgement::Open && !bound.fails()).count();
        Totals { tests: target.bounds.len() + error, failures, errors: error, skipped: open, seconds: target.seconds }
    }

    fn plus(self, more: Totals) -> Totals {
        Totals {
            tests: self.tests + more.tests,
            failures: self.failures + more.failures,
            errors: self.errors + more.errors,
            skipped: self.skipped + more.skipped,
            seconds: self.seconds + more.seconds,
        }
    }

    fn put<'w>(
        &self,
        element: quick_xml::writer::ElementWriter<'w, Vec<u8>>,
    ) -> quick_xml::writer::ElementWriter<'w, Vec<u8>> {
        element
            .with_attribute(("tests", self.tests.to_string().as_str()))
            .with_attribute(("failures", self.failures.to_string().as_str()))
            .with_attribute(("errors", self.errors.to_string().as_str()))
            .with_attribute(("skipped", self.skipped.to_string().as_str()))
            .with_attribute(("time", format!("{:.3}", self.seconds).as_str()))
    }
}

fn suite(writer: &mut Out, target: &CheckedTarget) -> std::io::Result<()> {
    let element = writer.create_element("testsuite").with_attribute(("name", clean(&target.name).as_str()));
    Totals::of(target).put(element).write_inner_content(|writer| {
        if let Some(trouble) = &target.error {
            case(writer, target, "analysis", |writer| child(writer, "error", "error", trouble.message(), ""))?;
        }
        target.bounds.iter().try_for_each(|bound| bound_case(writer, target, bound))
    })?;
    Ok(())
}

fn bound_case(writer: &mut Out, target: &CheckedTarget, bound: &CheckedBound) -> std::io::Result<()> {
    let name = format!("{}: {}", bound.rule.name(), bound.bound);
    if !bound.fails() && bound.judgement == Judgement::Kept {
        return attributes(writer.create_element("testcase"), target, &name).write_empty().map(drop);
    }
    case(writer, target, &name, |writer| {
        if bound.fails() {
            let text: Vec<String> = bound.evidence.iter().flat_map(Evidence::lines).collect();
            child(writer, "failure", bound.rule.name(), &bound.told(), &text.join("\n"))
        } else {
            writer
                .create_element("skipped")
                .with_attribute(("message", clean(&bound.message).as_str()))
                .write_empty()?;
            Ok(())
        }
    })
}

fn case(
    writer: &mut Out,
    target: &CheckedTarget,
    name: &str,
    inner: impl FnOnce(&mut Out) -> std::io::Result<()>,
) -> std::io::Result<()> {
    attributes(writer.create_element("testcase"), target, name).write_inner_content(inner)?;
    Ok(())
}

fn attributes<'w>(
    element: quick_xml::writer::ElementWriter<'w, Vec<u8>>,
    target: &CheckedTarget,
    name: &str,
) -> quick_xml::writer::ElementWriter<'w, Vec<u8>> {
    element
        .with_attribute(("classname", format!("slowpath.{}", clean(&target.name)).as_str()))
        .with_attribute(("name", clean(name).as_str()))
        .with_attribute(("file", clean(&target.file).as_str()))
        .with_attribute(("time", format!("{:.3}", target.seconds).as_str()))
}

fn child(writer: &mut Out, element: &str, kind: &str, message: &str, text: &str) -> std::io::Result<()> {
    let element = writer
        .create_element(element)
        .with_attribute(("type", kind))
        .with_attribute(("message", clean(message).as_str()));
    element.write_text_content(BytesText::new(&clean(&format!("{message}\n{text}"))))?;
    Ok(())
}

/// Without characters that act on a terminal, most of which XML cannot hold, however they are escaped.
fn clean(text: &str) -> String {
    let fits = |c: char| c != '\u{fffe}' && c != '\u{ffff}';
    visible(text).chars().map(|c| if fits(c) { c } else { '\u{fffd}' }).collect()
}
